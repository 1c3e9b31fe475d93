"""Impacts: coming to rest, several at the same time, and what is watched beside them."""

from pathlib import Path

import numpy as np
import pytest

from tests.differential.events import HALL, SLED, TOYS
from volterra_cg.errors import IntegrationError, StartError
from volterra_cg.integrators import INTEGRATORS
from volterra_cg.runtime import Event, Status
from volterra_cg.sweep import Axis, Grid, Job, sweep

BALL = (Path(__file__).parents[2] / "examples" / "bouncing_ball.toml").read_text()
pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def hall(compiled):
    return compiled(HALL, jacobian=True)


@pytest.fixture(scope="module")
def toys(compiled):
    return compiled(TOYS, jacobian=True)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_ball_comes_to_rest_in_a_bowl(compiled, integrator):
    run = compiled(BALL, jacobian=True).simulate(20, dt=0.05, integrator=integrator, raises=False)
    assert run.status is Status.TOO_MANY_EVENTS
    assert run.t[-1] == pytest.approx(7.161157, abs=1e-5)
    assert run["bounce"].min() > -1e-15
    assert 100 < len(run.events) < 300
    assert np.diff(run["energy"]).max() < 1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("e", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("floor", [{"k": 0.2}, {"A": 0.05, "w": 2.0}, {"k": -0.1, "A": 0.001, "w": 30.0}])
def test_no_floor_is_fallen_through(hall, integrator, e, floor):
    """A floor that slopes or shakes: the run ends where the ball is at rest on it, or goes on above it."""
    start = hall.start({"x": 5.0, "y": 2.0}, {"x": 0.3}, params={"e": e, "d2": 50.0, **floor})
    run = start.simulate(20.0, dt=0.05, integrator=integrator, max_step=0.2, raises=False)
    assert run["floor"].min() > -1e-9
    assert run.status is Status.TOO_MANY_EVENTS or floor.get("A") == 0.001
    assert all(event.t < run.t[-1] + 1e-9 for event in run.events)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_ball_that_lies_on_the_floor_does_not_fall_through(hall, integrator):
    run = hall.start({"y": 0.0}, {"y": 0.0}).simulate(1.0, dt=0.1, integrator=integrator, raises=False)
    assert (run.status, run.t[-1]) == (Status.TOO_MANY_EVENTS, pytest.approx(0.0, abs=1e-6))
    with pytest.raises(IntegrationError, match="the event floor happens again and again"):
        hall.start({"y": 0.0}, {"y": 0.0}).simulate(1.0, dt=0.1, integrator=integrator)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_gap_that_closes_at_the_start_is_an_impact(hall, integrator):
    run = hall.start({"y": 0.0}, {"y": -2.0}).simulate(0.15, dt=0.05, integrator=integrator)
    assert [(event.name, event.t) for event in run.events][:1] == [("floor", 0.0)]
    assert run["der(y)"][0] == pytest.approx(1.0)
    assert run["floor"].min() >= 0.0


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("e", [1.0, 0.5, 0.2])
def test_a_rod_that_falls_flat_meets_the_floor_with_both_ends(toys, integrator, e):
    run = toys.start({"y": 1.0}, params={"er": e}).simulate(1.0, dt=0.01, integrator=integrator, raises=False)
    assert {event.name for event in run.events} == {"one_end", "other_end"}
    assert min(run["one_end"].min(), run["other_end"].min()) > -1e-12
    energy = run["kinetic_energy"] + run["potential_energy"]
    assert np.diff(energy).max() < 1e-10
    assert e < 1 or energy[-1] == pytest.approx(energy[0], rel=1e-10)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_touching_balls_hand_on_what_hits_them(toys, integrator):
    start = toys.start([0.2, 0.8, 0.9, 1.0, 0.3], [1.0, 0.0, 0.0, 0.0, 0.0], params={"g": 0.0, "wall": 9.0})
    run = start.simulate(2.0, dt=0.1, integrator=integrator)
    assert [event.name for event in run.events] == ["first", "second"]
    assert run.events[0].t == run.events[1].t == pytest.approx(0.5)
    np.testing.assert_allclose(run.events[0].after[:3], run.events[1].before[:3])
    np.testing.assert_allclose([run[f"der(x{i})"][-1] for i in (1, 2, 3)], [0, 0, 1], atol=1e-12)


def test_impacts_that_do_not_settle_end_the_run(hall):
    """Between two walls at an angle of 0.01 every plastic impact takes a ten-thousandth of the speed."""
    p = {
        "g": 0.0,
        "e": 0.0,
        "n1x": 1.0,
        "n1y": 0.0,
        "d1": 0.0,
        "n2x": -np.cos(0.01),
        "n2y": np.sin(0.01),
        "d2": -2 * np.sin(0.01),
    }
    stuck = hall.start([0.0, 2.0], [0.0, -1.0], params=p).simulate(1.0, dt=0.1, raises=False, events={"floor": None})
    assert stuck.status is Status.TOO_MANY_EVENTS
    assert "happens again and again" in stuck.message
    assert (stuck.t[-1], stuck.z[-1].tolist()) == (pytest.approx(0.0, abs=1e-15), [0.0, 2.0, -1.0])
    assert stuck.events == ()
    np.testing.assert_allclose(stuck["kinetic_energy"], 0.35, rtol=1e-14)  # with the momenta before the impacts


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_plastic_impacts_leave_a_ball_sliding_where_nothing_pushes(hall, integrator):
    start = hall.start([1.0, 1.0], [-1.0, 0.3], params={"g": 0.0, "e": 0.0})
    run = start.simulate(5.0, dt=0.5, integrator=integrator)
    assert [event.name for event in run.events][:1] == ["left"]
    assert run["der(y)"][-1] == pytest.approx(0.3)
    assert abs(run["left"][-1]) < 1e-14


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("depth", [1e-3, 1e-6, 1e-10])
def test_a_gap_that_would_be_closed_for_a_moment_is_an_impact(hall, integrator, depth):
    """A ball just reaches the roof, on its way far shorter than a step."""
    top = 1.0 + 5.0**2 / (2 * 9.81)
    start = hall.start({"y": 1.0}, {"y": 5.0}, params={"d3": top - depth, "e": 0.5})
    run = start.simulate(0.9, dt=0.9, integrator=integrator)
    assert [event.name for event in run.events] == ["roof"]
    assert run.events[0].t == pytest.approx((5 - np.sqrt(2 * 9.81 * depth)) / 9.81, abs=1e-7)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_gap_that_begins_to_close_slowly_and_dips_is_an_impact(hall, integrator):
    """The floor rises and falls by one between two looks at a step; the rates there hardly tell."""
    quarter = 2 * np.pi - 0.1
    late = hall.start({"y": 0.5}, params={"g": 0.0, "A": 1.0, "d3": 60.0}, t=0.05 - np.pi / 2)
    run = late.simulate(late.t0 + 4 * quarter, dt=4 * quarter, integrator=integrator, events={"level": None})
    assert run.events[0].name == "floor"
    assert run.events[0].t == pytest.approx(np.pi / 6, abs=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_no_floor_that_shakes_many_times_in_a_step_is_fallen_through(hall, integrator):
    draw = np.random.default_rng(3)
    for _ in range(30):
        floor = {"A": 10 ** draw.uniform(-3, -1), "w": 10 ** draw.uniform(0.5, 2.3), "e": draw.uniform(0.3, 1.0)}
        start = hall.start({"y": draw.uniform(0.3, 1.0)}, params={**floor, "d3": 99.0})
        run = start.simulate(3.0, dt=0.25, integrator=integrator, dense=True, raises=False, events={"level": None})
        t = np.linspace(0.0, run.t[-1], 1001)
        assert (run.dense(t)[:, 1] - floor["A"] * np.sin(floor["w"] * t)).min() > -1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_an_output_that_has_no_value_beyond_a_bounce_can_be_watched(hall, integrator):
    """`level` is a square root that has no value below the floor."""
    run = hall.start({"y": 1.0}, params={"e": 0.9}).simulate(1.9, dt=0.1, integrator=integrator, max_step=0.3)
    assert [event.name for event in run.events].count("floor") == 2
    times = [event.t for event in run.events if event.name == "level"]
    assert times[0] == pytest.approx(np.sqrt(2 * 0.96 / 9.81), abs=1e-6)
    assert len(times) == 4


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_watched_events_at_the_time_of_an_impact_happen_once(toys, integrator):
    """Both balls meet their walls at the same time, up to rounding, and outputs that cross zero there are watched."""
    for x in np.linspace(0.11, 0.37, 25):
        start = toys.start([x, 1.0, 2 - x, 1.0, 0.3], [-0.7, 0.0, 0.7, 0.0, 0.0], params={"g": 0.0})
        watched = {"left": Event("both"), "der(x1)": Event(), "der(x3)": Event()}
        run = start.simulate(0.8, dt=0.8, integrator=integrator, events=watched)
        assert sorted(event.name for event in run.events) == ["left", "right"]
        np.testing.assert_allclose([event.t for event in run.events], x / 0.7, rtol=1e-13)


def test_the_state_at_a_terminal_event_is_the_end_of_the_dense_output(hall):
    run = hall.simulate(2.0, dt=0.1, dense=True, events={"floor": Event("falling", terminal=True)})
    np.testing.assert_array_equal(run.dense(run.t[-1]), run.events[-1].after)
    np.testing.assert_array_equal(run.z[-1], run.events[-1].after)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_dense_output_over_no_time(hall, integrator):
    run = hall.simulate(0.0, integrator=integrator, dense=True)
    np.testing.assert_array_equal(run.dense(0.0), run.z[0])


PULSE = ([0, 5, 5.05, 5.1, 10], [0, 0, 100, 0, 0])  # N s: 5


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_short_pulse_moves_a_cart_at_rest(compiled, integrator):
    run = compiled(SLED, jacobian=True).start(signals={"F": PULSE}).simulate(10, integrator=integrator, dt=2.5)
    assert run["der(x)"][-1] == pytest.approx(5.0, rel=1e-12)
    assert run["x"][-1] == pytest.approx(5 * 4.95, rel=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS[:4])
def test_a_short_pulse_moves_carts_in_lanes(compiled, integrator):
    masses = np.linspace(0.5, 2.0, 19)
    runs = compiled(SLED, jacobian=True).simulate_many(
        10, dt=2.5, integrator=integrator, params={"m": masses}, signals={"F": PULSE}
    )
    np.testing.assert_allclose(runs.z[:, -1, 1], 5.0 / masses, rtol=1e-12)
    np.testing.assert_allclose(runs.z[:, -1, 0], 24.75 / masses, rtol=1e-12)


def test_corners_cost_one_step_each(compiled):
    """After a corner the steps are as long as before it."""
    model = compiled(SLED, jacobian=True)
    times = np.linspace(0.0, 10.0, 101)
    run = model.start(signals={"F": (times, np.sin(times))}).simulate(10, dt=10)
    assert run.statistics.steps < 120
    assert run.statistics.rejections < 10


def test_watched_states_are_on_the_constraints(made_by_hand):
    """The particle on a circle, with tolerances that let it drift."""
    start = made_by_hand("circle")
    run = start.simulate(3.0, dt=0.5, rtol=1e-3, atol=1e-3, project=True, events={"kick": None, "der(x)": Event()})
    assert run.events
    for event in run.events:
        assert event.before[0] ** 2 + event.before[1] ** 2 == pytest.approx(1.0, abs=1e-13)


# A ball that flies over a floor, which an event lifts.
LIFTED = """
schema = 1
name = "lifted"
[parameters]
h = 0
to = 2
[coordinates]
y = { initial = 1 }
x = { initial = 0, rate = 1 }
[points]
P = { at = ["x", "y", 0] }
[bodies]
ball = { mass = 1, center = "P" }
[gravity]
N = [0, -9.81, 0]
[events]
floor = { when = "y - h", restitution = 0.9 }
lift = { when = "x - 1", direction = "rising", set = { h = "to" } }
"""


def test_a_start_below_the_floor_is_refused(compiled):
    model = compiled(LIFTED)
    below = model.start(q={"y": -0.5})
    with pytest.raises(StartError, match=r"the gap of the impact floor is closed at the start: it is -0\.5"):
        below.simulate(0.9, dt=0.3, raises=False)
    assert below.simulate(0.9, dt=0.3, events={"floor": None}).ok
    assert (
        model.start(q={"y": 0.3}, params={"h": 0.1 + 0.2}).simulate(0.1, dt=0.1, raises=False).t[-1] < 1e-6
    )  # at rest


def test_an_event_that_closes_a_gap_ends_the_run(compiled):
    start = compiled(LIFTED).start()
    run = start.simulate(3, dt=0.3, raises=False)
    assert (run.status, run.t[-1]) == (Status.INCONSISTENT, pytest.approx(1.0))
    assert "t = 1: the event lift closes the gap of the impact floor" in run.message
    assert compiled(LIFTED).start(params={"to": 0.01}).simulate(1.2, dt=0.3).ok


def test_a_sweep_goes_on_after_a_start_below_the_floor(compiled, tmp_path):
    job = Job(compiled(LIFTED), Grid((Axis("y", (1.0, -1.0, 0.5)),)), t_end=0.2, dt=0.1)
    assert sweep(job, tmp_path / "out.nc").endings == {"done": 2, "inconsistent": 1}


# Balls in a row, all at rest but the first; no force: every speed is a conserved momentum.
ROW = """
schema = 1
name = "row"
[parameters]
e = 0
[coordinates]
a = { initial = -1, rate = 2 }
b = { initial = 0 }
c = { initial = 0.2 }
d = { initial = 0.4 }
[points]
A = { at = ["a", 0, 0] }
B = { at = ["b", 0, 0] }
C = { at = ["c", 0, 0] }
D = { at = ["d", 0, 0] }
[bodies]
first = { mass = 1, center = "A" }
second = { mass = 2, center = "B" }
third = { mass = 0.5, center = "C" }
fourth = { mass = 1, center = "D" }
[events]
ab = { when = "b - a - 0.2", restitution = "e" }
bc = { when = "c - b - 0.2", restitution = "e" }
cd = { when = "d - c - 0.2", restitution = "e" }
"""


@pytest.mark.parametrize("integrator", INTEGRATORS[:4])
@pytest.mark.parametrize("e", [0.0, 0.2])
def test_touching_balls_that_hardly_rebound_move_on_together(compiled, integrator, e):
    run = compiled(ROW).start(params={"e": e}).simulate(3.0, dt=0.1, integrator=integrator)
    assert len(run.events) < 1000
    speeds = [run[f"der({name})"][-1] for name in "abcd"]
    if e == 0:
        np.testing.assert_allclose(speeds, 2 / 4.5, rtol=1e-12)
    assert np.diff(speeds).min() > -1e-12
    assert min(run[name].min() for name in ("ab", "bc", "cd")) > -1e-12
