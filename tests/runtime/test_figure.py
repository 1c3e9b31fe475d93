"""Figures of a run."""

import pytest

from volterra_cg.errors import OptionError


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_figure_is_drawn(model, tmp_path, suffix):
    path = model.simulate(1.0, dt=0.05).plot(tmp_path / f"run.{suffix}")
    assert path.stat().st_size > 5000


def test_an_unknown_figure_format_is_refused(model, tmp_path):
    with pytest.raises(OptionError, match="figure"):
        model.simulate(1.0, dt=0.5).plot(tmp_path / "run.tomato")
