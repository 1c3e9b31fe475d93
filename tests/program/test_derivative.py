from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings

from tests.fixtures.programs import close, finite, precise, samples
from tests.fixtures.slopes import complex_step
from volterra_cg.program.derivative import Derivative, Gradients
from volterra_cg.program.interpret import Complex, Digits, interpret
from volterra_cg.program.nodes import LDL, LU, topological

FUNCTIONS = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs"]


def slope(function, point, digits=60):
    """A central difference with most digits to spare."""
    with mpmath.workdps(digits):
        step = mpmath.mpf(10) ** -18
        return (function(point + step) - function(point - step)) / (2 * step)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_slope_of_each_function(graph, x, name):
    node = graph.call(name, x)
    point = mpmath.mpf("0.37")
    exact = interpret([Derivative({x: graph.one})(node)], {x: point}, Digits(50))
    numeric = slope(lambda value: interpret([node], {x: value}, Digits(60))[0], point)
    assert close(exact, [numeric], 30)


def test_the_slope_of_functions_of_two_arguments(graph, x, y):
    at = {x: mpmath.mpf("0.8"), y: mpmath.mpf("1.7")}
    for node in (
        graph.call("atan2", x, y),
        graph.call("pow", x, y),
        graph.call("pow", x, Fraction(7, 3)),
        graph.call("pow", x, Fraction(1, 3)),
    ):
        exact = interpret([Derivative({x: graph.one, y: graph.const(2)})(node)], at, Digits(50))
        numeric = slope(lambda s, node=node: interpret([node], {x: at[x] + s, y: at[y] + 2 * s}, Digits(60))[0], 0)
        assert close(exact, [numeric], 30)


def test_what_does_not_change_has_derivative_zero(graph, x, y):
    along = Derivative({x: graph.one})
    assert along(graph.call("exp", y) * 3 + 1) is graph.zero
    assert along(x) is graph.one
    assert along(graph.call("sign", x)) is graph.zero


def test_a_derivative_is_made_once(graph, x):
    along = Derivative({x: graph.one})
    node = graph.call("exp", graph.call("sin", x))
    assert along(node) is along(node)
    assert along.all([node, x]) == (along(node), graph.one)


@pytest.mark.parametrize("name", [*FUNCTIONS, "sign"])
@pytest.mark.parametrize("point", [0.37, -0.42])
def test_the_complex_step_follows_each_function(graph, x, name, point):
    if name in ("log", "sqrt"):
        point = abs(point)
    node = graph.call(name, x)
    exact = interpret([Derivative({x: graph.one})(node)], {x: point})[0]
    assert complex_step([node], {x: point}, [x])[0, 0] == pytest.approx(exact, rel=1e-14)
    real = np.real(interpret([node], {x: complex(point)}, Complex())[0])
    assert real == pytest.approx(interpret([node], {x: point})[0], rel=1e-15)


def test_the_complex_step_of_an_angle(graph, x, y):
    node = graph.call("atan2", x, y)
    for at in ({x: 0.3, y: -0.8}, {x: -0.3, y: -0.8}, {x: 0.3, y: 0.0}):
        exact = interpret([Derivative({x: graph.one})(node), Derivative({y: graph.one})(node)], at)
        assert complex_step([node], at, [x, y])[0] == pytest.approx(exact, rel=1e-14, abs=1e-14)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(samples())
def test_gradients_are_the_derivatives_along_each_input(sample):
    chosen = sample.nodes[-3:]
    rows, zero = Gradients(sample.inputs).all(chosen), sample.graph.zero
    for x in sample.inputs:
        along = Derivative({x: sample.graph.one})
        assert [row.get(x, zero).fingerprint for row in rows] == [along(node).fingerprint for node in chosen]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(samples(size=16))
def test_gradients_agree_with_the_complex_step(sample):
    chosen = sample.nodes[-3:]
    rows, zero = Gradients(sample.inputs).all(chosen), sample.graph.zero
    exact = interpret([row.get(x, zero) for row in rows for x in sample.inputs], sample.at())
    assume(finite(exact, 1e6))
    assert complex_step(chosen, sample.at(), sample.inputs).ravel() == pytest.approx(exact, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", [LU, LDL])
def test_gradients_of_solves_share_their_factorisation(graph, x, y, kind):
    matrix = [[x * x + 2, graph.call("sin", y)], [graph.call("sin", y), y * y + 3]]
    values, at = graph.solve(matrix, [x * y, graph.call("cos", x)], kind), {x: 0.7, y: -0.4}
    slopes = [row[v] for row in Gradients([x, y]).all(values) for v in (x, y)]
    assert interpret(slopes, at) == pytest.approx(complex_step(values, at, [x, y]).ravel(), rel=1e-13)
    assert [node for node in topological(slopes) if isinstance(node, (LU, LDL))] == [graph.factorised(matrix, kind)]


def test_what_a_product_changes_by_is_shared_by_all_inputs(graph, x, y, t):
    (row,) = Gradients([x, y]).all([graph.call("sin", x + y) * t * graph.call("exp", t)])
    assert row[x] is row[y]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(samples())
def test_directional_derivatives_of_random_programs(sample):
    root, direction = sample.nodes[-1], (0.5, -1.0, 1.0, 2.0, -0.25)
    graph = sample.graph
    rates = {node: graph.const(Fraction(rate)) for node, rate in zip(sample.inputs, direction, strict=True)}
    exact = precise((Derivative(rates)(root),), sample)
    assume(finite([*exact, *precise((root,), sample)], 1e6))

    def along(s):
        pairs = zip(sample.inputs, sample.values, direction, strict=True)
        return interpret([root], {node: mpmath.mpf(value) + s * rate for node, value, rate in pairs}, Digits(60))[0]

    assert close(exact, [slope(along, mpmath.mpf(0))], 18)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(samples())
def test_derivatives_agree_with_the_complex_step(sample):
    root, moving = sample.nodes[-1], sample.inputs[2]
    exact = interpret([Derivative({moving: sample.graph.one})(root)], sample.at())[0]
    assume(finite([exact], 1e6))
    stepped = {node: complex(value, 1e-30 if node is moving else 0) for node, value in sample.at().items()}
    numeric = np.imag(interpret([root], stepped)[0]) / 1e-30
    assert numeric == pytest.approx(exact, rel=1e-9, abs=1e-9)
