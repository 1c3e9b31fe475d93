"""The choice of an elimination order."""

import pytest

from benchmarks.chains import cart_chain
from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import BALANCED
from volterra_cg import search
from volterra_cg.errors import OptionError
from volterra_cg.options import Options


@pytest.mark.parametrize(
    ("text", "order", "why"),
    [
        ("three_bodies", "multipliers", "particles on rods"),
        ("three_bodies", "mixed", "a branch of 3 bodies"),
        (cart_chain(16), "dense", "up to 16 coordinates"),
        (BALANCED.replace('"der(theta)"', '"der(theta) - der(x)"'), "composite", "contains the rate of an ignorable"),
    ],
)
def test_an_order_that_is_not_open_says_why(text, order, why):
    with pytest.raises(OptionError, match=why):
        search.solutions(problem_of(text), Options(order=order))
