"""Legs of a platform are solved one by one, and carry their inertia to it through the rows that close them."""

import pytest

from benchmarks.loops import delta, stewart
from tests.fixtures.mechanics import problem_of
from volterra_cg import search
from volterra_cg.elimination import orders
from volterra_cg.options import Options
from volterra_cg.program.rewrite import substitute


def meanings(problem, solution):
    """The fingerprints of u' and q''; whether all rows hold for q'."""
    known = dict(zip(problem.kinematics.inputs.rates, solution.rates, strict=True))
    gaps = substitute([row.value for row in problem.kinematics.constraints], known)
    found = substitute([*solution.speed_rates, *solution.accelerations], known)
    return [node.fingerprint for node in found], all(gap.is_zero for gap in gaps)


@pytest.mark.parametrize(("text", "most"), [(stewart(), 2_650), (delta(), 3_550)], ids=["stewart", "delta"])
def test_legs_mean_what_the_forces_of_the_rows_mean_and_cost_little(text, most):
    problem = problem_of(text)
    found = search.solutions(problem, Options(order="recursive"))
    expected = meanings(problem, orders.available(problem)["loops"](problem))
    assert meanings(problem, found["recursive"]) == expected
    assert expected[1]
    assert search.cheapest(problem, found, 2, False).history["prepare"] <= most


def test_a_leg_is_made_only_where_its_rows_hold_more_speeds_than_there_are_rows():
    start = orders._Start.of(problem_of(stewart()))
    assert [len(leg.rates) for leg in start.legged.legs] == [3] * 6
    assert all(len(leg.speeds) > len(leg.columns) for leg in start.legged.legs)
    assert not orders._Start.of(problem_of(delta())).legged.legs
