"""Figures of a run."""

import numpy as np
import pytest

from tests.runtime.test_archive import BALL
from volterra_cg.errors import OptionError
from volterra_cg.runtime import figure


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_figure_is_drawn(model, tmp_path, suffix):
    path = model.simulate(1.0, dt=0.05).plot(tmp_path / f"run.{suffix}")
    assert path.stat().st_size > 5000


def test_an_unknown_figure_format_is_refused(model, tmp_path):
    with pytest.raises(OptionError, match="figure"):
        model.simulate(1.0, dt=0.5).plot(tmp_path / "run.tomato")


def test_columns_are_drawn_by_unit_and_scale(model):
    run = model.simulate(1.0, dt=0.05)
    drawn = run.plot("x", "der(x)", "kinetic_energy")
    assert sum(len(axis.get_lines()) for axis in drawn.axes) == 3
    lines = [len(panel.curves) for panel in figure.grouped(run, "", run.names[1:])]
    assert sum(lines) == len(run.names) - 1
    assert max(lines) <= 8
    sizes = [[np.abs(y).max() for _, y in panel.curves.values()] for panel in figure.grouped(run, "", run.names[1:])]
    assert all(max(each) <= 1e4 * min(size for size in each if size) for each in sizes if any(each))
    with pytest.raises(OptionError, match="no column is called 'xx'"):
        run.plot("xx")


def test_a_word_draws_phase_portraits(model):
    run = model.simulate(1.0, dt=0.05)
    drawn = run.plot("phase")
    assert len(drawn.axes) == len(run.description.coordinates)
    np.testing.assert_array_equal(drawn.axes[0].get_lines()[0].get_xdata(), run["x"])
    np.testing.assert_array_equal(drawn.axes[0].get_lines()[0].get_ydata(), run["der(x)"])
    assert len(run.plot("phase y").axes) == 1
    with pytest.raises(OptionError, match="no coordinate is called 'z'"):
        run.plot("phase z")


@pytest.mark.compiles
def test_impacts_are_no_drift_and_rounding_has_a_floor(compiled):
    still = BALL.replace('[generalized_forces]\nfile = "wind"\n', "").replace("[signals]\nwind = 0\n", "")
    run = compiled(still).simulate(2.0)
    assert run["energy"].min() < 0.9 * run["energy"].max()  # lost in impacts
    kept = figure.drift_between_events(run)
    assert max(values.max() for values in kept.values()) < 1e-7
    [panel] = run.plot("drift").axes
    assert panel.get_yscale() == "log"
    assert min(line.get_ydata().min() for line in panel.get_lines() if len(line.get_ydata()) > 2) >= 1e-17
