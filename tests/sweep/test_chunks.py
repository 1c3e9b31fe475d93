"""Chunks: computed together or one by one, kept until all are there."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.fixtures.sweeps import SPEC, contents
from volterra_cg.errors import OptionError
from volterra_cg.integrators import EXPLICIT
from volterra_cg.runtime import Status
from volterra_cg.sweep import Grid, Job, axis, chunks, sweep

pytestmark = pytest.mark.compiles


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_neither_workers_nor_neighbours_change_a_bit(model, integrator):
    job = Job(model, Grid((axis("l=0.3:0.8:70"),)), integrator=integrator, max_step=0.01)
    one, three = (chunks.compute(job, 0, 70, workers) for workers in (1, 3))
    with ThreadPoolExecutor(2) as threads:
        other = chunks.compute(job, 0, 70, threads)
    alone = chunks.compute(job, 69, 70, 1)
    for name in ("values", "status"):
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
    np.testing.assert_allclose(together.values, single.values, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_a_run_ends_after_the_steps_that_are_allowed(model, integrator, monkeypatch):
    job = Job(model, Grid((axis("l=0.3,0.5"),)), integrator=integrator, max_step=1e-3, max_steps=np.int64(20))
    assert json.loads(json.dumps(job.facts()))["max_steps"] == 20
    together = chunks.compute(job, 0, 2, 1)
    monkeypatch.setattr(Job, "together", False)
    single = chunks.compute(job, 0, 2, 1)
    assert together.status.tolist() == single.status.tolist() == [Status.TOO_MANY_STEPS] * 2


@pytest.mark.parametrize("together", [True, False])
def test_a_run_ends_where_an_output_is_not_finite(compiled, monkeypatch, together):
    model = compiled(SPEC.replace('"dot(position(G), N.y)"', '"log(0.2 - theta)"'))
    if not together:
        monkeypatch.setattr(Job, "together", False)
    job = Job(model, Grid((axis("der(theta)=-1,1"),)), initial={"theta": 0.1})
    chunk = chunks.compute(job, 0, 2, 1)
    assert chunk.status.tolist() == [Status.DONE, Status.NOT_FINITE]
    reached = int(np.isfinite(chunk.values[1, :, 0]).sum())
    assert 1 <= reached < 5
    assert (chunk.values[1, :reached, 0] < 0.2).all()
    assert np.isfinite(chunk.values[1, :reached]).all()
    assert np.isnan(chunk.values[1, reached:]).all()


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


def test_a_sweep_that_was_killed_before_it_kept_anything_goes_on(job, tmp_path):
    left = tmp_path / "out.nc.parts" / ".volterra_cg-killed"
    left.mkdir(parents=True)
    (left / "job.json").write_text("{")
    assert sweep(job, tmp_path / "out.nc").computed == 6
    assert [path.name for path in tmp_path.iterdir()] == ["out.nc"]
