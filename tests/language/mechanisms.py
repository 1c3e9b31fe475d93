"""The mechanisms of the spec language's issue, each derived again by hand."""

from __future__ import annotations

import sympy as sp
from sympy import cos, diag, sin

from tests.fixtures.multipliers import Lagrange, T, turn


def symbols(*names):
    return sp.symbols(" ".join(names), seq=True)


def rod(mass, length):
    return diag(0, mass * length**2 / 12, mass * length**2 / 12)


def wheel(mass, radius, width):
    across = mass * (3 * radius**2 + width**2) / 12
    return diag(across, mass * radius**2 / 2, across)


def double_four_bar(values):
    model = Lagrange("q1 q2 q3 q4 q5")
    rho, a, b, c, d, e, x1, x2, g = symbols("rho", "a", "b", "c", "d", "e", "x1", "x2", "g")

    def way(length, angle):
        return sp.Matrix([length * cos(angle), length * sin(angle), 0])

    q1, q2, q3, q4, q5 = model.q
    first, last = sp.Matrix([x1, 0, 0]), sp.Matrix([x2, 0, 0])
    starts = [sp.zeros(3, 1), way(a, q1), first, first + way(c, q3), last]
    bodies, potential = [], 0
    for start, length, angle in zip(starts, (a, b, c, d, e), model.q, strict=True):
        center = start + way(length / 2, angle)
        bodies.append((rho * length, center, turn("z", angle), rod(rho * length, length)))
        potential += rho * length * g * center[1]
    gap1 = way(a, q1) + way(b, q2) - first - way(c, q3)
    gap2 = first + way(c, q3) + way(d, q4) - last - way(e, q5)
    return model.pose(bodies, potential, constraints=[gap1[0], gap1[1], gap2[0], gap2[1]], values=values)


def car(values):
    model = Lagrange("x y psi delta rear front")
    M, J, m, r, w, lr, lf, stiff, c, drive = symbols("M", "J", "m", "r", "w", "lr", "lf", "stiff", "c", "drive")
    x, y, psi, delta, rear, front = model.q
    vx, vy, vpsi, vdelta, vrear, vfront = model.v
    ahead, side = sp.Matrix([cos(psi), sin(psi), 0]), sp.Matrix([-sin(psi), cos(psi), 0])
    center = sp.Matrix([x, y, 2 * r])
    back, nose = center - lr * ahead, center + lf * ahead
    body, fork = turn("z", psi), turn("z", psi + delta)
    bodies = [
        (M, center, body, diag(0, 0, J)),
        (m, back, body * turn("y", rear), wheel(m, r, w)),
        (m, nose, fork * turn("y", front), wheel(m, r, w)),
    ]
    fx, fy = cos(psi + delta), sin(psi + delta)
    constraints = [
        vx * ahead[0] + vy * ahead[1] - r * vrear,
        vx * side[0] + vy * side[1] - lr * vpsi,
        (vx - lf * sin(psi) * vpsi) * fx + (vy + lf * cos(psi) * vpsi) * fy - r * vfront,
        -(vx - lf * sin(psi) * vpsi) * fy + (vy + lf * cos(psi) * vpsi) * fx,
    ]
    forces = {rear: drive, delta: -c * vdelta + sp.Rational(3, 10) * stiff * sin(T / 2)}
    return model.pose(bodies, stiff * delta**2 / 2, forces, constraints, values | {"drive": 60.0})


def gimbals(values):
    model = Lagrange("alpha beta gamma")
    m, length, A1, A2, B2, C2, A, C, g = symbols("m", "l", "A1", "A2", "B2", "C2", "A", "C", "g")
    alpha, beta, gamma = model.q
    outer = turn("z", alpha)
    inner = outer * turn("x", beta)
    center = inner * sp.Matrix([0, 0, length])
    bodies = [
        (sp.Rational(2, 5), sp.zeros(3, 1), outer, diag(0, 0, A1)),
        (sp.Rational(3, 10), sp.zeros(3, 1), inner, diag(A2, B2, C2)),
        (m, center, inner * turn("z", gamma), diag(A, A, C)),
    ]
    return model.pose(bodies, m * g * center[2], values=values)


def spring_pendulum(values):
    model = Lagrange("phi theta r")
    m, k, rest, c, air, g = symbols("m", "k", "l", "c", "air", "g")
    phi, theta, r = model.q
    _, vtheta, vr = model.v
    place = -r * sp.Matrix([sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)])
    forces = {theta: -air * r**2 * vtheta, r: -(air + c) * vr}
    return model.pose([(m, place)], k * (r - rest) ** 2 / 2 + m * g * place[2], forces, values=values)


def driven_rotor(values):
    model = Lagrange("x y phi")
    m, J, a, rate, wobble, k, v = symbols("m", "J", "a", "rate", "wobble", "k", "v")
    x, y, phi = model.q
    vx, vy, _ = model.v
    table = turn("z", rate * T + wobble * sin(2 * T))
    center = table * sp.Matrix([x + a * cos(phi), y + a * sin(phi), 0])
    bodies = [(m, center, table * turn("z", phi), diag(0, 0, J))]
    edge = -sin(phi) * vx + cos(phi) * vy - v * cos(T)
    return model.pose(bodies, k * (x**2 + y**2) / 2, constraints=[edge], values=values)


def rolling_disc(values):
    model = Lagrange("q1 q2 q3 q4 q5")
    m, r, g = symbols("m", "r", "g")
    q1, q2, q3, q4, q5 = model.q
    lean = turn("z", q1) * turn("x", q2)
    disc = lean * turn("y", q3)
    center = sp.Matrix([q4, q5, 0]) + lean * sp.Matrix([0, 0, r])
    omega = disc * model.spin(disc)
    slip = model.rate(center) + omega.cross(sp.Matrix([q4, q5, 0]) - center)
    moment = m * r**2 / 4
    bodies = [(m, center, disc, diag(moment, 2 * moment, moment))]
    return model.pose(bodies, m * g * center[2], constraints=[slip[0], slip[1]], values=values)


MECHANISMS = {one.__name__: one for one in (double_four_bar, car, gimbals, spring_pendulum, driven_rotor, rolling_disc)}
