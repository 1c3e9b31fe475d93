"""simulate: its settings, its times, and how it ends."""

import numpy as np
import pytest

from volterra_cg.errors import IntegrationError, OptionError
from volterra_cg.runtime.integration import INTEGRATORS
from volterra_cg.runtime.simulation import sample_times


@pytest.mark.parametrize("integrator", [integrator for integrator in INTEGRATORS if integrator != "radau"])
def test_every_method_gives_the_known_motion(model, integrator):
    run = model.simulate(1.0, dt=0.1, rtol=1e-7, atol=1e-9, integrator=integrator, max_step=0.05)
    np.testing.assert_allclose(run["x"], np.cos(2.0 * run.t), atol=2e-5)
    np.testing.assert_allclose(run["y"], run.t, atol=1e-9)


def test_settings_come_from_the_spec(model):
    run = model.simulate()
    assert run.t[-1] == 2.0
    assert len(run.t) == 21


def test_a_run_starts_at_the_starts_own_time(model):
    run = model.start(t=3.0).simulate(4.0, dt=0.5)
    assert run.t.tolist() == [3.0, 3.5, 4.0]
    np.testing.assert_allclose(run["x"], np.cos(2.0 * (run.t - 3.0)), atol=1e-8)


@pytest.mark.parametrize(
    ("t0", "t_end", "dt", "times"),
    [
        (0.0, 0.3, 0.1, [0.0, 0.1, 0.2, 0.3]),
        (0.0, 0.25, 0.1, [0.0, 0.1, 0.2, 0.25]),
        (0.0, 0.05, 0.1, [0.0, 0.05]),
        (1.0, 1.0, 0.1, [1.0]),
    ],
)
def test_sample_times(t0, t_end, dt, times):
    found = sample_times(t0, t_end, dt)
    np.testing.assert_allclose(found, times, rtol=1e-15)
    assert found[-1] == t_end


def test_sample_times_of_a_long_run_hit_the_end_once():
    times = sample_times(0.0, 50.0, 0.01)
    assert len(times) == 5001
    assert times[-1] == 50.0


@pytest.mark.parametrize(
    "arguments",
    [{"t_end": -1.0}, {"t_end": np.inf}, {"dt": 0.0}, {"dt": np.nan}, {"rtol": -1.0}, {"integrator": "Euler"}],
)
def test_wrong_settings_are_refused(model, arguments):
    with pytest.raises(OptionError):
        model.simulate(**arguments)


def test_a_singular_block_stops_the_run_and_keeps_what_there_is(model):
    start = model.start(q={"x": 0.0, "w": 0.0}, qd={"x": 20.0, "w": 40.0}, params={"k": 1e-9})
    with pytest.raises(IntegrationError, match=r"the block of x.*last state: x = ") as caught:
        start.simulate(1.0, dt=0.01)
    assert caught.value.time == pytest.approx(0.25)
    assert 20 < len(caught.value.run.t) <= 27


@pytest.mark.parametrize("integrator", ["dop853", "ode45", "rk4"])
def test_a_non_finite_derivative_stops_the_run(model, integrator):
    start = model.start(params={"k": 1e300}, q={"x": 1e10, "w": 2e10})
    with pytest.raises(IntegrationError, match=r"at t = 0: .* not finite .last state: x = 1e"):
        start.simulate(1.0, integrator=integrator)


def test_a_motion_that_blows_up_is_stopped(model):
    start = model.start(params={"k": -1e6, "l": 7.0})  # x grows as exp(707 t)
    with pytest.raises(IntegrationError) as caught:
        start.simulate(10.0, dt=0.01)
    assert 0.2 < caught.value.time < 2.0
    assert np.isfinite(caught.value.run.z[-1]).all()
