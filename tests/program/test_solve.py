from fractions import Fraction

import mpmath
import numpy as np
import pytest

from volterra_cg.program.cost import Operations, total
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.interpret import Digits, interpret
from volterra_cg.program.nodes import LU, Item, Solve, topological
from volterra_cg.program.rewrite import substitute


@pytest.fixture
def system(graph, x, y):
    sin, cos = graph.call("sin", x), graph.call("cos", y)
    matrix = [[2 + sin, cos, graph.zero], [x * y, graph.const(3), sin], [graph.one, graph.zero, 1 + y * y]]
    return matrix, [x, graph.one, cos]


def test_items_satisfy_their_equations_by_meaning(graph, system):
    matrix, right = system
    solution = graph.solve(matrix, right)
    assert all((graph.dot(row, solution) - value).is_zero for row, value in zip(matrix, right, strict=True))


def test_a_solution_is_known_by_its_meaning(graph, x, y):
    first, second = graph.solve([[x, y], [y, x]], [x * x + y * y, 2 * x * y])
    assert first.fingerprint == x.fingerprint
    assert second.fingerprint == y.fingerprint


def test_equal_matrices_share_one_factorisation(graph, system):
    matrix, right = system
    first, second = graph.solve(matrix, right), graph.solve(matrix, right[::-1])
    assert first[0].args[0] is first[2].args[0]
    assert first[0].args[0].args[0] is second[1].args[0].args[0]


def test_a_matrix_that_is_singular_by_meaning_is_refused(graph, x, y):
    with pytest.raises(IdenticallyZero):
        graph.solve([[x, y], [2 * x, 2 * y]], [graph.one, graph.zero])


def test_the_interpreters_solve(graph, x, y, system):
    matrix, right = system
    at = {x: 0.3, y: -1.2}
    entries = np.array([[interpret([e], at)[0] for e in row] for row in matrix])
    values = np.array(interpret(right, at))
    solution = graph.solve(matrix, right)
    assert interpret(solution, at) == pytest.approx(np.linalg.solve(entries, values), rel=1e-14)
    with mpmath.workdps(40):
        exact = interpret(solution, {x: mpmath.mpf("0.3"), y: mpmath.mpf("-1.2")}, Digits(40))
    assert [float(v) for v in exact] == pytest.approx(interpret(solution, at), rel=1e-12)


def test_arrays_are_solved_elementwise(graph, x, y, system):
    solution = graph.solve(*system)
    many = interpret(solution, {x: np.array([0.3, 0.7]), y: np.array([-1.2, 0.4])})
    for k, at in enumerate([{x: 0.3, y: -1.2}, {x: 0.7, y: 0.4}]):
        assert [values[k] for values in many] == pytest.approx(interpret(solution, at), rel=1e-13)


def test_the_derivative_of_a_solution(graph, x, y, system):
    solution = graph.solve(*system)
    along = Derivative({x: graph.one, y: graph.const(Fraction(1, 2))})
    exact = along.all(solution)
    step = 1e-30

    def moved(k, order):
        nodes = solution if order == 0 else exact
        return np.imag(interpret([nodes[k]], {x: 0.3 + 1j * step, y: -1.2 + 0.5j * step})[0]) / step

    assert interpret(exact, {x: 0.3, y: -1.2}) == pytest.approx([moved(k, 0) for k in range(3)], rel=1e-11)
    second = along.all(exact)
    assert interpret(second, {x: 0.3, y: -1.2}) == pytest.approx([moved(k, 1) for k in range(3)], rel=1e-11)


def test_the_derivative_uses_the_same_factorisation(graph, x, system):
    solution = graph.solve(*system)
    exact = Derivative({x: graph.one}).all(solution)
    assert sum(isinstance(node, LU) for node in topological([*solution, *exact])) == 1


def test_a_solution_that_does_not_move_has_derivative_zero(graph, x, y):
    solution = graph.solve([[y, graph.one], [graph.one, graph.zero]], [y, graph.one])
    assert Derivative({x: graph.one}).all(solution) == (graph.zero, graph.zero)


@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_the_cost_is_that_of_the_loops_in_c(graph, x, size):
    """Count the operations of the factorisation and the substitutions as the C text runs them."""
    count = Operations()
    for k in range(size):
        count += Operations(mul=1)  # the bound of the pivot's test
        for _ in range(k + 1, size):
            count += Operations(div=1)
            count += Operations(add=size - k - 1, mul=size - k - 1)
    for i in range(size):
        count += Operations(add=i, mul=i) + Operations(add=size - i - 1, mul=size - i - 1, div=1)
    matrix = [[x ** (i + j + 1) if i != j else x + i for j in range(size)] for i in range(size)]
    solution = graph.solve(matrix, [graph.const(k + 1) for k in range(size)])
    nodes = [node for node in topological(solution) if isinstance(node, (LU, Solve, Item))]
    assert total(nodes, solution) == count


def test_substitution_reaches_into_a_solve(graph, x, y, system):
    solution = graph.solve(*system)
    (moved,) = substitute([solution[1]], {x: y * 2})
    assert interpret([moved], {y: 0.4}) == pytest.approx(interpret([solution[1]], {x: 0.8, y: 0.4}), rel=1e-14)
