"""factor: like terms are collected over coefficients of parameters alone, and common factors drawn out.

Before: Izz*w*v - Iyy*v*w + m*a*x + m*a*y. After: (Izz - Iyy)*(w*v) + (m*a)*(x + y), the first factors prepared.
What several sums share stays whole, but for multiples by parameters (`factor_through`) or sums of two terms (`factor_pairs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from volterra_cg.program.cost import uses
from volterra_cg.program.graph import ONE, Graph, split, times
from volterra_cg.program.nodes import Node, Parametric, Product, Sum, topological
from volterra_cg.program.rewrite import remake
from volterra_cg.program.types import Program


def factor_through(program: Program) -> Program:
    """Rebuild every sum, multiples by parameters taken apart even where they are shared."""
    return _factored(program, through=True)


def factor_pairs(program: Program) -> Program:
    """Rebuild every sum, sums of two terms taken apart even where they are shared, if only by sums."""
    return _factored(program, through=False)


def _factored(program: Program, through: bool) -> Program:
    order = topological(program.roots)
    pairs = set() if through else _pairs(order, program.roots)
    work = _Factoring(program.graph, uses(order, program.roots), through, pairs)
    for node in topological(program.listed):
        work.make(node)
    return program.mapped(work.made.__getitem__)


@dataclass
class _Term:
    """An exact number times a node of parameters alone (or None) times a product of other nodes."""

    number: Fraction
    parametric: Node | None = None
    moving: dict[Node, int] = field(default_factory=dict)


class _Factoring:
    def __init__(self, graph: Graph, count: Counter[Node], through: bool, pairs: set[Node]) -> None:
        self._graph = graph
        self._count = count
        self._through = through
        self._pairs = pairs
        self._parametric = Parametric()
        self.made: dict[Node, Node] = {}

    def make(self, node: Node) -> None:
        """The new form of a node whose arguments have been made."""
        if isinstance(node, Sum) and not self._parametric(node):
            self.made[node] = self._sum(self._collected(self._flattened(node, ONE)))
        elif isinstance(node, Product) and not self._parametric(node):
            self.made[node] = self._product(self._term(node, ONE))
        else:
            self.made[node] = remake(node, [self.made[arg] for arg in node.args])

    # --- taking apart -------------------------------------------------------------------------------------------------

    def _flattened(self, node: Sum, scale: Fraction) -> list[_Term]:
        """The terms of a sum, with those of sums that serve nothing else."""
        terms: list[_Term] = []
        for coefficient, arg in zip(node.coefficients, node.args, strict=True):
            if isinstance(arg, Sum) and not self._parametric(arg) and (self._count[arg] <= 1 or arg in self._pairs):
                terms += self._flattened(arg, times(scale, coefficient))
            else:
                terms.append(self._term(arg, times(scale, coefficient)))
        if node.constant:
            terms.append(_Term(scale * node.constant))
        return terms

    def _term(self, node: Node, number: Fraction) -> _Term:
        """A node as a term, products that serve nothing else taken apart."""
        term = _Term(number)
        parametric: list[Node] = []
        self._gather(node, 1, term, parametric, top=self._count[node] <= 1 or node not in self.made)
        if parametric:
            scale, term.parametric = split(self._graph.multiply(*parametric))
            term.number = times(term.number, scale)
        return term

    def _gather(self, node: Node, exponent: int, term: _Term, parametric: list[Node], top: bool = False) -> None:
        if isinstance(node, Product) and not self._parametric(node) and (top or self._is_open(node)):
            for arg, power in zip(node.args, node.exponents, strict=True):
                self._gather(arg, exponent * power, term, parametric)
            return
        if isinstance(node, Sum) and len(node.args) == 1 and not node.constant:
            term.number = times(term.number, _power(node.coefficients[0], exponent))
            self._gather(node.args[0], exponent, term, parametric)
            return
        number, inner = split(self.made.get(node, node))
        if number is not ONE:
            term.number = times(term.number, _power(number, exponent))
        if inner is not None and self._parametric(inner):
            parametric.append(self._graph.power(inner, exponent))
        elif inner is not None:
            term.moving[inner] = term.moving.get(inner, 0) + exponent

    def _is_open(self, node: Product) -> bool:
        """Whether a product is taken apart: it serves nothing else, or is one node times parameters alone."""
        if self._count[node] <= 1 or not self._through:
            return self._count[node] <= 1
        moving = [e for arg, e in zip(node.args, node.exponents, strict=True) if not self._parametric(arg)]
        return moving == [1]

    # --- putting together ---------------------------------------------------------------------------------------------

    def _product(self, term: _Term) -> Node:
        graph = self._graph
        factors = [graph.power(node, e) for node, e in _ordered(term.moving)]
        factors += [term.parametric] if term.parametric else []
        if not factors:
            return graph.const(term.number)
        return graph.scale(term.number, factors[0] if len(factors) == 1 else graph.multiply(*factors))

    def _collected(self, terms: Sequence[_Term]) -> list[_Term]:
        """Terms of equal moving parts become one; what is parametric in them is added up and kept in one piece."""
        groups: dict[tuple[tuple[Node, int], ...], list[_Term]] = {}
        for term in terms:
            groups.setdefault(_ordered(term.moving), []).append(term)
        result: list[_Term] = []
        for moving, group in groups.items():
            if len(group) == 1 and (group[0].parametric is None or abs(group[0].number) == 1):
                result += group
                continue
            total = self._graph.add(*(self._product(_Term(term.number, term.parametric)) for term in group))
            number, parametric = split(self._graph.hold(total) if moving else total)
            if number:
                result.append(_Term(number, parametric, dict(moving)))
        return result

    def _sum(self, terms: Sequence[_Term]) -> Node:
        """The factor that most terms have times what is left of them, plus the rest."""
        graph = self._graph
        tally: dict[Node, int] = {}
        for term in terms:
            for node in term.moving:
                tally[node] = tally.get(node, 0) + 1
            if term.parametric and term.moving:
                tally[term.parametric] = tally.get(term.parametric, 0) + 1
        common = [node for node, count in tally.items() if count > 1]
        if not common:
            return graph.add(graph.zero, *(self._product(term) for term in terms))
        best = min(common, key=lambda node: (-tally[node], self._parametric(node), node.number))
        having = [term for term in terms if term.moving and (best in term.moving or best is term.parametric)]
        outside = [term for term in terms if not any(term is other for other in having)]
        product = best * self._sum([_without(term, best) for term in having])
        return graph.add(product, self._sum(outside)) if outside else product


def _pairs(order: Sequence[Node], roots: Sequence[Node]) -> set[Node]:
    """Sums of two terms that serve nothing but sums."""
    bound = {*roots, *(arg for node in order if not isinstance(node, Sum) for arg in node.args)}
    return {n for n in order if isinstance(n, Sum) and len(n.args) + bool(n.constant) == 2 and n not in bound}


def _ordered(factors: dict[Node, int]) -> tuple[tuple[Node, int], ...]:
    return tuple(factors.items()) if len(factors) == 1 else tuple(sorted(factors.items(), key=_number))


def _number(pair: tuple[Node, int]) -> int:
    return pair[0].number


def _power(number: Fraction, exponent: int) -> Fraction:
    return number if exponent == 1 else number**exponent


def _without(term: _Term, node: Node) -> _Term:
    if node is term.parametric:
        return _Term(term.number, None, term.moving)
    moving = {other: e - (other is node) for other, e in term.moving.items() if e > 1 or other is not node}
    return _Term(term.number, term.parametric, moving)
