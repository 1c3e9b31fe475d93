"""The choice of an elimination order."""

import pytest

from benchmarks.chains import cart_chain
from tests.fixtures.charts import FOUR_BAR
from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import BALANCED
from volterra_cg import derivation, search
from volterra_cg.errors import OptionError
from volterra_cg.options import Options


@pytest.mark.parametrize(
    ("text", "order", "why"),
    [
        ("three_bodies", "multipliers", "particles on rods"),
        ("three_bodies", "mixed", "a branch of 3 bodies"),
        (cart_chain(16), "dense", "up to 16 coordinates"),
        ("three_bodies", "momenta", "none of them ignorable"),
    ],
)
def test_an_order_that_is_not_open_says_why(text, order, why):
    with pytest.raises(OptionError, match=why):
        search.solutions(problem_of(text), Options(order=order))


def test_a_speed_with_an_ignorable_rate_may_take_any_order():
    problem = problem_of(BALANCED.replace('"der(theta)"', '"der(theta) - der(x)"'))
    (solution,) = search.solutions(problem, Options(order="composite")).values()
    assert solution.solved_in == ("der(theta)",)


def test_a_further_chart_is_solved_in_the_order_of_the_first():
    _, other = derivation.charts(problem_of(FOUR_BAR))
    (name,) = search.alike(other, "composite from leaves in other speeds")
    assert name == "composite from leaves"
    assert search.alike(other, "shape") == {}
