"""A run says so where what its model conserves drifts by more than the tolerances allow, and only there."""

import pickle
import re

import numpy as np
import pytest

from tests.fixtures import oscillator
from tests.fixtures.specs import PLAIN
from volterra_cg import driver
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.cli.main import main
from volterra_cg.clock import Clock
from volterra_cg.emit.sources import Sources
from volterra_cg.errors import DoubtfulRun
from volterra_cg.integrators import ADAPTIVE
from volterra_cg.options import Options
from volterra_cg.runtime import Status
from volterra_cg.sweep import Axis, Grid, Job, sweep

TOLERANCES = (1e-3, 1e-6, 1e-9, 1e-12)

# A pendulum on a spring that stiffens when it passes a mark, bounces off a wall, and is driven; all work is counted.
EVENTFUL = """
schema = 1
name = "eventful"
work = true

[parameters]
m = 0.5
k = 20
more = 2e4
wall = 0.3

[signals]
push = 0

[coordinates]
x = { initial = -0.2, rate = 1 }

[points]
P = { at = ["x", 0, 0] }

[bodies]
bob = { mass = "m", center = "P" }

[potentials]
spring = "k*x**2/2"

[forces]
hand = { at = "P", vector = ["push", 0, 0] }

[events]
stiffen = { when = "x - 0.05", direction = "rising", set = { k = "more" } }
bounce = { when = "wall - x", direction = "falling", restitution = 0.5 }
"""


def built(folder, sources):
    spec = folder / f"{sources.name}.toml"
    spec.write_text("tampered with")
    cache = Cache(folder / "cache")
    return load(build(spec, Options(), folder / "generated", lambda: sources, Clock(), cache).folder).model


@pytest.fixture(scope="module")
def tampered(tmp_path_factory):
    """Makes the oscillator with a line of its C changed."""

    def make(old, new):
        name = f"tampered_{abs(hash(new))}"
        given = oscillator.sources(name)
        text = given.files[f"{name}.c"]
        assert old in text
        files = given.files | {f"{name}.c": text.replace(old, new)}
        return built(tmp_path_factory.mktemp("tampered"), Sources(name, files, given.report))

    return make


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """A compiled pendulum whose acceleration is wrong by two in a hundred, in the vector form too."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "plain.toml").write_text(PLAIN)
    given = driver.generate(folder / "plain.toml", Options(), Clock())
    files = {name: re.sub(r"(dz\[2\](?:\.x)?) = (.*);", r"\1 = 1.02*(\2);", text) for name, text in given.files.items()}
    assert sum(files[name] != text for name, text in given.files.items()) == 2
    return built(folder, Sources(given.name, files, given.report))


@pytest.mark.parametrize(("old", "new", "blamed"), [
    ("dz[3] = (signals[0] - w[1] * z[0]) * w[2];", "dz[3] = -w[1] * z[0] * w[2] - 1e-3 * z[3];", "energy"),
    ("dz[2] = 2.0 * z[3];", "dz[2] = 2.0001 * z[3];", "constraint wheel (position)"),
    ("y[9] = y[2] - 2.0 * y[0];", "y[9] = y[2] - 2.001 * y[0];", "constraint wheel"),
    ("y[8] = g[0];", "y[8] = g[0] * (1.0 + 1e-3 * z[0]);", "momentum y"),
])  # fmt: skip
def test_what_is_not_conserved_is_named(tampered, old, new, blamed):
    run = tampered(old, new).simulate(20, dt=0.1)
    (words,) = run.warnings
    assert re.fullmatch(
        re.escape(blamed) + r" drifts by \S+ from \S+ between t = 0 and t = 20, where the tolerances allow \S+", words
    )
    assert run.status is Status.DONE
    assert len(run.t) == 201


@pytest.mark.parametrize("integrator", ADAPTIVE[:2])
@pytest.mark.parametrize("rtol", TOLERANCES[1:])
def test_a_wrong_acceleration_is_found(wrong, integrator, rtol):
    (words,) = wrong.simulate(20, dt=0.1, rtol=rtol, atol=rtol, integrator=integrator).warnings
    assert words.startswith("energy drifts by")


def test_a_strict_run_raises_with_all_its_rows(wrong):
    with pytest.raises(DoubtfulRun, match="the run is not to be trusted: energy drifts by") as refused:
        wrong.simulate(20, dt=0.1, strict=True)
    assert refused.value.exit_code == 5
    assert len(refused.value.run.t) == 201
    assert refused.value.run.warnings


def test_a_run_takes_its_warnings_along(wrong):
    run = wrong.simulate(20, dt=0.1)
    assert pickle.loads(pickle.dumps(run)).warnings == run.warnings


@pytest.mark.parametrize("rtol", TOLERANCES)
@pytest.mark.parametrize(("name", "formulation"), [
    ("cart_pendulum", "reduced-volterra"), ("three_bodies", "lagrange"), ("rolling_disc", "kane"),
    ("double_four_bar", "lagrange"), ("driven_rotor", "udwadia-kalaba"),
])  # fmt: skip
def test_sound_models_are_trusted(compiled, name, formulation, rtol):
    model = compiled(name, formulation, jacobian=True)
    for integrator in ADAPTIVE:
        for atol in (rtol, 1e-6 * rtol):
            run = model.simulate(10, dt=0.05, rtol=rtol, atol=atol, integrator=integrator, strict=True)
            assert run.warnings == ()
    if model.default.handle.sizes["holonomic"]:
        assert model.simulate(10, dt=0.05, rtol=rtol, atol=rtol, project=True).warnings == ()


# A disc that rolls down a slope. From the rate of x the spin follows by division through the cosine of the yaw, small at times.
SLOPE = """
schema = 1
name = "slope"
[parameters]
R = 0.25
slope = 0.2
[coordinates]
x = {}
y = {}
yaw = { initial = 0.3, rate = 0.4 }
lean = { initial = 0.25, rate = 0.1 }
spin = { rate = 6 }
[frames]
Y = { rotate = [["z", "yaw"]] }
L = { parent = "Y", rotate = [["x", "lean"]] }
S = { parent = "L", rotate = [["y", "spin"]] }
[points]
K = { at = ["x", "y", 0] }
H = { from = "K", in = "L", at = [0, 0, "R"] }
[bodies]
disc = { mass = 1.5, center = "H", frame = "S", shape = { cylinder = { radius = "R", length = 0.01, axis = "y" } } }
[gravity]
N = ["9.81*sin(slope)", 0, "-9.81*cos(slope)"]
[constraints]
rx = "dot(velocity(H) + cross(omega(S), position(K, H)), N.x)"
ry = "dot(velocity(H) + cross(omega(S), position(K, H)), N.y)"
[start]
project = true
"""
SINGULAR = '[quasi_velocities]\nu1 = "der(yaw)"\nu2 = "der(lean)"\nu3 = "der(x)"\n'
REGULAR = '[quasi_velocities]\nu1 = "der(yaw)"\nu2 = "der(lean)"\nu3 = "der(spin)"\n'


@pytest.mark.parametrize("dt", [0.5, 0.05])
@pytest.mark.parametrize("integrator", ADAPTIVE[:2])
def test_a_run_that_meets_a_singular_row_changes_charts_and_none_goes_on_with_drift(compiled, integrator, dt):
    for rtol in (1e-10, 1e-12):
        run, regular = (
            compiled(SLOPE + speeds).simulate(8, dt=dt, rtol=rtol, integrator=integrator)
            for speeds in (SINGULAR, REGULAR)
        )
        assert run.warnings == regular.warnings == ()
        assert run.statistics.chart_changes >= 1
        assert np.cos(run["yaw"]).min() < 0 < np.cos(run["yaw"]).max()
        assert run.q == pytest.approx(regular.q, abs=1e4 * rtol)


@pytest.mark.parametrize("rtol", TOLERANCES)
@pytest.mark.parametrize("signal", [0.0, ([0, 1, 1.5, 3], [0, 5, -5, 0]), lambda t, z: np.sin(t) - z[0]])
def test_events_that_change_invariants_raise_no_alarm(compiled, signal, rtol):
    start = compiled(EVENTFUL).start(signals={"push": signal})
    for integrator in ADAPTIVE[:2]:
        run = start.simulate(5, dt=0.002, rtol=rtol, atol=rtol, integrator=integrator, max_step=0.01)
        assert {event.name for event in run.events} >= {"stiffen"}
        assert np.ptp(run["energy"]) > 1.0  # over all events
        assert run.warnings == ()
    rows = start.simulate(5, dt=1.0, rtol=rtol, atol=rtol, max_step=0.01)
    assert rows.warnings == ()


def test_bounces_are_no_drift(compiled):
    start = compiled(EVENTFUL).start(q={"x": 0.1}, params={"wall": 0.2, "k": 1.0})
    run = start.simulate(3, dt=0.01)
    assert {event.name for event in run.events} >= {"bounce"}
    assert run.warnings == ()


def test_steps_of_one_size_are_judged_by_tolerances_that_are_given(wrong, compiled):
    for integrator in ("rk4", "dopri5"):
        assert wrong.simulate(20, dt=0.1, integrator=integrator).warnings == ()  # they keep none of their own
        assert wrong.simulate(20, dt=0.1, integrator=integrator, rtol=1e-9, max_step=0.01).warnings
    sound = compiled(PLAIN)
    assert sound.simulate(20, dt=0.1, integrator="rk4", rtol=1e-6, atol=1e-6, max_step=0.01).warnings == ()


@pytest.mark.parametrize("count", [3, 20])
def test_each_trajectory_of_many_is_judged(wrong, compiled, tmp_path, count):
    speeds = np.zeros(count)
    speeds[-1] = 2.0  # the others hang at rest, where a wrong acceleration of zero is zero
    start = {"q": {"theta": 0.0}, "qd": {"x": 0.0, "theta": speeds}}
    runs = wrong.simulate_many(5.0, 0.1, **start)
    assert runs.ok.all()
    assert list(runs.doubtful) == [False] * (count - 1) + [True]
    assert runs.run(count - 1).warnings[0].startswith("energy")
    with np.load(runs.save(tmp_path / "runs.npz")) as stored:
        assert list(stored["doubtful"]) == list(runs.doubtful)
    assert not compiled(PLAIN).simulate_many(5.0, 0.1, **start).doubtful.any()


def test_runs_are_judged_from_the_start_whatever_rows_are_asked_for(wrong):
    for late in ({"t_eval": [20]}, {"t_eval": [10, 20]}, {"t_end": 20, "t_eval": [1e-9]}):
        (words,) = wrong.simulate(**late).warnings
        assert "between t = 0 and t = 20" in words
    with pytest.raises(DoubtfulRun) as refused:
        wrong.simulate(t_eval=[20], strict=True)
    assert refused.value.run.t.tolist() == [20]
    runs = wrong.simulate_many(t_eval=[20], params={"l": [0.5, 0.6]})
    assert runs.doubtful.all()
    assert runs.run(0).t.tolist() == [20]
    np.testing.assert_array_equal(runs.run(0).z, runs.z[0])


def test_runs_of_a_sweep_are_judged(wrong, tmp_path):
    job = Job(wrong, Grid((Axis("der(theta)", (0.0, 2.0)),)), initial={"theta": 0.0, "der(x)": 0.0}, t_end=5.0, dt=0.1)
    done = sweep(job, tmp_path / "out.nc")
    assert done.doubtful == 1
    assert sweep(job, tmp_path / "out.nc").doubtful == 1  # as the file says
    found = done.to_xarray()["doubtful"]
    assert list(found) == [0, 1]
    assert found.attrs["flag_meanings"] == "no yes"


def test_the_command_line_says_so(wrong, tmp_path, capsys):
    out = tmp_path / "run.csv"
    command = ["simulate", str(wrong.folder), "--t-end", "20", "--dt", "0.1", "-o", str(out)]
    assert main(command) == 0
    assert "warning: energy drifts by" in capsys.readouterr().err
    assert len(out.read_text().splitlines()) == 202
    assert main([*command, "--strict"]) == 5
    assert main(["sweep", str(wrong.folder), "--vary", "l=0.5,0.6", "--t-end", "20", "--dt", "0.1", "--strict", "-o",
                 str(tmp_path / "out.nc")]) == 5  # fmt: skip
    assert "2 of them drift by more than their tolerances allow" in capsys.readouterr().err


def test_a_sound_strict_run_is_a_success(compiled):
    assert main(["simulate", str(compiled(PLAIN).folder), "--t-end", "5", "--dt", "0.1", "--strict"]) == 0
