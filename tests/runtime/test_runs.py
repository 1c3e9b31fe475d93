"""The results of many trajectories."""

import numpy as np
import pytest

from tests.fixtures.mechanics import spread
from volterra_cg.errors import OptionError


def test_a_run_has_outputs(bodies):
    starts = spread(5)
    runs = bodies.simulate_many(1.0, 0.25, 1e-10, 1e-10, q=starts, params={"m_p": [1.0, 1.1, 1.2, 1.3, 1.4]})
    run = runs.run(3)
    assert run.parameters["m_p"] == 1.3
    np.testing.assert_array_equal(run.z, runs.z[3])
    assert max(np.abs(values).max() for values in run.drift().values()) < 1e-8
    assert run.statistics.steps == runs.steps[3]
    assert len(runs) == 5
    assert repr(runs) == "<Runs of three_bodies: 5, of which 5 reached t = 1>"


def test_runs_are_saved(model, tmp_path):
    runs = model.simulate_many(1.0, 0.5, params={"k": [8.0, 9.0]})
    with np.load(runs.save(tmp_path / "runs.npz")) as kept:
        np.testing.assert_array_equal(kept["z"], runs.z)
        np.testing.assert_array_equal(kept["parameters"], [[2.0, 8.0, 1.0], [2.0, 9.0, 1.0]])
        assert kept["parameter_names"].tolist() == ["m", "k", "l"]
        assert kept["states"].tolist() == ["x", "y", "w", "u"]
    with pytest.raises(OptionError, match=r"many trajectories are written as \.nc, "):
        runs.save(tmp_path / "runs.xlsx")


def test_a_file_that_cannot_be_written_is_refused(model, tmp_path):
    runs = model.simulate_many(0.1, 0.1)
    with pytest.raises(OptionError, match="cannot be written"):
        runs.save(tmp_path / "missing" / "runs.npz")
    for name in ("run.csv", "run.npz"):
        with pytest.raises(OptionError, match="cannot be written"):
            runs.run(0).save(tmp_path / "missing" / name)
