"""factor: like terms are collected over coefficients of parameters alone, and common factors drawn out.

Before: Izz*w*v - Iyy*v*w + m*a*x + m*b*y. After: (Izz - Iyy)*(w*v) + m*(a*x + b*y), the first factor prepared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from volterra_cg.program.cost import uses
from volterra_cg.program.graph import Graph, split
from volterra_cg.program.nodes import Node, topological
from volterra_cg.program.rewrite import remake
from volterra_cg.program.types import Program


def factor(program: Program) -> Program:
    """Rebuild every sum from its flattened terms."""
    roots = program.listed
    order = topological(roots)
    work = _Factoring(program.graph, uses(topological(program.roots), program.roots))
    for node in order:
        work.make(node)
    return program.mapped(work.made.__getitem__)


@dataclass
class _Term:
    """An exact number times a product of parameters alone times a product of other nodes."""

    number: Fraction
    fixed: Counter[Node]
    moving: Counter[Node]


class _Factoring:
    def __init__(self, graph: Graph, count: Counter[Node]) -> None:
        self._graph = graph
        self._count = count
        self._is_fixed: dict[Node, bool] = {}
        self.made: dict[Node, Node] = {}

    def make(self, node: Node) -> None:
        """The new form of a node whose arguments have been made."""
        if node.kind == "sum" and not self._fixed(node):
            self.made[node] = self._sum(self._flattened(node, Fraction(1)))
        elif node.kind == "product" and not self._fixed(node):
            self.made[node] = self._product(self._factors(node, Fraction(1)))
        else:
            self.made[node] = remake(node, [self.made[arg] for arg in node.args])

    def _fixed(self, node: Node) -> bool:
        if node not in self._is_fixed:
            if node.kind == "input":
                self._is_fixed[node] = node.is_parameter_only
            else:
                self._is_fixed[node] = all(self._fixed(arg) for arg in node.args)
        return self._is_fixed[node]

    # --- taking apart -------------------------------------------------------------------------------------------------

    def _flattened(self, node: Node, scale: Fraction) -> list[_Term]:
        """The terms of a sum, with those of sums that serve nothing else."""
        terms: list[_Term] = []
        coefficients, constant = node.data
        for coefficient, arg in zip(coefficients, node.args, strict=True):
            if arg.kind == "sum" and self._count[arg] <= 1 and not self._fixed(arg):
                terms += self._flattened(arg, scale * coefficient)
            else:
                terms.append(self._factors(arg, scale * coefficient))
        if constant:
            terms.append(_Term(scale * constant, Counter(), Counter()))
        return terms

    def _factors(self, node: Node, number: Fraction) -> _Term:
        """A node as a term, products that serve nothing else taken apart; so are multiples by parameters alone."""
        term = _Term(number, Counter(), Counter())
        self._gather(node, 1, term, top=True)
        return term

    def _gather(self, node: Node, exponent: int, term: _Term, top: bool = False) -> None:
        open_product = node.kind == "product" and not self._fixed(node)
        if open_product and (top or self._count[node] <= 1 or self._is_multiple(node)):
            for arg, power in zip(node.args, node.data, strict=True):
                self._gather(arg, exponent * power, term)
            return
        if node.kind == "sum" and len(node.args) == 1 and not node.data[1]:
            term.number *= node.data[0][0] ** exponent
            self._gather(node.args[0], exponent, term)
            return
        number, inner = split(self.made.get(node, node))
        term.number *= number**exponent
        if inner is not None:
            (term.fixed if self._fixed(inner) else term.moving)[inner] += exponent

    def _is_multiple(self, node: Node) -> bool:
        """Whether a product is one node times parameters alone."""
        moving = [e for arg, e in zip(node.args, node.data, strict=True) if not self._fixed(arg)]
        return moving == [1]

    # --- putting together ---------------------------------------------------------------------------------------------

    def _product(self, term: _Term) -> Node:
        graph = self._graph
        fixed = graph.multiply(graph.one, *(graph.power(node, e) for node, e in _ordered(term.fixed)))
        moving = [graph.power(node, e) for node, e in _ordered(term.moving)]
        return graph.scale(term.number, graph.multiply(fixed, *moving))

    def _sum(self, terms: Sequence[_Term]) -> Node:
        return self._factored(self._collected(terms))

    def _collected(self, terms: Sequence[_Term]) -> list[_Term]:
        """Terms of equal moving parts become one; what is fixed in them is added up if it differs."""
        groups: dict[tuple[tuple[Node, int], ...], list[_Term]] = {}
        for term in terms:
            groups.setdefault(_ordered(term.moving), []).append(term)
        result: list[_Term] = []
        for moving, group in groups.items():
            if len(group) == 1:
                result.append(group[0])
                continue
            parts = [self._product(_Term(term.number, term.fixed, Counter())) for term in group]
            number, inner = split(self._graph.add(*parts))
            if number:
                fixed = Counter() if inner is None else Counter({inner: 1})
                result.append(_Term(number, fixed, Counter(dict(moving))))
        return result

    def _factored(self, terms: Sequence[_Term]) -> Node:
        """f * (terms with f, without it) + the rest, for the factor f that most terms have."""
        graph = self._graph
        tally: Counter[Node] = Counter()
        for term in terms:
            tally.update({*term.fixed, *term.moving})
        common = [node for node, times in tally.items() if times > 1 and self._pays(node, terms)]
        if not common:
            return graph.add(graph.zero, *(self._product(term) for term in terms))
        best = min(common, key=lambda node: (-tally[node], self._fixed(node), node.number))
        inside = [_without(term, best) for term in terms if best in term.moving or best in term.fixed]
        outside = [term for term in terms if not (best in term.moving or best in term.fixed)]
        product = best * self._factored(inside)
        return graph.add(product, self._factored(outside)) if outside else product

    def _pays(self, node: Node, terms: Sequence[_Term]) -> bool:
        """Drawing out a fixed factor pays only where it is a multiplication in each term."""
        if not self._fixed(node):
            return True
        return all(term.moving and set(term.fixed) == {node} for term in terms if node in term.fixed)


def _ordered(factors: Counter[Node]) -> tuple[tuple[Node, int], ...]:
    return tuple(sorted(((n, e) for n, e in factors.items() if e), key=lambda pair: pair[0].number))


def _without(term: _Term, node: Node) -> _Term:
    fixed, moving = term.fixed.copy(), term.moving.copy()
    chosen = moving if node in moving else fixed
    chosen[node] -= 1
    return _Term(term.number, +fixed, +moving)
