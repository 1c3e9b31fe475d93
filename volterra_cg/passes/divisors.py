"""Common divisors of sums: what terms have in common is drawn out and becomes a literal of its own.

A term is a sign and a product of literals, a divisor two literals that stand together in products, or two terms without
their common factor. The most profitable divisor goes first, until none saves an operation.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

Cube = tuple[int, ...]  # the literals of a term, in order, repeated where squared
Term = tuple[int, Cube]  # a sign and a cube
Place = tuple[int, int, int]  # a sum and two of its terms, or a sum, one of its terms and a negative count
Divisor = tuple[Cube, Cube, int]  # cube + sign * cube; with sign 0 the product of two literals
GONE: Term = (0, ())
NEAR = 40  # how far apart two terms of a sum may stand that are compared
LONG = 100  # literals; of a longer term none are paired


def draw_out(sums: Sequence[Sequence[Term]], literals: int) -> list[list[Term]]:
    """The sums over literals 0, 1, .. with their common divisors as further literals, and then the sums that those are."""
    return _Sharing(sums, literals).done()


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
