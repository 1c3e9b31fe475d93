"""The mechanisms of the study in sympy.physics.mechanics, and PyDy's C of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .forms import Link


@dataclass(frozen=True)
class Kane:
    """Coordinates, speeds and parameters with their values, the equations, and which speeds are ours too."""

    q: Sequence[Any]
    u: Sequence[Any]
    parameters: Sequence[Any]
    values: Sequence[float]
    mass: Any
    forcing: Any
    rates: Any
    kept: list[int]


def _solved(frame: Any, q: Any, u: Any, kinematic: Any, bodies: Any, loads: Any) -> tuple[Any, Any, Any]:
    import sympy as sp
    from sympy.physics.mechanics import KanesMethod

    method = KanesMethod(frame, q_ind=list(q), u_ind=list(u), kd_eqs=kinematic)
    method.kanes_equations(bodies, loads)
    rates = method.kindiffdict()
    return method.mass_matrix, method.forcing, sp.Matrix([rates[x.diff()] for x in q])


def cart(n: int) -> Kane:
    import sympy as sp
    from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

    q, u = dynamicsymbols(f"q:{n + 1}"), dynamicsymbols(f"u:{n + 1}")
    m, l, g = sp.symbols("m l g")  # noqa: E741
    N, O = ReferenceFrame("N"), Point("O")  # noqa: E741
    O.set_vel(N, 0)
    at = O.locatenew("P0", q[0] * N.x)
    at.set_vel(N, u[0] * N.x)
    bodies, loads = [Particle("b0", at, m)], [(at, -m * g * N.y)]
    for k in range(1, n + 1):
        F = N.orientnew(f"F{k}", "Axis", [q[k], N.z])
        F.set_ang_vel(N, u[k] * N.z)
        point = at.locatenew(f"P{k}", -l * F.y)
        point.v2pt_theory(at, N, F)
        bodies.append(Particle(f"b{k}", point, m))
        loads.append((point, -m * g * N.y))
        at = point
    solved = _solved(N, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)], bodies, loads)
    return Kane(q, u, [m, l, g], [1.0, 1.0, 9.81], *solved, list(range(1, n + 1)))


def tree(links: Sequence[Link]) -> Kane:
    """Numbers of a tree become parameters, as a user of PyDy has them: masses, moments and lengths by body."""
    import sympy as sp
    from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

    n = len(links) - 1
    q, u = dynamicsymbols(f"q:{6 + n}"), dynamicsymbols(f"u:{6 + n}")
    known: dict[float, Any] = {}

    def named(value: float) -> Any:
        """One parameter for each number but 0, with its sign outside."""
        if value == 0:
            return sp.Integer(0)
        symbol = known.setdefault(abs(float(value)), sp.Symbol(f"p{len(known)}"))
        return symbol if value > 0 else -symbol

    def body(k: int, link: Link, frame: Any, center: Any) -> Any:
        i = [[named(x) for x in row] for row in link.inertia]
        tensor = inertia(frame, i[0][0], i[1][1], i[2][2], i[0][1], i[1][2], i[2][0])
        return RigidBody(f"b{k}", center, frame, named(link.mass), (tensor, center))

    def vector(frame: Any, values: Sequence[float]) -> Any:
        return sum((named(x) * e for x, e in zip(values, (frame.x, frame.y, frame.z), strict=True)), 0 * frame.x)

    N, O = ReferenceFrame("N"), Point("O")  # noqa: E741
    O.set_vel(N, 0)
    S = N.orientnew("S", "Body", q[:3], "ZYX")
    turning = S.ang_vel_in(N)
    kinematic = [turning.dot(e) - w for e, w in zip((S.x, S.y, S.z), u[:3], strict=True)]
    kinematic += [q[3 + k].diff() - u[3 + k] for k in range(n)]
    kinematic += [q[3 + n + k].diff() - u[3 + n + k] for k in range(3)]
    S.set_ang_vel(N, u[0] * S.x + u[1] * S.y + u[2] * S.z)
    G = O.locatenew("G", q[3 + n] * N.x + q[4 + n] * N.y + q[5 + n] * N.z)
    G.set_vel(N, u[3 + n] * N.x + u[4 + n] * N.y + u[5 + n] * N.z)
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
    solved = _solved(N, q, u, kinematic, bodies, [])
    return Kane(q, u, list(known.values()), list(known), *solved, list(range(3 + n)))


def c_source(model: Kane) -> tuple[str, list[int]]:
    """What PyDy's Cython generator compiles for 'sympy:LU': its own C generator, without the Python around it."""
    import sympy as sp
    from pydy.codegen.c_code import _CSymbolicLinearSolveGenerator

    inputs = [list(model.q), list(model.u), list(model.parameters)]
    generator = _CSymbolicLinearSolveGenerator(inputs, [model.mass, sp.Matrix(model.forcing), model.rates])
    _, source = generator.doprint()
    return source.replace('#include "matrices.h"', ""), [len(model.u) ** 2]
