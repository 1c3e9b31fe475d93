"""Legs of a platform are solved one by one, and carry their inertia to it through the rows that close them."""

from pathlib import Path

import pytest

from benchmarks.loops import delta, stewart
from tests.fixtures.mechanics import problem_of
from volterra_cg import search
from volterra_cg.elimination import orders
from volterra_cg.elimination.legs import closures
from volterra_cg.options import Options
from volterra_cg.program.rewrite import substitute

FIXTURES = Path(__file__).parents[1] / "fixtures"


def meanings(problem, solution):
    """The fingerprints of u' and q''; whether all rows hold for q'."""
    known = dict(zip(problem.kinematics.inputs.rates, solution.rates, strict=True))
    gaps = substitute([row.value for row in problem.kinematics.constraints], known)
    found = substitute([*solution.speed_rates, *solution.accelerations], known)
    return [node.fingerprint for node in found], all(gap.is_zero for gap in gaps)


@pytest.mark.parametrize(("text", "most"), [(stewart(), 2_200), (delta(), 3_200)], ids=["stewart", "delta"])
def test_legs_mean_what_the_forces_of_the_rows_mean_and_cost_little(text, most):
    problem = problem_of(text)
    found = search.solutions(problem, Options(order="recursive"))
    expected = meanings(problem, orders.available(problem)["loops"](problem))
    assert meanings(problem, found["recursive"]) == expected
    assert expected[1]
    assert search.cheapest(problem, found, 2, False).history["prepare"] <= most


def test_rows_in_the_axes_of_a_leg_hold_one_of_its_rates_each():
    for text, left in ((stewart(), 0), (delta(), 1)):
        problem = problem_of(text)
        found = closures(problem)
        assert len(found) == 6
        for leg in found:
            assert len(leg.left) == left
            entries = [leg._components(problem.kinematics, j) for j in leg.coordinates]
            assert sorted(sum(not entry.is_zero for entry in column) for column in entries) == [1] * len(entries)


def test_what_a_leg_leaves_is_along_it():
    """A rod of a delta robot: no rate of its own in the row, which says the same as its rows in the axes of the ground."""
    problem = problem_of(delta())
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    leg = closures(problem)[0]
    (row,) = leg.rest(kinematics)
    assert not set(row.columns) & set(leg.coordinates)
    by_columns = graph.add(row.rest, *(entry * kinematics.inputs.rates[j] for j, entry in row.columns.items()))
    assert (by_columns - row.value).is_zero
    axis = [kinematics.axes.express(((leg.frame, (graph.zero, graph.zero, graph.one)),), 0)[i] for i in range(3)]
    assert (row.value - graph.dot(axis, [one.value for one in leg.rows])).is_zero


FIRST = 'top0 = { coincide = ["T0", "B0"] }'


@pytest.mark.parametrize(
    ("changed", "legs"),
    [
        ({FIRST: FIRST.replace(" }", ', along = ["x", "y"] }'), 'vX = ': 'va = "der(a0)"\nvX = '}, [3] * 5),
        ({FIRST: FIRST.replace(" }", ', in = "Plate" }')}, [3] * 5),
        ({"plate.x)": "plate.x) + 0.1*der(s0)"}, [2] + [3] * 5),
    ],
    ids=["not all rows", "turning axes", "a coordinate in a speed"],
)  # fmt: skip
def test_a_leg_is_all_of_a_meeting_along_fixed_axes_and_coordinates_of_its_own(changed, legs):
    text = stewart()
    for before, after in changed.items():
        assert before in text
        text = text.replace(before, after)
    assert [len(leg.coordinates) for leg in closures(problem_of(text))] == legs


def test_a_body_that_hangs_on_rods_is_not_free():
    """The rates of its center follow from other speeds: all orders agree, and all bodies feel its weight."""
    problem = problem_of((FIXTURES / "hung_plate.toml").read_text())
    found = {name: meanings(problem, order(problem)) for name, order in orders.available(problem).items()}
    assert all(each == found["loops"] for each in found.values())
