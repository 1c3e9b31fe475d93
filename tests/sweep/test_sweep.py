"""Sweeps: the grid, the file, and going on after an interruption."""

import builtins
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import xarray
from scipy.io import netcdf_file

from volterra_cg.errors import OptionError
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime import Status
from volterra_cg.sweep import Axis, Grid, Job, axis, chunks, sweep
from volterra_cg.sweep import job as job_module

SPEC = """
schema = 1
name = "swing"
[parameters]
m = 2
l = { value = 0.5, unit = "m" }
g = 9.81
status = 1
height = 3
[signals]
push = 0
[coordinates]
theta = { initial = "l/2", unit = "rad" }
[frames]
A = { rotate = [["z", "theta"]] }
[points]
G = { in = "A", at = [0, "-l", 0] }
[bodies]
bob = { mass = "m*status", center = "G" }
[gravity]
N = [0, "-g", 0]
[generalized_forces]
theta = "push + 0*height"
[outputs]
height = "dot(position(G), N.y)"
[simulation]
t_end = 0.2
dt = 0.05
rtol = 1e-10
atol = 1e-12
"""

pytestmark = pytest.mark.compiles


@pytest.fixture
def model(compiled):
    return compiled(SPEC)


@pytest.fixture
def job(model, monkeypatch):
    monkeypatch.setattr(job_module, "SMALLEST", 2)
    return Job(model, Grid((axis("l=0.4:0.8:3"), axis("der(theta)=0,1.5"))), {"push": 0.1}, {"theta": 0.3})


def contents(path):
    with netcdf_file(path, "r", mmap=False) as file:
        return {name: (v.dimensions, np.array(v.data), v._attributes) for name, v in file.variables.items()}


def test_an_axis_is_a_range_or_a_list():
    assert axis("l=0.1:0.5:5") == Axis("l", (0.1, 0.2, 0.30000000000000004, 0.4, 0.5))
    assert axis(" der(theta) = 1, -2e0") == Axis("der(theta)", (1.0, -2.0))
    assert axis("l=3") == axis("l=3:3:1") == Axis("l", (3.0,))


def test_a_grid_holds_all_combinations_the_last_fastest():
    grid = Grid((Axis("a", (1.0, 2.0)), Axis("b", (3.0, 4.0, 5.0))))
    assert (grid.shape, grid.size) == ((2, 3), 6)
    rows = grid.rows(2, 5)
    assert rows["a"].tolist() == [1.0, 2.0, 2.0]
    assert rows["b"].tolist() == [5.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l", "expected NAME=LOW:HIGH:COUNT or NAME=A,B,C"),
        ("=1,2", "expected NAME=LOW:HIGH:COUNT or NAME=A,B,C"),
        ("l=1:2", "which has 2 parts"),
        ("l=1:2:0", "expected a number of values from 1"),
        ("l=1:2:2.5", "not '2.5'"),
        ("l=1:2:1", "cannot be 1 and 2"),
        ("l=1:x:3", "'x' in 'l=1:x:3' is not a number"),
        ("l=1,,2", "'' in 'l=1,,2' is not a number"),
        ("l=nan", "not finite"),
        ("l=0:inf:3", "not finite"),
    ],
)
def test_a_wrong_axis_is_refused(text, words):
    with pytest.raises(OptionError, match=words):
        axis(text)


@pytest.mark.parametrize(
    ("axes", "more", "words"),
    [
        ((), {}, "nothing varies"),
        (("l=1,2", "l=3,4"), {}, "l varies twice"),
        (("l=1:2:4000", "m=1:2:4000"), {}, "the grid has 16000000 points"),
        (("ll=1,2",), {}, "no parameter or start value is called 'll'; did you mean l?"),
        (("der(l)=1,2",), {}, "no coordinate is called 'l'"),
        (("push=1,2",), {}, "push is a signal and cannot vary"),
        (("l=1,2",), {"values": {"l": 1.0}}, "l varies and cannot be set too"),
        (("der(theta)=1,2",), {"initial": {"der( theta )": 1.0}}, "varies and cannot be set too"),
        (("l=1,2",), {"values": {"theta": 1.0}}, "theta is a start value: give it as --initial"),
        (("l=1,2",), {"initial": {"m": 1.0}}, "m is no start value: give it as --set"),
        (("l=1,2",), {"values": {"m": float("nan")}}, "m must be a finite number"),
        (("l=1,2",), {"t_end": 0.0}, "t_end and dt must be above zero"),
        (("l=1,2",), {"dt": -0.1}, "t_end and dt must be above zero"),
        (("l=1,2",), {"rtol": -1.0}, "tolerances must be positive"),
        (("l=1,2",), {"max_step": 0.0}, "the largest step must be positive"),
        (("l=1:2:1000",), {"t_end": 1e3, "dt": 1e-3}, "do not fit into a NetCDF 3 file"),
    ],
)
def test_a_wrong_job_is_refused(model, axes, more, words):
    with pytest.raises(OptionError, match=words.replace("(", r"\(").replace("?", r"\?")):
        Job(model, Grid(tuple(axis(text) for text in axes)), **more)


def test_the_file_holds_every_run(job, tmp_path):
    done = sweep(job, tmp_path / "out.nc")
    assert (done.path, done.computed) == (tmp_path / "out.nc", 6)
    assert done.text() == "6 runs: 6 done"
    assert [path.name for path in tmp_path.iterdir()] == ["out.nc"]
    found = contents(done.path)
    dimensions, _, attributes = found["theta"]
    assert dimensions == ("l", "initial_der(theta)", "t")
    assert attributes == {"units": b"rad"}
    np.testing.assert_array_equal(found["t"][1], [0, 0.05, 0.1, 0.15000000000000002, 0.2])
    np.testing.assert_array_equal(found["l"][1], [0.4, 0.6000000000000001, 0.8])
    assert found["l"][2]["units"] == b"m"
    assert found["initial_der(theta)"][1].tolist() == [0.0, 1.5]
    assert found["initial_der(theta)"][2]["units"] == b"rad/s"
    lengths, rates = np.repeat(found["l"][1], 2), np.tile([0.0, 1.5], 3)
    runs = job.model.simulate_many(
        q={"theta": 0.3}, qd={"theta": rates}, params={"l": lengths}, signals={"push": 0.1}, rtol=1e-10, atol=1e-12
    )
    for i, (length, rate) in enumerate(zip(lengths, rates, strict=True)):
        run, place = runs.run(i), divmod(i, 2)
        alone = job.model.start({"theta": 0.3}, {"theta": rate}, {"l": length}, {"push": 0.1}).simulate()
        for name in ("theta", "height", "kinetic_energy"):
            np.testing.assert_array_equal(found[name][1][place], run[name])
            np.testing.assert_allclose(found[name][1][place], alone[name], rtol=1e-9, atol=1e-12)


def test_what_does_not_vary_is_in_the_file_under_a_name_of_its_own(job, tmp_path):
    found = contents(sweep(job, tmp_path / "out.nc").path)
    assert [found[name][1] for name in ("m", "g", "parameter_height", "push")] == [2.0, 9.81, 3.0, 0.1]
    assert found["initial_theta"][1] == 0.3
    dimensions, status, attributes = found["sweep_status" if "flag_meanings" not in found["status"][2] else "status"]
    assert dimensions == ("l", "initial_der(theta)")
    assert not status.any()
    assert attributes["flag_values"].tolist() == [int(each) for each in Status]
    assert attributes["flag_meanings"].split() == [each.name.lower().encode() for each in Status]


def test_a_run_that_fails_is_marked_and_the_others_go_on(model, tmp_path):
    done = sweep(Job(model, Grid((axis("l=0.5,0,0.7"),))), tmp_path / "out.nc", workers=2)
    assert done.endings["done"] == 2
    assert sum(done.endings.values()) == 3
    theta = contents(done.path)["theta"][1]
    assert np.isfinite(theta[[0, 2]]).all()
    assert np.isnan(theta[1, 1:]).all()


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_neither_workers_nor_neighbours_change_a_bit(model, integrator):
    job = Job(model, Grid((axis("l=0.3:0.8:70"),)), integrator=integrator, max_step=0.01)
    one, three = (chunks.compute(job, 0, 70, workers) for workers in (1, 3))
    with ThreadPoolExecutor(2) as threads:
        other = chunks.compute(job, 0, 70, threads)
    alone = chunks.compute(job, 69, 70, 1)
    for name in ("z", "y", "status"):
        expected = getattr(one, name)
        assert getattr(three, name).tobytes() == getattr(other, name).tobytes() == expected.tobytes()
        assert getattr(alone, name).tobytes() == expected[69:].tobytes()


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_runs_together_are_those_one_by_one(model, integrator, monkeypatch):
    """Endings too: l = 0 cannot start."""
    job = Job(model, Grid((axis("l=0,0.3,0.5"),)), integrator=integrator, max_step=0.01)
    together = chunks.compute(job, 0, 3, 1)
    monkeypatch.setattr(Job, "together", False)
    single = chunks.compute(job, 0, 3, 1)
    assert together.status.tolist() == single.status.tolist() == [Status.SINGULAR, Status.DONE, Status.DONE]
    np.testing.assert_allclose(together.z, single.z, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(together.y, single.y, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("together", [True, False])
def test_a_run_ends_where_an_output_is_not_finite(compiled, monkeypatch, together):
    model = compiled(SPEC.replace('"dot(position(G), N.y)"', '"log(0.2 - theta)"'))
    if not together:
        monkeypatch.setattr(Job, "together", False)
    job = Job(model, Grid((axis("der(theta)=-1,1"),)), initial={"theta": 0.1})
    chunk = chunks.compute(job, 0, 2, 1)
    assert chunk.status.tolist() == [Status.DONE, Status.NOT_FINITE]
    reached = int(np.isfinite(chunk.z[1, :, 0]).sum())
    assert 1 <= reached < 5
    assert (chunk.z[1, :reached, 0] < 0.2).all()
    assert np.isfinite(chunk.y[1, :reached]).all()
    assert np.isnan(chunk.y[1, reached:]).all()


def test_events_are_followed_one_by_one(compiled, tmp_path):
    """A run that an event ends has results at the times before it."""
    model = compiled(f'{SPEC}\n[events]\nlow = {{ when = "theta", direction = "falling", terminal = true }}\n')
    job = Job(model, Grid((axis("der(theta)=-1,5"),)), initial={"theta": 0.12})
    done = sweep(job, tmp_path / "out.nc")
    assert done.endings == {"done": 1, "event": 1}
    theta = contents(done.path)["theta"][1]
    assert np.isfinite(theta[1]).all()
    assert (theta[0, :3] > 0).all()
    assert np.isnan(theta[0, 3:]).all()
    with ThreadPoolExecutor(1) as threads, pytest.raises(OptionError, match="give a number of workers"):
        sweep(job, tmp_path / "other.nc", threads)


def test_the_implicit_method_wants_a_jacobian(model, compiled, tmp_path):
    grid = Grid((axis("l=0.3,0.5"),))
    with pytest.raises(OptionError, match="radau needs the model's Jacobian: build with --jacobian"):
        Job(model, grid, integrator="radau")
    done = sweep(Job(compiled(SPEC, jacobian=True), grid, integrator="radau"), tmp_path / "out.nc")
    assert done.endings == {"done": 2}


@pytest.mark.parametrize("failing", [1, 3])
def test_an_interrupted_sweep_goes_on_to_the_same_file(job, tmp_path, monkeypatch, failing):
    whole = sweep(job, tmp_path / "whole.nc").path.read_bytes()
    compute, calls = chunks.compute, []

    def interrupted(*arguments):
        calls.append(arguments[1:3])
        if len(calls) == failing:
            raise KeyboardInterrupt
        return compute(*arguments)

    monkeypatch.setattr(chunks, "compute", interrupted)
    out, told = tmp_path / "out.nc", []
    with pytest.raises(KeyboardInterrupt):
        sweep(job, out)
    assert not out.exists()
    assert len(list(tmp_path.glob("out.nc.parts/*.npz"))) == failing - 1
    done = sweep(job, out, workers=3, progress=lambda *now: told.append(now))
    assert done.computed == 6 - 2 * (failing - 1)
    assert told == [(2, 6), (4, 6), (6, 6)]
    assert calls[failing - 1] == calls[failing]  # begins with what was not finished
    assert out.read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.nc", "whole.nc"]


def test_a_part_that_is_not_whole_is_computed_again(job, tmp_path):
    whole = sweep(job, tmp_path / "whole.nc").path.read_bytes()
    out = tmp_path / "out.nc"
    parts = chunks.Chunks(job, out)
    for first, last in parts:
        parts.store(first, chunks.compute(job, first, last, 1))
    broken = parts.folder / "00000002.npz"
    broken.write_bytes(broken.read_bytes()[:100])
    assert sweep(job, out).computed == 2
    assert out.read_bytes() == whole


def test_another_sweep_is_refused_or_starts_anew(job, model, tmp_path):
    out = tmp_path / "out.nc"
    parts = chunks.Chunks(job, out)
    parts.store(0, chunks.compute(job, 0, 2, 1))
    other = Job(model, Grid((axis("l=0.4,0.5"),)), t_end=0.1)
    with pytest.raises(OptionError, match="unfinished sweep that differs in vary and set and initial and t_end: run"):
        sweep(other, out)
    assert len(list(parts.folder.glob("*.npz"))) == 1
    assert sweep(other, out, restart=True).computed == 2
    assert sweep(other, out).text() == "2 runs, 2 of them before: 2 done"  # nothing is left to do
    with pytest.raises(OptionError, match="is there and not of this sweep"):
        sweep(job, out)
    assert sweep(job, out, restart=True).computed == 6


def test_a_changed_spec_is_told(job, compiled, tmp_path):
    out = tmp_path / "out.nc"
    chunks.Chunks(job, out).store(0, chunks.compute(job, 0, 2, 1))
    changed = Job(compiled(SPEC.replace("m = 2\n", "m = 3\n")), job.grid, job.values, job.initial)
    with pytest.raises(
        OptionError, match=r"differs in the model \(its spec, or the version that compiled it\): run the same"
    ):
        sweep(changed, out)


@pytest.mark.parametrize(
    ("out", "more", "words"),
    [
        ("out.csv", {}, "written as .nc"),
        ("no/out.nc", {}, "there is no folder"),
        ("out.nc", {"workers": 0}, "at least 1, not 0"),
    ],
)
def test_a_wrong_call_leaves_nothing(job, tmp_path, out, more, words):
    with pytest.raises(OptionError, match=words):
        sweep(job, tmp_path / out, **more)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_integrator_leaves_nothing(job, model, tmp_path):
    with pytest.raises(OptionError, match="integrator is called 'euler'"):
        sweep(Job(model, job.grid, integrator="euler"), tmp_path / "out.nc")
    assert list(tmp_path.iterdir()) == []


def test_without_scipy_the_remedy_is_told_before_anything_is_computed(job, tmp_path, monkeypatch):
    real = builtins.__import__

    def missing(name, *rest):
        if name.startswith("scipy.io"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(OptionError, match="pip install scipy"):
        sweep(job, tmp_path / "out.nc")
    assert list(tmp_path.iterdir()) == []


def test_xarray_reads_the_file(job, tmp_path):
    with xarray.open_dataset(sweep(job, tmp_path / "out.nc").path, engine="scipy") as data:
        assert data["theta"].dims == ("l", "initial_der(theta)", "t")
        assert float(data["theta"].sel(l=0.8, t=0.0)[0]) == pytest.approx(0.3)
