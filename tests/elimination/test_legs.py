"""Legs of a platform are solved one by one, and carry their inertia to it through the rows that close them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.loops import delta, stewart
from tests.fixtures.mechanics import problem_of, system_of
from volterra_cg import derivation, search
from volterra_cg.elimination import classical, orders
from volterra_cg.elimination.accelerations import Follow
from volterra_cg.elimination.legs import closures
from volterra_cg.options import Options
from volterra_cg.program.interpret import interpret
from volterra_cg.program.rewrite import substitute

FIXTURES = Path(__file__).parents[1] / "fixtures"


def meanings(problem, solution):
    """The fingerprints of u' and q''; whether all rows hold for q'."""
    known = dict(zip(problem.kinematics.inputs.rates, solution.rates, strict=True))
    gaps = substitute([row.value for row in problem.kinematics.constraints], known)
    found = substitute([*solution.speed_rates, *solution.accelerations], known)
    return [node.fingerprint for node in found], all(gap.is_zero for gap in gaps)


@pytest.mark.parametrize(("text", "most"), [(stewart(), 2_150), (delta(), 2_900)], ids=["stewart", "delta"])
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


QUATERNION = {
    "psi = { initial = 0.05 }\ntheta = { initial = 0.02 }\nphi = { initial = 0.03 }": "\n".join(
        f"e{k} = {{ initial = {value} }}" for k, value in enumerate((0.99, 0.1, 0.05, -0.08))
    ),
    'rotate = [["z", "psi"], ["y", "theta"], ["x", "phi"]]': 'quaternion = ["e0", "e1", "e2", "e3"]',
    "[constraints]": '[constraints]\nunit = "e0**2 + e1**2 + e2**2 + e3**2 - 1"',
    "project = [": 'project = ["e0", "e1", "e2", "e3", ',
}


def test_legs_of_a_plate_on_a_quaternion_are_compared_on_the_constraints():
    """Off the unit sphere its frame is no rotation, so that rows of positions and of velocities differ there."""
    text = stewart()
    for before, after in QUATERNION.items():
        assert before in text
        text = text.replace(before, after)
    problem, other = problem_of(text), derivation.pose(system_of(text), Options("maggi"))
    solution, expected = orders.available(problem)["recursive"](problem), classical.solve(other)
    plain = orders._tree(orders._Start.of(problem), lambda _: False, Follow.OWN)
    assert orders._cost(solution) < 0.75 * orders._cost(plain)
    assert orders._agree(problem, solution, plain)
    inputs, draw = problem.kinematics.inputs, np.random.default_rng(1)
    known = {node: float(value[1]) for node, value in problem.kinematics.configurations.values.items()}
    known |= {**problem.kinematics.given, **{u: float(draw.normal()) for u in problem.speed_inputs}}
    rates = [float(value) for value in interpret(list(solution.rates), known)]
    ours = interpret(list(solution.accelerations), known | dict(zip(inputs.rates, rates, strict=True)))
    theirs = {
        node: known[old] for node, old in zip(other.kinematics.inputs.coordinates, inputs.coordinates, strict=True)
    }
    theirs |= {other.kinematics.inputs.time: known[inputs.time], **other.kinematics.given}
    for nodes in (other.kinematics.inputs.rates, other.speed_inputs):
        theirs |= dict(zip(nodes, rates, strict=True))
    np.testing.assert_allclose(ours, interpret(list(expected.accelerations), theirs), atol=1e-8)


def test_solutions_that_differ_do_not_agree():
    problem = problem_of(delta())
    solution = orders.available(problem)["recursive"](problem)
    first, *others = solution.speed_rates
    assert not orders._agree(problem, replace(solution, speed_rates=(first * 1.0001, *others)), solution)
