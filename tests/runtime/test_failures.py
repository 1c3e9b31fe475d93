"""Failure is data: a status, a message, what was computed until then; never a hang, never a silent NaN."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from volterra_cg.errors import IntegrationError, Interrupted, OptionError
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime import Status


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_a_failed_run_can_be_returned(model, integrator):
    start = model.start(q={"x": 0.0, "w": 0.0}, qd={"x": 20.0, "w": 40.0}, params={"k": 1e-9})
    run = start.simulate(1.0, dt=0.01, integrator=integrator, max_step=1e-3, raises=False)
    assert (run.status, run.ok) == (Status.SINGULAR, False)
    assert run.message.startswith("the simulation stopped at t = 0.25: the block of x has no inverse (last state: x = ")
    assert run.t[-1] == pytest.approx(0.25, abs=2e-3)
    assert (np.diff(run.t) > 0).all()
    assert run.z[-1, 0] <= 5.0
    with pytest.raises(IntegrationError) as caught:
        start.simulate(1.0, dt=0.01, integrator=integrator, max_step=1e-3)
    assert caught.value.status is Status.SINGULAR
    assert caught.value.run.message == str(caught.value)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_too_many_steps(model, integrator):
    run = model.simulate(1e6, t_eval=[1e6], max_step=0.01, max_steps=1000, integrator=integrator, raises=False)
    assert run.status is Status.TOO_MANY_STEPS
    assert "give max_steps" in run.message
    assert run.statistics.steps + run.statistics.rejections == 1000
    assert len(run.t) == 1


@pytest.mark.parametrize("integrator", ["dop853", "ode45"])
def test_steps_below_the_resolution_of_time(model, integrator):
    run = model.start(t=1e9).simulate(1e9 + 1, integrator=integrator, rtol=1e-20, atol=1e-30, raises=False)
    assert run.status is Status.TOO_SMALL
    assert "below the resolution of time" in run.message


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_no_row_is_ever_nan(model, integrator):
    start = model.start(params={"k": -1e6, "l": 7.0})
    run = start.simulate(10.0, dt=0.01, integrator=integrator, raises=False)
    assert run.status is (Status.NOT_CONVERGED if integrator == "gauss_fixed" else Status.NOT_FINITE)
    assert np.isfinite(run.z).all()
    assert np.isfinite(run.y).all()


def test_short_steps_of_gauss_end_where_numbers_do(model):
    start = model.start(params={"k": -1e6, "l": 7.0})
    run = start.simulate(10.0, dt=0.01, integrator="gauss_fixed", max_step=1e-3, raises=False)
    assert run.status is Status.NOT_FINITE
    assert np.isfinite(run.z).all()
    assert np.isfinite(run.y).all()


@pytest.mark.parametrize("integrator", EXPLICIT)
@pytest.mark.parametrize("k", [1e300, 1e200, -1e200, 1e150])
def test_numbers_near_overflow_end_somehow(model, integrator, k):
    run = model.start(params={"k": k}).simulate(1.0, dt=0.1, integrator=integrator, max_steps=10_000, raises=False)
    assert not run.ok
    assert np.isfinite(run.z).all()


@pytest.mark.parametrize("integrator", ["rk4", "dopri5"])
def test_steps_of_one_size_that_time_cannot_tell(model, integrator):
    run = model.start(t=1e9).simulate(1e9 + 1, dt=1.0, integrator=integrator, max_step=1e-9, raises=False)
    assert run.status is Status.TOO_SMALL


def test_outputs_that_are_not_finite_are_told(made_by_hand):
    start = made_by_hand("ball").start(params={"added": -2.0})  # trouble is the root of h - 2
    run = start.simulate(3.0, dt=0.1, raises=False)
    assert run.status is Status.NOT_FINITE
    assert "the output trouble is not finite" in run.message
    assert run.t[-1] == pytest.approx(0.7)  # h = 2 at 0.775
    assert np.isfinite(run.y).all()


def interrupt_after(seconds):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.parametrize("integrator", EXPLICIT)
@pytest.mark.parametrize("raises", [True, False])
def test_ctrl_c_stops_a_long_run(model, integrator, raises):
    start, begin = model.start(), time.monotonic()
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt) as caught:
        start.simulate(1e9, t_eval=[1e9], max_step=1e-2, integrator=integrator, raises=raises)
    assert time.monotonic() - begin < 2.0
    assert isinstance(caught.value, Interrupted)
    assert isinstance(caught.value, IntegrationError)
    assert caught.value.status is caught.value.run.status is Status.INTERRUPTED
    assert caught.value.run.t[-1] == caught.value.time > 0


def test_other_signals_of_the_system_are_handled(model):
    class EnoughError(Exception):
        pass

    def enough(number, frame):
        raise EnoughError

    before = signal.signal(signal.SIGALRM, enough)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(EnoughError):
            model.simulate(1e9, t_eval=[1e9], max_step=1e-2, max_steps=10**9)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_other_threads_go_on_meanwhile(model):
    counted = []

    def count():
        while len(counted) < 20:
            counted.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=count)
    thread.start()
    model.simulate(1e9, t_eval=[1e9], max_step=1e-2, max_steps=1_000_000, raises=False)
    thread.join()
    assert max(np.diff(counted)) < 0.2


def test_an_interrupted_command_exits_with_130(module, tmp_path):
    command = [sys.executable, "-m", "volterra_cg", "simulate", module.__path__[0], "--t-end", "1e9", "--dt", "1e8"]
    run = subprocess.Popen(
        [*command, "--max-step", "0.01", "-o", str(tmp_path / "run.csv")], stderr=subprocess.PIPE, text=True
    )
    time.sleep(1.5)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=10)
    assert run.returncode == 130
    assert "the results until then are in" in told
    assert (tmp_path / "run.csv").read_text().count("\n") >= 2


def test_radau_without_a_jacobian_is_refused(made_by_hand):
    with pytest.raises(OptionError, match="build with --jacobian"):
        made_by_hand("ball").simulate(1.0, integrator="radau")


def test_memory_does_not_grow(made_by_hand, model):
    import gc
    import resource
    import tracemalloc

    start, ball = model.start(signals={"force": lambda t, z: 0.0}), made_by_hand("ball")

    def some():
        for _ in range(100):
            start.simulate(1.0, dt=0.1, dense=True)
            ball.simulate(2.5, dt=0.1, dense=True, integrator="ode45")
            ball.start(params={"added": -2.0}).simulate(3.0, dt=0.1, raises=False)

    some()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    some()
    gc.collect()  # what waits for the collector is no growth
    first = tracemalloc.get_traced_memory()[0]
    for _ in range(4):
        some()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 50_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000  # kB


# Two balls, of which the first is on rails at a given speed and turns; an event sets its radius and its speed.
DRAINED = """
schema = 1
name = "drained"
[parameters]
rho = 7800
r = 0.1
less = 0.2
kick = 2
[coordinates]
x = { rate = 2 }
far = { initial = 1, rate = -1 }
s = { initial = 0.2, rate = 4 }
[frames]
S = { rotate = [["z", "s"]] }
[points]
A = { at = ["x", 0, 0] }
B = { at = ["far", 0, 0] }
[bodies]
near = { mass = "rho*r**3", center = "A", frame = "S", inertia = { zz = "r" } }
other = { mass = "3*rho*0.001", center = "B" }
[events]
drain = { when = "s - 1", set = { r = "r - less", "der(x)" = "kick" } }
[constraints]
rails = "der(x) - 2"
"""


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
@pytest.mark.parametrize("max_step", [None, 0.03])
@pytest.mark.parametrize(("params", "status", "words"), [
    ({}, Status.IMPOSSIBLE, "the event drain makes the mass of 'near' impossible: a mass is above zero"),
    ({"less": -0.05, "kick": 5}, Status.INCONSISTENT, "the event drain leaves a rate of x that the constraints"),
])  # fmt: skip
def test_an_event_that_cannot_happen_leaves_the_state_before_it(compiled, params, status, words, integrator, max_step):
    start = compiled(DRAINED).start(params=params)
    run = start.simulate(1, dt=0.15, integrator=integrator, max_step=max_step, raises=False)
    assert (run.status, run.events) == (status, ())
    assert run.message.startswith(f"the simulation stopped at t = 0.2: {words}")
    np.testing.assert_allclose(run.t, [0, 0.15, 0.2], rtol=1e-9)
    assert run["s"][-1] == pytest.approx(1.0)
    np.testing.assert_allclose(run["kinetic_energy"], run["kinetic_energy"][0], rtol=1e-12)
