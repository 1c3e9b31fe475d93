"""invariance: inputs that do not matter are taken as zero, and only where that is allowed."""

from tests.fixtures.programs import rhs_of
from volterra_cg.passes.invariance import invariance
from volterra_cg.program.nodes import Inverse, topological


def result(graph, node):
    (after,) = invariance(rhs_of(graph, node)).entry("rhs").results
    assert after.fingerprint == node.fingerprint
    return after


def test_an_input_that_does_not_matter_is_gone(graph, names):
    m, x = names["m"], names["x"]
    assert result(graph, m * graph.call("cos", x) ** 2 + m * graph.call("sin", x) ** 2) is m


def test_what_a_node_depends_on_stays(graph, names):
    x, y = names["x"], names["y"]
    inner = x * graph.call("cos", y) ** 2 + x * graph.call("sin", y) ** 2
    assert result(graph, inner * graph.call("exp", y)) is x * graph.call("exp", y)


def test_several_inputs_at_once(graph, names):
    m, x, y = (names[name] for name in "mxy")
    circles = [graph.call("cos", angle) ** 2 + graph.call("sin", angle) ** 2 * m / m for angle in (x, y)]
    assert result(graph, m * circles[0] + graph.call("sqrt", m) * circles[1]) is m + graph.call("sqrt", m)


def test_no_form_is_taken_that_divides_by_zero(graph, names):
    """sin(2 x)/sin(x) = 2 cos(x) holds at x = 0 too, but its left side cannot be computed there."""
    m, x = names["m"], names["x"]
    half = graph.product((graph.call("sin", 2 * x), graph.inverse(graph.call("sin", x))), (1, 1))
    node = m * half**2 + 4 * m * graph.call("sin", x) ** 2
    assert node.fingerprint == (4 * m).fingerprint
    assert any(isinstance(inner, Inverse) for inner in topological([result(graph, node)]))


def test_no_form_is_taken_with_a_divisor_that_the_node_does_not_have(graph, names):
    """At x = 0 the divisor is sin(y) + cos(y), which vanishes where that of the node does not; nobody would watch it."""
    x, y = names["x"], names["y"]
    sine, cosine = graph.call("sin", y), graph.call("cos", y)
    divisor = sine + cosine + x
    node = graph.product((y * sine + y * cosine + y * x, graph.inverse(divisor)), (1, 1))
    assert node.fingerprint == y.fingerprint
    divided = [inner.args[0] for inner in topological([result(graph, node)]) if isinstance(inner, Inverse)]
    assert divided == [divisor]


def test_parameters_are_never_taken_as_zero(graph, names):
    m, length = names["m"], names["l"]
    node = m * graph.call("cos", length) ** 2 + m * graph.call("sin", length) ** 2
    assert result(graph, node) is node


def test_an_entry_of_a_solution_is_freed_too(graph, names):
    m, x, y = (names[name] for name in "mxy")
    c, s = graph.call("cos", x), graph.call("sin", x)
    first, _ = graph.solve([[c, -s], [s, c]], [m * c + y - y, m * s])
    assert first.fingerprint == m.fingerprint
    assert x not in topological([result(graph, first)])
