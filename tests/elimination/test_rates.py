"""Rates by rows: the angles of a frame go through its angular velocity, with the same result."""

import pytest

from benchmarks.loops import delta, stewart
from tests.fixtures.mechanics import problem_of
from volterra_cg.elimination.legs import closures, spins_of
from volterra_cg.elimination.orders import _equations
from volterra_cg.elimination.rates import RateSolver


def moving(problem, legs):
    apart = {j for leg in legs for j in leg.coordinates}
    return [j for j in range(len(problem.kinematics.inputs.rates)) if j not in apart]


def test_angles_by_the_angular_velocity_of_their_frame_are_what_they_are_without():
    problem = problem_of(delta())
    legs, found = closures(problem), []
    spins = spins_of(problem, legs, moving(problem, legs))
    assert [problem.kinematics.frame_names[spin.frame] for spin in spins] == ["Plate"]
    for through in ([], spins):
        equations = _equations(problem, problem.rates, legs, through)
        solver = RateSolver(problem.kinematics, moving(problem, legs), equations, through)
        rates = solver.solve([one.right for one in equations])
        column = solver.sparse({0: problem.kinematics.graph.one})
        found.append([{j: node.fingerprint for j, node in one.items()} for one in (rates, column)])
        assert all(found[-1])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (stewart(), {}),
        (delta(), {'u0 = "der(q0)"': 'u0 = "der(q0) + 0.1*der(psi)"'}),
        (delta(), {'at = ["X", "Y", "Z"]': 'at = ["X + 0.1*psi", "Y", "Z"]'}),
        (delta(), {'Plate = { rotate = [["z", "psi"]': 'Plate = { parent = "Arm0", rotate = [["z", "psi"]'}),
    ],
    ids=["speeds hold the angles", "a speed holds one", "a point moves with one", "a frame on another that turns"],
)
def test_angles_that_stand_elsewhere_too_are_solved_for_as_they_are(text, change):
    for before, after in change.items():
        assert before in text
        text = text.replace(before, after)
    problem = problem_of(text)
    legs = closures(problem)
    assert not spins_of(problem, legs, moving(problem, legs))
