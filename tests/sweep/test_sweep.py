"""Sweeps: the grid, the file, and going on after an interruption."""

import numpy as np
import pytest

from tests.fixtures.sweeps import SPEC, contents
from volterra_cg.errors import OptionError
from volterra_cg.sweep import Grid, Job, axis, chunks, sweep

pytestmark = pytest.mark.compiles


def test_a_run_that_fails_is_marked_and_the_others_go_on(model, tmp_path):
    done = sweep(Job(model, Grid((axis("l=0.5,0,0.7"),))), tmp_path / "out.nc", workers=np.int64(2))
    assert done.endings["done"] == 2
    assert sum(done.endings.values()) == 3
    theta = contents(done.path)["theta"][1]
    assert np.isfinite(theta[[0, 2]]).all()
    assert np.isnan(theta[1, 1:]).all()


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
