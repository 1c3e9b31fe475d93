"""Runs that change charts: right to tolerance where the quasi-velocities of the model are singular, and told in these."""

import numpy as np
import pytest

from tests.fixtures.charts import BEAD, BRICARD, FOUR_BAR
from volterra_cg.errors import IntegrationError, SingularConfiguration, StartError
from volterra_cg.integrators import IMPLICIT, IN_LANES, INTEGRATORS
from volterra_cg.runtime import Event, Status
from volterra_cg.runtime.show.scene import scene_of
from volterra_cg.runtime.show.viewer import page

SPAN = 1.5  # two turns of the crank
FINE = {"rtol": 1e-10, "atol": 1e-10, "dt": 0.01}
PUSHED = """
[signals]
push = 0
[generalized_forces]
q1 = "push"
[forces]
wind = { at = "G2", vector = ["push*dot(velocity(G2), N.x)", 0, 0] }
[events]
rise = { when = "q3 - 2", direction = "rising" }
"""


@pytest.fixture(scope="module")
def charted(compiled):
    return compiled(FOUR_BAR)


@pytest.fixture(scope="module")
def regular(compiled):
    """The same mechanism in the rate of its crank, which is regular all along."""
    return compiled(FOUR_BAR.replace('"der(q3)"', '"der(q1)"').replace("four_bar", "crank_speed"))


@pytest.fixture(scope="module")
def exact(regular):
    return regular.simulate(SPAN, dt=0.01, rtol=1e-13, atol=1e-13)


def settings(integrator):
    return {"integrator": integrator, **FINE, **({"max_step": 2e-4} if integrator in ("rk4", "dopri5") else {})}


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", [name for name in INTEGRATORS if name not in IMPLICIT])
def test_a_run_goes_on_where_its_quasi_velocity_is_singular(charted, exact, integrator):
    run = charted.simulate(SPAN, dense=True, **settings(integrator))
    assert run.statistics.chart_changes >= 1
    assert np.sign(run["w"]).min() < 0 < np.sign(run["w"]).max()
    assert run.q == pytest.approx(exact.q, abs=3e-7)
    assert run["w"] == pytest.approx(exact["der(q3)"], abs=3e-6)
    assert run["der(q1)"] == pytest.approx(exact["der(q1)"], abs=3e-6)
    assert abs(run.drift()["energy"]).max() < 1e-7
    assert run.warnings == ()
    between = 0.5 * (run.t[1:] + run.t[:-1])
    assert run.dense(run.t) == pytest.approx(run.z, abs=1e-5)
    assert run.dense(between)[:, 3] == pytest.approx(
        charted.simulate(t_eval=between, **fine(integrator)).z[:, 3], abs=1e-5
    )


def fine(integrator):
    return {name: value for name, value in settings(integrator).items() if name != "dt"}


@pytest.mark.compiles
def test_any_row_starts_another_run(charted, exact):
    run = charted.simulate(SPAN, **FINE)
    least = int(np.argmin(np.abs(run["w"])))  # there the quasi-velocity hardly determines the rates
    rates = [run[f"der({name})"][least] for name in charted.coordinates]
    start = charted.start(q=run.q[least], qd=rates, t=float(run.t[least]), project=False)
    again = start.simulate(SPAN, rtol=1e-10, atol=1e-10, t_eval=run.t[least:])
    assert again.q == pytest.approx(exact.q[least:], abs=3e-7)


@pytest.mark.compiles
def test_a_bare_rhs_refuses_where_its_quasi_velocities_are_singular(charted, regular):
    """At the dead point of the rocker, found as an event of the other model."""
    dead = regular.simulate(SPAN, rtol=1e-12, atol=1e-12, events={"der(q3)": Event()}).events[0]
    q = dead.after[:3]
    speeds = regular.rhs(0, dead.after)[:3]
    start = charted.start(q=q, qd=speeds, project=False)
    with pytest.raises(SingularConfiguration, match=r"do not determine .*\(in the chart of w\)"):
        start.rhs(0, np.append(q, 0.0))
    assert start.simulate(0.1, **FINE).ok


@pytest.mark.compiles
def test_events_and_signals_see_the_states_of_the_model(compiled):
    """The rocker rises through the same angle once in a turn, with the same speed, as the energy is conserved."""
    seen = []

    def push(t, z):
        seen.append((t, z[3]))
        return 0.0

    run = compiled(FOUR_BAR + PUSHED).start(signals={"push": push}).simulate(SPAN, **FINE)
    assert run.statistics.chart_changes >= 1
    assert len(run.events) == 3
    for event in run.events:
        assert event.after[2] == pytest.approx(2, abs=1e-9)
        assert event.after[3] == pytest.approx(run.events[0].after[3], rel=1e-6)
        assert event.after[3] == pytest.approx(np.interp(event.t, run.t, run["w"]), abs=0.1)
    times, speeds = np.array(seen).T
    assert np.abs(speeds - np.interp(times, run.t, run["w"])).max() < 0.2


@pytest.mark.compiles
def test_pictures_of_a_singular_row_have_its_rates(compiled):
    """The run starts where the rocker stands still, crank and coupler in a line."""
    angle = np.arccos(1.49 / 1.76)
    q = [angle, angle, np.arctan2(1.1 * np.sin(angle), 1.1 * np.cos(angle) - 0.8)]
    start = compiled(FOUR_BAR + PUSHED).start(q=q, qd=[8.0, -3.0, 0.0], signals={"push": -0.1})
    run = start.simulate(0.1, dt=0.05)
    [wind] = scene_of(run).arrows
    speed = -0.3 * np.sin(run["q1"]) * run["der(q1)"] - 0.4 * np.sin(run["q2"]) * run["der(q2)"]
    assert wind.vector[:, 0] == pytest.approx(-0.1 * speed)
    assert wind.largest == pytest.approx(np.abs(0.1 * speed).max())
    assert "NaN" not in page(run)


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", IN_LANES)
def test_trajectories_change_charts_each_for_itself(charted, integrator):
    """Bit for bit as alone, whichever the neighbours and the threads."""
    rates, how = np.array([3.0, 9.0, -9.0]), settings(integrator)
    runs = charted.simulate_many(SPAN, qd={"q1": rates}, **how, workers=2)
    assert runs.ok.all()
    assert runs.chart_changes.min() >= 1
    for i, rate in enumerate(rates):
        single = charted.start(qd={"q1": rate}).simulate(SPAN, **how)
        assert (runs.z[i] == single.z).all()
        assert runs.run(i).statistics.chart_changes == single.statistics.chart_changes
        assert runs.run(i).y == pytest.approx(single.y, rel=1e-6, abs=1e-6)


@pytest.mark.compiles
def test_trajectories_have_rates_where_results_begin_late(charted):
    rates = np.array([3.0, 9.0, -9.0])
    runs = charted.simulate_many(SPAN, qd={"q1": rates}, **FINE)
    late = charted.simulate_many(t_eval=[0.5, 1.0], qd={"q1": rates}, rtol=1e-10, atol=1e-10)
    assert late.run(1)["der(q1)"] == pytest.approx(runs.run(1)["der(q1)"][[50, 100]], abs=1e-6)


@pytest.mark.compiles
def test_a_trajectory_that_cannot_start_says_why(charted):
    runs = charted.simulate_many(SPAN, params={"rho": [2.0, -1.0]}, **FINE)
    assert list(runs.status) == [Status.DONE, Status.IMPOSSIBLE]
    assert "impossible with rho = -1" in runs.message(1)


@pytest.mark.compiles
@pytest.mark.parametrize("integrator", ["dop853", "rk4", *IMPLICIT])
def test_redundant_rows_are_solved_for_in_turn(compiled, integrator):
    """The bead is a pendulum: 2.5 a'' = -4 cos a."""
    model = compiled(BEAD, jacobian=True)
    run = model.simulate(
        10, **(settings(integrator) | {"max_step": 1e-3} if integrator == "rk4" else settings(integrator))
    )
    assert run.statistics.chart_changes > 10
    assert run["x"] == pytest.approx(np.cos(run["a"]), abs=1e-9)
    assert run["y"] == pytest.approx(np.sin(run["a"]), abs=1e-9)
    energy = 1.25 * run["der(a)"] ** 2 + 4 * np.sin(run["a"])
    assert energy == pytest.approx(energy[0], abs=1e-6)
    assert run.warnings == ()


@pytest.mark.compiles
def test_trajectories_change_the_rows_that_they_solve_for_each_for_itself(compiled):
    model, speeds = compiled(BEAD, jacobian=True), np.array([0.1, 1.5, -3.0])
    qd = np.multiply.outer(speeds, [-0.8, 0.6, 1.0])
    runs = model.simulate_many(3, qd=qd, **FINE, integrator="gauss")
    assert len(set(runs.chart_changes)) == len(speeds)
    for i, rates in enumerate(qd):
        single = model.start(qd=rates).simulate(3, **FINE, integrator="gauss")
        assert (runs.z[i] == single.z).all()
        assert runs.chart_changes[i] == single.statistics.chart_changes


@pytest.fixture(scope="module")
def bricard(compiled):
    return compiled(BRICARD)


@pytest.mark.compiles
def test_bricards_linkage_keeps_its_five_rows(bricard):
    """Any four of them lose rank on the way."""
    start = bricard.start(qd={"q1": 12.0})
    run, exact = (start.simulate(10, rtol=rtol, atol=rtol, dt=0.01) for rtol in (1e-9, 1e-12))
    assert run.statistics.chart_changes > 5
    assert abs(run.drift()["energy"]).max() < 1e-6
    rows = run.y[:, run.description.output("positions").where]
    assert rows.shape[1] == 5
    assert np.abs(rows).max() < 1e-9
    assert run.q == pytest.approx(exact.q, abs=1e-6)


@pytest.mark.compiles
def test_a_start_at_which_no_chart_is_regular_is_refused(bricard):
    """Folded, the linkage has another degree of freedom: its rows have rank 3."""
    half = np.pi / 2
    with pytest.raises(SingularConfiguration, match=r"none of the charts .* determine the rates .start elsewhere"):
        bricard.start(q=[half, 1, -half, 1, half], qd=[0.0] * 5, project=False)


@pytest.mark.compiles
def test_rows_that_follow_with_the_parameters_of_the_spec_alone_are_not_left_out_unseen(compiled):
    """With cranks of unlike lengths the bar cannot move, which two rows of three would let it."""
    model = compiled(CRANKS)
    assert model.simulate(1, **FINE).ok
    with pytest.raises(StartError, match="do not follow from the others"):
        model.start(params={"turn": 0.5}, qd=dict.fromkeys("abc", 0.0))
    with pytest.raises(IntegrationError, match="which follows from the others in the spec, does not here"):
        model.start(params={"r": 1.5}).simulate(1, **FINE)
    runs = model.simulate_many(1, params={"r": [1.0, 1.5]}, **FINE)
    assert list(runs.status) == [Status.DONE, Status.OFF_CONSTRAINTS]


CRANKS = """
schema = 1
name = "three_cranks"
[parameters]
r = 1
turn = 0
[coordinates]
a = { initial = 0.4, rate = 1 }
b = { initial = 0.4, rate = 1 }
c = { initial = "0.4 + turn", rate = "1/r" }
bar = {}
[frames]
A = { rotate = [["z", "a"]] }
B = { rotate = [["z", "b"]] }
C = { rotate = [["z", "c"]] }
Bar = { rotate = [["z", "bar"]] }
[points]
A1 = { in = "A", at = [1, 0, 0] }
S2 = { at = [2, 0, 0] }
B1 = { from = "S2", in = "B", at = [1, 0, 0] }
S3 = { at = ["4 + cos(0.4) - r*cos(0.4 + turn)", "sin(0.4) - r*sin(0.4 + turn)", 0] }
C1 = { from = "S3", in = "C", at = ["r", 0, 0] }
B2 = { from = "A1", in = "Bar", at = [2, 0, 0] }
C2 = { from = "A1", in = "Bar", at = [4, 0, 0] }
[bodies]
beam = { mass = 3, center = "B2", frame = "Bar", shape = { rod = 4 } }
first = { mass = 1, center = "A1" }
second = { mass = 1, center = "B1" }
third = { mass = 1, center = "C1" }
[constraints]
pin2 = { coincide = ["B1", "B2"] }
pin3 = { coincide = ["C1", "C2"] }
"""


@pytest.mark.compiles
def test_other_formulations_have_charts_too(compiled, exact):
    run = compiled(FOUR_BAR, "kane").simulate(SPAN, **FINE)
    assert run.statistics.chart_changes >= 1
    assert run.q == pytest.approx(exact.q, abs=3e-7)


@pytest.mark.compiles
def test_the_report_lists_the_charts(charted):
    (chart,) = charted.report["charts"]
    assert chart["quasi_velocities"] == ["der(q1)"]
    assert chart["operations"] > 0
