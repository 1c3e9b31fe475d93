"""Legs of a platform are solved one by one, and carry their inertia to it through the rows that close them."""

from pathlib import Path

import pytest

from benchmarks.loops import delta, stewart
from tests.fixtures.mechanics import problem_of
from volterra_cg import search
from volterra_cg.elimination import orders
from volterra_cg.elimination.accelerations import Follow
from volterra_cg.options import Options
from volterra_cg.program.rewrite import substitute

FIXTURES = Path(__file__).parents[1] / "fixtures"


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


def test_a_body_that_hangs_on_rods_is_not_free():
    """The rates of its center are those of a leg: all orders agree, and all bodies feel its weight."""
    problem = problem_of((FIXTURES / "hung_plate.toml").read_text())
    assert [len(leg.rates) for leg in orders._Start.of(problem).legged.legs] == [3]
    start = orders._Start.of(problem)
    legged = orders._tree(start, lambda _: False, Follow.OWN, start.legged)
    found = {name: meanings(problem, order(problem)) for name, order in orders.available(problem).items()}
    assert all(each == found["loops"] for each in [*found.values(), meanings(problem, legged)])
