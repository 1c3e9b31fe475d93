"""Results between steps: t_eval, dense output, what a run says of itself."""

import numpy as np
import pytest

from volterra_cg.errors import OptionError
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime import Status


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_dense_output_passes_through_the_results(model, integrator):
    run = model.simulate(3.0, dt=0.1, integrator=integrator, dense=True)
    np.testing.assert_allclose(run.dense(run.t), run.z, rtol=0, atol=1e-13)
    assert run.dense(1.0).shape == (4,)
    assert run.dense([[0.5, 1.0]]).shape == (1, 2, 4)
    np.testing.assert_array_equal(run.dense(np.linspace(0, 3, 7)[::-2]), [run.dense(t) for t in (3.0, 2.0, 1.0, 0.0)])


def test_dense_output_ends_with_the_run(model):
    run = model.simulate(1.0, dt=0.5, dense=True)
    for t in (-1e-9, 1.0 + 1e-9, np.nan):
        with pytest.raises(OptionError, match="not within the run"):
            run.dense(t)
    with pytest.raises(OptionError, match="dense=True"):
        model.simulate(1.0, dt=0.5).dense(0.5)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_results_at_any_times(model, integrator):
    times = [0.3, 0.31, 1.7, 2.0]
    run = model.simulate(t_eval=times, rtol=1e-10, atol=1e-10, integrator=integrator, max_step=0.01)
    np.testing.assert_array_equal(run.t, times)
    np.testing.assert_allclose(run["x"], np.cos(2 * run.t), atol=1e-7)
    longer = model.simulate(3.0, t_eval=[0.0, *times], rtol=1e-10, atol=1e-10, integrator=integrator, max_step=0.01)
    np.testing.assert_array_equal(longer.t, [0.0, *times])
    assert longer.statistics.steps > run.statistics.steps


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"t_eval": []}, "increasing"),
        ({"t_eval": [1.0, 1.0]}, "increasing"),
        ({"t_eval": [-1.0, 1.0]}, "between the start"),
        ({"t_eval": [0.0, 2.0], "t_end": 1.0}, "between the start"),
        ({"t_eval": [0.0, np.nan]}, "increasing"),
        ({"t_eval": [1.0], "dt": 0.1}, "not both"),
        ({"first_step": -1.0}, "first step"),
        ({"max_steps": 0}, "max_steps"),
        ({"atol": [1e-3, 1e-3]}, "each of the 4 states, not 2"),
        ({"atol": [1e-3, -1e-3, 1.0, 1.0]}, "positive"),
        ({"project": True, "integrator": "DOP853"}, "did you mean dop853"),
    ],
)
def test_wrong_wishes_are_refused(model, arguments, words):
    with pytest.raises(OptionError, match=words):
        model.simulate(**arguments)


def test_each_state_has_a_tolerance_of_its_own(model):
    loose = model.simulate(5.0, dt=5.0, rtol=1e-12, atol=1e-2)
    tight = model.simulate(5.0, dt=5.0, rtol=1e-12, atol=[1e-2, 1e-2, 1e-2, 1e-10])
    same = model.simulate(5.0, dt=5.0, rtol=1e-12, atol=[1e-2] * 4)
    np.testing.assert_array_equal(same.z, loose.z)
    assert tight.statistics.steps > 1.5 * loose.statistics.steps
    assert abs(tight["x"][-1] - np.cos(10)) < 1e-7


@pytest.mark.parametrize("integrator", ["dop853", "ode45"])
def test_a_state_that_is_zero_needs_no_absolute_tolerance(model, integrator):
    start = model.start(q={"x": 0.0, "w": 0.0}, qd={"x": 0.0, "w": 0.0, "y": 0.0})
    assert start.simulate(1.0, dt=0.5, atol=0.0, integrator=integrator).ok


def test_the_first_step_and_the_largest(model):
    run = model.simulate(1.0, dt=1.0, first_step=1e-3, dense=True)
    assert run.interpolant.pieces == run.statistics.steps
    assert model.simulate(1.0, dt=1.0, max_step=0.01).statistics.steps == 100


def test_outputs_are_those_of_single_calls(model):
    run = model.simulate(1.0, dt=0.25)
    expected = [model.default.measured(t, z) for t, z in zip(run.t, run.z, strict=True)]
    np.testing.assert_array_equal(run.y, expected)


def test_a_run_says_what_it_is(model):
    run = model.simulate(1.0, dt=0.25)
    assert repr(run) == "<Run of oscillator: t = 0 to 1, 5 rows, dop853, done>"
    assert (run.status, run.ok, run.message, run.events) == (Status.DONE, True, "done at t = 1", ())
