"""Identities of motion: velocities, accelerations, loads and constraints at random states."""

import numpy as np
import pytest

from tests.fixtures.mechanics import PAPER, State
from tests.fixtures.specs import MOVING, PLAIN, TWINS
from volterra_cg.formulations.inertia import bias_force, drift_entry, mass_entry, momentum_entry
from volterra_cg.program.derivative import Derivative

TEXTS = {"moving": MOVING, "plain": PLAIN, "twins": TWINS, **{n: n for n in (*PAPER, "rolling_disc", "andrews")}}


close = {"rel": 1e-12, "abs": 1e-12}


@pytest.fixture(scope="module", params=TEXTS)
def state(request):
    return State(TEXTS[request.param], seed=3)


def test_velocity_is_the_derivative_of_position(state):
    axes = state.kinematics.axes
    for body in state.kinematics.bodies:
        position, velocity = axes.express(body.center.position, 0), axes.express(body.center.velocity, 0)
        assert state.along(position) == pytest.approx(state.values(velocity), **close)


def test_velocity_is_columns_times_rates_plus_drift(state):
    axes, rates = state.kinematics.axes, state.rates
    for body in state.kinematics.bodies:
        center, frame = body.center, body.frame
        total = state.values(axes.express(center.drift, 0))
        for j, column in center.columns.items():
            total = total + rates[j] * state.values(axes.express(column, 0))
        assert total == pytest.approx(state.values(axes.express(center.velocity, 0)), **close)
        if frame is not None:
            spin = state.values(frame.drift)
            for j, column in frame.columns.items():
                spin = spin + rates[j] * state.values(column)
            assert spin == pytest.approx(state.values(frame.spin), **close)


def test_acceleration_is_columns_times_second_rates_plus_bias(state):
    axes = state.kinematics.axes
    second = np.random.default_rng(7).uniform(-1, 1, len(state.q))
    for body in state.kinematics.bodies:
        numeric = state.along(axes.express(body.center.velocity, 0), second)
        total = state.values(axes.express(body.center.bias, 0))
        for j, column in body.center.columns.items():
            total = total + second[j] * state.values(axes.express(column, 0))
        assert total == pytest.approx(numeric, **close)


def test_angular_acceleration_is_columns_times_second_rates_plus_bias(state):
    second = np.random.default_rng(8).uniform(-1, 1, len(state.q))
    for body in state.kinematics.bodies:
        if body.frame is None:
            continue
        total = state.values(body.frame.bias)
        for j, column in body.frame.columns.items():
            total = total + second[j] * state.values(column)
        # in the body's own axes the inertial derivative of the spin is the derivative of its components
        assert total == pytest.approx(state.along(body.frame.spin, second), **close)


def test_axes_turn_with_the_spin(state):
    """R' = R [ω×] for every body."""
    axes, graph = state.kinematics.axes, state.kinematics.graph
    for body in state.kinematics.bodies:
        if body.frame is None:
            continue
        spin = state.values(body.frame.spin)
        for k in range(3):
            unit = tuple(graph.const(int(i == k)) for i in range(3))
            axis = axes.express(((body.frame_number, unit),), 0)
            world = state.values(axes.express(((body.frame_number, body.frame.spin),), 0))
            assert state.along(axis) == pytest.approx(np.cross(world, state.values(axis)), **close)
            assert np.linalg.norm(world) == pytest.approx(np.linalg.norm(spin), **close)


def test_conservative_forces_are_the_slope_of_the_potential(state):
    kinematics = state.kinematics
    slopes = [-Derivative({q: kinematics.graph.one})(kinematics.potential) for q in kinematics.inputs.coordinates]
    assert state.values(kinematics.conservative) == pytest.approx(state.values(slopes), **close)


def test_constraint_rows_are_affine_and_know_their_derivative(state):
    second = np.random.default_rng(4).uniform(-1, 1, len(state.q))
    for row in (*state.kinematics.constraints, *state.kinematics.speeds):
        columns = np.zeros(len(state.q))
        columns[list(row.columns)] = state.values(list(row.columns.values()))
        value, rest, bias = state.values([row.value, row.rest, row.bias])
        assert value == pytest.approx(columns @ state.rates + rest, **close)
        assert state.along([row.value], second)[0] == pytest.approx(columns @ second + bias, **close)
        if row.position is not None:
            assert state.along([row.position])[0] == pytest.approx(value, **close)


def test_power_of_the_loads_is_generalized_force_times_rate():
    state = State(MOVING)
    kinematics, axes = state.kinematics, state.kinematics.axes
    ball = kinematics.bodies[1].center
    p, q = (state.values(axes.express(b.center.position, 0)) for b in kinematics.bodies)
    vp, vq = (state.values(axes.express(b.center.velocity, 0)) for b in kinematics.bodies)
    hand = np.array([0.25 * np.cos(state.t), 0, state.q[0]])
    oil = -0.3 * ((vp - vq) @ (p - q)) / ((p - q) @ (p - q)) * (p - q)
    # generalized forces take the virtual displacements, so the drift of the points does no work in Q q'
    virtual_q = vq - state.values(axes.express(ball.drift, 0))
    virtual_p = vp - state.values(axes.express(kinematics.bodies[0].center.drift, 0))
    power = hand @ virtual_q + oil @ (virtual_p - virtual_q)
    assert state.values(kinematics.forces) @ state.rates == pytest.approx(power, **close)


def mass_matrix(state):
    count = range(len(state.q))
    entries = [mass_entry(state.kinematics, j, k) for j in count for k in count]
    return state.values(entries).reshape(len(state.q), -1)


def test_the_mass_matrix_is_symmetric_and_definite(state):
    mass = mass_matrix(state)
    assert mass == pytest.approx(mass.T, **close)
    assert np.linalg.eigvalsh(mass).min() > -1e-12


def test_kinetic_energy_is_that_of_mass_matrix_and_drift(state):
    """T = q'^T M q'/2 + N q' + T_0, Eq. (13)."""
    mass, drift = mass_matrix(state), state.values([drift_entry(state.kinematics, j) for j in range(len(state.q))])
    (kinetic,) = state.values([state.kinematics.kinetic])
    (still,) = state.values([state.kinematics.kinetic], rates=np.zeros_like(state.rates))
    assert kinetic == pytest.approx(state.rates @ mass @ state.rates / 2 + drift @ state.rates + still, **close)


def test_momentum_is_the_slope_of_kinetic_energy(state):
    momenta = state.values([momentum_entry(state.kinematics, j) for j in range(len(state.q))])
    drift = state.values([drift_entry(state.kinematics, j) for j in range(len(state.q))])
    assert momenta == pytest.approx(mass_matrix(state) @ state.rates + drift, **close)


def test_lagrange_and_newton_agree(state):
    """d/dt(dT/dq') - dT/dq is the projected inertia force M q'' + bias."""
    kinematics = state.kinematics
    second = np.random.default_rng(9).uniform(-1, 1, len(state.q))
    momenta = [momentum_entry(kinematics, j) for j in range(len(state.q))]
    slopes = [Derivative({q: kinematics.graph.one})(kinematics.kinetic) for q in kinematics.inputs.coordinates]
    bias = state.values([bias_force(kinematics, j) for j in range(len(state.q))])
    left = state.along(momenta, second) - state.values(slopes)
    assert mass_matrix(state) @ second + bias == pytest.approx(left, rel=1e-11, abs=1e-11)
