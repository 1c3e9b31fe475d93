"""Loops are closed by the forces of their rows, at a cost that grows with the mechanism and not with its square."""

from functools import cache

import numpy as np
import pytest

from benchmarks.loops import closed_chain, net
from tests.fixtures import mechanics
from volterra_cg import search
from volterra_cg.elimination import orders
from volterra_cg.options import Options
from volterra_cg.program.interpret import interpret
from volterra_cg.program.rewrite import substitute

GROUND = "loops in ground axes"
problem_of = cache(mechanics.problem_of)


def accelerations(problem, order):
    """Q'' and u' at the start, with random quasi-velocities."""
    solution = orders.available(problem)[order](problem)
    inputs, random = problem.kinematics.inputs, np.random.default_rng(3)
    values = {node: values[0] for node, values in problem.kinematics.configurations.values.items()}
    values |= dict(zip(problem.speed_inputs, random.uniform(-1, 1, len(problem.speeds)), strict=True))
    known = dict(zip(inputs.rates, solution.rates, strict=True))
    return np.array(interpret(substitute([*solution.accelerations, *solution.speed_rates], known), values), dtype=float)


@pytest.mark.parametrize(("text", "other"), [(closed_chain(7), "dense"), (net(3), "recursive")], ids=["chain", "net"])
@pytest.mark.parametrize("order", ["loops", GROUND])
def test_the_forces_that_close_a_loop_give_the_accelerations_of_independent_speeds(text, other, order):
    problem = problem_of(text)
    expected = accelerations(problem, other)
    assert np.abs(accelerations(problem, order) - expected).max() <= 1e-10 * np.abs(expected).max()


def test_a_closed_chain_costs_the_same_for_every_link():
    sizes = (7, 14, 28)
    counts = []
    for n in sizes:
        problem = problem_of(closed_chain(n))
        found = search.solutions(problem, Options(order=GROUND))
        counts.append(search.cheapest(problem, found, 2, False).history["prepare"])
    assert all(count <= 130 * n for count, n in zip(counts, sizes, strict=True))
    assert np.polyfit(np.log(sizes), np.log(counts), 1)[0] <= 1.1


def test_few_coordinates_are_not_tried_with_the_forces_of_loops():
    assert not any(name.startswith("loops") for name in search.solutions(problem_of(closed_chain(3)), Options()))
    assert "loops" in search.solutions(problem_of(closed_chain(7)), Options())


def test_dependent_rows_are_told_by_their_names():
    checks = orders.available(problem_of(closed_chain(7)))["loops"](problem_of(closed_chain(7))).checks
    assert "constraint hook.y depends on the others here" in [check.label for check in checks]


ROLLING_ROD = """
schema = 1
name = "rod"
[coordinates]
x = {}
y = {}
yaw = { initial = 0.46, rate = 0.76 }
lean = { initial = 0.17, rate = 0.05 }
spin = { initial = -0.18, rate = 0.53 }
[frames]
Lean = { rotate = [["z", "yaw"], ["x", "lean"]] }
W = { parent = "Lean", rotate = [["y", "spin"]] }
[points]
C = { at = ["x", "y", 0] }
P = { from = "C", in = "Lean", at = [0, 0, 0.35] }
[bodies]
wheel = { mass = 1, center = "P", frame = "W", shape = { rod = { length = 1, axis = "x" } } }
[constraints]
tyre = { roll = "wheel", at = "C", along = ["x", "y"] }
[quasi_velocities]
u1 = "dot(omega(W), W.x)"
u2 = "dot(omega(W), W.y)"
u3 = "der(yaw)"
[start]
project = true
"""


def test_loops_are_not_open_where_the_open_tree_can_move_without_a_mass():
    """With lean and spin at zero the rod leans about its contact while that slides; rolling forbids it."""
    assert "loops" not in orders.available(problem_of(ROLLING_ROD))
    assert "loops" in orders.available(problem_of(closed_chain(7)))
