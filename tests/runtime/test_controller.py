"""Controllers of a run: at each stage, and sampled, beside exact solutions."""

import numpy as np
import pytest
from scipy.linalg import expm

from tests.runtime.test_linearisation import PENDULUM
from volterra_cg.errors import OptionError
from volterra_cg.integrators import EXPLICIT, INTEGRATORS
from volterra_cg.runtime import Event, Status
from volterra_cg.runtime.controller import switching_times

M, K = 2.0, 8.0  # of the oscillator: m x'' = force - k x
PERIOD = 0.05


def damped(t, x):
    return {"force": -3.0 * x["u"] - 1.5 * x["x"] + 0.4 * np.sin(t)}


def exact_damped(t):
    """x, x' of m x'' = -(k + 1.5) x - 3 x' + 0.4 sin t from (1, 0), as the exponential of a matrix."""
    matrix = np.array([[0, 1, 0, 0], [-(K + 1.5) / M, -3 / M, 0.4 / M, 0], [0, 0, 0, 1], [0, 0, -1, 0]])
    return np.array([(expm(matrix * time) @ [1.0, 0.0, 0.0, 1.0])[:2] for time in t])


def exact_held(count, gains=(3.0, 1.5), period=PERIOD):
    """x, x' and the force at multiples of the period, by the exponential of a matrix over each of them."""
    step = expm(np.array([[0, 1, 0], [-K / M, 0, 1 / M], [0, 0, 0]]) * period)
    states, forces = [np.array([1.0, 0.0])], []
    for _ in range(count):
        forces.append(-gains[0] * states[-1][1] - gains[1] * states[-1][0])
        states.append((step @ [*states[-1], forces[-1]])[:2])
    return np.array(states), np.array(forces)


def held(t, x):
    return [-3.0 * x["u"] - 1.5 * x["x"]]


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_a_controller_acts_at_each_stage(model, integrator):
    run = model.simulate(2.0, dt=0.1, integrator=integrator, max_step=0.02, rtol=1e-10, atol=1e-12, control=damped)
    np.testing.assert_allclose(run.z[:, [0, 3]], exact_damped(run.t), atol=2e-8)
    np.testing.assert_allclose(run["force"], -3 * run["u"] - 1.5 * run["x"] + 0.4 * np.sin(run.t), atol=1e-14)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_a_sampled_controller_holds_its_signals_between_exact_times(model, integrator):
    asked = []

    def control(t, x):
        asked.append(t)
        return held(t, x)

    tight = {"rtol": 1e-11, "atol": 1e-12, "max_step": 0.01}
    run = model.simulate(2.0, dt=PERIOD, integrator=integrator, control=control, period=PERIOD, **tight)
    states, forces = exact_held(40)
    np.testing.assert_allclose(run.z[:, [0, 3]], states, rtol=0, atol=1e-8 if integrator == "rk4" else 1e-11)
    np.testing.assert_allclose(run["force"][:-1], forces, atol=3e-8)
    assert run["force"][-1] == run["force"][-2]  # it is not asked at the end
    assert asked == run.t[:-1].tolist()
    np.testing.assert_allclose(run["effort(force)"], [0, *np.cumsum(run["force"][:-1] ** 2) * PERIOD], rtol=1e-12)
    assert (run["der(der(x))"] == (run["force"] - K * run["x"]) * (1 / M)).all()


@pytest.mark.compiles
@pytest.mark.parametrize("period", [None, 0.1])
def test_all_integrators_agree_on_a_controlled_pendulum(compiled, period):
    start = compiled(PENDULUM, jacobian=True).start(q={"a": 3.0})

    def control(t, x):
        return {"torque": 6.0 * np.sin(x["a"]) - 0.3 * x["der(a)"]}

    ends = {}
    for name in INTEGRATORS:
        run = start.simulate(2.0, dt=0.5, integrator=name, rtol=1e-9, max_step=0.01, control=control, period=period)
        ends[name] = run.z[-1]
        assert run.statistics.steps >= (20 if period else 1)
    for name, end in ends.items():
        np.testing.assert_allclose(end, ends["dop853"], atol=1e-6, err_msg=name)
    chosen = start.simulate(1.0, dt=0.5, control=control, period=period).statistics
    assert chosen.integrator == "dop853"
    assert "a controller sets signals" in chosen.chosen


def test_steps_go_on_in_their_size_after_a_switch(model):
    run = model.simulate(10.0, dt=1.0, integrator="dop853", control=held, period=PERIOD)
    assert run.statistics.steps <= 201  # one for each period, and a short one at the start
    assert run.statistics.rejections == 0


def test_rows_between_and_at_switches(model):
    """A row at a switch shows the signal from there on, also where 3 * 0.1 and 6 * 0.05 are not the same double."""
    count = iter(range(1000))
    run = model.simulate(1.0, dt=0.1, control=lambda t, x: {"force": float(next(count))}, period=PERIOD)
    assert run["force"].tolist() == [*range(0, 20, 2), 19]
    run = model.simulate(0.2, dt=0.02, control=lambda t, x: {"force": t}, period=PERIOD)
    np.testing.assert_allclose(run["force"], [0, 0, 0, 0.05, 0.05, 0.1, 0.1, 0.1, 0.15, 0.15, 0.15])


def test_what_a_state_tells(model):
    seen = []

    def control(t, x):
        seen.append((x["x"], x["ten_x"], x["der(w)"], x["momentum y"], x.q[0], x.u[0], float(np.ones(4) @ x), repr(x)))
        return {"force": 0.0}

    model.simulate(0.1, dt=0.1, control=control, period=0.1)
    assert seen == [(1.0, 10.0, 0.0, 2.0, 1.0, 0.0, 3.0, "<State at t = 0: x = 1, y = 0, w = 2, u = 0>")]


def test_outputs_follow_the_parameters_of_the_run(compiled):
    """A bounce makes the ball heavier: the controller sees the energy of the ball that there is."""
    text = """
schema = 1
name = "heavier"
[parameters]
m = 1
[signals]
push = 0
[bodies]
c = { mass = "m" }
[joints]
x = { type = "prismatic", child = "c", axis = "x", initial = 1, rate = -1 }
[forces]
p = { at = "c", vector = ["push", 0, 0] }
[events]
wall = { when = "x", direction = "falling", set = { m = "4*m" } }
"""
    model = compiled(text)
    seen = []

    def control(t, x):
        seen.append((t, x["kinetic_energy"]))
        return {"push": 0.0 * x["kinetic_energy"]}

    run = model.simulate(2.0, dt=0.5, control=control, period=0.25)
    assert [energy for t, energy in seen if t < 1] == [0.5] * 4
    assert [energy for t, energy in seen if t > 1] == [2.0] * 3
    smooth = model.simulate(2.0, dt=0.5, control=lambda t, x: {"push": x["kinetic_energy"] - x["kinetic_energy"]})
    np.testing.assert_allclose(smooth.z, run.z, atol=1e-12)
    assert smooth.warnings == ()
    settled = model.simulate(1.5, dt=0.5, control=lambda t, x: {"push": 0.1 * x["kinetic_energy"]})
    np.testing.assert_allclose(settled["push"], 0.1 * settled["kinetic_energy"], rtol=1e-12)


def test_events_and_results_of_a_controlled_run(model):
    run = model.simulate(
        3.0,
        dt=0.1,
        control=held,
        period=PERIOD,
        events={"ten_x": Event("falling", terminal=True)},
        dense=True,
        rtol=1e-10,
    )
    assert run.status is Status.EVENT
    states, _ = exact_held(40)
    first = int(np.argmax(states[:, 0] < 0))
    assert (first - 1) * PERIOD < run.t[-1] < first * PERIOD
    np.testing.assert_allclose(run.dense(0.5)[0], states[10, 0], atol=1e-8)


def test_a_run_goes_on_where_another_ended(model):
    """The switching times are multiples of the period, whenever a run starts."""
    whole = model.simulate(1.0, dt=PERIOD, integrator="rk4", control=held, period=PERIOD)
    half = model.simulate(0.5, dt=PERIOD, integrator="rk4", control=held, period=PERIOD)
    q, qd = half.q[-1], [half["der(x)"][-1], half["der(y)"][-1], half["der(w)"][-1]]
    rest = model.start(q, qd, t=0.5).simulate(t_eval=whole.t[10:], integrator="rk4", control=held, period=PERIOD)
    assert (rest.z == whole.z[10:]).all()


def test_columns_are_kept_in_files(model, tmp_path):
    from volterra_cg import load

    run = model.simulate(1.0, dt=0.1, control=held, period=PERIOD)
    again = load(run.save(tmp_path / "run.npz"))
    assert {"force", "effort(force)"} <= set(again.names)
    assert (again["effort(force)"] == run["effort(force)"]).all()


@pytest.mark.parametrize(
    ("times", "period", "expected"),
    [
        ([0.0, 1.0], 0.5, [0.0, 0.5]),
        ([0.0, 1.0], 0.4, [0.0, 0.4, 0.8]),
        ([0.3, 1.0], 0.4, [0.3, 0.4, 0.8]),
        ([-0.5, 0.5], 0.4, [-0.5, -0.4, 0.0, 0.4]),
        ([0.0, 0.3], 1.0, [0.0]),
        ([2.0], 1.0, [2.0]),
    ],
)
def test_switching_times(times, period, expected):
    np.testing.assert_allclose(switching_times(np.array(times), period), expected, atol=1e-15)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"forse": 1.0}, OptionError, "no signal is called 'forse'; did you mean force?"),
        ({"force": np.nan}, OptionError, "the signal force that the controller sets must be a finite number, not nan"),
        ({"force": "much"}, TypeError, "the signal force that the controller sets must be a number, not 'much'"),
        ([1.0, 2.0], OptionError, r"an array of shape \(2,\), not one number for each of force"),
        (None, TypeError, r"a dict of signals by name, or an array of all of them \(force\), not None"),
    ],
)
@pytest.mark.parametrize("period", [None, 0.1])
def test_what_a_controller_must_not_return(model, given, error, words, period):
    with pytest.raises(error, match=words) as caught:
        model.simulate(1.0, dt=0.1, control=lambda t, x: given, period=period)
    assert caught.value.__notes__ == ["in the controller at t = 0"]


@pytest.mark.parametrize(
    ("signals", "arguments", "error", "words"),
    [
        ({}, {"control": 3}, TypeError, r"control must be a function of \(t, x\), not 3"),
        ({}, {"period": 0.1}, OptionError, "a period belongs to a controller: give control=f too"),
        ({}, {"control": held, "period": 0.0}, OptionError, "must be positive and finite, not 0"),
        ({}, {"control": held, "period": np.inf}, OptionError, "must be positive and finite, not inf"),
        ({}, {"control": held, "period": 1e-9}, OptionError, "makes more than 1e.08 switching times"),
        (
            {"force": lambda t, z: 0.0},
            {"control": held},
            OptionError,
            "sets force, which the start gives as samples or",
        ),
        ({}, {"control": lambda t, x: [x["xx"]]}, OptionError, "no state or output is called 'xx'"),
        (
            {},
            {"control": lambda t, x: [x["der(der(x))"] + 1]},
            OptionError,
            "reads accelerations of x, which depends on",
        ),
        (
            {},
            {"control": lambda t, x: {"force": 1.0} if t < 0.5 else {}},
            OptionError,
            "set force before, and now nothing",
        ),
        ({}, {"control": lambda t, x: 1 / 0}, ZeroDivisionError, "division"),
    ],
)
def test_wrong_controllers_are_refused(model, signals, arguments, error, words):
    with pytest.raises(error, match=words):
        model.start(signals=signals).simulate(1.0, dt=0.1, max_step=0.1, **arguments)


def test_a_model_without_signals_is_refused(made_by_hand):
    with pytest.raises(OptionError, match="has no signal that a controller could set"):
        made_by_hand("van_der_pol").simulate(1.0, control=held)


def test_a_failure_in_a_sampled_controller_keeps_the_run(model):
    run = model.simulate(1.0, dt=0.1, control=lambda t, x: [1.0 if t < 0.5 else np.inf], period=0.1, raises=False)
    assert run.status is Status.SIGNAL_ERROR
    assert run.t[-1] == pytest.approx(0.5)
    assert "must be a finite number, not inf" in run.message


def test_late_switching_times_are_those_of_the_results():
    times = 16000 + 1e-3 * np.arange(1001)
    found = switching_times(times, 1e-3)
    assert (found == times[:-1]).all()


def test_what_is_kept_of_a_state_tells_no_outputs_of_later(model):
    kept = []

    def watched(t, x):
        kept.append(x)
        return {"force": -x["kinetic_energy"] if t < 0.2 else 0.0}

    run = model.simulate(0.5, dt=PERIOD, control=watched, period=PERIOD)
    assert [x["kinetic_energy"] for x in kept[:4]] == list(run["kinetic_energy"][:4])
    with pytest.raises(OptionError, match="keep the numbers, not x"):
        kept[-1]["kinetic_energy"]


@pytest.mark.parametrize("period", [None, PERIOD])
def test_effort_is_that_from_the_start(model, period):
    def control(t, x):
        return {"force": 1.0 + t}

    whole = model.simulate(1.0, dt=0.1, control=control, period=period)
    late = model.simulate(t_eval=whole.t[5:], control=control, period=period)
    part = whole.rows(slice(5, None))
    assert (part["effort(force)"] == whole["effort(force)"][5:]).all()
    assert late["effort(force)"][0] == pytest.approx(whole["effort(force)"][5], rel=0.05)
    assert (late["force"] == whole["force"][5:]).all()
