"""Events: found where they are, in the right order, with their changes; and an end where there are too many."""

import numpy as np
import pytest

from volterra_cg.errors import IntegrationError, OptionError
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime import Event, Status
from volterra_cg.runtime.description import describe

BOUNCES = [1.0, 2.0, 2.5, 2.75]  # from a height of 5, gravity 10, half of the speed lost each time


@pytest.fixture(scope="module")
def ball(made_by_hand):
    return made_by_hand("ball")


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_a_ball_bounces_when_it_should(ball, integrator):
    run = ball.simulate(2.8, dt=0.1, integrator=integrator)
    assert [event.name for event in run.events] == ["bounce"] * 4
    np.testing.assert_allclose([event.t for event in run.events], BOUNCES, rtol=0, atol=1e-13)
    for speed, event in zip((10.0, 5.0, 2.5, 1.25), run.events, strict=True):
        np.testing.assert_allclose(event.before, [3 * event.t, 0.0, -speed], atol=2e-13)
        np.testing.assert_allclose(event.after, [3 * event.t, 0.0, speed / 2], atol=2e-13)
    height = 5.0 - 5.0 * run.t**2
    np.testing.assert_allclose(run["h"][run.t < 1], height[run.t < 1], atol=1e-12)
    assert run["h"].min() > -1e-13


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_dense_output_jumps_at_an_event(ball, integrator):
    run = ball.simulate(1.6, dt=1.6, integrator=integrator, dense=True, max_step=0.3)
    bounce = run.events[0]
    np.testing.assert_array_equal(run.dense(bounce.t), bounce.after)
    assert run.dense(np.nextafter(bounce.t, 0.0))[2] == pytest.approx(-10.0)
    np.testing.assert_allclose(run.dense([0.5, 1.5])[:, 1], [3.75, 1.25], atol=1e-12)


def test_rows_at_an_event_are_those_after_it(ball):
    run = ball.simulate(2.0, dt=0.5, integrator="rk4", max_step=0.125)
    assert run.events[0].t == 1.0
    assert run["u"][2] == 5.0


@pytest.mark.parametrize("integrator", EXPLICIT)
@pytest.mark.parametrize("e", [0.0, 0.3, 0.9])
def test_bounces_without_end_end_the_run(ball, integrator, e):
    """The times of the bounces have a limit, (1 + e) / (1 - e): no motion goes on from there."""
    start = ball.start(params={"e": e})
    run = start.simulate(40.0, dt=0.1, integrator=integrator, raises=False)
    assert run.status is Status.TOO_MANY_EVENTS
    assert run.t[-1] == pytest.approx((1 + e) / (1 - e), abs=1e-7)
    assert run["h"].min() > -1e-9
    with pytest.raises(IntegrationError, match="the event bounce happens again and again"):
        start.simulate(40.0, dt=0.1, integrator=integrator)


def test_an_event_may_end_a_run(ball):
    run = ball.simulate(9.0, dt=0.3, events={"bounce": Event("falling", terminal=True)})
    assert (run.status, run.ok, len(run.events)) == (Status.EVENT, True, 1)
    assert "stopped at t = 1 by the event bounce" in run.message
    assert run.t[-1] == run.events[0].t == pytest.approx(1.0, abs=1e-13)
    np.testing.assert_array_equal(run.z[-1], run.events[0].after)
    assert len(run.t) == 5
    assert ball.simulate(9.0, t_eval=[4.0], events={"bounce": Event(terminal=True)}).t.tolist() == [run.t[-1]]


def test_events_of_the_spec_can_be_left_out(ball):
    run = ball.simulate(2.0, dt=1.0, events={"bounce": None})
    assert run.events == ()
    assert run["h"][-1] == pytest.approx(-15.0)


def test_a_change_of_parameters_brings_its_own_momenta(ball):
    """Behind the line the mass is doubled: the speed stays, the momentum is twice as large."""
    run = ball.start(params={"x_line": 1.56, "added": 2.0}).simulate(0.9, dt=0.1)
    assert [(event.name, event.t) for event in run.events] == [("line", pytest.approx(0.52, abs=1e-13))]
    np.testing.assert_allclose(run["der(x)"], 3.0)
    np.testing.assert_allclose(run["momentum x"], np.where(run.t < 0.52, 6.0, 12.0))
    np.testing.assert_allclose(
        run["kinetic_energy"], np.where(run.t < 0.52, 1, 2) * (9 + (10 * run.t) ** 2), rtol=1e-12
    )
    assert run.parameters["m"] == 2.0


def test_events_at_the_same_time_all_happen(ball):
    run = ball.start(params={"x_line": 3.0, "added": 2.0}).simulate(1.5, dt=0.5, integrator="rk4", max_step=0.05)
    assert sorted(event.name for event in run.events) == ["bounce", "line"]
    assert run["u"][-1] == pytest.approx(0.0, abs=1e-12)
    assert run["momentum x"][-1] == pytest.approx(12.0)


@pytest.mark.parametrize(
    ("direction", "times"), [("rising", [0.75]), ("falling", [0.25, 1.25]), ("both", [0.25, 0.75, 1.25])]
)
@pytest.mark.parametrize("integrator", EXPLICIT)
def test_directions(model, direction, times, integrator):
    """x = cos(2 t), so that ten_x is zero at odd multiples of pi / 4."""
    run = model.simulate(5.0, dt=0.5, integrator=integrator, max_step=0.02, events={"ten_x": Event(direction)})
    np.testing.assert_allclose([event.t for event in run.events], np.pi * np.array(times), atol=1e-6)
    assert all(event.before.tolist() == event.after.tolist() for event in run.events)


def test_watching_changes_no_step(model):
    plain = model.simulate(5.0, dt=0.5, rtol=1e-9)
    watched = model.simulate(5.0, dt=0.5, rtol=1e-9, events={"ten_x": Event()})
    np.testing.assert_array_equal(plain.z, watched.z)
    assert len(watched.events) == 3


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_a_start_at_zero_is_no_event(model, integrator):
    start = model.start(q={"x": 0.0, "w": 0.0}, qd={"x": 2.0, "w": 4.0})  # x = sin(2 t)
    run = start.simulate(4.0, dt=4.0, integrator=integrator, max_step=0.05, events={"ten_x": Event()})
    np.testing.assert_allclose([event.t for event in run.events], [np.pi / 2, np.pi], atol=1e-5)
    resting = model.start(q={"x": 0.0, "w": 0.0}, qd={"x": 0.0, "w": 0.0})
    assert resting.simulate(4.0, dt=4.0, integrator=integrator, events={"ten_x": Event()}).events == ()


def test_several_crossings_within_one_step_are_found(model):
    start = model.start(params={"k": 2 * 400.0})  # x = cos(20 t)
    run = start.simulate(
        1.0, dt=1.0, integrator="dop853", rtol=1e-3, atol=1e-3, events={"ten_x": Event(), "der(x)": Event()}
    )
    assert run.statistics.steps < 25
    assert [event.name for event in run.events] == (["ten_x", "der(x)"] * 6 + ["ten_x"])[: len(run.events)]
    assert len(run.events) == 12
    np.testing.assert_allclose([event.t for event in run.events], np.arange(1, 13) * np.pi / 40, atol=5e-3)


def test_wrong_events_are_refused(ball, model):
    with pytest.raises(OptionError, match="no scalar output is called 'hight'; did you mean height"):
        ball.simulate(1.0, events={"hight": Event()})
    with pytest.raises(OptionError, match="no direction is called 'down'"):
        Event("down")
    with pytest.raises(OptionError, match="must be given as Event"):
        ball.simulate(1.0, events={"height": "falling"})
    with pytest.raises(OptionError, match="no event is called 'ten_x'"):
        model.simulate(1.0, events={"ten_x": None})


def test_a_report_without_events_has_none(module):
    report = dict(module.model.report)
    assert "events" not in report
    assert describe(report).events == ()


def test_an_event_that_breaks_the_constraints_is_told(made_by_hand):
    """The hand-made circle's event turns its rate out of the tangent."""
    run = made_by_hand("circle").simulate(2.0, dt=0.1, raises=False, events={"kick": Event("rising")})
    assert run.status is Status.INCONSISTENT
    assert "the event kick leaves a rate of" in run.message


def test_watched_nonsense_ends_the_run(ball):
    """The output trouble has no value below a height of -added."""
    start = ball.start(params={"added": -2.0})
    run = start.simulate(3.0, dt=0.1, events={"trouble": Event()}, raises=False)
    assert run.status is Status.NOT_FINITE
    assert "the output trouble is not finite" in run.message
    assert np.isfinite(run.y).all()
