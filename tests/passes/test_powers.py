"""powers leaves no exponent above 3."""

import pytest

from tests.fixtures.programs import rhs_of
from volterra_cg.passes.powers import powers
from volterra_cg.program.nodes import Product, topological


@pytest.mark.parametrize("exponent", range(1, 20))
def test_powers_leaves_no_large_exponent(graph, names, exponent):
    root = names["x"] ** exponent * names["y"] ** 7
    after = powers(rhs_of(graph, root)).entry("rhs").results[0]
    assert after.fingerprint == root.fingerprint
    for node in topological([after]):
        assert not isinstance(node, Product) or max(node.exponents) <= 3
