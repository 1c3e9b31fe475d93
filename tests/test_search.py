"""The choice of an elimination order."""

import pytest

from benchmarks.chains import cart_chain
from tests.fixtures.charts import FOUR_BAR
from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import BALANCED
from volterra_cg import derivation, search
from volterra_cg.errors import OptionError
from volterra_cg.options import Options
from volterra_cg.program.cost import of_entry


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


@pytest.mark.parametrize(("name", "dear"), [("rolling_disc", True), ("cart_pendulum", False)])
def test_quasi_velocities_are_dear_where_others_take_much_less(name, dear):
    problem = problem_of(name)
    counts = [search.cheapest(one, search.solutions(one, Options()), 3, False) for one in (problem, _chosen(problem))]
    own, best = (of_entry(found.assembly.program, "rhs").total for found in counts)
    assert bool(search.dear(problem)) == dear == (own > search.DEAR * best)


def _chosen(problem):
    return search.compared(problem)[0].problem


def test_a_conversion_inside_makes_a_choice_cheap():
    text = cart_chain(4)
    for k in range(2, 5):
        text = text.replace(f'"der(q{k})"', f'"der(q{k}) + cos(q{k - 1})*der(q{k - 1})"')
    problem = problem_of(text)
    assert search.dear(problem) == ()


@pytest.mark.parametrize(("links", "dear"), [(20, True), (search.MANY, False)])
def test_large_mechanisms_are_compared_before_the_passes_up_to_a_limit(links, dear):
    text = cart_chain(links)
    for k in range(2, links + 1):
        others = " + ".join(f"cos(q{j})*der(q{j})" for j in range(1, k))
        text = text.replace(f'"der(q{k})"', f'"der(q{k}) + {others}"')
    assert bool(search.dear(problem_of(text))) == dear
    assert search.dear(problem_of(cart_chain(links))) == ()


def test_quasi_velocities_that_nobody_gave_are_not_dear():
    text = cart_chain(3)
    assert search.dear(problem_of(text[: text.index("[quasi_velocities]")])) == ()
