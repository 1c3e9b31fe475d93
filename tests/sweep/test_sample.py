"""Samples of distributions."""

import numpy as np
import pytest
from scipy import stats

from volterra_cg.errors import OptionError
from volterra_cg.sweep import Distribution, Grid, Job, axis, draw, grid, sweep

LAWS = [
    Distribution("a", "normal", (1.0, 0.1)),
    Distribution("b", "uniform", (-2.0, 3.0)),
    Distribution("c", "lognormal", (2.0, 0.5)),
    Distribution("d", "triangular", (0.0, 0.2, 1.0)),
]
MEANS = {"a": 1.0, "b": 0.5, "c": 2.0 * np.exp(0.125), "d": 0.4}


@pytest.mark.parametrize("design", ["latin", "sobol", "random"])
def test_a_sample_has_the_law_and_comes_from_the_seed(design):
    found, again, other = (draw(LAWS, 1024, design, seed).columns for seed in (5, 5, 6))
    for law in LAWS:
        values = found[law.name]
        assert values.tobytes() == again[law.name].tobytes() != other[law.name].tobytes()
        assert np.isfinite(values).all()
        assert values.mean() == pytest.approx(MEANS[law.name], abs=0.2 if design == "random" else 0.02)
    assert stats.kstest(found["a"], stats.norm(1.0, 0.1).cdf).pvalue > 0.01
    if design == "latin":  # one in each of 1024 shares
        assert sorted(np.floor(1024 * stats.norm(1.0, 0.1).cdf(found["a"]))) == [*range(1024)]


@pytest.mark.parametrize(
    ("texts", "more", "words"),
    [
        (["m=normal:1"], {"count": 4}, "normal takes mean and deviation, as NAME=normal:MEAN:DEVIATION"),
        (["m=gauss:1:2"], {"count": 4}, "no distribution is called 'gauss'"),
        (["m=normal:1:-1"], {"count": 4}, "must be above zero"),
        (["m=uniform:2:1"], {"count": 4}, "must increase"),
        (["m=normal:1:x"], {"count": 4}, "'x' in 'm=normal:1:x' is not a number"),
        (["m=normal:1:0.1"], {}, "say how many are drawn, as --samples 100"),
        (["m=1:2:3"], {"count": 4}, "there is none"),
        (["m=normal:1:0.1"], {"count": 5, "design": "sobol"}, "a power of two points, such as 8, not 5"),
        (["m=normal:1:0.1"], {"count": 0}, "must lie between 1"),
        (["m=normal:1:0.1"], {"count": 2, "design": "grid"}, "no design is called 'grid'"),
    ],
)
def test_a_wrong_sample_is_refused(texts, more, words):
    with pytest.raises(OptionError, match=words):
        grid(texts, **more)


@pytest.mark.compiles
def test_a_sample_is_swept_beside_an_axis_with_the_same_numbers_for_any_workers(model, tmp_path):
    both = grid(["m=normal:2:0.1", "der(theta)=0,1", "l=uniform:0.4:0.6"], 5, seed=3)
    assert both.shape == (5, 2)
    one = sweep(Job(model, both), tmp_path / "one.nc").path.read_bytes()
    done = sweep(
        Job(model, grid(["m=normal:2:0.1", "der(theta)=0,1", "l=uniform:0.4:0.6"], 5, seed=3)), tmp_path / "3.nc", 3
    )
    assert done.path.read_bytes() == one
    data = done.to_xarray()
    assert data["theta"].dims == ("sample", "initial_der(theta)", "t")
    assert data["m"].dims == data["l"].dims == ("sample",)
    mass, length = float(data["m"][4]), float(data["l"][4])
    run = model.start(qd={"theta": 1.0}, params={"m": mass, "l": length}).simulate()
    np.testing.assert_allclose(data["theta"][4, 1], run["theta"], rtol=1e-9)
    with pytest.raises(OptionError, match="is there and not of this sweep"):
        sweep(Job(model, grid(["m=normal:2:0.1", "der(theta)=0,1", "l=uniform:0.4:0.6"], 5, seed=4)), tmp_path / "3.nc")


@pytest.mark.compiles
def test_runs_are_reduced(model, tmp_path):
    values = Grid((axis("l=0.4,0,0.6"),))
    whole = sweep(Job(model, values), tmp_path / "whole.nc").to_xarray()
    data = sweep(Job(model, values, reduce=["final", "extrema"]), tmp_path / "out.nc").to_xarray()
    assert "t" not in data.dims
    for k in (0, 2):
        assert float(data["final theta"][k]) == float(whole["theta"][k, -1])
        assert float(data["max height"][k]) == float(whole["height"][k].max())
        assert float(data["min theta"][k]) == float(whole["theta"][k].min())
    assert np.isnan(data["final theta"][1])
    assert data["final theta"].attrs["units"] == "rad"
    peak = {"peak": lambda run: np.abs(run["theta"]).max()}
    own = sweep(Job(model, values, reduce=peak), tmp_path / "own.nc").to_xarray()
    assert float(own["peak"][2]) == float(abs(whole["theta"][2]).max())
