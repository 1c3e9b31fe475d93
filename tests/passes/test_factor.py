"""factor: like terms over parameters alone, common factors, and what is opened where several sums share it."""

from tests.fixtures.programs import rhs_of
from volterra_cg.passes.factor import factor_pairs, factor_through
from volterra_cg.program.cost import foreseen
from volterra_cg.program.nodes import Call, Product, Sum, topological


def results(step, graph, *nodes):
    after = step(rhs_of(graph, *nodes)).entry("rhs").results
    assert [node.fingerprint for node in after] == [node.fingerprint for node in nodes]
    return after


def test_like_terms_are_collected_over_parameters_and_common_factors_drawn_out(graph, names):
    m, length, g, x, y, z = (names[name] for name in "mlgxyz")
    root = graph.add(m * (x * y), -(length * (y * x)), m * g * x, m * g * z)
    (after,) = results(factor_through, graph, root)
    assert foreseen([root]) == 3 + 4 + 1  # three sums, a coefficient before each of four terms, and x*y
    assert foreseen([after]) == 5  # x*((m - l)*y + m*g) + m*g*z


def test_a_factor_of_most_terms_goes_first(graph, names):
    x, y, z = (names[name] for name in "xyz")
    sin = graph.call("sin", z)
    (after,) = results(factor_pairs, graph, graph.add(x * y, x * z, x * sin, y * z))
    assert set(after.args) == {x * graph.add(y, z, sin), y * z}


def test_pairs_that_only_sums_share_are_opened(graph, names):
    x, y, z = (names[name] for name in "xyz")
    shared = x + y
    first, second = results(factor_pairs, graph, shared + z, shared - x)
    assert second is y
    assert set(first.args) == {x, y, z}
    assert results(factor_through, graph, shared + z, shared - x)[1] is not y


def test_a_pair_that_something_else_needs_stays_whole(graph, names):
    x, y, z = (names[name] for name in "xyz")
    shared = x + y
    first, _ = results(factor_pairs, graph, shared + z, graph.call("sin", shared))
    assert shared in first.args


def test_multiples_by_parameters_are_opened_even_where_they_are_shared(graph, names):
    m, g, x, y = (names[name] for name in "mgxy")
    multiple = m * x
    nodes = multiple + g * x, graph.call("sin", multiple) * y
    through, _ = results(factor_through, graph, *nodes)
    pairs, _ = results(factor_pairs, graph, *nodes)
    assert isinstance(through, Product)  # (m + g)*x
    assert isinstance(pairs, Sum)
    assert multiple in pairs.args


def test_an_exact_number_of_a_coefficient_stays_with_it(graph, names):
    m, g, x = (names[name] for name in "mgx")
    (after,) = results(factor_through, graph, 3 * m * x + 3 * g * x)
    held = [node for node in topological([after]) if isinstance(node, Call) and node.function == "hold"]
    assert len(held) == 1
    assert foreseen([after]) == 1
