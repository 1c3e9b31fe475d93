"""merge on the example that explains it, and on what it must leave alone."""

from tests.fixtures.programs import rhs_of
from volterra_cg.passes.merge import merge
from volterra_cg.program.nodes import Inverse, Role, topological
from volterra_cg.program.types import Entry, Program


def test_merge_sees_equal_meaning(graph, names):
    x, y = names["x"], names["y"]
    sin, cos = graph.call("sin", x), graph.call("cos", x)
    disguised = sin**2 * graph.call("cos", y) + cos**2 * graph.call("cos", y)
    after = merge(rhs_of(graph, disguised, graph.call("cos", y)))
    assert after.entry("rhs").results == (graph.call("cos", y),) * 2


def test_merge_sees_opposites(graph, names):
    x, y = names["x"], names["y"]
    product = x * y + graph.call("exp", x)
    opposite = -(y * x) - graph.call("exp", x)
    first, second = merge(rhs_of(graph, product, opposite)).entry("rhs").results
    assert second is -first


def test_merge_never_adopts_a_divisor(graph, names):
    """x = x*y/y, but only the first may be computed where y is zero."""
    x, y = names["x"], names["y"]
    divided = graph.product((x * y, graph.inverse(y)), (1, 1))
    whole = graph.call("sin", x) * 2 + 0 * y
    first, second = merge(rhs_of(graph, divided, x)).entry("rhs").results
    assert first is second is x
    quotient = graph.product((whole * y, graph.inverse(y)), (1, 1))
    kept, plain = merge(rhs_of(graph, quotient, whole)).entry("rhs").results
    assert all(not isinstance(node, Inverse) for node in topological([plain]))
    assert kept.fingerprint == plain.fingerprint


def test_merge_never_adopts_a_rate(graph, names):
    """a*b = a*b*sin(r)**2 + a*b*cos(r)**2, but not every function is given the rate r."""
    x, y, rate = names["x"], names["y"], graph.input(Role.RATE, 0, "r")
    sin, cos = graph.call("sin", rate), graph.call("cos", rate)
    disguised = x * y * sin**2 + x * y * cos**2
    measure, plain = Entry("measure", (disguised,)), Entry("rhs", (x * y,))
    after = merge(Program(graph, (measure, plain), ()))
    assert after.entry("rhs").results == (x * y,)
