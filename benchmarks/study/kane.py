"""The mechanisms of the study in sympy.physics.mechanics, as a user of PyDy has them, and PyDy's C of them.

Speeds are ours, then the rates of the coordinates that `mechanisms` calls further: PyDy embeds no momenta.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.physics import mechanics as me

from benchmarks.models import numbers

from .trees import Link

TIME = sp.Symbol("time")


@dataclass(frozen=True)
class Kane:
    """Coordinates, speeds, parameters with their values, and the equations."""

    q: Sequence[Any]
    u: Sequence[Any]
    parameters: dict[Any, float]
    mass: Any
    forcing: Any
    rates: Any


def _ground() -> tuple[Any, Any]:
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    return frame, origin


def _kane(
    frame: Any,
    q: Sequence[Any],
    u: Sequence[Any],
    kinematic: Sequence[Any],
    bodies: Sequence[Any],
    loads: Sequence[Any],
    parameters: dict[Any, float],
    held: Sequence[Any] = (),
) -> Kane:
    """`held` are constraints on velocities; they take as many speeds from the end of u."""
    free = len(u) - len(held)
    method = me.KanesMethod(
        frame,
        q_ind=list(q),
        u_ind=list(u[:free]),
        kd_eqs=list(kinematic),
        u_dependent=list(u[free:]) or None,
        velocity_constraints=list(held) or None,
    )
    method.kanes_equations(list(bodies), list(loads))
    rates = method.kindiffdict()
    found = sp.Matrix([rates[x.diff()] for x in q])
    return Kane(q, u, parameters, method.mass_matrix, method.forcing, found)


def _symbols(name: str) -> dict[str, Any]:
    return {key: sp.Symbol(key) for key in numbers(name)}


def _valued(symbols: dict[str, Any], name: str) -> dict[Any, float]:
    return {symbols[key]: value for key, value in numbers(name).items()}


def _hung(parent: Any, frame: Any, name: str, angle: Any, rate: Any, axis: Any) -> Any:
    """Axes turned by an angle from others, with an angular velocity in terms of a speed."""
    turned = parent.orientnew(name, "Axis", [angle, axis])
    turned.set_ang_vel(frame, rate * axis)
    return turned


def cart_chain(n: int) -> Kane:
    q, u = me.dynamicsymbols(f"q:{n + 1}"), me.dynamicsymbols(f"u:{n + 1}")
    m, l, g = sp.symbols("m l g")  # noqa: E741
    N, O = _ground()  # noqa: E741
    at = O.locatenew("P0", q[0] * N.x)
    at.set_vel(N, u[n] * N.x)
    bodies, loads = [me.Particle("b0", at, m)], [(at, -m * g * N.y)]
    for k in range(1, n + 1):
        F = _hung(N, N, f"F{k}", q[k], u[k - 1], N.z)
        point = at.locatenew(f"P{k}", -l * F.y)
        point.v2pt_theory(at, N, F)
        bodies.append(me.Particle(f"b{k}", point, m))
        loads.append((point, -m * g * N.y))
        at = point
    kinematic = [a.diff() - b for a, b in zip([*q[1:], q[0]], u, strict=True)]
    return _kane(N, q, u, kinematic, bodies, loads, {m: 1.0, l: 1.0, g: 9.81})


def cart_pendulum() -> Kane:
    """The wheel's constraint takes the rate of the first bar."""
    q, u = me.dynamicsymbols("theta1 theta2 x"), me.dynamicsymbols("u:3")
    p = _symbols("cart_pendulum")
    m1, m2, l, g = (p[name] for name in ("m1", "m2", "l", "g"))  # noqa: E741
    N, O = _ground()  # noqa: E741
    A = O.locatenew("A", q[2] * N.x)
    A.set_vel(N, u[1] * N.x)
    bodies, loads, at = [me.Particle("cart", A, m1)], [(A, -m1 * g * N.y)], A
    for k, rate in enumerate((u[2], u[0] + u[2])):
        F = _hung(N, N, f"F{k}", q[k], rate, N.z)
        center, end = at.locatenew(f"G{k}", -l / 2 * F.y), at.locatenew(f"E{k}", -l * F.y)
        center.v2pt_theory(at, N, F)
        end.v2pt_theory(at, N, F)
        bodies.append(me.RigidBody(f"bar{k}", center, F, m2, (me.inertia(F, 0, 0, m2 * l**2 / 12), center)))
        loads.append((center, -m2 * g * N.y))
        at = end
    wheel = (at.vel(N) - A.vel(N)).dot(F.x)
    kinematic = [q[1].diff() - q[0].diff() - u[0], q[2].diff() - u[1], q[0].diff() - u[2]]
    return _kane(N, q, u, kinematic, bodies, loads, _valued(p, "cart_pendulum"), [wheel])


def rolling_disc() -> Kane:
    """Speeds that no slip leaves free, as in sympy's own example: the contact does not move with the disc."""
    q, u = me.dynamicsymbols("q1:6"), me.dynamicsymbols("u1:4")
    p = _symbols("rolling_disc")
    m, r, g = (p[name] for name in "mrg")
    N, C = _ground()
    L = N.orientnew("L", "Body", [q[0], q[1], 0], "ZXY")
    R = L.orientnew("R", "Axis", [q[2], L.y])
    turning = R.ang_vel_in(N)
    kinematic = [turning.dot(e) - w for e, w in zip((R.x, R.y, R.z), u, strict=True)]
    moved = r * q[2].diff()
    kinematic += [q[3].diff() - moved * sp.cos(q[0]), q[4].diff() - moved * sp.sin(q[0])]
    R.set_ang_vel(N, u[0] * R.x + u[1] * R.y + u[2] * R.z)
    D = C.locatenew("D", r * L.z)
    D.v2pt_theory(C, N, R)
    own = m * r**2 / 4
    disc = me.RigidBody("disc", D, R, m, (me.inertia(R, own, 2 * own, own), D))
    return _kane(N, q, u, kinematic, [disc], [(D, -m * g * N.z)], _valued(p, "rolling_disc"))


def _free(N: Any, O: Any, q: Sequence[Any], u: Sequence[Any]) -> tuple[Any, Any, list[Any]]:  # noqa: E741
    """The first body of a tree: q = [psi, theta, phi, .., X, Y, Z], u = [omega, .., X', Y', Z']."""
    S = N.orientnew("S", "Body", q[:3], "ZYX")
    turning = S.ang_vel_in(N)
    kinematic = [turning.dot(e) - w for e, w in zip((S.x, S.y, S.z), u[:3], strict=True)]
    kinematic += [a.diff() - b for a, b in zip(q[3:], u[3:], strict=True)]
    S.set_ang_vel(N, u[0] * S.x + u[1] * S.y + u[2] * S.z)
    G = O.locatenew("G", q[-3] * N.x + q[-2] * N.y + q[-1] * N.z)
    G.set_vel(N, u[-3] * N.x + u[-2] * N.y + u[-1] * N.z)
    return S, G, kinematic


def satellite_boom() -> Kane:
    q, u = me.dynamicsymbols("q:7"), me.dynamicsymbols("u:7")
    p = _symbols("satellite_boom")
    N, O = _ground()  # noqa: E741
    S, G, kinematic = _free(N, O, q, u)
    E = G.locatenew("E", (p["l"] / 2 + p["a"] + q[3]) * S.z)
    E.set_vel(S, u[3] * S.z)
    E.v1pt_theory(G, N, S)
    tensor = me.inertia(S, p["I_xx"], p["I_yy"], p["I_zz"], -p["I_xy"], -p["I_yz"], -p["I_xz"])
    bodies = [me.RigidBody("satellite", G, S, p["m_s"], (tensor, G)), me.Particle("tip", E, p["m"])]
    push = (-0.018 * sp.sin(0.089 * TIME) + 0.012 * sp.cos(0.0485 * TIME)) * S.z
    return _kane(N, q, u, kinematic, bodies, [(E, push), (G, -push)], _valued(p, "satellite_boom"))


def andrews() -> Kane:
    """Six closures take all speeds but that of the crank."""
    q, u = me.dynamicsymbols("be th ga ph de om ep"), me.dynamicsymbols("w:7")
    be, th, ga, ph, de, om, ep = q
    p = _symbols("andrews")
    N, O = _ground()  # noqa: E741
    rates = (u[0], u[0] + u[1], u[2], u[3] + u[4], u[4], u[5] + u[6], u[6])
    angles = (be, be + th, ga, ph + de, de, om + ep, ep)
    F = [_hung(N, N, f"F{k}", a, w, N.z) for k, (a, w) in enumerate(zip(angles, rates, strict=True), 1)]

    def fixed(name: str, x: Any, y: Any) -> Any:
        point = O.locatenew(name, x * N.x + y * N.y)
        point.set_vel(N, 0)
        return point

    def on(start: Any, k: int, x: Any, y: Any, name: str) -> Any:
        point = start.locatenew(name, x * F[k - 1].x + y * F[k - 1].y)
        point.v2pt_theory(start, N, F[k - 1])
        return point

    A, B, C = fixed("A", p["xa"], p["ya"]), fixed("B", p["xb"], p["yb"]), fixed("C", p["xc"], p["yc"])
    R, K4, K6 = on(O, 1, p["rr"], 0, "R"), on(A, 5, p["zt"], 0, "K4"), on(A, 7, 0, -p["u"], "K6")
    centers = [
        on(O, 1, p["ra"], 0, "G1"),
        on(R, 2, -p["da"], 0, "G2"),
        on(B, 3, p["sb"], -p["sa"], "G3"),
        on(K4, 4, 0, p["ea"] - p["e"], "G4"),
        on(A, 5, p["ta"], p["tb"], "G5"),
        on(K6, 6, p["zf"] - p["fa"], 0, "G6"),
        on(A, 7, -p["ub"], -p["ua"], "G7"),
    ]
    D, tip = on(B, 3, p["sd"], -p["sc"], "D"), on(R, 2, -p["d"], 0, "tip")
    ends = (on(B, 3, 0, -p["ss"], "E3"), on(K4, 4, 0, -p["e"], "E4"), on(K6, 6, p["zf"], 0, "E6"))
    held = [(tip.vel(N) - end.vel(N)).dot(axis) for end in ends for axis in (N.x, N.y)]
    bodies = [
        me.RigidBody(f"b{k}", center, frame, p[f"m{k}"], (me.inertia(frame, 0, 0, p[f"I{k}"]), center))
        for k, (center, frame) in enumerate(zip(centers, F, strict=True), 1)
    ]
    gap = C.pos_from(D).express(N)
    length = sp.sqrt(gap.dot(N.x) ** 2 + gap.dot(N.y) ** 2)
    loads = [(D, p["c0"] * (1 - p["l0"] / length) * gap), (F[0], p["drive"] * N.z)]
    kinematic = [a.diff() - b for a, b in zip(q, u, strict=True)]
    return _kane(N, q, u, kinematic, bodies, loads, _valued(p, "andrews"), held)


def tree(links: Sequence[Link]) -> Kane:
    """Numbers of a tree become parameters, as a user of PyDy has them: masses, moments and lengths by body."""
    n = len(links) - 1
    q, u = me.dynamicsymbols(f"q:{6 + n}"), me.dynamicsymbols(f"u:{6 + n}")
    known: dict[float, Any] = {}

    def named(value: float) -> Any:
        """One parameter for each number but 0, with its sign outside."""
        if value == 0:
            return sp.Integer(0)
        symbol = known.setdefault(abs(float(value)), sp.Symbol(f"p{len(known)}"))
        return symbol if value > 0 else -symbol

    def body(k: int, link: Link, frame: Any, center: Any) -> Any:
        i = [[named(x) for x in row] for row in link.inertia]
        tensor = me.inertia(frame, i[0][0], i[1][1], i[2][2], i[0][1], i[1][2], i[2][0])
        return me.RigidBody(f"b{k}", center, frame, named(link.mass), (tensor, center))

    def vector(frame: Any, values: Sequence[float]) -> Any:
        return sum((named(x) * e for x, e in zip(values, (frame.x, frame.y, frame.z), strict=True)), 0 * frame.x)

    N, O = _ground()  # noqa: E741
    S, G, kinematic = _free(N, O, q, u)
    frames, centers, bodies = [S], [G], [body(0, links[0], S, G)]
    for k, link in enumerate(links[1:], 1):
        parent, sign = frames[link.parent], int(link.sign)
        axis = (parent.x, parent.y, parent.z)[link.axis]
        F = parent.orientnew(f"F{k}", "Axis", [sign * q[2 + k], axis])
        F.set_ang_vel(parent, sign * u[2 + k] * axis)
        hinge = centers[link.parent].locatenew(f"E{k}", vector(parent, link.hinge))
        hinge.v2pt_theory(centers[link.parent], N, parent)
        center = hinge.locatenew(f"G{k}", vector(F, link.center))
        center.v2pt_theory(hinge, N, F)
        frames.append(F)
        centers.append(center)
        bodies.append(body(k, link, F, center))
    values = {symbol: value for value, symbol in known.items()}
    return _kane(N, q, u, kinematic, bodies, [], values)


def c_source(model: Kane) -> str:
    """What PyDy's Cython generator compiles for 'sympy:LU': its own C generator, without the Python around it."""
    from pydy.codegen.c_code import _CSymbolicLinearSolveGenerator

    inputs = [list(model.q), list(model.u), [TIME], list(model.parameters)]
    generator = _CSymbolicLinearSolveGenerator(inputs, [model.mass, sp.Matrix(model.forcing), model.rates])
    _, source = generator.doprint()
    return str(source).replace('#include "matrices.h"', "")
