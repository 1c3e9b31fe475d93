"""The n-link pendulum on a cart against the equations that sympy derives by Kane's formulation."""

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

from benchmarks.chains import cart_chain, space_chain
from tests.fixtures.mechanics import problem_of
from volterra_cg import search
from volterra_cg.options import Options
from volterra_cg.program.interpret import interpret

pytestmark = pytest.mark.compiles


def kane(n):
    """The mass matrix and forcing of x, q1..qn as functions of coordinates and rates; unit masses and lengths."""
    coordinates, speeds = dynamicsymbols(f"q:{n + 1}"), dynamicsymbols(f"u:{n + 1}")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    place, velocity = coordinates[0] * frame.x, speeds[0] * frame.x
    particles, loads = [], []
    for k in range(n + 1):
        if k:
            sine, cosine = sympy.sin(coordinates[k]), sympy.cos(coordinates[k])
            place = place + sine * frame.x - cosine * frame.y
            velocity = velocity + speeds[k] * (cosine * frame.x + sine * frame.y)
        point = origin.locatenew(f"P{k}", place)
        point.set_vel(frame, velocity)
        particles.append(Particle(f"B{k}", point, sympy.Integer(1)))
        loads.append((point, -sympy.Rational(981, 100) * frame.y))
    kinematic = [u - q.diff() for q, u in zip(coordinates, speeds, strict=True)]
    formulation = KanesMethod(frame, q_ind=coordinates, u_ind=speeds, kd_eqs=kinematic)
    formulation.kanes_equations(particles, loads)
    mass, forcing = formulation.mass_matrix, formulation.forcing
    return sympy.lambdify((coordinates, speeds), (mass, forcing), cse=True)


@pytest.mark.parametrize("n", [2, 8, pytest.param(16, marks=pytest.mark.slow)])
def test_accelerations_agree_with_kanes_method(compiled, n):
    model, equations = compiled(cart_chain(n)), kane(n)
    random = np.random.default_rng(n)
    assert (model.report["s"], model.report["equations"]) == (1, n)
    for _ in range(3):
        q, rates = random.uniform(-2, 2, n + 1), random.uniform(-2, 2, n + 1)
        mass, forcing = equations(q, rates)
        expected = np.linalg.solve(mass, np.ravel(forcing))
        start = model.start(q=q, qd=rates)
        found = start.accelerations(0.0, start.z0)
        assert np.linalg.norm(found - expected) < 1e-10 * np.linalg.norm(expected)


@pytest.mark.parametrize("n", [2, 4])
def test_a_free_chain_keeps_energy_and_all_momentum(compiled, n):
    model = compiled(space_chain(n))
    assert (model.report["m"], model.report["s"], model.report["equations"]) == (n + 5, 3, n + 2)
    run = model.simulate(2, dt=0.5, rtol=1e-11, atol=1e-11)
    assert all(np.abs(drift).max() < 1e-9 for drift in run.drift().values())


def test_a_long_chain_in_space_is_regular():
    """Bounds of its pivots grow by a power of the number of links, and must not be taken for their size."""
    problem = problem_of(space_chain(32))
    found = search.cheapest(problem, search.solutions(problem, Options(optimise=2)), 2, False)
    program, inputs = found.assembly.program, problem.kinematics.inputs
    draw = np.random.default_rng(3)
    values = {node: draw.uniform(-1, 1) for node in (*inputs.coordinates, *problem.speed_inputs)}
    values |= dict.fromkeys((*problem.momentum_inputs, inputs.time), 0.1)
    limited = [check for check in program.checks if check.limit is not None]
    assert limited
    for check in limited:
        divisor, limit = interpret([check.divisor, check.limit], values)
        assert abs(divisor) > 100 * limit, check.label
