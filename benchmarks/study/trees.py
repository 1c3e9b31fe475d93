"""Trees of bodies hinged to a free one, by hand: dense in axes of the first body, and articulated bodies in link axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .algebra import (
    At,
    Form,
    Mat,
    Math,
    Vec,
    add,
    apply,
    cross,
    dot,
    mul,
    neg,
    plus,
    product,
    solve,
    sub,
    times,
    transposed,
    turn,
)


@dataclass(frozen=True)
class Link:
    """A body: its parent (-1 for the free one), hinge axis as (0, 1 or 2) and sign, places and inertia about its centre."""

    parent: int
    axis: int
    sign: float
    hinge: tuple[float, float, float]  # in axes of the parent, from the parent's centre
    center: tuple[float, float, float]  # in own axes, from the hinge
    mass: float
    inertia: tuple[tuple[float, float, float], ...]


def box(mass: float, x: float, y: float, z: float) -> tuple[tuple[float, float, float], ...]:
    k = mass / 12
    return ((k * (y * y + z * z), 0.0, 0.0), (0.0, k * (x * x + z * z), 0.0), (0.0, 0.0, k * (x * x + y * y)))


def space_chain(n: int) -> list[Link]:
    inertia = box(1.0, 1.0, 0.2, 0.1)
    first = Link(-1, 0, 1.0, (0, 0, 0), (0, 0, 0), 1.0, inertia)
    return [
        first,
        *(Link(k - 1, (1, 2)[(k - 1) % 2], 1.0, (0.5, 0, 0), (0.5, 0, 0), 1.0, inertia) for k in range(1, n)),
    ]


def three_bodies() -> list[Link]:
    plate = ((10 * 4 / 12, 0.0, 0.0), (0.0, 10 * 8 / 12, 0.0), (0.0, 0.0, 10 * 4 / 12))
    whole = ((67.0, -5.0, -2.0), (-5.0, 67.0, 0.0), (-2.0, 0.0, 67.0))
    return [
        Link(-1, 0, 1.0, (0, 0, 0), (0, 0, 0), 100.0, whole),
        Link(0, 2, 1.0, (1.0, -1.0, 0), (-1.0, 0, 0), 10.0, plate),
        Link(0, 2, -1.0, (1.0, 1.0, 0), (-1.0, 0, 0), 10.0, plate),
    ]


def orientation(at: At) -> tuple[Mat, Vec]:
    """The first body's axes, and the rates of psi, theta, phi."""
    u, m = at.u, at.math
    (s1, s2, s3), (c1, c2, c3) = [m.sin(a) for a in at.q[:3]], [m.cos(a) for a in at.q[:3]]
    axes = product(product(turn(2, s1, c1), turn(1, s2, c2)), turn(0, s3, c3))
    psi = (u[1] * s3 + u[2] * c3) / c2
    return axes, [psi, u[1] * c3 - u[2] * s3, u[0] + psi * s2]


@dataclass(frozen=True)
class _Body:
    axes: Mat
    center: Vec
    hinge: Vec
    axis: Vec
    spin: Vec
    turning: Vec  # angular acceleration at u' = 0
    bias: Vec  # acceleration of the centre at u' = 0, without that of the first body's
    path: tuple[int, ...]


def dense(links: Sequence[Link], at: At) -> Form:
    """A tree: q = [psi, theta, phi, hinges, X, Y, Z] and u = [omega in own axes, hinge rates]; X, Y, Z are gone."""
    q, u, n = at.q, at.u, len(links) - 1
    bodies = [_Body(_unit(), [0.0] * 3, [0.0] * 3, [0.0] * 3, list(u[:3]), [0.0] * 3, [0.0] * 3, ())]
    for k, link in enumerate(links[1:], 1):
        bodies.append(_hinged(bodies[link.parent], link, k, q[2 + k], u[2 + k], at.math))
    mass = sum(link.mass for link in links)
    size = 3 + n
    matrix: Mat = [[0.0] * size for _ in range(size)]
    right: Vec = [0.0] * size
    moment: list[Vec] = [[0.0] * 3 for _ in range(size)]
    push: Vec = [0.0] * 3
    for body, link in zip(bodies, links, strict=True):
        inertia = product(product(body.axes, link.inertia), transposed(body.axes))
        linear, angular = _columns(body, bodies, n)
        torque = plus(apply(inertia, body.turning), cross(body.spin, apply(inertia, body.spin)))
        force = times(link.mass, body.bias)
        push = plus(push, force)
        for i in range(size):
            moment[i] = plus(moment[i], times(link.mass, linear[i]))
            right[i] = sub(right[i], add(dot(linear[i], force), dot(angular[i], torque)))
            turned = apply(inertia, angular[i])
            for j in range(i + 1):
                entry = add(mul(link.mass, dot(linear[i], linear[j])), dot(turned, angular[j]))
                matrix[i][j] = add(matrix[i][j], entry)
    for i in range(size):
        scaled = times(1 / mass, moment[i])
        right[i] = add(right[i], dot(scaled, push))
        for j in range(i + 1):
            matrix[i][j] = matrix[j][i] = sub(matrix[i][j], dot(scaled, moment[j]))
    axes, turning = orientation(at)
    swing = apply(axes, plus(*(times(u[i], moment[i]) for i in range(size))))
    drift = [mul(sub(g, p), 1 / mass) for g, p in zip(at.momenta, swing, strict=True)]
    return Form([*turning, *u[3:], *drift], matrix, right)


def _unit() -> Mat:
    return [[float(i == j) for j in range(3)] for i in range(3)]


def _hinged(parent: _Body, link: Link, k: int, angle: Any, rate: Any, m: Math) -> _Body:
    own = turn(link.axis, mul(link.sign, m.sin(angle)), m.cos(angle))
    axes = product(parent.axes, own)
    axis = [mul(link.sign, row[link.axis]) for row in axes]
    out, arm = apply(parent.axes, link.hinge), apply(axes, link.center)
    spin = plus(parent.spin, times(rate, axis))
    turning = plus(parent.turning, cross(parent.spin, times(rate, axis)))
    bias = plus(
        parent.bias,
        cross(parent.turning, out),
        cross(parent.spin, cross(parent.spin, out)),
        cross(turning, arm),
        cross(spin, cross(spin, arm)),
    )
    hinge = plus(parent.center, out)
    return _Body(axes, plus(hinge, arm), hinge, axis, spin, turning, bias, (*parent.path, k))


def _columns(body: _Body, bodies: Sequence[_Body], n: int) -> tuple[list[Vec], list[Vec]]:
    """How centre and axes move with each speed."""
    unit, still = _unit(), [0.0] * 3
    linear, angular = [cross(e, body.center) for e in unit], list(unit)
    for k in range(1, n + 1):
        held = k not in body.path
        other = bodies[k]
        linear.append(still if held else cross(other.axis, plus(body.center, times(-1.0, other.hinge))))
        angular.append(still if held else other.axis)
    return linear, angular


@dataclass(frozen=True)
class _Carried:
    """What the way out along the tree gives: of each link its turn, angular velocity and bias (of turning, of its centre)."""

    turns: list[Mat]
    spin: list[Vec]
    bias: list[tuple[Vec, Vec]]


@dataclass(frozen=True)
class _Articulated:
    """Inertia at each centre: torque = J a + B f, force = B^T a + A f with true accelerations (a, f)."""

    J: list[Mat]
    A: list[Mat]
    B: list[Mat]
    torque: list[Vec]
    force: list[Vec]


def articulated(links: Sequence[Link], at: At) -> Vec:
    """u' of a tree by articulated bodies in link axes, seen from axes that move with the first centre at this instant."""
    carried = _outward(links, at)
    seen, root = _inward(links, carried)
    whole = [[*root.J[0][i], *root.B[0][i]] for i in range(3)]
    whole += [[*transposed(root.B[0])[i], *root.A[0][i]] for i in range(3)]
    first = solve(whole, [neg(x) for x in (*root.torque[0], *root.force[0])])
    return [*first[:3], *_rates(links, carried, seen, first)]


def _outward(links: Sequence[Link], at: At) -> _Carried:
    """Angular velocities and biases from the first link to the leaves."""
    turns: list[Mat] = [_unit()]
    spin: list[Vec] = [list(at.u[:3])]
    bias: list[tuple[Vec, Vec]] = [([0.0] * 3, [0.0] * 3)]
    for k, link in enumerate(links[1:], 1):
        angle, rate = at.q[2 + k], at.u[2 + k]
        own = turn(link.axis, mul(link.sign, at.math.sin(angle)), at.math.cos(angle))
        back, w = transposed(own), spin[link.parent]
        carried = apply(back, w)
        turned = [mul(link.sign, rate) if i == link.axis else 0.0 for i in range(3)]
        w_own = plus(carried, turned)
        turning = cross(carried, turned)
        fall = cross(w, cross(w, link.hinge))
        turns.append(own)
        spin.append(w_own)
        swing = plus(apply(back, fall), cross(turning, link.center), cross(w_own, cross(w_own, link.center)))
        bias.append((turning, swing))
    return _Carried(turns, spin, bias)


def _inward(links: Sequence[Link], carried: _Carried) -> tuple[dict[int, tuple[Vec, Vec, Any, Any]], _Articulated]:
    """Inertias from the leaves to the first link, and of each hinge what its rate is found from."""
    n = len(links)
    J: list[Mat] = [[list(row) for row in link.inertia] for link in links]
    A: list[Mat] = [[[link.mass * (i == j) for j in range(3)] for i in range(3)] for link in links]
    B: list[Mat] = [[[0.0] * 3 for _ in range(3)] for _ in links]
    torque = [cross(carried.spin[k], apply(J[k], carried.spin[k])) for k in range(n)]
    whole = _Articulated(J, A, B, torque, [[0.0] * 3 for _ in range(n)])
    seen: dict[int, tuple[Vec, Vec, Any, Any]] = {}
    for k in range(n - 1, 0, -1):
        seen[k] = _released(links[k], k, carried.bias[k], whole)
        _handed(links[k], k, carried.turns[k], whole)
    return seen, whole


def _released(link: Link, k: int, bias: tuple[Vec, Vec], of: _Articulated) -> tuple[Vec, Vec, Any, Any]:
    """Move a link's inertia to its hinge and take away what the hinge lets go."""
    of.J[k], of.B[k] = _shifted(of.J[k], of.A[k], of.B[k], link.center)
    of.torque[k] = plus(of.torque[k], cross(link.center, of.force[k]))
    turning, swing = bias
    at_hinge = plus(swing, times(-1.0, cross(turning, link.center)))
    of.torque[k] = plus(of.torque[k], apply(of.J[k], turning), apply(of.B[k], at_hinge))
    of.force[k] = plus(of.force[k], apply(transposed(of.B[k]), turning), apply(of.A[k], at_hinge))
    axis = link.axis
    up, low = times(link.sign, [row[axis] for row in of.J[k]]), times(link.sign, of.B[k][axis])
    inverse = 1 / of.J[k][axis][axis]
    free = mul(neg(mul(link.sign, of.torque[k][axis])), inverse)
    scaled_up, scaled_low = times(inverse, up), times(inverse, low)
    of.J[k] = _lowered(of.J[k], scaled_up, up)
    of.A[k] = _lowered(of.A[k], scaled_low, low)
    of.B[k] = [[sub(of.B[k][i][j], mul(scaled_up[i], low[j])) for j in range(3)] for i in range(3)]
    of.torque[k], of.force[k] = plus(of.torque[k], times(free, up)), plus(of.force[k], times(free, low))
    return up, low, inverse, free


def _handed(link: Link, k: int, own: Mat, of: _Articulated) -> None:
    """Add a link's inertia to that of its parent."""
    p, out = link.parent, tuple(float(x) for x in link.hinge)
    J, A = _turned(of.J[k], own), _turned(of.A[k], own)
    J, B = _shifted(J, A, product(product(own, of.B[k]), transposed(own)), out)
    for mine, handed in ((of.J, J), (of.A, A), (of.B, B)):
        mine[p] = [plus(a, b) for a, b in zip(mine[p], handed, strict=True)]
    push = apply(own, of.force[k])
    of.torque[p] = plus(of.torque[p], apply(own, of.torque[k]), cross(out, push))
    of.force[p] = plus(of.force[p], push)


def _rates(
    links: Sequence[Link], carried: _Carried, seen: dict[int, tuple[Vec, Vec, Any, Any]], first: Sequence[Any]
) -> Vec:
    """The rates of the hinges, from the first link to the leaves."""
    found: Vec = []
    turning_of, moving_of = [list(first[:3])], [list(first[3:])]
    for k, link in enumerate(links[1:], 1):
        back = transposed(carried.turns[k])
        alpha = apply(back, turning_of[link.parent])
        at = apply(back, plus(moving_of[link.parent], cross(turning_of[link.parent], link.hinge)))
        up, low, inverse, free = seen[k]
        rate = sub(free, mul(inverse, add(dot(up, alpha), dot(low, at))))
        found.append(rate)
        turning, swing = carried.bias[k]
        own_turning = plus(alpha, [mul(rate, link.sign) if i == link.axis else 0.0 for i in range(3)])
        moving_of.append(
            plus(at, cross(plus(own_turning, turning), link.center), swing, neg_all(cross(turning, link.center)))
        )
        turning_of.append(plus(own_turning, turning))
    return found


def neg_all(a: Sequence[Any]) -> Vec:
    return [neg(x) for x in a]


def _shifted(J: Mat, A: Mat, B: Mat, r: Sequence[float]) -> tuple[Mat, Mat]:
    """Inertia seen from a point from which the old one lies at r; J' = J + r~ B^T - B r~ - r~ A r~, B' = B + r~ A."""
    skew = [[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]]
    moved = [plus(a, b) for a, b in zip(B, product(skew, A), strict=True)]
    one = product(skew, transposed(B))
    two = product(moved, skew)
    return _symmetric(lambda i, j: sub(add(J[i][j], one[i][j]), two[i][j])), moved


def _lowered(a: Mat, left: Vec, right: Vec) -> Mat:
    return _symmetric(lambda i, j: sub(a[i][j], mul(left[i], right[j])))


def _turned(a: Mat, own: Mat) -> Mat:
    half = product(own, a)
    return _symmetric(lambda i, j: dot(half[i], own[j]))


def _symmetric(entry: Callable[[int, int], Any]) -> Mat:
    lower = [[entry(i, j) for j in range(i + 1)] for i in range(3)]
    return [[lower[max(i, j)][min(i, j)] for j in range(3)] for i in range(3)]
