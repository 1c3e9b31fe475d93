"""turn back: what is turned by an angle and back again is taken as it was, and nothing else is changed."""

import pytest

from tests.fixtures.programs import operations, rhs_of
from volterra_cg.passes.turn_back import turn_back


@pytest.fixture
def circle(graph, names):
    return graph.call("cos", names["x"]), graph.call("sin", names["x"])


def results(graph, *nodes):
    after = turn_back(rhs_of(graph, *nodes)).entry("rhs").results
    assert [node.fingerprint for node in after] == [node.fingerprint for node in nodes]
    return after


def test_a_vector_that_is_turned_and_turned_back_is_itself(graph, names, circle):
    (c, s), y, m = circle, names["y"], names["m"]
    assert results(graph, c * (c * y - s * m) + s * (s * y + c * m)) == (y,)
    assert results(graph, c * (s * y + c * m) - s * (c * y - s * m)) == (m,)


def test_what_is_added_before_it_is_turned_back_stays(graph, names, circle):
    """Both components need the sums inside, so these are gone only if both are freed."""
    (c, s), y, m, length = circle, names["y"], names["m"], names["l"]
    first, second = c * y - s * y**2 + m, s * y + c * y**2 + length
    after = results(graph, c * first + s * second, c * second - s * first)
    assert after == (graph.add(c * m + s * length, y), graph.add(c * length - s * m, y**2))


def test_it_is_found_below_products_and_sums_of_sums(graph, names, circle):
    (c, s), y, m, length = circle, names["y"], names["m"], names["l"]
    first, second = m * (length + (c * y - s * y**2)), m * (y + (s * y + c * y**2))
    before = rhs_of(graph, (y**3 + length * c * first) + length * s * second)
    after = rhs_of(graph, *results(graph, *before.entry("rhs").results))
    assert operations(after) <= operations(before) - 4


def test_terms_that_do_not_match_stay(graph, names, circle):
    (c, s), y, m = circle, names["y"], names["m"]
    for node in (
        c * (c * y + m) + s * (s * m + y),
        c * (c * y + m) - s * (s * y + m),
        c * (s * y + m) + s * (c * y + m),
        c * (c * y + m) + s * y,
    ):
        assert results(graph, node) == (node,)


def test_other_angles_do_not_turn_back(graph, names, circle):
    (c, s), y, m = circle, names["y"], names["m"]
    other = graph.call("cos", y), graph.call("sin", y)
    node = c * (other[0] * m - other[1] * y) + s * (other[1] * m + other[0] * y)
    assert results(graph, node) == (node,)


def test_of_two_sums_in_a_product_one_is_opened(graph, names, circle):
    (c, s), y, m, length = circle, names["y"], names["m"], names["l"]
    first, second, other = c * y + m, s * y + length, c * m + s * length + y
    results(graph, c * (first * other) + s * (second * other), c * (first * first) + s * (second * first))
