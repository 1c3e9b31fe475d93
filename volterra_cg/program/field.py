"""Fingerprints: values of nodes at two random points of the prime field of 2**61 - 1 elements.

Equal fingerprints mean equal expressions (but for a chance of about 2**-90); the converse holds for rational functions
of inputs, sines and cosines. Any other function is an opaque hash of its arguments' fingerprints.

A sine and a cosine are the parts of a point on the unit circle x**2 + y**2 = 1 of the field. That circle is a cyclic
group of 2**61 elements, so an odd divisor of an angle is inverted modulo 2**61, and an angle is carried as 2**16 steps,
which leaves room for halving sixteen times: sin(theta/2), cos(0.089 t) and sin(a + b) all follow the addition formulas
exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, assert_never

from volterra_cg.program.nodes import (
    LDL,
    LU,
    Array,
    Call,
    Const,
    Fingerprint,
    Input,
    Inverse,
    Item,
    Node,
    Product,
    Solve,
    Sum,
    topological,
)

PRIME = 2**61 - 1
CIRCLE = 2**61  # number of points on the unit circle
STEPS = 2**16  # circle steps in one unit of an angle
SMALL = 2**24  # numerators and denominators that a constant found by meaning may have
MONOMIALS = 64  # an angle with more terms than this is opaque
FACTORS = 8  # a product of more factors than this is not multiplied out
ONE = (1, 1)  # the fingerprint of 1

Circle = tuple[int, int]  # cosine, sine
Polynomial = dict[Fingerprint, Fraction]  # rational coefficients by the fingerprint of the monomial
Angle = dict[Any, Fraction]  # the same, with "1" and "pi" for two of the monomials


class IdenticallyZero(ZeroDivisionError):  # noqa: N818
    """A divisor is zero by meaning."""


class UndefinedAngle(IdenticallyZero):
    """The angle of a vector that is zero by meaning."""


class AccidentalZero(ArithmeticError):  # noqa: N818
    """A divisor that is not zero vanished at a random point; other points must be drawn."""


def number_fingerprint(value: Fraction) -> Fingerprint:
    """Fingerprint of an exact rational."""
    mark = _residue(value) % PRIME
    return (mark, mark)


def constant_value(fingerprint: Fingerprint) -> Fraction | None:
    """The small rational that an expression is everywhere, if its values at both points say so."""
    if fingerprint[0] != fingerprint[1]:
        return None
    (above, x), (below, y) = (PRIME, 0), (fingerprint[0], 1)
    while below > SMALL:
        quotient = above // below
        (above, x), (below, y) = (below, y), (above - quotient * below, x - quotient * y)
    return Fraction(below, y) if y and abs(y) <= SMALL else None


def hashed(*content: object) -> int:
    """A field element drawn from the content, the same on every machine."""
    digest = hashlib.blake2b(repr(content).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % PRIME


def _both(drawn: Callable[[int], int]) -> Fingerprint:
    return drawn(0), drawn(1)


def inverse_fingerprint(fingerprint: Fingerprint) -> Fingerprint:
    """Fingerprint of a reciprocal."""
    if fingerprint == (0, 0):
        raise IdenticallyZero
    if 0 in fingerprint:
        raise AccidentalZero
    return (pow(fingerprint[0], -1, PRIME), pow(fingerprint[1], -1, PRIME))


def _turn(left: Circle, right: Circle) -> Circle:
    (c1, s1), (c2, s2) = left, right
    return ((c1 * c2 - s1 * s2) % PRIME, (s1 * c2 + c1 * s2) % PRIME)


def _turned(base: Circle, count: int) -> Circle:
    result = (1, 0)
    while count:
        if count & 1:
            result = _turn(result, base)
        base = _turn(base, base)
        count >>= 1
    return result


def _drawn(*content: object) -> Circle:
    t = hashed("circle", *content)
    scale = pow(1 + t * t, -1, PRIME)
    return ((1 - t * t) * scale % PRIME, 2 * t * scale % PRIME)


def _quarter_turn_bases() -> tuple[Circle, Circle]:
    """The points that STEPS/2 steps carry to (0, 1): an angle of pi/STEPS, and its conjugate.

    The fifth power permutes the roots of unity and leaves i alone, so that what agrees at both points is rational.
    """
    for attempt in range(64):
        base = _turned(_drawn("pi", attempt), CIRCLE // (2 * STEPS))
        if _turned(base, STEPS // 2) == (0, 1):
            return base, _turned(base, 5)
    raise AssertionError("a quarter of all points will do")


_PI_BASES = _quarter_turn_bases()


def _steps(coefficient: Fraction) -> int | None:
    """The coefficient as a number of circle steps, or None if it halves too often."""
    denominator, halvings = coefficient.denominator, 0
    while denominator % 2 == 0:
        denominator //= 2
        halvings += 1
    if 2**halvings > STEPS:
        return None
    return coefficient.numerator * (STEPS >> halvings) * pow(denominator, -1, CIRCLE) % CIRCLE


def _part(key: Any, coefficient: Fraction, seed: int, point: int) -> Circle:
    """Where one term of an angle lies on the circle."""
    if coefficient < 0:
        cosine, sine = _part(key, -coefficient, seed, point)
        return cosine, -sine % PRIME
    steps = _steps(coefficient)
    if key == "pi":
        odd = coefficient.denominator
        while odd % 2 == 0:
            odd //= 2
        if odd == 1 and steps is not None:
            return _turned(_PI_BASES[point], steps)
        key, steps = ("pi", odd), _steps(coefficient * odd)
    if steps is None:
        return _drawn(seed, point, key, coefficient)
    return _turned(_drawn(seed, point, key), steps)


class Field:
    """Evaluates nodes at the two random points of a seed; `redrawn` inputs get other values than usual."""

    def __init__(self, seed: int, redrawn: frozenset[Node] = frozenset()) -> None:
        self.seed = seed
        self._redrawn = redrawn
        self._circles: dict[Any, tuple[Circle, Circle]] = {}
        self._solutions: dict[Node, tuple[list[int], list[int]]] = {}

    def fingerprint(self, node: Node, of: Callable[[Node], Fingerprint]) -> Fingerprint:
        """Fingerprint of a node from its arguments', which `of` gives."""
        match node:
            case Product():
                return _product_fingerprint(node.exponents, [of(arg) for arg in node.args])
            case Sum():
                return _sum_fingerprint(node.coefficients, node.constant, [of(arg) for arg in node.args])
            case Inverse():
                return inverse_fingerprint(of(node.args[0]))
            case Call():
                return self._called(node.function, node.args, of)
            case Const():
                return number_fingerprint(node.value)
            case Input():
                again = node in self._redrawn
                return _both(lambda i: hashed(self.seed, i, node.role.value, node.name, again))
            case Item():
                return self._solved(node.args[0], node.position, of)
            case LU() | LDL() | Solve():  # never compared by value, only by identity
                values = [of(arg) for arg in node.args]
                return _both(lambda i: hashed(node.word, [value[i] for value in values], node.size))
            case _:
                assert_never(node)

    def _called(self, name: str, args: tuple[Node, ...], of: Callable[[Node], Fingerprint]) -> Fingerprint:
        if name == "hold":
            return of(args[0])
        if name in ("sin", "cos", "tan"):
            circles = self._circle(args[0], of)
            cosines, sines = (circles[0][0], circles[1][0]), (circles[0][1], circles[1][1])
            if name == "tan":
                below = inverse_fingerprint(cosines)
                return (sines[0] * below[0] % PRIME, sines[1] * below[1] % PRIME)
            return sines if name == "sin" else cosines
        values = [of(arg) for arg in args]
        return _both(lambda i: hashed(self.seed, i, name, [value[i] for value in values]))

    def _circle(self, argument: Node, of: Callable[[Node], Fingerprint]) -> tuple[Circle, Circle]:
        angle = angle_terms(argument, of)
        key = tuple(sorted(angle.items(), key=repr))
        if key not in self._circles:
            points: list[Circle] = []
            for point in (0, 1):
                circle = (1, 0)
                for monomial, coefficient in key:
                    circle = _turn(circle, _part(monomial, coefficient, self.seed, point))
                points.append(circle)
            self._circles[key] = (points[0], points[1])
        return self._circles[key]

    def _solved(self, solve: Solve, position: int, of: Callable[[Node], Fingerprint]) -> Fingerprint:
        if solve not in self._solutions:
            matrix, right, size = solve.args[0].rows, solve.args[1:], solve.size
            points = []
            for i in (0, 1):
                rows = [[of(e)[i] for e in matrix[k]] + [of(right[k])[i]] for k in range(size)]
                points.append(solve_mod(rows))
            self._solutions[solve] = (points[0], points[1])
        first, second = self._solutions[solve]
        return first[position], second[position]


def angle_terms(node: Node, of: Callable[[Node], Fingerprint]) -> Angle:
    """An angle as a rational combination of monomials; one and its opposite are known by the smaller of their fingerprints."""
    known: dict[Fingerprint, Any] = {ONE: "1", node.graph.pi.fingerprint: "pi"}
    angle: Angle = {}
    for key, coefficient in _Expansion(of).terms(node).items():
        opposite = (-key[0] % PRIME, -key[1] % PRIME)
        if key not in known and opposite < key:
            key, coefficient = opposite, -coefficient
        name = known.get(key, key)
        angle[name] = angle.get(name, Fraction(0)) + coefficient
    return {name: coefficient for name, coefficient in angle.items() if coefficient}


class _Expansion:
    """Multiplies sums and products out, as long as no node has more than MONOMIALS terms."""

    def __init__(self, of: Callable[[Node], Fingerprint]) -> None:
        self._of = of
        self._known: dict[Node, Polynomial] = {}

    def terms(self, node: Node) -> Polynomial:
        """The coefficients of a node by monomial."""
        if node not in self._known:
            expanded = self._expanded(node)
            small = expanded is not None and len(expanded) <= MONOMIALS
            self._known[node] = expanded if expanded is not None and small else {self._of(node): Fraction(1)}
        return self._known[node]

    def _expanded(self, node: Node) -> Polynomial | None:
        if isinstance(node, Const):
            return {ONE: node.value} if node.value else {}
        if isinstance(node, Sum):
            total: Polynomial = {ONE: node.constant}
            for coefficient, term in zip(node.coefficients, node.args, strict=True):
                for key, value in self.terms(term).items():
                    total[key] = total.get(key, Fraction(0)) + coefficient * value
            return {key: value for key, value in total.items() if value}
        if isinstance(node, Call) and node.function == "hold":
            return self.terms(node.args[0])
        if isinstance(node, Product) and sum(node.exponents) <= FACTORS:
            result: Polynomial = {ONE: Fraction(1)}
            for factor, exponent in zip(node.args, node.exponents, strict=True):
                for _ in range(exponent):
                    result = _product(result, self.terms(factor))
                    if len(result) > MONOMIALS:
                        return None
            return result
        return None


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for k1, c1 in left.items():
        for k2, c2 in right.items():
            key = (k1[0] * k2[0] % PRIME, k1[1] * k2[1] % PRIME)
            total[key] = total.get(key, Fraction(0)) + c1 * c2
    return {key: value for key, value in total.items() if value}


def solve_mod(rows: list[list[int]]) -> list[int]:
    """Solve a square system of the field given as augmented rows."""
    size = len(rows)
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            raise IdenticallyZero
        rows[k], rows[pivot] = rows[pivot], rows[k]
        scale = pow(rows[k][k], -1, PRIME)
        rows[k] = [value * scale % PRIME for value in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                weight = rows[i][k]
                rows[i] = [(a - weight * b) % PRIME for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def independent_rows(rows: Sequence[Mapping[int, Node]]) -> list[int]:
    """Positions of the first maximal set of rows that are independent at the first random point."""
    kept: list[int] = []
    basis: dict[int, dict[int, int]] = {}
    for number, row in enumerate(rows):
        rest = {column: node.fingerprint[0] for column, node in row.items() if node.fingerprint[0]}
        while rest:
            column = min(rest)
            if column not in basis:
                scale = pow(rest[column], -1, PRIME)
                basis[column] = {k: v * scale % PRIME for k, v in rest.items()}
                kept.append(number)
                break
            weight = rest[column]
            for k, v in basis[column].items():
                rest[k] = (rest.get(k, 0) - weight * v) % PRIME
            rest = {k: v for k, v in rest.items() if v}
    return kept


def depends(nodes: Sequence[Node], variable: Node, seed: int = 0) -> bool:
    """Whether any of the nodes depends on an input by meaning."""
    return any(dependent(nodes, variable, seed))


def dependent(nodes: Sequence[Node], variable: Node, seed: int = 0) -> list[bool]:
    """Which of the nodes depend on an input by meaning."""
    field = Field(seed, frozenset([variable]))
    known: dict[Node, Fingerprint] = {}
    for node in topological(nodes, variable.support):
        if isinstance(node, Array):
            continue
        if node is not variable and all(_is_as_before(arg, known) for arg in node.args):
            known[node] = node.fingerprint
        else:
            known[node] = field.fingerprint(node, lambda n: known.get(n, n.fingerprint))
    return [known.get(node, node.fingerprint) != node.fingerprint for node in nodes]


def _is_as_before(node: Node, known: Mapping[Node, Fingerprint]) -> bool:
    """Whether a node has kept its fingerprint; a solution has none of its own."""
    return not isinstance(node, Array) and known.get(node, node.fingerprint) == node.fingerprint


def _sum_fingerprint(
    coefficients: Sequence[Fraction], constant: Fraction, values: Sequence[Fingerprint]
) -> Fingerprint:
    """Of constant + Σ coefficient * value."""
    first = second = _residue(constant) if constant else 0
    for coefficient, (one, two) in zip(coefficients, values, strict=True):
        number = _residue(coefficient)
        first += number * one
        second += number * two
    return first % PRIME, second % PRIME


def _product_fingerprint(exponents: Sequence[int], values: Sequence[Fingerprint]) -> Fingerprint:
    """Of Π value ** exponent."""
    first = second = 1
    for exponent, (one, two) in zip(exponents, values, strict=True):
        if exponent == 1:
            first, second = first * one % PRIME, second * two % PRIME
        else:
            first = first * pow(one, exponent, PRIME) % PRIME
            second = second * pow(two, exponent, PRIME) % PRIME
    return first, second


def _residue(number: Fraction) -> int:
    """A fraction in the field."""
    if number.denominator == 1:
        return number.numerator
    return number.numerator * pow(number.denominator, -1, PRIME)
