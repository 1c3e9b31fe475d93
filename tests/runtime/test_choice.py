"""The integrator of a run that names none."""

import numpy as np
import pytest

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
        ("dop853", "max_step", {"max_step": 0.1}),
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
    for signal, why in ((samples, "corners"), (function, "Python function")):
        statistics = ball.start(signals={"push": signal}).simulate(0.1, **free).statistics
        assert statistics.integrator == "dop853"
        assert why in statistics.chosen


def test_a_name_leaves_nothing_to_choose(bodies):
    assert not bodies.simulate(0.1, integrator="dop853").statistics.chosen
