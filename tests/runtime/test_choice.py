"""The integrator of a run that names none."""

import numpy as np
import pytest

from tests.fixtures.handmade import van_der_pol
from volterra_cg.runtime import Event

BALL = """
schema = 1
name = "ball"
[signals]
push = 0
[coordinates]
y = { initial = 2 }
[points]
B = { at = [0, "y", 0] }
[bodies]
ball = { mass = 1, center = "B" }
[forces]
push = { at = "B", vector = [0, "push", 0] }
[events.floor]
when = "y"
restitution = 0.5
"""


@pytest.mark.parametrize(
    ("integrator", "why", "settings"),
    [
        ("gauss", "smooth", {}),
        ("gauss", "smooth", {"rtol": 1e-5, "events": {"der(theta)": Event()}}),
        ("dop853", "rtol is above 1e-05", {"rtol": 1e-4}),
        ("gauss", "smooth", {"max_step": 0.1}),
        ("ode45", "max_step", {"max_step": 0.1, "rtol": 1e-6}),
        ("dop853", "max_step", {"max_step": 0.1, "rtol": 1e-7}),
    ],
)
def test_tolerance_and_steps(bodies, integrator, why, settings):
    statistics = bodies.simulate(1.0, dt=0.1, **settings).statistics
    assert statistics.integrator == integrator
    assert why in statistics.chosen


def test_results_do_not_change_the_choice_nor_the_motion(bodies):
    few, many = bodies.simulate(5.0, dt=5.0), bodies.simulate(5.0, dt=0.01, dense=True)
    assert few.statistics.integrator == many.statistics.integrator == "gauss"
    assert (few.z[-1] == many.z[-1]).all()


@pytest.mark.parametrize("rtol", [1e-3, 1e-6])
def test_rows_do_not_change_the_motion_where_steps_are_limited(bodies, rtol):
    few, many = (bodies.simulate(2.0, dt=dt, rtol=rtol, max_step=0.3) for dt in (2.0, 0.001))
    assert few.statistics.integrator == "ode45"
    assert (few.z[-1] == many.z[-1]).all()


def test_a_stiff_motion_ends_with_radau(made_by_hand):
    """From gauss by way of dop853; at rest on the slow branch, so that only stability asks for short steps."""
    start = made_by_hand("van_der_pol").start(q={"x": 2.0}, qd={"x": -0.66}, params={"eps": 1e-4})
    run = start.simulate(0.5, dt=0.01, rtol=1e-6, atol=1e-6)
    assert (run.statistics.integrator, len(run.t)) == ("radau", 51)
    assert "stiff" in run.statistics.chosen
    alone = start.simulate(0.5, dt=0.01, rtol=1e-6, atol=1e-6, integrator="radau")
    assert run.z.tobytes() == alone.z.tobytes()
    tight = start.simulate(0.1, dt=0.1, rtol=1e-9, atol=1e-9)
    assert tight.statistics.integrator == "dop853"
    assert "to be stable, as the motion is stiff, or smaller than the tolerances" in tight.message


def test_a_stiff_motion_without_a_jacobian_is_named(tmp_path):
    start = van_der_pol(tmp_path, jacobian=False).start(q={"x": 2.0}, qd={"x": -0.66}, params={"eps": 1e-4})
    run = start.simulate(0.5, dt=0.5, rtol=1e-6, atol=1e-6)
    assert run.statistics.integrator == "dop853"
    assert "use radau, with a model built with --jacobian" in run.message


def test_models_without_lanes(model):
    statistics = model.simulate(1.0).statistics
    assert (statistics.integrator, statistics.chosen) == ("dop853", "the model has no vector form")


def test_equations_with_kinks(jump, bodies):
    assert (jump.report["smooth"], bodies.report["smooth"]) == (False, True)
    statistics = jump.simulate(1.0, dt=1.0).statistics
    assert statistics.integrator == "dop853"
    assert statistics.chosen == "the equations have kinks or jumps, as of abs, sign, min or max"


def test_signals_and_events(compiled):
    ball = compiled(BALL)
    free = {"events": {"floor": None}}
    assert ball.simulate(0.1, **free).statistics.integrator == "gauss"
    assert ball.simulate(0.1).statistics.chosen == "events change the state"
    samples, function = ([0.0, 0.5, 1.0], [0.0, 1.0, 0.0]), lambda t, z: np.sin(t)
    for signal, rtol, integrator, why in (
        (samples, 1e-6, "ode45", "corners"),
        (samples, 1e-7, "dop853", "corners"),
        (samples, 1e-8, "gauss", "smooth"),
        (function, 1e-6, "dop853", "Python function"),
    ):
        statistics = ball.start(signals={"push": signal}).simulate(0.1, rtol=rtol, **free).statistics
        assert statistics.integrator == integrator
        assert why in statistics.chosen
    for period, rtol, integrator in ((0.05, 1e-6, "ode45"), (0.05, 1e-8, "dop853"), (None, 1e-6, "dop853")):
        run = ball.simulate(0.1, rtol=rtol, control=lambda t, x: {"push": -x["y"]}, period=period, **free)
        assert run.statistics.integrator == integrator
        assert "controller" in run.statistics.chosen


def test_a_name_leaves_nothing_to_choose(bodies):
    assert not bodies.simulate(0.1, integrator="dop853").statistics.chosen
