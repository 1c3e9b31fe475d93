"""share: what several sums or products have in common is computed once.

Before: l*s1*c2*w**2 - l*c1*s2*w**2 beside m*s1*c2*v - m*c1*s2*v. After: l*w**2*d and m*v*d with d = s1*c2 - c1*s2.
All sums are opened into terms, and terms into literals. Then, again and again, the pair of literals or of terms that
saves most operations becomes a literal of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from volterra_cg.passes.divisors import Cube, Term, draw_out
from volterra_cg.program.cost import uses
from volterra_cg.program.graph import MINUS, ONE, Graph, split, times
from volterra_cg.program.nodes import Inverse, Node, Parametric, Product, Sum, topological
from volterra_cg.program.rewrite import remake
from volterra_cg.program.types import Program


def share(program: Program) -> Program:
    """Rebuild all sums and products from what they have in common."""
    opened = _Opened(program)
    sums = draw_out(opened.sums, len(opened.literals))
    made = _made(opened, sums, program.graph)
    return program.mapped(lambda node: made.get(node, node))


# --- taking apart ---------------------------------------------------------------------------------------------------------


class _Opened:
    """A program as sums of terms; whatever is no sum or product, and every sum that others share, is a literal."""

    def __init__(self, program: Program) -> None:
        self._graph = program.graph
        self._parametric = Parametric()
        order = topological(program.roots)
        self._kept = self._values(order, program.roots)
        self.order = [node for node in order if node in self._kept or not isinstance(node, (Sum, Product))]
        self.literals: list[Node] = []
        self.known: dict[Node, int] = {}
        self.places: dict[Node, int] = {}
        self.sums: list[list[Term]] = []
        for node in self.order:
            if isinstance(node, (Sum, Product)) and not self._parametric(node):
                self.places[node] = len(self.sums)
                self.sums.append(self._collected(self._terms(node)))

    def _values(self, order: Sequence[Node], roots: Sequence[Node]) -> set[Node]:
        """Nodes that stay values of their own."""
        count = uses(order, roots)
        kept = {
            *roots,
            *(node for node in order if self._parametric(node) or (isinstance(node, Sum) and count[node] > 1)),
        }
        for node in order:
            if isinstance(node, Product):
                kept.update(arg for arg in node.args if isinstance(arg, Sum))
            elif not isinstance(node, Sum):
                kept.update(node.args)
        return kept

    def _terms(self, root: Node) -> Iterator[tuple[Fraction, list[Node], Cube]]:
        """Terms of a node and of the sums in it that are no values of their own: number, parametric factors, cube."""
        waiting = [(ONE, root)]
        while waiting:
            scale, node = waiting.pop()
            closed = node in self._kept and node is not root and not _is_multiple(node)
            if not isinstance(node, Sum) or self._parametric(node) or closed:
                yield self._term(scale, node)
                continue
            if node.constant:
                yield scale * node.constant, [], ()
            waiting += [(times(scale, c), arg) for c, arg in zip(node.coefficients, node.args, strict=True)][::-1]

    def _term(self, scale: Fraction, root: Node) -> tuple[Fraction, list[Node], Cube]:
        """A product as its number, its parametric factors and its cube."""
        parametric: list[Node] = []
        cube: list[int] = []
        waiting = [(root, 1)]
        while waiting:
            node, exponent = waiting.pop()
            number, inner = split(node) if self._parametric(node) or _is_multiple(node) else (ONE, node)
            if number is not ONE:
                scale = times(scale, number**exponent)
            if inner is None:
                continue
            if self._parametric(inner):
                parametric += [inner] * exponent
            elif isinstance(inner, Product):
                waiting += [(arg, exponent * e) for arg, e in zip(inner.args, inner.exponents, strict=True)][::-1]
            elif inner is not node:
                waiting.append((inner, exponent))
            else:
                cube += [self._literal(inner)] * exponent
        return scale, parametric, self._cancelled(cube)

    def _cancelled(self, cube: list[int]) -> Cube:
        """A cube without divisors that are factors too."""
        for k in [k for k in cube if isinstance(self.literals[k], Inverse)]:
            divisor = self.known.get(self.literals[k].args[0])
            if divisor in cube:
                cube.remove(divisor)
                cube.remove(k)
        return tuple(sorted(cube))

    def _collected(self, terms: Iterable[tuple[Fraction, list[Node], Cube]]) -> list[Term]:
        """Terms of equal cubes become one; their coefficient of parameters alone is one more literal."""
        graph = self._graph
        groups: dict[Cube, Node] = {}
        for number, parametric, cube in terms:
            coefficient = graph.scale(number, graph.multiply(*parametric)) if parametric else graph.const(number)
            groups[cube] = graph.add(groups[cube], coefficient) if cube in groups else coefficient
        found: list[Term] = []
        for cube, coefficient in groups.items():
            sign = -1 if split(coefficient)[0] < 0 else 1
            size = coefficient if sign > 0 else -coefficient
            if coefficient.is_zero:
                continue
            if not cube or size is not graph.one:
                held = graph.hold(size) if cube else size
                cube = tuple(sorted((*cube, self._literal(held))))
            found.append((sign, cube))
        return found

    def _literal(self, node: Node) -> int:
        if node not in self.known:
            self.known[node] = len(self.literals)
            self.literals.append(node)
        return self.known[node]


def _is_multiple(node: Node) -> bool:
    """Whether a sum is an exact number times a node."""
    return isinstance(node, Sum) and len(node.args) == 1 and not node.constant


# --- putting together -----------------------------------------------------------------------------------------------------


def _made(opened: _Opened, sums: Sequence[Sequence[Term]], graph: Graph) -> dict[Node, Node]:
    """The new form of every node that is a value of its own."""
    made: dict[Node, Node] = {}
    values = dict(enumerate(opened.literals))
    further = len(opened.sums) - len(opened.literals)

    def unknown(terms: Sequence[Term]) -> list[int]:
        return [k for _, cube in terms for k in cube if k not in values]

    def total(terms: Sequence[Term]) -> Node:
        products = [_product(graph, [values[k] for k in cube]) for _, cube in terms]
        return graph.combine(
            (ONE if sign > 0 else MINUS, node) for (sign, _), node in zip(terms, products, strict=True)
        )

    def complete(terms: Sequence[Term]) -> Node:
        """A sum, after the sums that were added and are part of it."""
        waiting = unknown(terms)
        while waiting:
            added = sums[waiting[-1] + further]
            if inner := unknown(added):
                waiting += inner
            else:
                values[waiting.pop()] = total(added)
        return total(terms)

    for node in opened.order:
        if node in opened.places:
            made[node] = complete(sums[opened.places[node]])
        else:
            made[node] = remake(node, [made[arg] for arg in node.args])
        if node in opened.known:
            values[opened.known[node]] = made[node]
    return made


def _product(graph: Graph, factors: Sequence[Node]) -> Node:
    """The product of factors, of which squares stay nodes of their own."""
    if len(factors) == 1:
        return factors[0]
    squares = Counter([factor for factor in factors if isinstance(factor, Product) and len(factor.args) == 1])
    if not squares:
        return graph.multiply(*factors)
    number, rest = split(graph.multiply(graph.one, *(factor for factor in factors if factor not in squares)))
    powers = squares + Counter([rest] if rest is not None else [])
    if list(powers.values()) == [1]:
        return graph.scale(number, next(iter(powers)))
    pairs = sorted(powers.items(), key=lambda pair: pair[0].number)
    return graph.scale(number, graph.product(tuple(node for node, _ in pairs), tuple(e for _, e in pairs)))
