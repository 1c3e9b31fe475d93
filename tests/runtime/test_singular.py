"""No step across a singular configuration: the divisors of rhs are watched along the motion."""

import re

import numpy as np
import pytest

from tests.fixtures.specs import PARALLELOGRAM
from volterra_cg.integrators import ADAPTIVE, IN_LANES, INTEGRATORS
from volterra_cg.runtime import Status

# From the velocity of the bob along x and the momentum, the rates follow by division through cos(theta).
CART = """
schema = 1
name = "cart"
[parameters]
m = 1
M = 2
l = 1
g = 9.81
[coordinates]
x = { initial = 0, rate = 0.3 }
theta = { initial = 0.2, rate = 6 }
[points]
C = { at = ["x", 0, 0] }
P = { from = "C", at = ["l*sin(theta)", "-l*cos(theta)", 0] }
[bodies]
cart = { mass = "M", center = "C" }
bob = { mass = "m", center = "P" }
[gravity]
N = [0, "-g", 0]
[quasi_velocities]
u = "der(x) + l*cos(theta)*der(theta)"
"""

# A divisor that touches zero at x = 0 without a change of sign, or with r > 0 passes close by.
TOUCHING = """
schema = 1
name = "touching"
[parameters]
r = 0
k = 1
[coordinates]
x = { initial = -1, rate = 1.05 }
[points]
P = { at = ["x", 0, 0] }
[bodies]
ball = { mass = 1, center = "P" }
[potentials]
spring = "k*x**2/200"
[quasi_velocities]
u = "(x**2 + r)*der(x)"
"""


def settings(integrator):
    return {"integrator": integrator, "dt": 0.01, "rtol": 1e-9, "atol": 1e-9}


def ended(run):
    """The time and the first two states at which a run stopped."""
    t, first, second = re.search(
        r"stopped at t = (\S+):.*last state: \S+ = (\S+), \S+ = (\S+?)[,)]", run.message
    ).groups()
    return float(t), float(first), float(second)


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_run_ends_where_a_divisor_changes_its_sign(compiled, monkeypatch, integrator):
    monkeypatch.setattr("volterra_cg.formulations.charts.MOST", 1)
    run = compiled(CART.replace("cart", "alone"), jacobian=True).simulate(5, raises=False, **settings(integrator))
    assert run.status is Status.SINGULAR
    assert "quasi-velocity u, conserved momentum x do not determine" in run.message
    assert "choose other quasi-velocities" in run.message
    near = 1e-5 if integrator in ADAPTIVE else 0.06  # a step at 6 rad/s
    assert ended(run)[2] == pytest.approx(np.pi / 2, abs=near)
    assert run["theta"].max() < np.pi / 2


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_run_ends_where_a_divisor_touches_zero(compiled, integrator):
    run = compiled(TOUCHING, jacobian=True).simulate(2, raises=False, **settings(integrator))
    assert run.status is Status.SINGULAR
    assert ended(run)[1] == pytest.approx(0, abs=2e-4 if integrator in ADAPTIVE else 0.03)
    assert run["x"].max() < 0


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_divisor_that_has_grown_first_is_seen_to_vanish(compiled, integrator):
    """It grows four hundredfold, on the way there and back; the ball is at the origin after 2.948 s."""
    start = compiled(TOUCHING, jacobian=True).start(q={"x": -0.05}, qd={"x": -1.05}, params={"k": 110})
    run = start.simulate(6, raises=False, **settings(integrator) | {"dt": 3, "max_step": 0.01})
    assert run.status is Status.SINGULAR
    assert ended(run)[0] == pytest.approx(2.948, abs=1e-3 if integrator in ADAPTIVE else 0.03)
    assert run["x"].max() < 0


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_close_passage_is_none(compiled, integrator):
    start = compiled(TOUCHING, jacobian=True).start(params={"r": 0.01})
    run = start.simulate(2, raises=False, **settings(integrator))
    assert run.ok
    exact = 1.05 * 10 * np.sin(0.1 * run.t) - np.cos(0.1 * run.t)
    assert run["x"] == pytest.approx(exact, abs=1e-4)


@pytest.mark.compiles
def test_steps_that_become_too_small_say_what_comes_close_to_vanishing(compiled):
    """So late that time resolves a fiftieth, with a passage so close that shorter steps are needed there."""
    model = compiled(TOUCHING, jacobian=True)
    asked = {"rtol": 1e-12, "atol": 1e-12, "integrator": "dop853"}
    run = model.start(t=1e13, params={"r": 0.004}).simulate(1e13 + 2, raises=False, **asked)
    assert run.status is Status.TOO_SMALL
    assert run.statistics.steps > 5
    assert (
        "below the resolution of time, on the way to a place where quasi-velocity u does not determine" in run.message
    )


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", [*ADAPTIVE, "rk4"])
@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-9, 1e-10, 1e-12])
def test_a_linkage_does_not_change_its_branch(compiled, integrator, rtol):
    """A loop that is missed by rtol goes round the bifurcation at a distance of its root, so that a run ends before."""
    asked = settings(integrator) | {"rtol": rtol, "atol": rtol}
    run = compiled(PARALLELOGRAM, jacobian=True).simulate(5, raises=False, **asked)
    assert run.status is Status.SINGULAR
    assert "constraint loop" in run.message
    assert run["crank"][-1] == pytest.approx(np.pi, abs=2 * np.sqrt(rtol) if integrator in ADAPTIVE else 0.03)
    assert run["rocker"] == pytest.approx(run["crank"], abs=1e-6)


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", IN_LANES)
@pytest.mark.parametrize("spec", [CART, TOUCHING])
def test_lanes_end_as_single_runs_do(compiled, monkeypatch, integrator, spec):
    monkeypatch.setattr("volterra_cg.formulations.charts.MOST", 1)
    model = compiled(spec.replace("cart", "alone"), jacobian=True)
    name = "l" if spec is CART else "k"
    values = np.linspace(0.8, 1.2, 11)
    runs = model.simulate_many(2, params={name: values}, **settings(integrator))
    assert (runs.status == Status.SINGULAR).all()
    for value, end in zip(values, runs.ended, strict=True):
        single = model.start(params={name: value}).simulate(2, raises=False, **settings(integrator))
        assert end == pytest.approx(ended(single)[0], abs=1e-6)


@pytest.mark.compiles
def test_an_event_may_change_sides(compiled):
    """What an event sets is not a motion: the divisors after it are compared with those after it."""
    event = '[events]\njump = { when = "theta - 1.4", set = { theta = "theta + 0.4" } }\n'
    run = compiled(CART + event).simulate(0.4, **settings("dop853"))
    assert run.ok
    assert run["theta"][-1] > np.pi / 2
