"""Files of runs: what is saved comes back."""

import json
import sys

import numpy as np
import pandas
import pytest
import xarray

import volterra_cg as vcg
from tests.fixtures.broken import full_disk
from tests.fixtures.mechanics import spread
from volterra_cg.errors import OptionError
from volterra_cg.runtime import Status, archive

BALL = """
schema = 1
name = "ball"
[parameters]
g = 9.81
bounciness = 0.8
[signals]
wind = 0
[coordinates]
file = { initial = 0, unit = "m" }
y = { initial = 1, unit = "m" }
[points]
P = { at = ["file", "y", 0] }
[bodies]
ball = { mass = 1, center = "P" }
[gravity]
N = [0, "-g", 0]
[generalized_forces]
file = "wind"
[events]
floor = { when = "y", direction = "falling", restitution = "bounciness" }
[outputs]
double = "2*y"
[simulation]
t_end = 2
dt = 0.05
"""


@pytest.fixture(scope="module")
def ball(compiled):
    gusty = BALL.replace("wind = 0", "wind = 0\ngust = '0.1*sin(t)'").replace('file = "wind"', 'file = "wind + gust"')
    return compiled(gusty).start(signals={"wind": ([0, 0.5, 1], [0, 2, -1])}).simulate()


def same(run, other):
    for part in ("t", "z", "y"):
        assert getattr(run, part).tobytes() == getattr(other, part).tobytes()
        assert getattr(run, part).shape == getattr(other, part).shape
    assert run.description == other.description
    assert dict(run.parameters) == dict(other.parameters)
    for part in ("statistics", "status", "message", "warnings", "names", "provenance"):
        assert getattr(run, part) == getattr(other, part)
    assert [(e.name, e.t, [*e.before], [*e.after]) for e in run.events] == [
        (e.name, e.t, [*e.before], [*e.after]) for e in other.events
    ]
    assert list(run.signals) == list(other.signals)
    for name in run.names:
        assert run[name].tobytes() == other[name].tobytes()
    assert {k: v.tolist() for k, v in run.drift().items()} == {k: v.tolist() for k, v in other.drift().items()}


WHOLE = [suffix for suffix, kind in archive.FORMATS.items() if kind.read]


@pytest.mark.compiles
@pytest.mark.parametrize("suffix", WHOLE)
def test_a_run_comes_back_from_its_file(ball, tmp_path, suffix):
    same(ball, vcg.load(ball.save(tmp_path / f"run{suffix}")))
    assert len(ball.events) > 1


@pytest.mark.compiles
def test_columns_come_back_from_a_table(ball, tmp_path):
    table = pandas.read_csv(ball.save(tmp_path / "run.csv"))
    assert list(table.columns) == list(ball.names)
    for name in ball.names:
        np.testing.assert_array_equal(table[name], ball[name])
    with pytest.raises(
        OptionError, match=r"holds columns only: pandas or numpy read it; \.nc, \.npz, \.mat, \.parquet"
    ):
        vcg.load(tmp_path / "run.csv")


@pytest.mark.compiles
@pytest.mark.parametrize("suffix", WHOLE)
def test_what_is_no_run_is_refused(tmp_path, suffix):
    path = tmp_path / f"run{suffix}"
    with pytest.raises(OptionError, match="there is no file"):
        vcg.load(path)
    for content in (b"", b"no run", b"PK" + bytes(100)):
        path.write_bytes(content)
        with pytest.raises(OptionError, match="holds no run that volterra_cg has saved"):
            vcg.load(path)


def test_a_file_of_the_future_is_refused(model, tmp_path):
    columns, rest = archive.stored(model.simulate(1.0, dt=0.5))
    with pytest.raises(ValueError, match="its format is 2, and 1 is known"):
        archive.restored(columns, json.loads(rest) | {"format": 2})


@pytest.mark.parametrize("suffix", [*archive.FORMATS])
def test_a_full_disk_leaves_the_old_file(model, tmp_path, suffix):
    run, path = model.simulate(2.0, dt=0.01), tmp_path / f"run{suffix}"
    run.save(path)
    old = path.read_bytes()
    with full_disk(), pytest.raises(OptionError, match="cannot be written"):
        run.save(path)
    assert path.read_bytes() == old
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(("suffix", "package"), [(".nc", "h5netcdf"), (".nc", "xarray"), (".parquet", "pyarrow")])
def test_without_the_extra_the_remedy_is_told_and_the_old_file_stays(model, tmp_path, monkeypatch, suffix, package):
    path = tmp_path / f"run{suffix}"
    path.write_bytes(b"old")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        OptionError, match=rf"needs {package}, which is not installed: pip install 'volterra-cg\[data\]'"
    ):
        model.simulate(1.0, dt=0.5).save(path)
    assert path.read_bytes() == b"old"
    with pytest.raises(OptionError, match="is not installed"):
        archive.require(path)


@pytest.mark.compiles
@pytest.mark.parametrize("suffix", [*archive.FORMATS])
def test_many_trajectories_are_saved(bodies, tmp_path, suffix):
    runs = bodies.simulate_many(1.0, 0.25, q=spread(3))
    path = runs.save(tmp_path / f"runs{suffix}")
    if suffix == ".nc":
        with xarray.open_dataset(path, engine="h5netcdf") as data:
            found = np.stack([data[name] for name in bodies.states], axis=2)
            assert data.attrs["formulation"] == "reduced-volterra"
    elif suffix in (".csv", ".parquet"):
        table = pandas.read_csv(path) if suffix == ".csv" else pandas.read_parquet(path)
        found = table[list(bodies.states)].to_numpy().reshape(runs.z.shape)
        assert table["sample"].tolist() == [0] * 5 + [1] * 5 + [2] * 5
    else:
        from scipy.io import loadmat

        found = np.load(path)["z"] if suffix == ".npz" else loadmat(path)["z"]
    assert found.tobytes() == runs.z.tobytes() or suffix == ".mat"
    np.testing.assert_array_equal(found, runs.z)
    assert (runs.status == Status.DONE).all()
