"""Parameters of which no body exists are refused at every entrance, with the body and the parameters named."""

import numpy as np
import pytest

from volterra_cg.errors import ImpossibleParameters, IntegrationError
from volterra_cg.runtime import Status
from volterra_cg.sweep import Axis, Grid, Job, sweep

# A rod on a slider that loses mass when it passes zero, and a box; moments, products, a density and sizes as parameters.
SLIDER = """
schema = 1
name = "slider"

[parameters]
rho = 2
l = 0.5
less = 0.4
Ixx = 0.3
Iyy = 0.4
Ixy = 0.05
a = 0.2
derived = "rho*l"

[coordinates]
x = { initial = 0.5, rate = -1 }
theta = { initial = 0.3, rate = 0.5 }

[frames]
B = { rotate = [["y", "theta"]] }

[points]
P = { at = ["x", 0, 0] }

[bodies]
rod = { mass = "derived", center = "P", frame = "B", inertia = { xx = "Ixx", yy = "Iyy", zz = 0.5, xy = "Ixy" } }
box = { mass = 1, center = "P", frame = "B", shape = { box = ["a", 0.1, 0.1] } }
"""
LOSING = """
[events]
drop = { when = "x", set = { rho = "less" } }
"""

REFUSED = [
    ({"rho": -2.0}, "the mass of 'rod' is impossible with rho = -2, l = 0.5: a mass is above zero"),
    ({"l": 0.0}, "the mass of 'rod' is impossible with rho = 2, l = 0: a mass is above zero"),
    ({"Ixx": -0.1}, "the moment of inertia xx of 'rod' is impossible with Ixx = -0.1: a moment of inertia is not"),
    ({"Ixx": 0.05}, "the inertia of 'rod' is impossible with Ixx = 0.05, Iyy = 0.4, Ixy = 0.05: no principal"),
    ({"Iyy": 0.9}, "the inertia of 'rod' is impossible with Ixx = 0.3, Iyy = 0.9, Ixy = 0.05: no principal"),
    ({"Ixy": 0.3}, "the inertia of 'rod' is impossible with Ixx = 0.3, Iyy = 0.4, Ixy = 0.3: no principal"),
    ({"a": -0.2}, "a size of 'box' is impossible with a = -0.2: a size is above zero"),
]  # fmt: skip


@pytest.fixture(scope="module")
def slider(compiled):
    return compiled(SLIDER)


@pytest.fixture(scope="module")
def losing(compiled):
    return compiled(SLIDER + LOSING)


@pytest.mark.parametrize(("params", "words"), REFUSED)
def test_a_start_is_refused(slider, params, words):
    with pytest.raises(ImpossibleParameters) as refused:
        slider.start(params=params)
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize(("params", "words"), REFUSED)
def test_what_is_bound_is_refused(slider, params, words):
    with pytest.raises(ImpossibleParameters) as refused:
        slider.default.bind(params, momenta=slider.momenta)
    assert str(refused.value).startswith(words)


def test_possible_bodies_are_not_refused(slider):
    flat = {"Ixx": 0.25, "Iyy": 0.25, "Ixy": 0.0}  # zz = xx + yy: a plate without thickness
    assert slider.start(params=flat).simulate(0.1, dt=0.1).ok
    slender = {"Ixx": 0.0, "Iyy": 0.5, "Ixy": 0.0}  # a rod along x
    assert slider.start(params=slender).simulate(0.1, dt=0.1).ok


def test_each_trajectory_of_many_says_so_for_itself(slider):
    runs = slider.simulate_many(0.2, 0.1, params={"rho": [2, -2, 1], "Ixy": [0.05, 0.05, 0.3]})
    assert [Status(status) for status in runs.status] == [Status.DONE, Status.IMPOSSIBLE, Status.IMPOSSIBLE]
    assert runs.message(1) == f"trajectory 1 did not start: {REFUSED[0][1]}"
    assert "the inertia of 'rod' is impossible with Ixx = 0.3, Iyy = 0.4, Ixy = 0.3" in runs.message(2)
    assert np.isnan(runs.z[1:]).all()


def test_many_starts_that_are_projected_say_so_too(compiled):
    model = compiled(
        SLIDER.replace("[bodies]", '[start]\nproject = true\n\n[constraints]\nrail = "x - 0.5 - theta + 0.3"\n\n[bodies]')
        .replace("rate = -1", "rate = 0.5")
    )  # fmt: skip
    runs = model.simulate_many(0.2, 0.1, params={"rho": [2, -2]})
    assert list(runs.status) == [Status.DONE, Status.IMPOSSIBLE]
    assert "the mass of 'rod'" in runs.message(1)


def test_an_event_that_makes_a_body_impossible_ends_the_run(losing):
    assert losing.start(params={"less": 0.4}).simulate(1, dt=0.1).ok
    with pytest.raises(IntegrationError, match="the event drop makes the mass of 'rod' impossible") as ended:
        losing.start(params={"less": -0.4}).simulate(1, dt=0.1)
    assert ended.value.status is Status.IMPOSSIBLE


@pytest.mark.parametrize("name", ["slider", "losing"])  # in lanes, and one by one
def test_runs_of_a_sweep_are_flagged(request, tmp_path, name):
    job = Job(request.getfixturevalue(name), Grid((Axis("rho", (1.0, -1.0, 2.0)),)), t_end=0.2, dt=0.1)
    assert sweep(job, tmp_path / "out.nc").endings == {"done": 2, "impossible": 1}


BOUNCING = """
schema = 1
name = "bouncing"
[parameters]
e = 0.5
more = 0
[coordinates]
y = { initial = 1 }
[points]
P = { at = [0, "y", 0] }
[bodies]
ball = { mass = 1, center = "P" }
[gravity]
N = [0, -10, 0]
[events]
floor = { when = "y", restitution = "2*e" }
roof = { when = "9 - y", restitution = "2*e - more*der(y)" }
"""


@pytest.mark.parametrize("e", [-0.1, 0.6])
def test_a_restitution_that_no_impact_has_is_refused(compiled, e):
    with pytest.raises(ImpossibleParameters, match=f"the restitution of 'floor' is impossible with e = {e}: it lies"):
        compiled(BOUNCING).start(params={"e": e})


@pytest.mark.parametrize("more", [0.5, -0.05])
def test_a_restitution_that_becomes_impossible_on_the_way_ends_the_run(compiled, more):
    model = compiled(BOUNCING)
    assert model.start(qd={"y": 15.0}).simulate(2, dt=0.1).ok
    run = model.start(qd={"y": 15.0}, params={"more": more}).simulate(2, dt=0.1, raises=False)
    assert run.status is Status.IMPOSSIBLE
    assert "the restitution of the impact roof does not lie between 0 and 1" in run.message
    assert np.ptp(run["energy"]) < 1e-9
