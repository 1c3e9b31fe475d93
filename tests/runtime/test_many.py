"""simulate_many: every trajectory is what it would be alone, and says how it ended."""

import _thread
import resource
import threading
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.mechanics import spread
from volterra_cg.errors import OptionError
from volterra_cg.integrators import IN_LANES
from volterra_cg.runtime import Status
from volterra_cg.runtime.batch import Outcome, blank, solve
from volterra_cg.runtime.ensemble import has_lanes
from volterra_cg.runtime.integration import StepControl, states
from volterra_cg.runtime.many import _Inputs

ADAPTIVE = ("dop853", "ode45")


LOOSE = 1e6


def exact(t, stiffness, mass, begin):
    """x of the oscillator from rest."""
    rate = np.sqrt(np.asarray(stiffness) / mass)
    return np.asarray(begin)[:, None] * np.cos(np.multiply.outer(rate, t))


@pytest.mark.parametrize("integrator", IN_LANES)
def test_the_oscillators_swing_as_they_should(model, integrator):
    stiffness, begin = np.linspace(4.0, 12.0, 21), np.linspace(0.5, 2.0, 21)
    runs = model.simulate_many(
        3.0, 0.1, 1e-9, 1e-9, integrator, q={"x": begin, "w": 2 * begin}, params={"k": stiffness}, max_step=0.01
    )
    assert runs.ok.all()
    assert runs.z.shape == (21, 31, 4)
    np.testing.assert_allclose(runs.z[:, :, 0], exact(runs.t, stiffness, 2.0, begin), atol=1e-6)
    np.testing.assert_array_equal(runs.parameters["k"], stiffness)
    np.testing.assert_array_equal(runs.momenta, np.full((21, 1), 2.0))


@pytest.mark.parametrize(
    ("integrator", "order", "steps"),
    [("ode45", 5, (64, 96, 128, 192)), ("dop853", 8, (6, 8, 10, 12)), ("rk4", 4, (32, 48, 64, 96)),
     ("dopri5", 5, (64, 96, 128, 192))],
)  # fmt: skip
def test_order_of_convergence(model, integrator, order, steps):
    sizes, errors = 3.0 / np.array(steps), []
    for size in sizes:
        runs = model.simulate_many(t_eval=[3.0], rtol=LOOSE, atol=LOOSE, integrator=integrator, max_step=size)
        assert runs.rejections.sum() == 0
        errors.append(abs(runs.z[0, -1, 0] - np.cos(6.0)) + abs(runs.z[0, -1, 3] + 2 * np.sin(6.0)))
    assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("integrator", IN_LANES)
def test_trajectories_are_those_of_single_runs(bodies, integrator):
    """The same rules of step control and the same order of sums: the same steps and bits."""
    assert has_lanes(bodies.table)
    starts, times = spread(11), np.linspace(0.0, 4.0, 17)
    runs = bodies.simulate_many(t_eval=times, rtol=1e-7, atol=1e-9, integrator=integrator, q=starts)
    assert runs.ok.all()
    for i in range(11):
        start = bodies.start(q={name: values[i] for name, values in starts.items()})
        rows, statistics = states(start, times, StepControl(integrator, 1e-7, 1e-9))
        assert runs.z[i].tobytes() == rows.tobytes()
        assert (runs.steps[i], runs.rejections[i]) == (statistics.steps, statistics.rejections)
        np.testing.assert_allclose(runs.momenta[i], start.momenta, rtol=1e-14)


PAIR = """schema = 1
name = "pair"
ignorable = []

[bodies]
A = { mass = 1, inertia = [0.1, 0.12, 0.15] }
B = { mass = 1, inertia = [0.1, 0.12, 0.15] }

[joints]
a = { type = "spherical", child = "A", center = [0, 0, -0.3] }
b = { type = "spherical", child = "B", at = [1, 0, 0], center = [0, 0, -0.2] }

[springs]
s = { between = ["A_center", "B_center"], stiffness = 20, length = 1 }

[gravity]
N = [0, 0, -9.81]
"""


def test_trajectories_close_to_singular_places_are_those_of_single_runs(compiled):
    """Two divisors, which shrink and grow at different times."""
    model, count, random = compiled(PAIR), 150, np.random.default_rng(3)
    q = {name: random.uniform(-1.5, 1.5, count) for name in model.coordinates}
    qd = {name: random.normal(scale=4.0, size=count) for name in model.coordinates}
    settings = {"dop853": {"rtol": 1e-2, "atol": 1e-2}, "ode45": {"rtol": 1e-2, "atol": 1e-2}, "rk4": {"max_step": 0.1}}
    ended = set()
    for integrator, told in settings.items():
        many = model.simulate_many(4.0, dt=0.5, q=q, qd=qd, integrator=integrator, **told)
        for k in range(count):
            start = model.start(q={n: v[k] for n, v in q.items()}, qd={n: v[k] for n, v in qd.items()})
            one = start.simulate(4.0, dt=0.5, integrator=integrator, raises=False, **told)
            reached = min(int(many.reached[k]), len(one.t))
            assert one.status == many.status[k], (integrator, k)
            assert one.z[:reached].tobytes() == many.z[k, :reached].tobytes(), (integrator, k)
            ended.add(one.status)
    assert {Status.DONE, Status.SINGULAR} <= ended


@pytest.mark.parametrize("integrator", IN_LANES)
def test_neither_threads_nor_neighbours_change_a_bit(bodies, integrator):
    starts = spread(150)
    settings = {
        "t_eval": np.linspace(0.0, 2.0, 9),
        "rtol": 1e-8,
        "atol": 1e-8,
        "integrator": integrator,
        "max_step": 0.25,
    }
    alone = bodies.simulate_many(**settings, q=starts, workers=1)
    together = bodies.simulate_many(**settings, q=starts, workers=8)
    assert alone.z.tobytes() == together.z.tobytes()
    order = np.random.default_rng(1).permutation(150)
    mixed = bodies.simulate_many(**settings, q={name: values[order] for name, values in starts.items()}, workers=3)
    assert mixed.z.tobytes() == alone.z[order].tobytes()
    single = bodies.simulate_many(**settings, q={name: values[17] for name, values in starts.items()})
    assert single.z[0].tobytes() == alone.z[17].tobytes()
    assert (mixed.rhs_calls == alone.rhs_calls[order]).all()


def test_a_batch_may_be_solved_in_parts(bodies):
    """What an executor on another machine would do: plain arrays out, plain arrays back."""
    inputs = _Inputs(bodies.description, spread(40), None, None, None)
    batch = inputs.batch(np.linspace(0.0, 1.0, 5), "dop853", (1e-8, np.full(13, 1e-8)), 0.0, 100_000)
    whole = solve(bodies.table, (13, 3), batch, 2)
    found = blank(batch, (13, 3))
    for first, last in ((8, 40), (0, 7), (7, 8)):
        found.put(solve(bodies.table, (13, 3), batch.part(first, last)), first, last)
    for field in fields(Outcome):
        assert getattr(found, field.name).tobytes() == getattr(whole, field.name).tobytes()


@pytest.mark.parametrize("integrator", IN_LANES)
def test_trajectories_fail_alone(model, integrator):
    """A force that drives into the singular place, parameters that cannot be, starts that are none."""
    force, mass, wheel = np.zeros(20), np.full(20, 2.0), np.full(20, 2.0)
    force[3], mass[7], wheel[11], mass[15] = 40.0, 0.0, 2.5, np.nan
    settings = {"t_end": 4.0, "dt": 0.1, "rtol": 1e-8, "atol": 1e-8, "integrator": integrator, "max_step": 0.01}
    runs = model.simulate_many(**settings, params={"m": mass}, q={"w": wheel}, signals={"force": force})
    status = {3: Status.SINGULAR, 7: Status.SINGULAR, 11: Status.INCONSISTENT, 15: Status.NOT_FINITE}
    assert {int(i): Status(runs.status[i]) for i in np.flatnonzero(~runs.ok)} == status
    whole = model.simulate_many(**settings)
    assert all(runs.z[i].tobytes() == whole.z[0].tobytes() for i in np.flatnonzero(runs.ok))
    assert "the block of x has no inverse" in runs.message(3)
    assert "stopped at t = " in runs.message(3)
    assert runs.message(7) == "trajectory 7 did not start: the mass m is zero"
    assert "violate the constraint wheel: its residual is 0.5" in runs.message(11)
    assert runs.message(0) == "trajectory 0: it reached the end"
    reached = runs.reached[3]
    assert 1 < reached < 41
    assert np.isfinite(runs.z[3, :reached]).all()
    assert np.isnan(runs.z[3, reached:]).all()
    assert runs.z[3, reached - 1, 0] < 5.0 <= runs.z[3, reached - 1, 0] + 1.0
    assert runs.t[reached - 1] <= runs.ended[3] < runs.t[reached]
    assert np.isnan(runs.z[[7, 11]]).all()


def test_what_cannot_be_met_ends(model):
    runs = model.simulate_many(1e3, 1e3, params={"k": [-1e300, 8.0]}, rtol=1e-6, atol=1e-6)
    assert [bool(ok) for ok in runs.ok] == [False, True]
    assert Status(runs.status[0]) in (Status.NOT_FINITE, Status.TOO_SMALL)
    runs = model.simulate_many(1.0, 1.0, params={"k": [8.0, 8.0]}, q={"x": [np.inf, 1.0]})
    assert not runs.ok[0]


def test_too_many_steps_end_a_trajectory(model, monkeypatch):
    monkeypatch.setattr("volterra_cg.runtime.many.MOST_STEPS", 10)
    runs = model.simulate_many(4.0, 1.0, 1e-10, 1e-10, "ode45")
    assert Status(runs.status[0]) == Status.TOO_MANY_STEPS
    assert runs.steps[0] + runs.rejections[0] == 10
    assert "too many steps" in runs.message(0)


def test_an_interruption_ends_all_threads(model):
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        model.simulate_many(1e9, 1e9, integrator="rk4", max_step=1e-3, params={"k": np.full(64, 8.0)}, workers=2)
    assert time.perf_counter() - begin < 5.0


def test_signals_are_per_trajectory_or_shared_samples(model):
    """A constant force moves the centre of the swing; a ramp is the same given by samples or followed by hand."""
    force = np.array([0.0, 4.0, 8.0])
    runs = model.simulate_many(2.0, 0.1, 1e-10, 1e-10, signals={"force": force})
    centre = force[:, None] / 8.0
    np.testing.assert_allclose(runs.z[:, :, 0], centre + (1.0 - centre) * np.cos(2 * runs.t), atol=1e-8)
    ramp = model.simulate_many(
        2.0, 0.1, 1e-10, 1e-10, signals={"force": ([0.0, 10.0], [0.0, 80.0])}, q={"x": [1.0, 1.0]}
    )
    x = ramp.t + np.cos(2 * ramp.t) - 0.5 * np.sin(2 * ramp.t)
    np.testing.assert_allclose(ramp.z[1, :, 0], x, atol=1e-8)
    assert runs.run(2).y[0, 3] == 0.0
    assert ramp.run(0)["ten_x"][-1] == pytest.approx(10 * x[-1])


def test_values_are_broadcast(model):
    table = np.tile([1.0, 0.0, 2.0], (4, 1))
    for given in (
        {"q": table},
        {"q": [1.0, 0.0, 2.0], "params": {"m": np.full(4, 2.0)}},
        {"qd": {"y": np.ones(4)}},
        {"params": {"k": 8.0, "m": [2.0] * 4}},
        {"signals": {"force": [0.0] * 4}},
    ):
        runs = model.simulate_many(1.0, 0.5, **given)
        assert runs.z.shape == (4, 3, 4)
        assert len({runs.z[i].tobytes() for i in range(4)}) == 1
    assert model.simulate_many(1.0, 0.5).z.shape == (1, 3, 4)
    assert model.simulate_many(0.0, q=table).z.shape == (4, 1, 4)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_tolerances_may_differ_by_state(model, integrator):
    same = model.simulate_many(4.0, 1.0, 1e-12, [1e-6] * 4, integrator)
    assert same.z.tobytes() == model.simulate_many(4.0, 1.0, 1e-12, 1e-6, integrator).z.tobytes()
    finer = model.simulate_many(4.0, 1.0, 1e-12, [1e-6, 1e-6, 1e-6, 1e-9], integrator)
    assert finer.steps[0] > same.steps[0]


def test_times_are_those_asked_for(model):
    runs = model.simulate_many(2.0, t_eval=[0.5, 1.7])
    np.testing.assert_array_equal(runs.t, [0.5, 1.7])
    np.testing.assert_allclose(runs.z[0, :, 0], np.cos(2 * runs.t), atol=1e-8)
    assert list(runs.reached) == [2]
    assert runs.ended[0] == 2.0
    np.testing.assert_array_equal(runs.run(0).t, [0.5, 1.7])
    assert model.simulate_many().t[-1] == 2.0


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"integrator": "euler"}, OptionError, "no integrator is called 'euler'"),
        ({"params": {"mm": 1.0}}, OptionError, "did you mean m"),
        ({"q": {"z": 1.0}}, OptionError, "no coordinate is called 'z'"),
        ({"q": [[1.0, 2.0]]}, ValueError, r"q must have shape \(N, 3\)"),
        ({"params": {"m": [1.0, 2.0], "k": [1.0, 2.0, 3.0]}}, ValueError, "different lengths"),
        ({"params": {"m": [[1.0]]}}, ValueError, r"shape \(N,\)"),
        ({"params": {"m": "heavy"}}, TypeError, "must be real numbers"),
        ({"signals": {"force": lambda t, z: t}}, OptionError, "a Python function"),
        ({"signals": {"force": ([0.0, 0.0], [1.0, 2.0])}}, ValueError, "must increase"),
        ({"signals": {"force": ([0.0, 1.0], [1.0, np.nan])}}, ValueError, "finite"),
        ({"signals": {"push": ([0.0], [1.0])}}, OptionError, "no signal is called 'push'"),
        ({"t_eval": [1.0], "dt": 0.1}, OptionError, "not both"),
        ({"t_eval": [-1.0]}, OptionError, "between the start"),
        ({"t_end": -1.0}, OptionError, "after the start"),
        ({"dt": -1.0}, OptionError, "dt must be positive"),
        ({"dt": np.inf}, OptionError, "dt must be positive and finite"),
        ({"t_eval": [0.5, 0.2], "t_end": 1.0}, OptionError, "increasing"),
        ({"t_eval": [[0.2], [0.5]]}, OptionError, "increasing"),
        ({"t_eval": "soon"}, TypeError, "t_eval must be real numbers"),
        ({"t_end": "late"}, TypeError, "t_end must be a number"),
        ({"rtol": np.inf}, OptionError, "finite"),
        ({"atol": np.inf}, OptionError, "finite"),
        ({"rtol": 1e-300, "atol": 0.0}, OptionError, "below the precision"),
        ({"rtol": "fine"}, TypeError, "rtol must be a number"),
        ({"max_step": "1"}, TypeError, "max_step must be a number"),
        ({"params": [1.0, 2.0]}, TypeError, "parameters must map names"),
        ({"integrator": 3}, OptionError, "must be a string"),
        ({"rtol": 0.0}, OptionError, "positive"),
        ({"atol": [1e-6, 1e-6]}, ValueError, r"shape \(4,\)"),
        ({"max_step": 0.0}, OptionError, "positive"),
        ({"max_steps": 0}, OptionError, "max_steps must be"),
        ({"max_steps": 1.5}, TypeError, "max_steps must be"),
        ({"workers": 0}, OptionError, "positive number of threads"),
        ({"workers": True}, OptionError, "positive number of threads"),
        ({"control": lambda t, x: {}}, OptionError, "takes no controller, .* write the law as an expression"),
        ({"period": 0.1}, OptionError, "takes no controller"),
    ],
)
def test_what_makes_no_sense_is_refused(model, arguments, error, words):
    with pytest.raises(error, match=words):
        model.simulate_many(**arguments)


@pytest.mark.parametrize("integrator", ["rk4", "dopri5"])
def test_steps_too_small_to_count_end_a_trajectory(model, integrator):
    runs = model.simulate_many(1.0, 1.0, integrator=integrator, max_step=1e-300, max_steps=100)
    assert runs.status[0] == Status.TOO_MANY_STEPS
    assert 0.0 < runs.ended[0] < 1e-10


def test_a_trajectory_that_stops_before_the_first_result_did_start(model):
    runs = model.simulate_many(t_eval=[2.0], max_step=1e-3, max_steps=3)
    assert list(runs.reached) == [0]
    assert np.isnan(runs.z).all()
    assert "stopped at t" in runs.message(0)


def test_what_is_not_finite_does_not_start_or_stops_at_once(model):
    runs = model.simulate_many(1.0, q={"x": [1.0, np.nan]})
    assert list(runs.status) == [Status.DONE, Status.NOT_FINITE]


def test_more_memory_than_there_is_is_refused(model):
    """Hundreds of terabytes."""
    with pytest.raises(OptionError, match=r"GB.*fewer results"):
        model.simulate_many(1.0, 1e-7, params={"m": np.full(1_000_000, 2.0)})


def test_starts_are_projected_where_the_spec_says_so(compiled):
    """As those of single starts are; a row for which there is none says so."""
    bars = compiled("double_four_bar")
    assert bars.description.project
    name = next(iter(bars.parameters))
    values = bars.parameters[name] * np.array([1.0, 1.001, np.nan])
    runs = bars.simulate_many(0.02, 0.01, params={name: values})
    assert list(runs.ok) == [True, True, False]
    for i in range(2):
        np.testing.assert_allclose(runs.z[i, 0], bars.start(params={name: values[i]}).z0, rtol=1e-14, atol=1e-14)


def test_memory_does_not_grow(bodies):
    """Ten thousand runs on eight threads, again and again."""
    starts = spread(10_000)
    settings = {"t_eval": [0.2], "rtol": 1e-6, "atol": 1e-6, "q": starts, "workers": 8}
    expected = bodies.simulate_many(**settings).z.tobytes()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(4):
        assert bodies.simulate_many(**settings).z.tobytes() == expected
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 20_000  # kilobytes; a run's state, kept, would be 400 bytes each


@pytest.mark.parametrize("integrator", ["lagrange", "kane", "volterra", "boltzmann-hamel", "reduced-volterra"])
def test_momenta_that_are_only_measured_are_not_kept(compiled, integrator):
    text = (Path(__file__).parents[1] / "fixtures" / "defects" / "simulate_many_classical.toml").read_text()
    model = compiled(text, integrator)
    runs = model.simulate_many(2.0, 0.5, q={"x": [0.0, 3.0]})
    assert runs.ok.all()
    np.testing.assert_allclose(runs.z[:, :, 0], np.add.outer([0.0, 3.0], runs.t))
    assert runs.momenta.shape == (2, len(model.momenta))
    np.testing.assert_allclose(runs.run(1)["momentum x"], 2.0)
