"""Solving in other quasi-velocities than those of the state."""

import pytest

from tests.fixtures.mechanics import MODELS, problem_of
from volterra_cg import search
from volterra_cg.elimination import dense, orders
from volterra_cg.elimination.assemble import assemble
from volterra_cg.options import Options

FREE = """
schema = 1
name = "free"
[parameters]
g = 9.81
[coordinates]
x = {}
y = {}
z = {}
a = { initial = 0.3 }
b = { initial = 0.4, rate = 1 }
c = { initial = 0.2, rate = 2 }
j = { initial = 0.7, rate = 1 }
[frames]
B = { rotate = [["z", "a"], ["y", "b"], ["x", "c"]] }
L = { parent = "B", rotate = [["x", "j"]] }
[points]
G = { at = ["x", "y", "z"] }
E = { from = "G", in = "B", at = [0.2, 0, 0.1] }
H = { from = "E", in = "L", at = [0, 0.3, 0] }
[bodies]
box = { mass = 2, center = "G", frame = "B", inertia = { xx = 0.4, yy = 0.6, zz = 0.7 } }
leg = { mass = 1, center = "H", frame = "L", inertia = { xx = 0.1, yy = 0.02, zz = 0.1 } }
[gravity]
N = [0, 0, "-g"]
[quasi_velocities]
wx = "dot(omega(box), box.x)"
wy = "dot(omega(box), box.y)"
wz = "dot(omega(box), box.z)"
knee = "der(j)"
vx = "dot(velocity(box), box.x)"
vy = "dot(velocity(box), box.y)"
vz = "dot(velocity(box), box.z)"
"""
SPECS = {name: (MODELS / f"{name}.toml").read_text() for name in ("rolling_disc", "cart_pendulum", "driven_rotor")}
SPECS["free"] = FREE


def meaning(problem, solution):
    """The fingerprints of rhs and of the accelerations."""
    program = assemble(problem, solution, work=False).program
    return [node.fingerprint for name in ("rhs", "motion") for node in program.entry(name).results]


@pytest.mark.parametrize("name", SPECS)
def test_the_equations_are_those_of_the_dense_order(name):
    problem = problem_of(SPECS[name])
    found = search.solutions(problem, Options())
    inside = [key for key, solution in found.items() if solution.solved_in]
    expected = meaning(problem, dense.solve(problem))
    assert inside
    assert {key for key, solution in found.items() if meaning(problem, solution) != expected} == set()


@pytest.mark.parametrize("name", ["rolling_disc", "free"])
def test_the_matrices_are_those_of_the_state(name):
    problem = problem_of(SPECS[name])
    found = search.solutions(problem, Options())
    entries = assemble(problem, dense.solve(problem), work=False).program.entry("matrices").results
    for solution in found.values():
        results = assemble(problem, solution, work=False).program.entry("matrices").results
        assert [node.fingerprint for node in results] == [node.fingerprint for node in entries]


def test_a_velocity_with_ignorable_rates_has_every_order():
    """x and y are ignorable, and one velocity in the axes of the box contains their rates."""
    problem = problem_of(FREE)
    assert any(j in row.columns for row in problem.speeds for j in problem.ignorable)
    assert {"dense", "composite", "recursive"} <= set(orders.available(problem))


def test_speeds_that_are_less_regular_are_not_taken():
    """The rate of x vanishes where a sleigh heads along y, its velocity along the runner does not."""
    problem = problem_of((MODELS / "chaplygin_sleigh.toml").read_text())
    plain = orders.rates(problem.kinematics, [0, 2])
    assert orders.converted(problem, problem.with_speeds(plain)) == {}
