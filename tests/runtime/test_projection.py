"""Projection to the holonomic constraints after steps."""

import numpy as np
import pytest

from volterra_cg.errors import OptionError
from volterra_cg.integrators import EXPLICIT

LOOSE = {"rtol": 1e-4, "atol": 1e-4, "events": {"kick": None}}


@pytest.fixture(scope="module")
def circle(made_by_hand):
    return made_by_hand("circle")


def radius(run):
    return np.abs(np.hypot(run["x"], run["y"]) - 1.0).max()


@pytest.mark.parametrize("integrator", [name for name in EXPLICIT if name != "gauss_fixed"])
def test_projection_keeps_the_constraint(circle, integrator):
    free = circle.simulate(50.0, dt=0.21, integrator=integrator, **LOOSE)
    held = circle.simulate(50.0, dt=0.21, integrator=integrator, project=True, **LOOSE)
    assert radius(free) > 1e-5
    assert radius(held) < 1e-13
    assert free.statistics.projections == 0
    assert 0 < held.statistics.projections <= held.statistics.steps
    assert 1e-9 < held.statistics.largest_correction < 1e-2


def test_what_keeps_the_constraint_needs_no_projection(circle):
    held = circle.simulate(50.0, dt=0.21, integrator="gauss_fixed", project=True, **LOOSE)
    assert held.statistics.projections == 0
    assert radius(held) < 1e-13


@pytest.mark.parametrize("integrator", ["dopri5", "ode45"])
def test_projection_costs_an_evaluation_where_it_moves(circle, integrator):
    held = circle.simulate(10.0, dt=10.0, integrator=integrator, max_step=0.1, project=True, **LOOSE).statistics
    assert held.rhs_calls == 1 + 6 * held.steps + held.projections - 1  # not after the last


@pytest.mark.parametrize("integrator", ["dop853", "ode45"])
def test_dense_output_stays_usable(circle, integrator):
    settings = {"dt": 0.1, "events": {"kick": None}}
    run = circle.simulate(20.0, rtol=1e-7, atol=1e-7, integrator=integrator, project=True, dense=True, **settings)
    true = circle.simulate(20.0, rtol=1e-12, atol=1e-12, **settings)
    np.testing.assert_allclose(run.z, true.z, atol=2e-3)
    np.testing.assert_allclose(run.dense(run.t), run.z, atol=1e-6)
    assert abs(np.hypot(*run.dense(np.linspace(0, 20, 999))[:, :2].T) - 1).max() < 1e-6


def test_a_motion_on_the_constraint_is_left_alone(circle):
    still = circle.start(q=[0.0, -1.0], qd=[0.0, 0.0])
    held = still.simulate(5.0, dt=1.0, project=True, **LOOSE)
    assert (held.statistics.projections, held.statistics.largest_correction) == (0, 0.0)


def test_a_model_without_constraints_is_refused(made_by_hand):
    with pytest.raises(OptionError, match="ball has no holonomic constraints"):
        made_by_hand("ball").simulate(1.0, project=True)


@pytest.mark.compiles
def test_projection_of_a_compiled_mechanism(compiled):
    model = compiled("double_four_bar")
    free = model.simulate(10.0, dt=0.1, rtol=1e-5, atol=1e-5)
    held = model.simulate(10.0, dt=0.1, rtol=1e-5, atol=1e-5, project=True)
    gaps = model.description.output("positions").where
    assert np.abs(free.y[:, gaps]).max() > 1e-9
    assert np.abs(held.y[:, gaps]).max() < 1e-12
    assert held.statistics.projections > 0
