"""The compiled integrators: their orders, MATLAB's controls, and how they end."""

import numpy as np
import pytest

from volterra_cg.errors import IntegrationError, OptionError
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime.integration import StepControl, Wishes, integrate, repeat, states

LOOSE = 1e6  # a tolerance that no step misses, so that the steps are all of the largest size


def exact(t):
    """The oscillator's x and u: k/m = 4, start at 1 at rest."""
    return np.array([np.cos(2 * t), -2 * np.sin(2 * t)])


def slope(sizes, errors):
    """The order, as the slope of log error over log step."""
    return np.polyfit(np.log(sizes), np.log(errors), 1)[0]


@pytest.fixture(scope="module")
def wave(made_by_hand):
    """Van der Pol's oscillator where it is gentle: all orders show at the same steps."""
    return made_by_hand("van_der_pol").start(params={"eps": 2.0}, q=[0.5], qd=[0.5])


@pytest.fixture(scope="module")
def truth(wave):
    return integrate(wave, [0.0, 3.0], StepControl("dop853", 1e-14, 1e-14), Wishes(dense=True)).dense


def in_steps(start, integrator, count, t_end):
    """A run in equal steps: the tolerance lets all pass, but Newton's iteration of radau needs a tight one."""
    rtol, atol = (1e-11, 1e-4) if integrator == "radau" else (LOOSE, LOOSE)
    size = t_end / count
    run = integrate(start, [0.0, t_end], StepControl(integrator, rtol, atol, size, size), Wishes(dense=True))
    assert (run.statistics.steps, run.statistics.rejections) == (count, 0)
    return run


@pytest.mark.parametrize(
    ("integrator", "order", "steps"),
    [
        ("ode45", 5, (32, 48, 64, 96)),
        ("dopri5", 5, (32, 48, 64, 96)),
        ("dop853", 8, (8, 10, 12, 14, 16, 18)),
        ("rk4", 4, (48, 64, 96, 128)),
        ("radau", 5, (32, 48, 64, 96)),
    ],
)
def test_order_of_convergence(wave, truth, integrator, order, steps):
    errors = []
    for count in steps:
        times = np.linspace(0.0, 3.0, count + 1)
        errors.append(np.linalg.norm(in_steps(wave, integrator, count, 3.0).dense(times) - truth(times)) / count**0.5)
    assert slope(3.0 / np.array(steps), errors) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize(
    ("integrator", "order", "sizes"),
    [
        ("ode45", 4, (0.02, 0.04, 0.08)),
        ("dopri5", 4, (0.02, 0.04, 0.08)),
        ("dop853", 7, (0.14, 0.2, 0.28, 0.4)),
        ("rk4", 3, (0.02, 0.04, 0.08)),
        ("radau", 3, (0.02, 0.04, 0.08)),
    ],
)
def test_order_of_dense_output(wave, truth, integrator, order, sizes):
    """The interpolant of order q misses the motion within one step by h^(q + 1)."""
    errors = []
    for size in sizes:
        times = np.linspace(0.0, size, 33)
        errors.append(np.abs(in_steps(wave, integrator, 1, size).dense(times) - truth(times)).max())
    assert slope(sizes, errors) == pytest.approx(order + 1, abs=0.2)


@pytest.mark.parametrize("integrator", ["ode45", "dop853"])
def test_tolerances_are_met(model, integrator):
    times = np.linspace(0.0, 10.0, 41)
    for tolerance in (1e-4, 1e-7, 1e-10):
        rows, _ = states(model.start(), times, StepControl(integrator, tolerance, tolerance))
        assert np.abs(rows[:, [0, 3]].T - exact(times)).max() < 60 * tolerance


def test_results_do_not_change_the_steps_of_dop853(model):
    control = StepControl("dop853", 1e-8, 1e-8)
    _, few = states(model.start(), [0.0, 5.0], control)
    rows, many = states(model.start(), np.linspace(0.0, 5.0, 101), control)
    assert (few.steps, few.rejections) == (many.steps, many.rejections)
    assert few.rhs_calls < many.rhs_calls <= few.rhs_calls + 3 * many.steps
    assert np.abs(rows[-1, [0, 3]] - exact(5.0)).max() < 1e-6


def matlab(f, times, y, rtol, atol, largest):
    """The steps that MATLAB's documentation of ode45 describes, written again in numpy."""
    a = [
        [],
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
    c = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
    e = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
    t, end, threshold, taken = times[0], times[-1], atol / rtol, []
    rate = np.abs(f(t, y) / np.maximum(np.abs(y), threshold)).max() / (0.8 * rtol**0.2)
    h = min(largest, times[1] - times[0])
    h = 1 / rate if h * rate > 1 else h
    while t < end:
        h, clean = min(largest, h), True
        if 1.1 * h >= end - t:
            h = end - t
        while True:
            k = []
            for row, place in zip(a, c, strict=True):
                k.append(f(t + place * h, y + h * sum((w * g for w, g in zip(row, k, strict=True)), np.zeros_like(y))))
            new = y + h * sum(w * g for w, g in zip(a[6], k, strict=False))
            error = h * np.abs(e @ np.array(k) / np.maximum(np.maximum(np.abs(y), np.abs(new)), threshold)).max()
            if error <= rtol:
                break
            h *= max(0.1, 0.8 * (rtol / error) ** 0.2) if clean else 0.5
            clean = False
        t, y = t + h, new
        taken.append(t)
        if clean:
            h /= max(0.2, 1.25 * (error / rtol) ** 0.2)
    return np.array(taken), y


@pytest.mark.parametrize(("rtol", "largest"), [(1e-3, None), (1e-6, None), (1e-3, 0.05)])
def test_ode45_takes_the_steps_of_matlab(model, rtol, largest):
    times = np.array([0.0, 0.3, 10.0])
    start = model.start()
    taken, end = matlab(lambda t, z: start.rhs(t, z), times, start.z0.copy(), rtol, 1e-6, largest or 1.0)
    rows, statistics = states(start, times, StepControl("ode45", rtol, 1e-6, largest))
    assert statistics.steps == len(taken)
    np.testing.assert_allclose(rows[-1], end, rtol=1e-12, atol=1e-12)


def test_statistics_count_every_evaluation(model):
    _, statistics = states(model.start(), [0.0, 2.0], StepControl("rk4", max_step=0.25))
    assert (statistics.steps, statistics.rhs_calls, statistics.rejections) == (8, 32, 0)
    _, statistics = states(model.start(), [0.0, 2.0], StepControl("ode45", LOOSE, LOOSE, 0.25))
    assert (statistics.steps, statistics.rhs_calls) == (8, 1 + 6 * 8)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_a_singular_state_ends_a_run_with_its_name(model, integrator):
    """A constant force of 40 carries x from 1 past 5, where the model has no inverse."""
    start = model.start(signals={"force": 40.0})
    with pytest.raises(IntegrationError, match="the block of x has no inverse") as caught:
        integrate(start, np.linspace(0.0, 4.0, 401), StepControl(integrator, 1e-8, 1e-8))
    run = caught.value.run
    assert 0.0 < run.t[-1] <= caught.value.time + 0.02 < 4.0
    assert run.z[-1, 0] < 5.0


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_what_is_not_finite_ends_a_run(model, integrator):
    start = model.start(params={"k": -1e300})
    with pytest.raises(IntegrationError):
        integrate(start, [0.0, 1e3], StepControl(integrator, 1e-3, 1e-6, 10.0))


def test_wrong_settings_are_refused(model):
    for wrong in ({"integrator": "euler"}, {"rtol": 0.0}, {"atol": -1.0}, {"max_step": 0.0}):
        with pytest.raises(OptionError):
            StepControl(**wrong)
    for times in ([], [1.0, 0.5], [[0.0, 1.0]]):
        with pytest.raises(OptionError, match="increasing"):
            states(model.start(), times, StepControl())


def test_a_run_of_one_time_is_its_start(model):
    run = integrate(model.start(), [0.0])
    assert run.z.tolist() == [model.start().z0.tolist()]
    assert run.statistics.steps == 0


def test_repeated_evaluations_are_timed(model):
    start = model.start()
    assert repeat(start.handle, [0.0, 0.0], [start.z0, start.z0], 1000) >= 0.0
    with pytest.raises(ValueError, match="shape"):
        repeat(start.handle, [0.0], [start.z0, start.z0], 10)
