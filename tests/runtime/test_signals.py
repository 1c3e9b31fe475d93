"""Signals that vary, within the compiled loop."""

import numpy as np
import pytest

from volterra_cg.errors import Interrupted
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime import Status


@pytest.fixture(scope="module")
def free(model):
    """The oscillator without its spring: m x'' = force, m = 2."""

    def make(force):
        return model.start(q={"x": 0.0, "w": 0.0}, params={"k": 0.0}, signals={"force": force})

    return make


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_samples_are_joined_by_straight_lines(free, integrator):
    """A force of 2 t up to 1 and 2 from there: x = t^3 / 6, then a parabola."""
    run = free(([0.0, 1.0], [0.0, 2.0])).simulate(2.0, dt=0.1, integrator=integrator, max_step=0.05, rtol=1e-9)
    late = np.maximum(run.t - 1.0, 0.0)
    early = np.minimum(run.t, 1.0)
    np.testing.assert_allclose(run["x"], early**3 / 6 + late / 2 + late**2 / 2, atol=1e-9)
    np.testing.assert_allclose(run["der(der(x))"], np.minimum(run.t, 1.0), atol=1e-12)


def test_many_samples(free):
    times = np.linspace(0.0, 6.0, 5001)
    run = free((times, 2 * np.cos(times))).simulate(6.0, dt=0.5, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run["x"], 1 - np.cos(run.t), atol=1e-5)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_functions_of_time_and_state(free, integrator):
    run = free(lambda t, z: -8.0 * z[0] + 2.0 * t).simulate(
        2.0, dt=0.1, integrator=integrator, max_step=0.01, rtol=1e-9
    )
    np.testing.assert_allclose(run["x"], run.t / 4 - np.sin(2 * run.t) / 8, atol=1e-8)


def test_the_same_by_samples_and_by_function(free):
    times, values = np.linspace(0.0, 3.0, 7), np.array([0.0, 2.0, -1.0, 3.0, 1.0, 0.0, 4.0])
    sampled = free((times, values)).simulate(3.0, dt=0.1, integrator="rk4")
    asked = free(lambda t, z: np.interp(t, times, values)).simulate(3.0, dt=0.1, integrator="rk4")
    np.testing.assert_allclose(sampled.z, asked.z, rtol=0, atol=1e-14)
    np.testing.assert_allclose(sampled.y, asked.y, rtol=0, atol=1e-14)


def test_an_error_in_a_function_is_raised_where_it_stands(free):
    def force(t, z):
        if t > 0.5:
            raise ZeroDivisionError("no force")
        return 1.0

    with pytest.raises(ZeroDivisionError, match="no force") as caught:
        free(force).simulate(1.0, dt=0.1, max_step=0.05)
    assert "in the signal force at t = 0.5" in caught.value.__notes__[0]
    run = free(force).simulate(1.0, dt=0.1, max_step=0.05, raises=False)
    assert run.status is Status.SIGNAL_ERROR
    assert "ZeroDivisionError('no force')" in run.message
    assert 0.4 < run.t[-1] <= 0.5


@pytest.mark.parametrize("value", ["much", None, [1.0, 2.0]])
def test_a_function_that_gives_no_number_is_told(free, value):
    with pytest.raises((TypeError, ValueError)):
        free(lambda t, z: value).simulate(1.0, dt=0.1)


def test_a_function_that_gives_nan_ends_the_run(free):
    run = free(lambda t, z: np.nan if t > 0.5 else 1.0).simulate(1.0, dt=0.1, max_step=0.05, raises=False)
    assert run.status is Status.NOT_FINITE
    assert np.isfinite(run.z).all()


def test_ctrl_c_in_a_function_is_an_interruption(free):
    def force(t, z):
        if t > 0.5:
            raise KeyboardInterrupt
        return 0.0

    with pytest.raises(Interrupted) as caught:
        free(force).simulate(1.0, dt=0.1, raises=False)
    assert caught.value.run.status is Status.INTERRUPTED


def test_a_state_given_to_a_function_may_be_kept(free):
    kept = []
    free(lambda t, z: kept.append(z) or 0.0).simulate(0.2, dt=0.1)
    assert len({id(z) for z in kept}) == len(kept)
