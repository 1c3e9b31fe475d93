from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volterra_cg.program.field import SMALL, constant_value, depends, independent_rows, number_fingerprint, solve_mod
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Call, Const, Role

fractions = st.builds(Fraction, st.integers(-500, 500), st.sampled_from([1, 2, 3, 4, 5, 7, 10, 16, 100, 2000]))


def circle(graph):
    return (lambda angle: graph.call("sin", angle)), (lambda angle: graph.call("cos", angle))


def test_sine_squared_plus_cosine_squared_is_one(graph, x, y):
    sin, cos = circle(graph)
    assert sin(x) ** 2 + cos(x) ** 2 is graph.one
    assert sin(x * y) ** 2 + cos(x * y) ** 2 is graph.one
    assert graph.call("exp", sin(x) ** 2 + cos(x) ** 2 + y).fingerprint == graph.call("exp", 1 + y).fingerprint


def test_addition_formulas(graph, x, y):
    sin, cos = circle(graph)
    assert (sin(x + y) - sin(x) * cos(y) - cos(x) * sin(y)).is_zero
    assert (cos(x - y) - cos(x) * cos(y) - sin(x) * sin(y)).is_zero
    assert not (sin(x + y) - sin(x) * cos(y)).is_zero


def test_half_and_third_angles(graph, x):
    sin, cos = circle(graph)
    half, third = x * Fraction(1, 2), x * Fraction(1, 3)
    assert (2 * sin(half) * cos(half) - sin(x)).is_zero
    assert (2 * cos(half) ** 2 - 1 - cos(x)).is_zero
    assert (3 * sin(third) - 4 * sin(third) ** 3 - sin(x)).is_zero
    assert not isinstance(sin(half) ** 2 - sin(third) ** 2, Const)


def test_the_two_frequencies_of_the_boom(graph, t):
    sin, cos = circle(graph)
    fast, slow = t * Fraction(89, 1000), t * Fraction(485, 10000)
    assert (cos(fast) * cos(slow) - sin(fast) * sin(slow) - cos(t * Fraction(1375, 10000))).is_zero
    assert (2 * sin(fast) * cos(fast) - sin(t * Fraction(178, 1000))).is_zero
    assert not (sin(fast) - sin(slow)).is_zero


@settings(max_examples=60, deadline=None, derandomize=True)
@given(fractions, fractions)
def test_addition_formulas_hold_for_all_multiples(a, b):
    graph = Graph()
    sin, cos = circle(graph)
    x = graph.input(Role.COORDINATE, 0, "x")
    assert (sin(a * x + b * x) - sin(a * x) * cos(b * x) - cos(a * x) * sin(b * x)).is_zero


def test_multiples_of_pi(graph, x):
    sin, cos = circle(graph)
    pi = graph.pi
    assert (sin(x + pi * Fraction(1, 2)) - cos(x)).is_zero
    assert (cos(x + pi * Fraction(1, 2)) + sin(x)).is_zero
    assert (sin(x - pi) + sin(x)).is_zero
    assert (sin(x + 2 * pi) - sin(x)).is_zero
    assert cos(pi * Fraction(1, 4)) ** 2 is graph.const(Fraction(1, 2))
    assert (2 * cos(pi * Fraction(1, 8)) ** 2 - 1 - cos(pi * Fraction(1, 4))).is_zero
    assert (sin(x + pi * Fraction(1, 3)) ** 2 + cos(x + pi * Fraction(1, 3)) ** 2 - 1).is_zero


def test_an_angle_may_hold_the_opposite_of_a_sine(graph, x, y):
    """sin(y - x) is -sin(x - y), also where it is within another angle, however often that is halved."""
    nested = x - 1
    one, other = graph.call("sin", y - nested), graph.call("sin", x - y - 1)
    assert (one + other).is_zero
    assert one is not -other
    for scale in (Fraction(1, 2), Fraction(3), Fraction(1, 2**20)):
        for name, sign in (("sin", -1), ("cos", 1)):
            assert (graph.call(name, scale * one + x) - sign * graph.call(name, scale * other - x)).is_zero


def test_angles_are_multiplied_out(graph, x, y):
    sin, cos = circle(graph)
    assert sin((x + 1) * (y + 1)).fingerprint == sin(x * y + x + y + 1).fingerprint
    assert sin(x * ((y + 2) + x)).fingerprint == sin(x * y + 2 * x + x * x).fingerprint
    assert (cos(graph.pi * (x + 1)) + cos(graph.pi * x)).is_zero
    assert (sin((x + y) ** 2 - x**2 - y**2) - 2 * sin(x * y) * cos(x * y)).is_zero


def test_an_angle_of_very_many_terms_is_opaque_but_still_on_the_circle(graph, x, y):
    sin, cos = circle(graph)
    large = graph.add(1, *(graph.call("exp", x * k) for k in range(1, 12))) ** 4
    assert sin(large) ** 2 + cos(large) ** 2 is graph.one


def test_irrational_sines_are_never_taken_for_fractions(graph):
    sines = [graph.call("sin", graph.pi * Fraction(step, 8192)) for step in range(1, 8192, 6)]
    assert all(not isinstance(node, Const) for node in sines)


def test_tangent_is_sine_over_cosine(graph, x):
    sin, cos = circle(graph)
    assert (graph.call("tan", x) - sin(x) / cos(x)).is_zero


def test_other_functions_are_opaque(graph, x):
    assert not isinstance(graph.call("exp", x) * graph.call("exp", -x), Const)
    assert graph.call("sqrt", x * x).fingerprint != x.fingerprint
    assert graph.call("abs", x).fingerprint not in (x.fingerprint, (-x).fingerprint)
    assert isinstance(graph.call("exp", 1), Call)
    assert graph.call("exp", (x + 1) ** 2).fingerprint == graph.call("exp", x * x + 2 * x + 1).fingerprint


def test_rational_functions_are_compared_by_meaning(graph, x, y):
    assert ((x + y) ** 2 - x**2 - 2 * x * y - y**2).is_zero
    assert ((x * x - y * y) / (x + y) - x + y).is_zero
    assert (x / y + y / x - (x * x + y * y) / (x * y)).is_zero


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(-SMALL, SMALL), st.integers(1, SMALL))
def test_small_fractions_are_found_back(numerator, denominator):
    value = Fraction(numerator, denominator)
    assert constant_value(number_fingerprint(value)) == value


def test_values_that_differ_between_the_points_are_no_constant(x):
    assert constant_value(x.fingerprint) is None


def test_dependence_is_decided_by_meaning(graph, x, y):
    sin, cos = circle(graph)
    assert not depends(((sin(x) ** 2 + cos(x) ** 2) * y,), x)
    assert not depends((sin(x + y) * cos(x) - cos(x + y) * sin(x),), x)
    assert depends((sin(x + y) * cos(x) - cos(x + y) * sin(x),), y)
    assert depends((y, sin(x)), x)
    assert not depends((y,), x)
    assert depends((graph.call("exp", x),), x)


def test_dependence_through_a_solve(graph, x, y):
    matrix = [[x, graph.zero], [graph.one, y]]
    first, second = graph.solve(matrix, [x * y, graph.one])  # first = y, second = (1 - y)/y
    assert not depends((first, second), x)
    assert depends((second,), y)


def test_rows_that_follow_from_others_are_found(graph, x, y):
    rows = [{0: x, 1: y}, {0: graph.one, 2: x}, {0: 2 * x + 1, 1: 2 * y, 2: x}, {1: graph.one}]
    assert independent_rows(rows) == [0, 1, 3]
    assert independent_rows([{}, {0: x}]) == [1]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_solving_in_the_field(size):
    matrix = [[pow(3, (i + 1) * (j + 2), 1009) for j in range(size)] for i in range(size)]
    solution = list(range(2, size + 2))
    right = [sum(a * b for a, b in zip(row, solution, strict=True)) for row in matrix]
    assert solve_mod([[*row, value] for row, value in zip(matrix, right, strict=True)]) == solution
