"""share: what several sums or products have in common is computed once.

Before: l*s1*c2*w**2 - l*c1*s2*w**2 beside m*s1*c2*v - m*c1*s2*v. After: l*w**2*d and m*v*d with d = s1*c2 - c1*s2.
All sums are opened into terms, and terms into literals. Then, again and again, the pair of literals or of terms that
saves most operations becomes a literal of its own.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from volterra_cg.program.cost import uses
from volterra_cg.program.graph import MINUS, ONE, Graph, split, times
from volterra_cg.program.nodes import Node, topological
from volterra_cg.program.rewrite import remake
from volterra_cg.program.types import Program

Cube = tuple[int, ...]  # the literals of a term, in order, repeated where squared
Term = tuple[int, Cube]  # a sign and a cube
Place = tuple[int, int, int]  # a sum and two of its terms, or a sum, one of its terms and a negative count
Divisor = tuple[Cube, Cube, int]  # cube + sign * cube; with sign 0 the product of two literals
GONE: Term = (0, ())
NEAR = 40  # how far apart two terms of a sum may stand that are compared
LONG = 40  # literals; of a longer term none are paired


def share(program: Program) -> Program:
    """Rebuild all sums and products from what they have in common."""
    opened = _Opened(program)
    sums = _Sharing(opened.sums, len(opened.literals)).done()
    made = _made(opened, sums, program.graph)
    return program.mapped(lambda node: made.get(node, node))


# --- taking apart ---------------------------------------------------------------------------------------------------------


class _Opened:
    """A program as sums of terms; whatever is no sum or product, and every sum that others share, is a literal."""

    def __init__(self, program: Program) -> None:
        self._graph = program.graph
        self._fixed: dict[Node, bool] = {}
        order = topological(program.roots)
        for node in order:
            self._fixed[node] = node.is_parameter_only if node.kind == "input" else all(map(self._fixed.get, node.args))
        self._kept = self._values(order, program.roots)
        self.order = [node for node in order if node in self._kept or node.kind not in ("sum", "product")]
        self.literals: list[Node] = []
        self.known: dict[Node, int] = {}
        self.places: dict[Node, int] = {}
        self.sums: list[list[Term]] = []
        for node in self.order:
            if node.kind in ("sum", "product") and not self._fixed[node]:
                self.places[node] = len(self.sums)
                self.sums.append(self._collected(self._terms(node)))

    def _values(self, order: Sequence[Node], roots: Sequence[Node]) -> set[Node]:
        """Nodes that stay values of their own."""
        count = uses(order, roots)
        kept = {*roots, *(node for node in order if self._fixed[node] or (node.kind == "sum" and count[node] > 1))}
        for node in order:
            if node.kind == "product":
                kept.update(arg for arg in node.args if arg.kind == "sum")
            elif node.kind != "sum":
                kept.update(node.args)
        return kept

    def _terms(self, root: Node) -> Iterator[tuple[Fraction, list[Node], Cube]]:
        """Terms of a node and of the sums in it that are no values of their own: number, fixed factors, cube."""
        waiting = [(ONE, root)]
        while waiting:
            scale, node = waiting.pop()
            closed = node in self._kept and node is not root and not _is_multiple(node)
            if node.kind != "sum" or self._fixed[node] or closed:
                yield self._term(scale, node)
                continue
            coefficients, constant = node.data
            if constant:
                yield scale * constant, [], ()
            waiting += [(times(scale, c), arg) for c, arg in zip(coefficients, node.args, strict=True)][::-1]

    def _term(self, scale: Fraction, root: Node) -> tuple[Fraction, list[Node], Cube]:
        """A product as its number, its fixed factors and its cube."""
        fixed: list[Node] = []
        cube: list[int] = []
        waiting = [(root, 1)]
        while waiting:
            node, exponent = waiting.pop()
            number, inner = split(node) if self._fixed[node] or _is_multiple(node) else (ONE, node)
            scale = times(scale, number**exponent)
            if inner is None:
                continue
            if self._fixed[inner]:
                fixed += [inner] * exponent
            elif inner.kind == "product":
                waiting += [(arg, exponent * e) for arg, e in zip(inner.args, inner.data, strict=True)][::-1]
            elif inner is not node:
                waiting.append((inner, exponent))
            else:
                cube += [self._literal(inner)] * exponent
        return scale, fixed, self._cancelled(cube)

    def _cancelled(self, cube: list[int]) -> Cube:
        """A cube without divisors that are factors too."""
        for k in [k for k in cube if self.literals[k].kind == "inverse"]:
            divisor = self.known.get(self.literals[k].args[0])
            if divisor in cube:
                cube.remove(divisor)
                cube.remove(k)
        return tuple(sorted(cube))

    def _collected(self, terms: Iterable[tuple[Fraction, list[Node], Cube]]) -> list[Term]:
        """Terms of equal cubes become one; their coefficient of parameters alone is one more literal."""
        graph = self._graph
        groups: dict[Cube, Node] = {}
        for number, fixed, cube in terms:
            coefficient = graph.scale(number, graph.multiply(graph.one, *fixed))
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
    return node.kind == "sum" and len(node.args) == 1 and not node.data[1]


# --- finding what is common -----------------------------------------------------------------------------------------------


class _Sharing:
    """Sums of terms, to which the most profitable divisor is added as a literal until none is left."""

    def __init__(self, sums: Sequence[Sequence[Term]], literals: int) -> None:
        self._sums = [list(terms) for terms in sums]
        self._first = literals - len(self._sums)  # the literal that a further sum is, less its place
        self._found: dict[Divisor, dict[Place, int]] = {}  # where a divisor is, and the length of its cofactor there
        self._noted: dict[tuple[int, int], list[tuple[Divisor, Place]]] = {}  # by sum and term
        self._age: dict[Divisor, int] = {}
        self._queue: list[tuple[int, bool, int, Divisor]] = []

    def done(self) -> list[list[Term]]:
        """The sums, then those that were added, of which literals count on from the first free one."""
        self._note({(where, i): None for where, terms in enumerate(self._sums) for i in range(len(terms))})
        while self._queue:
            expected, *_, divisor = heapq.heappop(self._queue)
            saving = self._saving(divisor)
            if saving == -expected:
                self._draw_out(divisor)
            elif saving > 0:
                self._queued(divisor, saving)
        return [[term for term in terms if term[0]] for terms in self._sums]

    def _queued(self, divisor: Divisor, saving: int) -> None:
        """The largest saving comes first, then sums before products, then what was found first."""
        age = self._age.setdefault(divisor, len(self._age))
        heapq.heappush(self._queue, (-saving, not divisor[2], age, divisor))

    def _note(self, fresh: Mapping[tuple[int, int], None]) -> None:
        """Find the divisors that new terms bring."""
        met: dict[Divisor, int] = {}
        for where, i in fresh:
            for divisor, place, common in self._divisors(where, i, fresh):
                self._found.setdefault(divisor, {})[place] = common
                for k in place[1:] if divisor[2] else (i,):
                    self._noted.setdefault((where, k), []).append((divisor, place))
                met[divisor] = common
        for divisor, common in met.items():
            if common or len(self._found[divisor]) > 1:  # one place without a cofactor saves nothing
                saving = self._saving(divisor)
                if saving > 0:
                    self._queued(divisor, saving)

    def _divisors(self, where: int, i: int, fresh: Container[tuple[int, int]]) -> Iterator[tuple[Divisor, Place, int]]:
        """Pairs of literals in a term, and its sums with other terms; of two fresh terms the later has the sum."""
        terms = self._sums[where]
        own, cube = terms[i]
        for pair, often in _pairs(cube) if len(cube) <= LONG else ():
            for k in range(often):
                yield (pair, (), 0), (where, i, -1 - k), 0
        for j in range(max(0, i - NEAR), min(len(terms), i + NEAR + 1)):
            sign, other = terms[j]
            if sign and (j < i or (j > i and (where, j) not in fresh)):
                divisor, common = _divided(other, cube, sign * own)
                yield divisor, (where, min(i, j), max(i, j)), common

    def _saving(self, divisor: Divisor) -> int:
        """Operations that are saved if a divisor is computed once wherever it is."""
        first, second, sign = divisor
        if not sign:
            return len(self._found[divisor]) - 1
        one, two = len(first), len(second)
        own = 1 + max(one - 1, 0) + max(two - 1, 0)
        return sum(1 + max(k + one - 1, 0) + max(k + two - 1, 0) - k for _, k in self._apart(divisor)) - own

    def _apart(self, divisor: Divisor) -> list[tuple[Place, int]]:
        """Places of a sum of two terms, no term twice; the longest cofactors first."""
        places = self._found[divisor]
        if len(places) < 2:
            return list(places.items())
        taken: set[tuple[int, int]] = set()
        kept = []
        for place, common in sorted(places.items(), key=_cofactor):
            where, i, j = place
            if (where, i) not in taken and (where, j) not in taken:
                taken |= {(where, i), (where, j)}
                kept.append((place, common))
        return kept

    def _draw_out(self, divisor: Divisor) -> None:
        """Make a divisor a literal wherever it is."""
        first, second, sign = divisor
        literal = self._first + len(self._sums)
        changed: dict[tuple[int, int], None] = {}
        for place in [place for place, _ in self._apart(divisor)] if sign else list(self._found[divisor]):
            where, i, j = place
            terms = self._sums[where]
            self._forget(where, i)
            if sign:
                self._forget(where, j)
                common = _common(terms[i][1], terms[j][1])
                leading = terms[i] if _without(terms[i][1], common) == first else terms[j]
                terms[i], terms[j] = (leading[0], tuple(sorted((*common, literal)))), GONE
            else:
                terms[i] = terms[i][0], tuple(sorted((*_without(terms[i][1], first), literal)))
            changed[where, i] = None
        self._sums.append([(1, first), (sign, second)] if sign else [(1, first)])
        if sign:
            changed |= dict.fromkeys([(len(self._sums) - 1, 0), (len(self._sums) - 1, 1)])
        self._note(changed)

    def _forget(self, where: int, i: int) -> None:
        for divisor, place in self._noted.pop((where, i), ()):
            self._found[divisor].pop(place, None)


def _cofactor(item: tuple[Place, int]) -> int:
    return -item[1]


def _pairs(cube: Cube) -> Iterator[tuple[Cube, int]]:
    """Pairs of literals of a cube, each with how often it fits in."""
    powers = Counter(cube)
    for k, b in enumerate(powers):
        if powers[b] > 1:
            yield (b, b), powers[b] // 2
        for a in list(powers)[:k]:
            yield (a, b), min(powers[a], powers[b])


def _common(one: Cube, two: Cube) -> Cube:
    """The literals that two cubes share, as often as both have them."""
    rest = list(two)
    kept = []
    for literal in one:
        if literal in rest:
            rest.remove(literal)
            kept.append(literal)
    return tuple(kept)


def _without(cube: Cube, part: Cube) -> Cube:
    rest = list(cube)
    for literal in part:
        rest.remove(literal)
    return tuple(rest)


def _divided(one: Cube, two: Cube, sign: int) -> tuple[Divisor, int]:
    """The sum of two terms without their common cube, and the length of that."""
    common = _common(one, two)
    if common:
        one, two = _without(one, common), _without(two, common)
    return ((one, two, sign) if one <= two else (two, one, sign)), len(common)


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
    squares = Counter(factor for factor in factors if factor.kind == "product" and len(factor.args) == 1)
    number, rest = split(graph.multiply(graph.one, *(factor for factor in factors if factor not in squares)))
    powers = squares + Counter([rest] if rest is not None else [])
    if list(powers.values()) == [1]:
        return graph.scale(number, next(iter(powers)))
    pairs = sorted(powers.items(), key=lambda pair: pair[0].number)
    product = (
        graph.make("product", tuple(node for node, _ in pairs), tuple(e for _, e in pairs)) if pairs else graph.one
    )
    return graph.scale(number, product)
