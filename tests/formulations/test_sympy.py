"""The paper's first system against sympy's own LagrangesMethod and KanesMethod, wheel and all."""

import functools

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

from volterra_cg.options import FORMULATIONS

STATES = 5
M1, M2, L, G = 1, sympy.Rational(1, 2), sympy.Rational(1, 5), sympy.Rational(981, 100)
Q = dynamicsymbols("q1:4")  # the angles of the bars and the place of the cart
RATES = [q.diff() for q in Q]


@functools.cache
def mechanism():
    """Frame, bodies and the velocity across the second bar of its end, relative to the cart."""
    frame, fixed = ReferenceFrame("N"), Point("O")
    fixed.set_vel(frame, 0)
    first, second = (frame.orientnew(f"A{k}", "Axis", [Q[k], frame.z]) for k in range(2))
    pivot = fixed.locatenew("A", Q[2] * frame.x)
    elbow = pivot.locatenew("B", -L * first.y)
    tip = elbow.locatenew("C", -L * second.y)
    centers = pivot.locatenew("G1", -L / 2 * first.y), elbow.locatenew("G2", -L / 2 * second.y)
    for point in (pivot, elbow, tip, *centers):
        point.set_vel(frame, point.pos_from(fixed).dt(frame))
    bodies = [Particle("cart", pivot, M1)]
    for name, center, axes in (("bar1", centers[0], first), ("bar2", centers[1], second)):
        bodies.append(RigidBody(name, center, axes, M2, (inertia(axes, 0, 0, M2 * L**2 / 12), center)))
    wheel = (tip.vel(frame) - pivot.vel(frame)).dot(second.x)
    return frame, bodies, [(center, -M2 * G * frame.y) for center in centers], wheel


def lagrange():
    """All of q'' as a function of q and q', by LagrangesMethod."""
    frame, bodies, loads, wheel = mechanism()
    energy = sum(body.kinetic_energy(frame) for body in bodies)
    formulation = LagrangesMethod(energy, Q, forcelist=loads, frame=frame, nonhol_coneqs=[wheel])
    formulation.form_lagranges_equations()
    entries = sympy.lambdify([*Q, *RATES], [formulation.mass_matrix_full, formulation.forcing_full], "numpy")

    def accelerations(q, rates):
        matrix, right = entries(*q, *rates)
        return np.linalg.solve(np.array(matrix, float), np.array(right, float).ravel())[3:6]

    return accelerations


def kane():
    """The same by KanesMethod, with the rate of the second angle as the dependent speed."""
    frame, bodies, loads, wheel = mechanism()
    u = dynamicsymbols("u1:4")
    swap = dict(zip(RATES, u, strict=True))
    formulation = KanesMethod(
        frame,
        q_ind=Q,
        u_ind=[u[0], u[2]],
        u_dependent=[u[1]],
        kd_eqs=[rate - speed for rate, speed in swap.items()],
        velocity_constraints=[wheel.subs(swap)],
    )
    formulation.kanes_equations(bodies, loads)
    entries = sympy.lambdify([*Q, *u], [formulation.mass_matrix_full, formulation.forcing_full], "numpy")

    def accelerations(q, rates):
        matrix, right = entries(*q, *rates)
        found = np.linalg.solve(np.array(matrix, float), np.array(right, float).ravel())[3:]
        return found[[0, 2, 1]]  # its speeds are the independent ones first

    return accelerations


def states():
    """Angles and rates that the wheel allows: θ2' = -cos(θ1 - θ2) θ1'."""
    random = np.random.default_rng(3)
    for _ in range(STATES):
        q = np.array([*random.uniform(-1.0, 1.0, 2), 4.0])
        first, cart = random.normal(size=2)
        yield q, np.array([first, -np.cos(q[0] - q[1]) * first, cart])


@pytest.mark.compiles
@pytest.mark.parametrize("theirs", [lagrange, kane])
def test_accelerations_are_those_of_sympy(compiled, theirs):
    expected = theirs()
    for formulation in FORMULATIONS:
        model = compiled("cart_pendulum", formulation)
        for q, rates in states():
            start = model.start(q, rates)
            ours = start.accelerations(0.0, start.z0)
            np.testing.assert_allclose(ours, expected(q, rates), rtol=1e-11, atol=1e-11)
