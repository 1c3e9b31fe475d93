"""Equations of motion written by hand, as somebody who knows the mechanism would; numbers are folded in.

Each form takes coordinates in the order of its docstring and gives q' in the same order. Trees in space are in `trees`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import numbers

from .algebra import At, Form, Mat, Vec, add, apply, cross, dot, mul, neg, plus, sub, times
from .trees import orientation

GRAVITY = 9.81


def cart_chain(n: int, at: At) -> Form:
    """The n-link pendulum on a cart; q = [x, angles], u the angles' rates; x is gone from the equations."""
    u = at.u
    s, c = [at.math.sin(a) for a in at.q[1:]], [at.math.cos(a) for a in at.q[1:]]
    below = [float(n - k) for k in range(n)]
    total = n + 1.0
    lean = [mul(below[k], c[k]) for k in range(n)]
    squares = [a * a for a in u]
    drift = add(*(mul(below[k], mul(s[k], squares[k])) for k in range(n)))
    matrix: Mat = [[None] * n for _ in range(n)]
    right: Vec = []
    for i in range(n):
        terms = []
        for j in range(n):
            near = below[max(i, j)]
            if j <= i:
                aligned = add(mul(c[i], c[j]), mul(s[i], s[j]))
                matrix[i][j] = matrix[j][i] = sub(mul(near, aligned), mul(mul(lean[i], lean[j]), 1 / total))
            if i != j:
                terms.append(mul(mul(near, sub(mul(s[i], c[j]), mul(c[i], s[j]))), squares[j]))
        right.append(neg(add(mul(GRAVITY * below[i], s[i]), *terms, mul(mul(lean[i], 1 / total), drift))))
    rate = mul(sub(at.momenta[0], dot(lean, u)), 1 / total)
    return Form([rate, *u], matrix, right)


def cart_pendulum(at: At) -> Form:
    """q = [theta1, theta2, x], u = theta2' - theta1'. The wheel gives theta1' = b u with b = -1/(1 + cos(theta1 - theta2))."""
    p = numbers("cart_pendulum")
    total, k = p["m1"] + 2 * p["m2"], p["m2"] * p["l"] / 2
    J1, J2, J12 = (factor * p["m2"] * p["l"] ** 2 for factor in (4 / 3, 1 / 3, 1 / 2))
    k1, k2, g = 3 * k, k, p["g"]
    u = at.u[0]
    (s1, s2), (c1, c2) = [at.math.sin(a) for a in at.q[:2]], [at.math.cos(a) for a in at.q[:2]]
    c, s = c1 * c2 + s1 * s2, s1 * c2 - c1 * s2
    b1 = -1 / (1 + c)
    b2 = 1 + b1
    w1, w2 = b1 * u, b2 * u
    turning = b1 * w1 * u * s  # of both angles at u' = 0
    lean = (k1 * c1) * b1 + (k2 * c2) * b2
    square1, square2 = w1 * w1, w2 * w2
    push = (k1 * c1 + k2 * c2) * turning - (k1 * s1) * square1 - (k2 * s2) * square2
    first = (J1 + J12 * c) * turning + J12 * s * square2 + (g * k1) * s1
    second = (J2 + J12 * c) * turning - J12 * s * square1 + (g * k2) * s2
    matrix = J1 * (b1 * b1) + J2 * (b2 * b2) + (2 * J12) * c * (b1 * b2) - lean * lean * (1 / total)
    right = lean * push * (1 / total) - b1 * first - b2 * second
    return Form([w1, w2, (at.momenta[0] - lean * u) * (1 / total)], [[matrix]], [right])


def satellite_boom(at: At) -> Form:
    """q = [psi, theta, phi, rho, X, Y, Z], u = [omega in own axes, rho'], and work; about the common centre of mass."""
    p = numbers("satellite_boom")
    tip, total = p["m"], p["m_s"] + p["m"]
    both = p["m_s"] * tip / total
    spin, rate = list(at.u[:3]), at.u[3]
    reach = (p["l"] / 2 + p["a"]) + at.q[3]
    swung = both * reach * reach
    xy, xz, yz = -p["I_xy"], -p["I_xz"], -p["I_yz"]
    inertia: Mat = [[p["I_xx"] + swung, xy, xz], [xy, p["I_yy"] + swung, yz], [xz, yz, p["I_zz"]]]
    growing = 2 * both * reach * rate
    turned = cross(spin, apply(inertia, spin))
    right = [neg(add(turned[0], growing * spin[0])), neg(add(turned[1], growing * spin[1])), neg(turned[2])]
    force = -0.018 * at.math.sin(0.089 * at.t) + 0.012 * at.math.cos(0.0485 * at.t)
    right.append(force * (1 / both) + reach * (spin[0] * spin[0] + spin[1] * spin[1]))
    axes, turning = orientation(at)
    swing = apply(axes, [mul(tip, reach * spin[1]), neg(mul(tip, reach * spin[0])), mul(tip, rate)])
    drift = [mul(sub(g, p), 1 / total) for g, p in zip(at.momenta, swing, strict=True)]
    matrix: Mat = [*([*row, 0.0] for row in inertia), [0.0, 0.0, 0.0, 1.0]]
    return Form([*turning, rate, *drift], matrix, right, [force * rate])


def rolling_disc(at: At) -> Form:
    """q = [heading, lean, roll, x, y], u = omega in the disc's axes; in axes that lean but do not roll, where it is diagonal."""
    p = numbers("rolling_disc")
    radius, arm = p["r"], p["m"] * p["r"] ** 2
    own, weight = arm / 4, p["m"] * p["r"] * p["g"]
    (s1, s2, s3), (c1, c2, c3) = [at.math.sin(a) for a in at.q[:3]], [at.math.cos(a) for a in at.q[:3]]
    leaning, across, upright = c3 * at.u[0] + s3 * at.u[2], at.u[1], c3 * at.u[2] - s3 * at.u[0]
    heading = upright / c2
    carried = heading * s2
    roll = across - carried
    slower = carried - 2 * across
    fall = weight * s2 + arm * across * upright - own * upright * slower
    a, b, c = fall * (1 / (own + arm)), -arm / (2 * own + arm) * leaning * upright, leaning * slower
    right = [c3 * a - s3 * c - roll * at.u[2], b, s3 * a + c3 * c + roll * at.u[0]]
    moved = radius * roll
    unit: Mat = [[float(i == j) for j in range(3)] for i in range(3)]
    return Form([heading, leaning, roll, moved * c1, moved * s1], unit, right)


@dataclass(frozen=True)
class _Arm:
    """A vector (x, y) fixed to a body that has turned by angle `of`."""

    of: int
    x: float
    y: float


_P = numbers("andrews")
_CRANK = _Arm(0, _P["rr"], 0.0)
_TIP = (_CRANK, _Arm(1, -_P["d"], 0.0))
_LOOPS = (
    (*_TIP, _Arm(2, 0.0, _P["ss"])),
    (*_TIP, _Arm(3, 0.0, _P["e"]), _Arm(4, -_P["zt"], 0.0)),
    (*_TIP, _Arm(5, -_P["zf"], 0.0), _Arm(6, 0.0, _P["u"])),
)
_FOUND = ((1, 2), (3, 4), (5, 6))  # the two angles that each loop gives
_CENTERS = (
    (_Arm(0, _P["ra"], 0.0),),
    (_CRANK, _Arm(1, -_P["da"], 0.0)),
    (_Arm(2, _P["sb"], -_P["sa"]),),
    (_Arm(4, _P["zt"], 0.0), _Arm(3, 0.0, _P["ea"] - _P["e"])),
    (_Arm(4, _P["ta"], _P["tb"]),),
    (_Arm(6, 0.0, -_P["u"]), _Arm(5, _P["zf"] - _P["fa"], 0.0)),
    (_Arm(6, -_P["ub"], -_P["ua"]),),
)


def andrews(at: At) -> Form:
    """q = [be, th, ga, ph, de, om, ep], u = be'; each loop gives the rates of two absolute angles in terms of be'."""
    be, th, ga, ph, de, om, ep = at.q
    angles = [be, be + th, ga, ph + de, de, om + ep, ep]
    sines, cosines = [at.math.sin(a) for a in angles], [at.math.cos(a) for a in angles]

    def turned(arm: _Arm, quarter: bool) -> Vec:
        """An arm in fixed axes; a quarter turn on, its velocity for unit rate."""
        s, c = sines[arm.of], cosines[arm.of]
        x, y = (-arm.y, arm.x) if quarter else (arm.x, arm.y)
        return [sub(mul(c, x), mul(s, y)), add(mul(s, x), mul(c, y))]

    def moved(arms: Sequence[_Arm], rates: Sequence[Any]) -> Vec:
        """The velocity of their end, as far as rates are known."""
        known = (arm for arm in arms if rates[arm.of] is not None)
        return plus([0.0, 0.0], *(times(rates[arm.of], turned(arm, quarter=True)) for arm in known))

    def drifting(arms: Sequence[_Arm], rates: Sequence[Any]) -> Vec:
        """The acceleration of their end for angular accelerations that are `rates`."""
        pulls = (times(squares[arm.of], turned(arm, quarter=False)) for arm in arms)
        return [sub(a, b) for a, b in zip(moved(arms, rates), plus(*pulls), strict=True)]

    unit: Vec = [1.0, *[None] * 6]
    bias: Vec = [0.0, *[None] * 6]
    pivots = []
    for loop, found in zip(_LOOPS, _FOUND, strict=True):
        first, second = (turned(next(arm for arm in loop if arm.of == k), quarter=True) for k in found)
        pivots.append((first, second, 1 / (first[0] * second[1] - first[1] * second[0])))
        unit[found[0]], unit[found[1]] = _both(*pivots[-1], moved(loop, unit))
    w = times(at.u[0], unit)
    squares = [rate * rate for rate in w]
    for loop, found, pivot in zip(_LOOPS, _FOUND, pivots, strict=True):
        bias[found[0]], bias[found[1]] = _both(*pivot, drifting(loop, bias))
    matrix, right = 0.0, add(_P["drive"], mul(unit[2], _sprung(at, turned)))
    for k, arms in enumerate(_CENTERS):
        velocity = moved(arms, unit)
        heavy, turning = times(_P[f"m{k + 1}"], velocity), mul(_P[f"I{k + 1}"], unit[k])
        matrix = add(matrix, dot(heavy, velocity), mul(turning, unit[k]))
        right = sub(right, add(dot(heavy, drifting(arms, bias)), mul(turning, bias[k])))
    return Form([w[0], w[1] - w[0], w[2], w[3] - w[4], w[4], w[5] - w[6], w[6]], [[matrix]], [right])


def _both(first: Vec, second: Vec, inverse: Any, known: Vec) -> tuple[Any, Any]:
    """a, b of a * first + b * second + known = 0."""
    a = mul(inverse, sub(mul(second[0], known[1]), mul(second[1], known[0])))
    b = mul(inverse, sub(mul(first[1], known[0]), mul(first[0], known[1])))
    return a, b


def _sprung(at: At, turned: Any) -> Any:
    """Moment of the spring on body 3."""
    foot = _Arm(2, _P["sd"], -_P["sc"])
    span = (_P["xc"] - _P["xb"], _P["yc"] - _P["yb"])
    x, y = (sub(a, b) for a, b in zip(span, turned(foot, quarter=False), strict=True))
    length = at.math.sqrt(x * x + y * y)
    return (_P["c0"] * (1 - _P["l0"] / length)) * dot([x, y], turned(foot, quarter=True))
