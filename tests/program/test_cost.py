"""What one operation is: one +, -, *, / or elementary function value that a call executes."""

from fractions import Fraction

import pytest

from volterra_cg.program.cost import Operations, power_steps, total
from volterra_cg.program.nodes import Role, topological


@pytest.fixture
def cost():
    return lambda *results: total(topological(results), results)


@pytest.fixture
def z(graph):
    return graph.input(Role.SPEED, 0, "z")


def test_inputs_numbers_and_pi_are_free(graph, x, cost):
    assert cost(x, graph.const(7), graph.pi) == Operations()


def test_a_sum_of_n_terms_is_n_minus_one_additions(graph, x, y, z, cost):
    assert cost(x + y) == Operations(add=1)
    assert cost(x + y + z) == Operations(add=2)
    assert cost(graph.add(x, y, z, 5)) == Operations(add=3)


def test_a_sign_change_is_free(graph, x, y, cost):
    assert cost(-x) == Operations()
    assert cost(x - y) == Operations(add=1)
    assert cost(-(x * y)) == Operations(mul=1)


def test_a_coefficient_is_a_multiplication(graph, x, y, cost):
    assert cost(3 * x) == Operations(mul=1)
    assert cost(3 * x + Fraction(1, 2) * y) == Operations(add=1, mul=2)
    assert cost(3 * x + 3 * y) == Operations(add=1, mul=1)


def test_a_product_of_n_factors_is_n_minus_one_multiplications(graph, x, y, z, cost):
    assert cost(x * y) == Operations(mul=1)
    assert cost(graph.multiply(x, y, z)) == Operations(mul=2)


@pytest.mark.parametrize(("exponent", "steps"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (7, 4), (8, 3), (15, 6)])
def test_a_power_is_repeated_squaring(graph, x, cost, exponent, steps):
    assert power_steps(exponent) == steps
    assert cost(x**exponent).mul == steps


def test_a_quotient_is_one_division(graph, x, y, cost):
    assert cost(x / y) == Operations(div=1)
    assert cost(graph.inverse(y)) == Operations(div=1)


def test_a_reciprocal_of_several_uses_is_a_division_and_multiplications(graph, x, y, z, cost):
    assert cost(x / y, z / y) == Operations(div=1, mul=2)


def test_a_function_value_is_one_operation_and_a_pair_of_one_angle_two(graph, x, cost):
    assert cost(graph.call("exp", x)) == Operations(function=1)
    assert cost(graph.call("sin", x), graph.call("cos", x)) == Operations(function=2)
    assert cost(graph.call("atan2", x, graph.call("sin", x))) == Operations(function=2)


def test_what_is_shared_is_counted_once(graph, x, y, cost):
    shared = graph.call("sin", x * y)
    assert cost(shared + 1, shared * x) == Operations(add=1, mul=2, function=1)


def test_operations_add_up():
    one = Operations(1, 2, 3, 4)
    assert (one + one).total == 2 * one.total == 20
