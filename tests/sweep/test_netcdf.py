"""The file of a sweep."""

import math
import sys

import numpy as np
import pytest

from tests.fixtures.broken import full_disk
from tests.fixtures.sweeps import contents
from volterra_cg.errors import OptionError
from volterra_cg.runtime import Status
from volterra_cg.sweep import chunks, netcdf, sweep

pytestmark = pytest.mark.compiles


def test_the_file_holds_every_run(job, tmp_path):
    done = sweep(job, tmp_path / "out.nc")
    assert (done.path, done.computed) == (tmp_path / "out.nc", 6)
    assert done.text() == "6 runs: 6 done"
    assert [path.name for path in tmp_path.iterdir()] == ["out.nc"]
    found = contents(done.path)
    dimensions, _, attributes = found["theta"]
    assert dimensions == ("l", "initial_der(theta)", "t")
    assert attributes == {"units": "rad"}
    np.testing.assert_array_equal(found["t"][1], [0, 0.05, 0.1, 0.15000000000000002, 0.2])
    np.testing.assert_array_equal(found["l"][1], [0.4, 0.6000000000000001, 0.8])
    assert found["l"][2]["units"] == "m"
    assert found["initial_der(theta)"][1].tolist() == [0.0, 1.5]
    assert found["initial_der(theta)"][2]["units"] == "rad/s"
    lengths, rates = np.repeat(found["l"][1], 2), np.tile([0.0, 1.5], 3)
    runs = job.model.simulate_many(
        q={"theta": 0.3}, qd={"theta": rates}, params={"l": lengths}, signals={"push": 0.1}, rtol=1e-10, atol=1e-12
    )
    for i, (length, rate) in enumerate(zip(lengths, rates, strict=True)):
        run, place = runs.run(i), divmod(i, 2)
        start = job.model.start({"theta": 0.3}, {"theta": rate}, {"l": length}, {"push": 0.1})
        alone = start.simulate(integrator=job.integrator)
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
    assert attributes["flag_meanings"].split() == [each.name.lower() for each in Status]


def test_without_the_extra_the_remedy_is_told_before_anything_is_computed(job, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5netcdf", None)
    with pytest.raises(OptionError, match=r"needs h5netcdf, which is not installed: pip install 'volterra-cg\[data\]'"):
        sweep(job, tmp_path / "out.nc")
    assert list(tmp_path.iterdir()) == []


def test_xarray_and_pandas_read_the_file(job, tmp_path):
    done = sweep(job, tmp_path / "out.nc")
    data = done.to_xarray()
    assert data["theta"].dims == ("l", "initial_der(theta)", "t")
    assert float(data["theta"].sel(l=0.8, t=0.0)[0]) == pytest.approx(0.3)
    assert (data.attrs["integrator"], data.attrs["rtol"]) == (job.integrator, 1e-10)
    assert len(done.to_pandas()) == 6 * 5


@pytest.mark.parametrize("shape", [(7,), (2, 3), (3, 1, 4), (2, 3, 2, 2)])
def test_boxes_hold_a_stretch_of_a_grid_in_order(shape):
    numbers = np.arange(math.prod(shape)).reshape(shape)
    for first in range(numbers.size):
        for last in range(first, numbers.size + 1):
            found = [numbers[box].reshape(-1) for box in netcdf.boxes(first, last, shape)]
            assert [*np.concatenate([[], *found])] == [*range(first, last)]
            assert len(found) <= 2 * len(shape)


def test_a_full_disk_leaves_the_old_file(job, tmp_path):
    out, parts = tmp_path / "out.nc", chunks.Chunks(job, tmp_path / "out.nc")
    for first, last in parts:
        parts.store(first, chunks.compute(job, first, last, 1))
    out.write_bytes(b"old")
    with full_disk(), pytest.raises(OptionError, match="cannot be written"):
        netcdf.write(out, job, parts)
    assert out.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.nc", "out.nc.parts"]
