"""The figures are those of the paper."""

import pytest

from volterra_cg.bench.figures import figures

pytestmark = pytest.mark.compiles


def test_figures_are_those_of_the_paper(compared, tmp_path):
    written = figures(compared("cart_pendulum"), tmp_path)
    names = {path.name for path in written}
    assert {f"fig0{n}_cart_pendulum_{kind}.pdf" for n, kind in enumerate(
        ("energy", "constraint", "momentum", "coordinates", "snapshots"), start=2
    )} <= names  # fmt: skip
    assert all(path.stat().st_size > 1000 for path in written)


@pytest.mark.slow
def test_figures_in_space(compared, tmp_path):
    for name, number in (("three_bodies", 11), ("satellite_boom", 16)):
        assert f"fig{number}_{name}_snapshots.png" in {path.name for path in figures(compared(name), tmp_path)}
