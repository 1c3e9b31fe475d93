from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volterra_cg.elimination import blocks
from volterra_cg.elimination.blocks import BlockSolver, adjugate
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.graph import Graph
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import LU, Inverse, Role, topological

NAMES = [f"q{k}" for k in range(9)]
ORIGINS = [f"constraint c{k}" for k in range(len(NAMES))]


class Cells:
    """Entries of all kinds: numbers, parameters, functions of the state."""

    def __init__(self):
        self.graph = Graph()
        self.parameters = [self.graph.input(Role.PARAMETER, k, f"p{k}") for k in range(3)]
        self.states = [self.graph.input(Role.COORDINATE, k, f"x{k}") for k in range(4)]

    def __call__(self, kind, number):
        x, p = self.states[number % 4], self.parameters[number % 3]
        makers = {
            "number": lambda: self.graph.const(Fraction(number + 1, 3)),
            "parameter": lambda: p * (number + 1),
            "state": lambda: self.graph.call("sin", x) + number,
            "mixed": lambda: p * self.graph.call("cos", x * (number + 1)) + x,
        }
        return makers[kind]()

    def values(self, seed):
        random = np.random.default_rng(seed)
        inputs = [*self.parameters, *self.states]
        return dict(zip(inputs, random.uniform(0.3, 2.0, len(inputs)), strict=True))


@st.composite
def systems(draw, kinds=("number", "parameter", "state", "mixed")):
    """A sparse matrix with a full diagonal under a random permutation, and a right side."""
    size, cells = draw(st.integers(1, 7)), Cells()
    order = draw(st.permutations(range(size)))
    places = {(i, order[i]) for i in range(size)}
    places |= draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=2 * size))
    rows = [{} for _ in range(size)]
    for i, j in sorted(places):
        rows[i][j] = cells(draw(st.sampled_from(kinds)), draw(st.integers(0, 11)))
    right = [cells("state", k) if draw(st.booleans()) else cells.graph.const(k) for k in range(size)]
    return cells, rows, right


def product(graph, rows, solution):
    return [graph.add(graph.zero, *(entry * solution[k] for k, entry in row.items())) for row in rows]


@settings(max_examples=80, deadline=None, derandomize=True)
@given(systems())
def test_solutions_satisfy_sparse_systems_by_meaning_and_in_numbers(case):
    cells, rows, right = case
    try:
        solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
        solution = solver.solve(right)
    except IdenticallyZero:
        return  # singular by meaning, and told so
    gaps = [a - b for a, b in zip(product(cells.graph, rows, solution), right, strict=True)]
    assert all(gap.is_zero for gap in gaps)
    values = cells.values(len(rows))
    dense = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        dense[i, list(row)] = interpret(list(row.values()), values)
    if np.linalg.cond(dense) < 1e6:
        assert dense @ interpret(solution, values) == pytest.approx(interpret(right, values), abs=1e-7)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(systems())
def test_every_divisor_is_watched(case):
    cells, rows, right = case
    try:
        solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
        solution = solver.solve(right)
    except IdenticallyZero:
        return
    watched = {check.divisor for check in solver.checks}
    used = topological(solution)
    divisors = {node.args[0] for node in used if isinstance(node, Inverse)}
    assert divisors <= watched
    assert {node for node in used if isinstance(node, LU)} <= watched


def full(cells, size, kind="mixed"):
    return [{j: cells(kind, 5 * i + 3 * j) for j in range(size)} for i in range(size)]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_small_blocks_are_solved_without_pivoting(size):
    cells = Cells()
    solver = BlockSolver(cells.graph, full(cells, size), NAMES, ORIGINS)
    solution = solver.solve([cells.graph.const(k + 1) for k in range(size)])
    assert all(not isinstance(node, LU) for node in topological(solution))
    assert len(solver.checks) == 1  # the determinant


@pytest.mark.parametrize("size", [4, 6])
def test_larger_irreducible_blocks_become_a_factorisation_at_run_time(size):
    cells = Cells()
    rows = full(cells, size)
    solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
    right = [cells.graph.const(k + 1) for k in range(size)]
    solution = solver.solve(right)
    factors = [node for node in topological(solution) if isinstance(node, LU)]
    assert len(factors) == 1
    assert [check.divisor for check in solver.checks] == factors
    assert f"do not determine the rates of {', '.join(NAMES[:size])}" in solver.checks[0].label
    values = cells.values(1)
    dense = np.array([interpret([row[j] for j in range(size)], values) for row in rows])
    assert interpret(solution, values) == pytest.approx(np.linalg.solve(dense, np.arange(1, size + 1)), rel=1e-8)


def test_several_right_sides_share_the_factorisation():
    cells = Cells()
    solver = BlockSolver(cells.graph, full(cells, 5), NAMES, ORIGINS)
    unit = [[cells.graph.const(int(i == k)) for i in range(5)] for k in range(5)]
    nodes = topological([node for right in unit for node in solver.solve(right)])
    assert sum(isinstance(node, LU) for node in nodes) == 1


def test_a_triangular_system_divides_by_its_diagonal_only():
    cells = Cells()
    rows = [{j: cells("mixed", 4 * i + j) for j in range(i + 1)} for i in range(6)]
    solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
    labels = [check.label for check in solver.checks]
    remedy = "(a singular position)"
    assert labels == [f"constraint c{k} does not determine the rate of q{k} {remedy}" for k in range(6)]


def test_numbers_and_parameters_are_pivots_before_a_block_is_formed():
    """A block of five with a number in it shrinks to four that need no pivoting at run time."""
    cells = Cells()
    rows = full(cells, 4)
    for k in (0, 1):
        rows[k][k] = cells.graph.const(k + 2)
    solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
    solution = solver.solve([cells.graph.one] * 4)
    assert all(not isinstance(node, LU) for node in topological(solution))


def test_a_state_is_never_a_pivot_by_itself():
    cells = Cells()
    x = cells.states
    rows = [{0: x[0], 1: x[1]}, {0: x[2], 1: x[3]}]
    solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
    assert len(solver.checks) == 1
    assert (solver.checks[0].divisor.fingerprint[0] - (x[0] * x[3] - x[1] * x[2]).fingerprint[0]) == 0
    assert solver.checks[0].label.startswith("constraint c0, constraint c1 do not determine the rates of q0, q1")


def test_numbers_need_no_watching():
    cells = Cells()
    solver = BlockSolver(
        cells.graph, [{0: cells.graph.const(3)}, {0: cells.graph.one, 1: cells.graph.const(2)}], NAMES, ORIGINS
    )
    assert solver.checks == []


def test_a_zero_right_side_has_a_zero_solution():
    cells = Cells()
    solver = BlockSolver(cells.graph, full(cells, 5), NAMES, ORIGINS)
    assert all(node.is_zero for node in solver.solve([cells.graph.zero] * 5))


def test_a_matrix_that_cannot_be_regular_is_refused():
    cells = Cells()
    x, y = cells.states[:2]
    with pytest.raises(IdenticallyZero, match="structurally singular"):
        BlockSolver(cells.graph, [{0: x}, {0: y}], NAMES, ORIGINS)
    with pytest.raises(IdenticallyZero):
        BlockSolver(cells.graph, [{0: x, 1: y}, {0: x * 2, 1: y * 2}], NAMES, ORIGINS)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_adjugate_times_the_matrix_is_the_determinant(size):
    cells = Cells()
    matrix = [[cells("mixed", 4 * i + j) for j in range(size)] for i in range(size)]
    cofactors = adjugate(matrix)
    determinant = cells.graph.dot(matrix[0], [row[0] for row in cofactors])
    for i in range(size):
        for j in range(size):
            entry = cells.graph.dot(matrix[i], [row[j] for row in cofactors])
            assert (entry - (determinant if i == j else cells.graph.zero)).is_zero


def test_rows_at_right_angles_need_no_pivots():
    """Those of the rates of a quaternion: its angular velocity and its length."""
    graph = Graph()
    a, b, c, d = parts = [graph.input(Role.COORDINATE, k, f"q{k}") for k in range(4)]
    rows = [[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]]
    matrix = [dict(enumerate(2 * entry for entry in row)) for row in rows] + [dict(enumerate(parts))]
    right = [graph.input(Role.RATE, k, f"w{k}") for k in range(4)]
    solver = BlockSolver(graph, matrix, NAMES[:4], ORIGINS[:4])
    solution = solver.solve(right)
    assert not any(isinstance(node, LU) for node in topological(solution))
    assert all((left - value).is_zero for left, value in zip(product(graph, matrix, solution), right, strict=True))
    [length] = {check.divisor for check in solver.checks}  # which does not vanish where a quaternion turns
    assert (length - graph.dot(parts, parts)).is_zero


@pytest.mark.parametrize("own", [1, 2])
@pytest.mark.parametrize("at_right_angles", [True, False])
def test_unknowns_of_few_rows_leave_a_large_block_before_it_is_factorised(own, at_right_angles, monkeypatch):
    monkeypatch.setattr(blocks, "FACTORISED", 3)  # these blocks are small
    cells, count = Cells(), own + 1
    rows = [{2 * own + k: cells("mixed", 5 * i + k) for k in range(2)} for i in range(2 * count)]
    for group in range(2):
        x = cells.states[group]
        columns = [[cells.graph.call("cos", x), cells.graph.call("sin", x), cells.graph.zero]]
        columns.append([-x * columns[0][1], x * columns[0][0], x if not at_right_angles else cells.graph.one * x * x])
        columns[1][0] = columns[1][0] if at_right_angles else x
        for k in range(own):
            for i in range(count):
                rows[group * count + i][group * own + k] = columns[k][i]
    solver = BlockSolver(cells.graph, rows, NAMES, ORIGINS)
    right = [cells("state", k) for k in range(len(rows))]
    solution = solver.solve(right)
    assert not any(isinstance(node, LU) for node in topological(solution))
    assert all((a - b).is_zero for a, b in zip(product(cells.graph, rows, solution), right, strict=True))
    values = cells.values(0)
    found, expected = (interpret(product(cells.graph, rows, solution), values), interpret(right, values))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
