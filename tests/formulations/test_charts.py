"""Charts are found where one choice of quasi-velocities and constraints does not do, and only there."""

import re
from pathlib import Path

import pytest

from tests.fixtures.charts import BEAD, FOUR_BAR
from tests.fixtures.mechanics import problem_of
from volterra_cg import derivation, driver
from volterra_cg.clock import Clock
from volterra_cg.errors import ModelError, SpecError
from volterra_cg.formulations import charts
from volterra_cg.options import CHEAPEST, Options
from volterra_cg.spec import read
from volterra_cg.system.from_spec import from_spec


def names(rows):
    return [row.name for row in rows]


@pytest.mark.parametrize("formulation", ["reduced-volterra", "kane"])
def test_a_speed_that_stands_still_gets_another_chart(formulation):
    first, other = derivation.charts(problem_of(FOUR_BAR, formulation))
    assert names(first.speeds) == ["w"]
    assert names(other.speeds) == ["der(q1)"]
    assert any("2 charts" in note for note in first.notes)


def test_a_speed_that_is_regular_all_along_gets_none():
    assert charts.further(problem_of(FOUR_BAR.replace('"der(q3)"', '"der(q1)"'))) == ()


@pytest.mark.parametrize("name", ["gimbals", "satellite_boom", "rolling_disc"])
def test_angles_that_lock_are_no_reason_for_another_chart(name):
    assert charts.further(problem_of(name)) == ()


def test_redundant_rows_are_solved_for_in_turn():
    problem = problem_of(BEAD)
    sets = [problem.kinematics, *charts.further(problem)]
    assert all(len(one.constraints) == 2 for one in sets)
    assert len({tuple(names(one.constraints)) for one in sets}) == len(sets) >= 2
    assert all(names(one.rows) == ["round", "across", "product"] for one in sets)


REFUSED = (
    "bead.toml:20:1: {} solves for the constraints across, product all along, but these depend on each other on the way of the"
    " mechanism, where round would have to be solved for (use reduced-volterra, kane, volterra or boltzmann-hamel, which change"
    ' the constraints that they solve for)\n    round = {{ position = "x**2 + y**2 - 1" }}\n    ^'
)


@pytest.mark.parametrize("formulation", ["lagrange", "maggi", "udwadia-kalaba"])
def test_formulations_that_keep_all_rates_refuse_rows_that_would_have_to_change(formulation, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bead.toml").write_text(BEAD)
    for made in (derivation.derive, lambda path, options: driver.generate(path, options, Clock())):
        with pytest.raises(SpecError) as caught:
            made(Path("bead.toml"), Options(formulation=formulation))
        assert str(caught.value) == REFUSED.format(formulation)


def test_routh_refuses_them_too():
    text = BEAD.replace("[frames]", "s = { rate = 1 }\n[frames]").replace(
        "[points]", '[points]\nS = { at = ["s", 0, 0] }'
    )
    with pytest.raises(ModelError, match="routh solves for the constraints across, product all along"):
        derivation.charts(problem_of(text.replace("[bodies]", '[bodies]\nslide = { mass = 1, center = "S" }'), "routh"))


def test_formulations_that_refuse_are_not_among_the_cheapest(tmp_path, monkeypatch):
    monkeypatch.setattr(derivation, "FORMULATIONS", ("maggi", "kane"))
    path = tmp_path / "bead.toml"
    path.write_text(BEAD)
    spec = read(path)
    _, (note,) = derivation.cheapest(spec, from_spec(spec), Options(formulation=CHEAPEST, optimise=0))
    assert "of all that apply: kane" in note


def test_charts_are_measured_in_coordinates_of_about_unit_mass():
    kinematics = problem_of(BEAD.replace("mass = 2", "mass = 16").replace("zz = 0.5", "zz = 0.06")).kinematics
    assert charts.units(kinematics) == (0.25, 0.25, 4)


def test_masses_whose_products_leave_the_range_of_numbers_are_measured_too():
    """1e-200 is a number; the product of two of them is none."""
    path = Path(__file__).parents[2] / "benchmarks" / "models" / "cart_pendulum.toml"
    text = path.read_text()
    light = re.sub(r"m2 = \{ value = [^,]+,", "m2 = { value = 1e-200,", text)
    assert light != text
    assert charts.further(problem_of(light)) == ()
