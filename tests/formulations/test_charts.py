"""Charts are found where one choice of quasi-velocities and constraints does not do, and only there."""

import pytest

from tests.fixtures.charts import BEAD, FOUR_BAR
from tests.fixtures.mechanics import problem_of
from volterra_cg import derivation
from volterra_cg.errors import ModelError
from volterra_cg.formulations import charts


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


@pytest.mark.parametrize("formulation", ["lagrange", "maggi", "udwadia-kalaba"])
def test_formulations_that_keep_all_rates_refuse_rows_that_would_have_to_change(formulation):
    with pytest.raises(ModelError, match=f"{formulation} solves for .* all along") as caught:
        derivation.charts(problem_of(BEAD, formulation))
    assert "reduced-volterra" in caught.value.remedy


def test_charts_are_measured_in_coordinates_of_about_unit_mass():
    kinematics = problem_of(BEAD.replace("mass = 2", "mass = 16").replace("zz = 0.5", "zz = 0.06")).kinematics
    assert charts.units(kinematics) == (0.25, 0.25, 4)
