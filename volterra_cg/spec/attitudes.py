"""Start values of unit quaternions, scalar part first, as expressions: from angles, an axis or a matrix, with the spin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from volterra_cg.spec.expressions import Binary, Call, Node, Number

Four = tuple[Node, Node, Node, Node]
Rows = Sequence[Sequence[float]]
ZERO, ONE, TWO = Number(Fraction(0)), Number(Fraction(1)), Number(Fraction(2))
_UNIT = 1e-9  # by which the rows of a matrix may miss length one and right angles


def from_axis(axis: Sequence[Node], angle: Node) -> Four:
    """The turn about a direction of any length."""
    half = Binary("/", angle, TWO)
    x, y, z = (times(part, Call("sin", (half,))) for part in unit(axis))
    return Call("cos", (half,)), x, y, z


def unit(axis: Sequence[Node]) -> tuple[Node, ...]:
    """A direction with length one."""
    if sum(part != ZERO for part in axis) == 1 and ONE in axis:
        return tuple(axis)
    length = Call("sqrt", (total(*(times(part, part) for part in axis)),))
    return tuple(ZERO if part == ZERO else Binary("/", part, length) for part in axis)


def from_angles(sequence: str, angles: Sequence[Node]) -> Four:
    """Turns about the axes of a sequence such as "zxz", each about an axis reached so far."""
    reached: Four = (ONE, ZERO, ZERO, ZERO)
    for letter, angle in zip(sequence, angles, strict=True):
        reached = product(reached, from_axis([ONE if letter == other else ZERO for other in "xyz"], angle))
    return reached


def is_rotation(rows: Rows) -> bool:
    """Whether rows of numbers have length one and are at right angles, in the right order."""
    x, y, z = rows
    cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    gaps = [_dot(x, x) - 1, _dot(y, y) - 1, _dot(x, y), *(a - b for a, b in zip(cross, z, strict=True))]
    return max(map(abs, gaps)) <= _UNIT


def from_matrix(rows: Rows) -> Four:
    """The turn of a matrix whose row i is the parent's axis i in the child's axes: the largest part is found first."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    squares = [1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i]
    columns = [
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], b + d, c + g),
        (c - g, b + d, squares[2], f + h),
        (d - b, c + g, f + h, squares[3]),
    ]
    best = columns[squares.index(max(squares))]
    length = math.sqrt(_dot(best, best))
    w, x, y, z = (Number(Fraction(part / length)) for part in best)
    return w, x, y, z


def rates(parts: Four, spin: Sequence[Node]) -> Four:
    """The rates of a quaternion under an angular velocity in the axes of the child."""
    turned = product(parts, (ZERO, spin[0], spin[1], spin[2]))
    w, x, y, z = (ZERO if part == ZERO else Binary("/", part, TWO) for part in turned)
    return w, x, y, z


def unit_row(parts: Sequence[Node]) -> Node:
    """What is zero for a quaternion of length one."""
    return Binary("/", Binary("-", total(*(times(part, part) for part in parts)), ONE), TWO)


def product(p: Four, q: Four) -> Four:
    """The turn q after p, in the axes that p has reached."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        _minus(times(a, e), total(times(b, f), times(c, g), times(d, h))),
        _minus(total(times(a, f), times(b, e), times(c, h)), times(d, g)),
        _minus(total(times(a, g), times(c, e), times(d, f)), times(b, h)),
        _minus(total(times(a, h), times(d, e), times(b, g)), times(c, f)),
    )


def times(left: Node, right: Node) -> Node:
    """A product, without factors that are zero or one."""
    if ZERO in (left, right):
        return ZERO
    return right if left == ONE else left if right == ONE else Binary("*", left, right)


def total(*terms: Node) -> Node:
    """A sum, without terms that are zero."""
    present = [term for term in terms if term != ZERO] or [ZERO]
    return reduce(lambda left, right: Binary("+", left, right), present)


def _minus(left: Node, right: Node) -> Node:
    return left if right == ZERO else Binary("-", left, right)


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
