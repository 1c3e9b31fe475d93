import numpy as np
import pytest

from volterra_cg.elimination.definite import UNROLLED, DefiniteSolver, definite_solver
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.graph import Graph
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import LDL, Role


def matrix_of(size):
    """A symmetric matrix of state functions, diagonally dominant at all states."""
    graph = Graph()
    states = [graph.input(Role.COORDINATE, k, f"x{k}") for k in range(size)]
    rows = [[graph.zero] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            rows[i][j] = rows[j][i] = graph.call("sin", states[i] - states[j] * 2)
        rows[i][i] = graph.call("cos", states[i]) + 2 * size
    return graph, states, rows


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_the_solution_satisfies_the_system(size):
    graph, states, rows = matrix_of(size)
    names = [f"u{k}" for k in range(size)]
    solver = DefiniteSolver(graph, rows, names)
    right = [graph.call("cos", state) * 3 for state in states]
    solution = solver.solve(right)
    assert all((graph.dot(row, solution) - value).is_zero for row, value in zip(rows, right, strict=True))
    at = dict(zip(states, np.random.default_rng(size).uniform(-2, 2, size), strict=True))
    dense = np.array([interpret(row, at) for row in rows])
    assert interpret(solution, at) == pytest.approx(np.linalg.solve(dense, interpret(right, at)), rel=1e-12)


def test_a_large_matrix_is_factorised_in_loops_and_watched_as_a_whole():
    size = UNROLLED + 1
    graph, states, rows = matrix_of(size)
    solver = definite_solver(graph, rows, [f"u{k}" for k in range(size)])
    right = [graph.call("cos", state) * 3 for state in states]
    at = dict(zip(states, np.random.default_rng(size).uniform(-2, 2, size), strict=True))
    dense = np.array([interpret(row, at) for row in rows])
    expected = np.linalg.solve(dense, interpret(right, at))
    assert interpret(solver.solve(right), at) == pytest.approx(expected, rel=1e-12)
    (check,) = solver.checks
    assert isinstance(check.divisor, LDL)
    assert check.label == f"the reduced mass matrix of u0 to u{size - 1} is not positive definite"


def test_each_pivot_is_watched_by_the_name_of_its_speed():
    graph, _, rows = matrix_of(3)
    solver = DefiniteSolver(graph, rows, ["a", "b", "c"])
    assert [check.label for check in solver.checks] == [
        f"the reduced mass matrix is not positive definite, at {name}" for name in "abc"
    ]


def test_pivots_are_positive_where_the_matrix_is():
    graph, states, rows = matrix_of(5)
    solver = DefiniteSolver(graph, rows, [""] * 5)
    for seed in range(5):
        at = dict(zip(states, np.random.default_rng(seed).uniform(-3, 3, 5), strict=True))
        assert min(interpret([check.divisor for check in solver.checks], at)) > 0


def test_numbers_need_no_watching():
    graph = Graph()
    rows = [[graph.const(4), graph.one], [graph.one, graph.const(3)]]
    solver = DefiniteSolver(graph, rows, ["a", "b"])
    assert solver.checks == []
    assert solver.solve([graph.const(11), graph.zero]) == (graph.const(3), graph.const(-1))


def test_nothing_to_solve_is_solved():
    assert DefiniteSolver(Graph(), [], []).solve([]) == ()


def test_a_matrix_without_inertia_is_refused():
    graph, states, _ = matrix_of(2)
    x = states[0]
    with pytest.raises(IdenticallyZero):
        DefiniteSolver(graph, [[x * x, x], [x, graph.one]], ["a", "b"])
    graph, _, rows = matrix_of(UNROLLED + 1)
    rows[-1], zero = [graph.zero] * len(rows), graph.zero
    with pytest.raises(IdenticallyZero):
        definite_solver(graph, [[*row[:-1], zero] for row in rows], [""] * len(rows))
