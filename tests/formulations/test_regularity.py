"""How regular quasi-velocities are, beside what is known of it."""

import numpy as np
import pytest

from tests.fixtures.mechanics import MODELS, problem_of
from volterra_cg.formulations.default_speeds import rates
from volterra_cg.formulations.regularity import Regularity

SLEIGH = (MODELS / "chaplygin_sleigh.toml").read_text()
PENDULA = """
schema = 1
name = "pendula"
[coordinates]
a = { initial = 0.3 }
b = { initial = 0.5 }
[frames]
A = { rotate = [["z", "a"]] }
B = { rotate = [["z", "b"]] }
[points]
P = { in = "A", at = [2, 0, 0] }
Q = { in = "B", at = [1, 0, 0] }
[bodies]
p = { mass = 3, center = "P" }
q = { mass = 5, center = "Q" }
[quasi_velocities]
u = "der(a) + der(b)"
v = "der(b)"
"""


def test_the_measure_is_that_of_unit_energies():
    """With T = 6 a'^2 + 2.5 b'^2, unit energy is a' = 1/sqrt(12) along a, and so on: two rows at a known angle."""
    problem = problem_of(PENDULA)
    found = Regularity(problem.kinematics, ())
    rows = np.array([[1 / np.sqrt(12), 1 / np.sqrt(5)], [0, 1 / np.sqrt(5)]])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert found.of(problem.kinematics.speeds) == pytest.approx(np.linalg.svd(rows)[1][-1], rel=1e-9)
    assert found.of(rates(problem.kinematics, [0, 1])) == pytest.approx(1, rel=1e-9)


def test_a_row_that_vanishes_on_the_way_is_not_regular():
    """The rate of x tells nothing of a sleigh that heads along y."""
    problem = problem_of(SLEIGH)
    found = Regularity(problem.kinematics, problem.kinematics.constraints)
    names = [node.name for node in problem.kinematics.inputs.coordinates]
    plain = rates(problem.kinematics, [names.index("x"), names.index("theta")])
    assert found.of(plain) < 0.2
    assert found.of(problem.speeds) > 0.3


def test_rows_that_depend_on_each_other_by_meaning_have_no_regularity():
    problem = problem_of(PENDULA)
    found = Regularity(problem.kinematics, ())
    assert found.of([problem.kinematics.speeds[0]] * 2) == 0.0


def test_the_most_regular_rows_are_kept():
    problem = problem_of(SLEIGH)
    found = Regularity(problem.kinematics, problem.kinematics.constraints)
    plain = rates(problem.kinematics, range(3))
    assert found.best([*plain, *problem.speeds], 2) != [0, 1]
