"""Each pass on the example that explains it."""

import pytest

from volterra_cg.passes.merge import merge
from volterra_cg.passes.powers import powers
from volterra_cg.passes.prepare import prepare
from volterra_cg.passes.share import share
from volterra_cg.program.cost import total
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Input, Inverse, Item, Product, Role, topological
from volterra_cg.program.types import Check, Entry, Program


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def names(graph):
    """Inputs by name: m, l, g are parameters, x, y coordinates."""
    found = {name: graph.input(Role.PARAMETER, k, name) for k, name in enumerate("mlg")}
    return found | {name: graph.input(Role.COORDINATE, k, name) for k, name in enumerate("xy")}


def program(graph, *results, checks=()):
    return Program(graph, (Entry("rhs", results),), tuple(checks))


def test_merge_sees_equal_meaning(graph, names):
    x, y = names["x"], names["y"]
    sin, cos = graph.call("sin", x), graph.call("cos", x)
    disguised = sin**2 * graph.call("cos", y) + cos**2 * graph.call("cos", y)
    after = merge(program(graph, disguised, graph.call("cos", y)))
    assert after.entry("rhs").results == (graph.call("cos", y),) * 2


def test_merge_sees_opposites(graph, names):
    x, y = names["x"], names["y"]
    product = x * y + graph.call("exp", x)
    opposite = -(y * x) - graph.call("exp", x)
    first, second = merge(program(graph, product, opposite)).entry("rhs").results
    assert second is -first


def test_merge_never_adopts_a_divisor(graph, names):
    """x = x*y/y, but only the first may be computed where y is zero."""
    x, y = names["x"], names["y"]
    divided = graph.product((x * y, graph.inverse(y)), (1, 1))
    whole = graph.call("sin", x) * 2 + 0 * y
    first, second = merge(program(graph, divided, x)).entry("rhs").results
    assert first is second is x
    quotient = graph.product((whole * y, graph.inverse(y)), (1, 1))
    kept, plain = merge(program(graph, quotient, whole)).entry("rhs").results
    assert all(not isinstance(node, Inverse) for node in topological([plain]))
    assert kept.fingerprint == plain.fingerprint


@pytest.mark.parametrize("exponent", range(1, 20))
def test_powers_leaves_no_large_exponent(graph, names, exponent):
    root = names["x"] ** exponent * names["y"] ** 7
    after = powers(program(graph, root)).entry("rhs").results[0]
    assert after.fingerprint == root.fingerprint
    for node in topological([after]):
        assert not isinstance(node, Product) or max(node.exponents) <= 3


def operations(program):
    results = program.entry("rhs").results
    return total(topological(results), results).total


def test_share_computes_a_common_sum_once(graph, names):
    """s1*c2 - c1*s2, times something else in two places, is one node."""
    x, y, a, b = names["x"], names["y"], graph.call("exp", names["x"]), graph.call("exp", names["y"])
    s1, c1, s2, c2 = (graph.call(name, angle) for angle in (x, y) for name in ("sin", "cos"))
    first, second = s1 * c2 * a - c1 * s2 * a, b * (s1 * c2) - b * (c1 * s2)
    before = program(graph, first, second)
    after = share(before)
    assert [node.fingerprint for node in after.entry("rhs").results] == [first.fingerprint, second.fingerprint]
    assert operations(before) == 6 + 2 + 4 + 2  # six functions, s1*c2 and c1*s2, four more products, two sums
    assert operations(after) == 6 + 3 + 2  # six functions, the sum with its two products, and two products


def test_share_finds_squares_and_products_in_longer_ones(graph, names):
    x, y, m, g = (names[name] for name in "xymg")
    before = program(graph, m * x**2 * y, g * x**2, x * y * graph.call("sin", y))
    after = share(before)
    assert [node.fingerprint for node in after.entry("rhs").results] == [
        r.fingerprint for r in before.entry("rhs").results
    ]
    assert operations(before) == 3 + 2 + 2 + 1
    assert operations(after) == 3 + 1 + 1 + 1 + 1  # of x**2 one multiplication is left


def test_share_cancels_a_divisor_against_the_factor(graph, names):
    x, y = names["x"], names["y"]
    quotient = graph.product((x, graph.inverse(graph.call("cos", y))), (1, 1))
    root = graph.product((graph.call("cos", y), quotient), (1, 1))
    assert share(program(graph, root)).entry("rhs").results == (x,)


def test_share_takes_long_sums_and_deep_nests(graph):
    x = [graph.input(Role.COORDINATE, k, f"x{k}") for k in range(50)]
    common = graph.add(*(x[0] * graph.call("sin", k * x[1]) for k in range(1, 2000)))
    deep = x[0]
    for k in range(2000):
        deep = graph.product(tuple(sorted((deep, x[k % 49 + 1]), key=lambda n: n.number)), (1, 1))
    before = program(graph, common, deep)
    after = share(before)
    assert [node.fingerprint for node in after.entry("rhs").results] == [common.fingerprint, deep.fingerprint]
    assert operations(after) < operations(before) - 3000  # nearly all products with x0, and most of the deep one


def test_prepare_moves_arithmetic_of_parameters(graph, names):
    m, length, g, x = (names[name] for name in "mlgx")
    root = m * length * graph.call("sin", x) / 2 + m * g
    after = prepare(program(graph, root))
    (result,) = after.entry("rhs").results
    moving = [n for n in topological([result]) if any(isinstance(a, Input) and a.name == "x" for a in topological([n]))]
    assert total(moving, [result]).total == 3  # a sine, a product and a sum
    assert len(after.prepared) == 2


def test_prepare_keeps_what_only_depends_on_numbers_out(graph, names):
    after = prepare(program(graph, names["x"] * 3 + graph.const(2)))
    assert after.prepared == ()


def test_prepare_stores_the_entries_of_a_factorisation_of_parameters_not_itself(graph, names):
    m, length, g, x = (names[name] for name in "mlgx")
    matrix = [[m, length], [length, m * g]]
    after = prepare(program(graph, *graph.solve(matrix, [x, graph.one]), *graph.solve(matrix, [g, graph.one])))
    assert {type(node) for node in after.prepared} == {Input, Product, Item}


def test_a_check_survives_all_passes(graph, names):
    m, x = names["m"], names["x"]
    divisor = m * graph.call("cos", x) + 2
    checks = [Check.of(divisor, "the block")]
    for step in (merge, powers, prepare):
        after = step(program(graph, x / divisor, checks=checks))
        assert [check.label for check in after.checks] == ["the block"]
        assert after.checks[0].divisor.fingerprint == divisor.fingerprint
