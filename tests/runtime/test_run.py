"""A run: its columns and its files."""

import numpy as np
import pytest

from tests.fixtures.broken import full_disk
from volterra_cg.errors import OptionError


def test_a_run_has_columns_by_name(model):
    run = model.simulate(2.0, dt=0.25)
    assert run.t.tolist() == [0.25 * k for k in range(9)]
    np.testing.assert_array_equal(run.q, run.z[:, :3])
    np.testing.assert_array_equal(run.u[:, 0], run["u"])
    np.testing.assert_array_equal(run["ten_x"], 10.0 * run["x"])
    np.testing.assert_array_equal(run["der(w)"], 2.0 * run["u"])
    np.testing.assert_allclose(run["energy"], 5.0, atol=1e-8)
    assert max(abs(values).max() for values in run.drift().values()) < 1e-8
    assert run.statistics.rhs_calls > run.statistics.steps > 0
    with pytest.raises(KeyError, match="no column is called 'xx'"):
        _ = run["xx"]


def test_results_are_saved(model, tmp_path):
    run = model.simulate(1.0, dt=0.5)
    table = run.save(tmp_path / "run.csv")
    header = table.read_text().splitlines()[0].split(",")
    assert header == list(run.names)
    np.testing.assert_array_equal(np.loadtxt(table, delimiter=",", skiprows=1)[:, 1], run["x"])
    with np.load(run.save(str(tmp_path / "run.npz"))) as kept:
        np.testing.assert_array_equal(kept["x"], run["x"])
        np.testing.assert_array_equal(kept["t"], run.t)
    with pytest.raises(OptionError, match=r"written as \.nc, \.csv, \.npz, \.mat or \.parquet"):
        run.save(tmp_path / "run.xlsx")


@pytest.mark.parametrize("name", ["run.csv", "run.npz", "run.png"])
def test_a_full_disk_leaves_the_old_file(model, tmp_path, name):
    run, path = model.simulate(2.0, dt=0.01), tmp_path / name
    write = run.plot if path.suffix == ".png" else run.save
    write(path)
    old = path.read_bytes()
    with full_disk(), pytest.raises(OptionError, match="cannot be written"):
        write(path)
    assert path.read_bytes() == old
    assert [each.name for each in tmp_path.iterdir()] == [name]
