"""Runs by calls: the same numbers as runs, checkpoints, what is refused, and what a call costs."""

import gc
import threading
import time
import tracemalloc

import numpy as np
import pytest

from tests.runtime.test_controller import exact_held
from tests.runtime.test_linearisation import PENDULUM
from volterra_cg.errors import IntegrationError, OptionError
from volterra_cg.integrators import EXPLICIT, INTEGRATORS
from volterra_cg.runtime import Event, Status
from volterra_cg.runtime.integration import StepControl, Wishes
from volterra_cg.runtime.stepper import Stepper

DT = 0.03125  # a power of 2, so that times are exact


@pytest.fixture(scope="module")
def pendulum(compiled):
    return compiled(PENDULUM, jacobian=True).start(q={"a": 2.0})


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_steps_are_those_of_a_sampled_controller(model, integrator):
    def force(x):
        return -3.0 * x["u"] - 1.5 * x["x"]

    s = model.stepper(integrator, rtol=1e-11, atol=1e-12, max_step=DT / 4)
    states = [s.z.copy(), *(s.step(DT, {"force": force(s)}).copy() for _ in range(40))]
    exact, _ = exact_held(40, period=DT)
    np.testing.assert_allclose(np.array(states)[:, [0, 3]], exact, rtol=0, atol=1e-8 if integrator == "rk4" else 1e-11)
    assert s.t == 40 * DT
    if integrator in ("rk4", "dopri5"):
        run = model.simulate(
            40 * DT, dt=DT, integrator=integrator, max_step=DT / 4, control=lambda t, x: [force(x)], period=DT
        )
        assert (run.z == states).all()


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_checkpoint_gives_the_same_bits(pendulum, integrator):
    """After other steps, in another stepper, and after a reset."""
    torques = np.random.default_rng(3).normal(size=(20, 1))
    s = pendulum.stepper(integrator, events={"kinetic_energy": Event()})

    def course(stepper):
        return np.array([stepper.step(0.1, torque).copy() for torque in torques])

    first = course(s)
    kept = s.checkpoint()
    second = course(s)
    assert (s.restore(kept) == kept.z).all()
    assert s.t == kept.t
    assert (course(s) == second).all()
    other = pendulum.stepper(integrator, events={"kinetic_energy": Event()})
    other.restore(kept)
    assert (course(other) == second).all()
    assert (s.reset() == pendulum.z0).all()
    assert (s.t, s.signals.tolist()) == (0.0, [0.0])
    assert (course(s) == first).all()


BOUNCE = """
schema = 1
name = "bounce"
[parameters]
m = 1
[signals]
lift = 0
[bodies]
c = { mass = "m" }
[joints]
y = { type = "prismatic", child = "c", axis = "y", initial = 1 }
[gravity]
N = [0, -9.81, 0]
[forces]
p = { at = "c", vector = [0, "lift", 0] }
[events]
floor = { when = "y", direction = "falling", restitution = 0.9 }
high = { when = "y - 2", direction = "rising", terminal = true }
heavy = { when = "t - 0.2", direction = "rising", set = { m = "2*m" } }
"""


@pytest.mark.compiles
def test_events_of_steps(compiled):
    s = compiled(BOUNCE).stepper(rtol=1e-10)
    names = []
    while not names:
        s.step(DT)
        names += [event.name for event in s.events if event.name != "heavy"]
    assert names == ["floor"]
    assert s.t - DT < np.sqrt(2 / 9.81) <= s.t
    kept, again = s.checkpoint(), []
    for _ in range(2):
        s.restore(kept)
        assert s["kinetic_energy"] == pytest.approx(s.z[1] ** 2)  # m is 2 now
        again.append([s.step(DT, [30.0 * k]).copy() for k in range(4)])
    assert np.array_equal(*again)
    s.reset()
    assert s.step(DT, {"lift": 2 * 9.81})[1] == pytest.approx(9.81 * DT)
    while s.status is Status.DONE:
        s.step(0.1)
    assert s.z[0] == pytest.approx(2.0)
    assert "by the event high" in s.message
    with pytest.raises(OptionError, match=r"the motion has ended, stopped at t = .* go back with reset\(\)"):
        s.step(0.1)
    with pytest.raises(OptionError, match="there is nothing to go on from"):
        s.checkpoint()
    s.reset()
    assert s.status is Status.DONE


def test_a_motion_that_cannot_go_on_stays_where_it_stopped(model):
    s = model.stepper(max_step=0.01)
    with pytest.raises(IntegrationError, match="the block of x has no inverse") as caught:
        s.step(10.0, [1000.0])
    assert caught.value.status is s.status is Status.SINGULAR
    assert 4.9 < s.z[0] <= 5.0
    s.reset()
    assert s.step(0.1, [0.0])[0] == pytest.approx(np.cos(0.2), abs=1e-7)


def test_a_call_takes_no_more_steps_than_allowed(model):
    s = model.stepper("rk4", max_step=0.01, max_steps=20)
    for _ in range(3):
        s.step(0.2)
    with pytest.raises(IntegrationError, match="20 steps") as caught:
        s.step(0.3)
    assert caught.value.status is Status.TOO_MANY_STEPS


def test_what_it_tells(model):
    s = model.stepper()
    assert (s["x"], s["ten_x"], s.x.q[2]) == (1.0, 10.0, 2.0)
    assert repr(s) == "<Stepper of oscillator at t = 0: x = 1, y = 0, w = 2, u = 0>"
    assert s["der(der(x))"] == -4.0
    s.step(DT, {"force": 8.0})
    assert s["der(der(x))"] == (8.0 - 8.0 * s["x"]) / 2.0
    with pytest.raises(ValueError, match="read-only"):
        s.z[0] = 3.0


def test_other_signals_go_on(model):
    """Those given by samples and functions are what they are at each stage."""
    for signal in (([0.0, 10.0], [0.0, 20.0]), lambda t, z: 2.0 * t):
        s = model.start(q={"x": 0.0, "w": 0.0}, params={"k": 0.0}, signals={"force": signal}).stepper(rtol=1e-10)
        for _ in range(32):
            s.step(DT)
        assert s.z[0] == pytest.approx(1 / 6, abs=1e-9)
        with pytest.raises(OptionError, match="the start gives force as samples or as a function"):
            s.step(DT, [1.0])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((0.0,), OptionError, "dt must be positive and finite, not 0"),
        ((np.nan,), OptionError, "dt must be positive and finite, not nan"),
        (("a",), TypeError, "dt must be a number, not 'a'"),
        ((1j,), TypeError, "dt must be a number, not 1j"),
        ((0.1, [1.0, 2.0]), OptionError, r"an array of shape \(1,\) of force, not \(2,\)"),
        ((0.1, np.ones(3)), OptionError, r"an array of shape \(1,\) of force, not \(3,\)"),
        ((0.1, np.array([np.nan])), OptionError, "the signal force must be a finite number, not nan"),
        ((0.1, {"forse": 1.0}), OptionError, "did you mean force"),
        ((0.1, "much"), TypeError, "inputs must be real numbers, not 'much'"),
    ],
)
def test_wrong_steps_are_refused(model, arguments, error, words):
    s = model.stepper()
    with pytest.raises(error, match=words):
        s.step(*arguments)
    assert s.t == 0.0
    s.step(0.1, np.array([2], dtype=np.int64))
    assert s.signals.tolist() == [2.0]


def test_a_time_that_is_lost_in_rounding_ends_nothing(model):
    s, other = model.stepper(), model.stepper()
    for stepper in (s, other):
        stepper.step(1.0)
    with pytest.raises(OptionError, match="dt = 1e-17 is lost in rounding beside t = 1: go on by more"):
        s.step(1e-17, {"force": 3.0})
    assert s.signals.tolist() == [0.0]
    assert (s.step(0.5) == other.step(0.5)).all()
    for dt in np.spacing(1.5) * np.array([0.6, 1.0, 3.0, 20.0]):
        before = s.t
        s.step(dt)
        assert s.t == before + dt > before


@pytest.mark.parametrize("call", ["step", "reset", "checkpoint", "outputs", "events"])
def test_its_own_signals_cannot_call_it(model, call):
    calls = {
        "step": lambda: s.step(0.1),
        "reset": lambda: s.reset(),
        "checkpoint": lambda: s.checkpoint(),
        "outputs": lambda: s["kinetic_energy"],
        "events": lambda: s.events,
    }
    asked = []
    s = model.start(signals={"force": lambda t, z: float(bool(asked and calls[call]() is None))}).stepper()
    s.step(0.1)
    asked.append(True)
    with pytest.raises(OptionError, match=r"in a call that has not ended: .* stepper\(\) of the same start") as caught:
        s.step(0.1)
    assert "in the signal force" in caught.value.__notes__[0]
    asked.clear()
    s.reset()
    assert s.step(0.1)[0] == model.stepper().step(0.1)[0]


def test_two_threads_cannot_use_it_at_once(model):
    inside, go_on, found = threading.Event(), threading.Event(), []

    def force(t, z):
        inside.set()
        assert go_on.wait(20)
        return 0.0

    go_on.set()
    s = model.start(signals={"force": force}).stepper()
    go_on.clear()
    inside.clear()
    thread = threading.Thread(target=lambda: found.append(s.step(0.1).copy()))
    thread.start()
    assert inside.wait(20)
    with pytest.raises(OptionError, match="nor two threads at once"):
        s.step(0.1)
    go_on.set()
    thread.join()
    assert (found[0] == model.stepper().step(0.1)).all()


def test_ode45_may_cross_a_call_in_one_step(model):
    times = set()
    s = model.start(signals={"force": lambda t, z: times.add(t) or 0.0}).stepper("ode45", rtol=1e-4)
    s.step(0.01)
    times.clear()
    s.step(0.01)
    assert len(times) == 6  # the start, and the nodes of one step


def test_a_stepper_is_made_by_its_start():
    with pytest.raises(TypeError, match=r"a stepper is made by stepper\(\) of a model or start"):
        Stepper.__new__(Stepper).reset()
    with pytest.raises(TypeError, match=r"a stepper is made by stepper\(\) of a model or start"):
        _ = Stepper.__new__(Stepper).signals


def test_a_stepper_is_made_once(model):
    s = model.stepper()
    with pytest.raises(TypeError, match="a stepper is made once"):
        s.__init__(s.start, StepControl("rk4"), Wishes())
    s.step(0.01)


def test_dates_are_no_inputs(model):
    s = model.stepper()
    with pytest.raises(TypeError, match="real numbers"):
        s.step(0.1, np.zeros(len(s.signals), dtype="M8[s]"))


def test_wrong_checkpoints_are_refused(model):
    s = model.stepper()
    with pytest.raises(TypeError, match=r"what checkpoint\(\) gave, not 3"):
        s.restore(3)
    with pytest.raises(OptionError, match="another model, integrator, tolerance or event"):
        s.restore(model.stepper(rtol=1e-3).checkpoint())
    with pytest.raises(OptionError, match="no integrator is called 'euler'"):
        model.stepper("euler")


def test_a_step_keeps_no_memory(model):
    s, inputs = model.stepper(), np.ones(1)
    s.step(0.01, inputs)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()
    for _ in range(1000):
        s.step(0.01, inputs)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before[0] < 1000
    assert peak - before[0] < 1000


@pytest.mark.timing
def test_a_call_takes_less_than_two_microseconds_beyond_its_evaluations(model):
    """One step of rk4 of a model of a few operations; the best of several rounds, in processor time."""
    s, inputs, count = model.stepper("rk4"), np.ones(1), 20_000
    rounds = []
    gc.disable()
    for _ in range(5):
        begin = time.process_time()
        for _ in range(count):
            s.step(0.001, inputs)
        rounds.append((time.process_time() - begin) / count)
    gc.enable()
    assert min(rounds) < 2e-6


def test_a_state_that_is_kept_has_the_outputs_of_its_time(model):
    s = model.stepper()
    first = s.x
    energy = s["kinetic_energy"]
    s.step(0.5)
    assert first["kinetic_energy"] == energy != s["kinetic_energy"]
