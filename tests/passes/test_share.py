"""share on what terms have in common, and on programs that are long or deep."""

from tests.fixtures.programs import operations, rhs_of
from volterra_cg.passes.share import share
from volterra_cg.program.nodes import Role


def test_share_computes_a_common_sum_once(graph, names):
    """s1*c2 - c1*s2, times something else in two places, is one node."""
    x, y, a, b = names["x"], names["y"], graph.call("exp", names["x"]), graph.call("exp", names["y"])
    s1, c1, s2, c2 = (graph.call(name, angle) for angle in (x, y) for name in ("sin", "cos"))
    first, second = s1 * c2 * a - c1 * s2 * a, b * (s1 * c2) - b * (c1 * s2)
    before = rhs_of(graph, first, second)
    after = share(before)
    assert [node.fingerprint for node in after.entry("rhs").results] == [first.fingerprint, second.fingerprint]
    assert operations(before) == 6 + 2 + 4 + 2  # six functions, s1*c2 and c1*s2, four more products, two sums
    assert operations(after) == 6 + 3 + 2  # six functions, the sum with its two products, and two products


def test_share_finds_squares_and_products_in_longer_ones(graph, names):
    x, y, m, g = (names[name] for name in "xymg")
    before = rhs_of(graph, m * x**2 * y, g * x**2, x * y * graph.call("sin", y))
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
    assert share(rhs_of(graph, root)).entry("rhs").results == (x,)


def test_share_takes_long_sums_and_deep_nests(graph):
    x = [graph.input(Role.COORDINATE, k, f"x{k}") for k in range(50)]
    common = graph.add(*(x[0] * graph.call("sin", k * x[1]) for k in range(1, 2000)))
    deep = x[0]
    for k in range(2000):
        deep = graph.product(tuple(sorted((deep, x[k % 49 + 1]), key=lambda n: n.number)), (1, 1))
    before = rhs_of(graph, common, deep)
    after = share(before)
    assert [node.fingerprint for node in after.entry("rhs").results] == [common.fingerprint, deep.fingerprint]
    assert operations(after) < operations(before) - 3000  # nearly all products with x0, and most of the deep one
