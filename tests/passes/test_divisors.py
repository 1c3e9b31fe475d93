"""divisors: common divisors of sums become literals; values stay, and operations only fall."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volterra_cg.passes.divisors import LONG, NEAR, draw_out

LITERALS = 5
cubes = st.lists(st.integers(0, LITERALS - 1), max_size=4).map(lambda literals: tuple(sorted(literals)))
sums = st.dictionaries(cubes, st.sampled_from((-1, 1)), min_size=1, max_size=5).map(
    lambda terms: [(sign, cube) for cube, sign in terms.items()]
)


def values(drawn, given_sums):
    """Of the sums that were given, with the primes for the literals; those that were added follow in any order."""
    known = dict(enumerate((2, 3, 5, 7, 11)))

    def value(terms):
        return sum(sign * math.prod(literal(k) for k in cube) for sign, cube in terms)

    def literal(k):
        if k not in known:
            known[k] = value(drawn[len(given_sums) + k - LITERALS])
        return known[k]

    return [value(terms) for terms in drawn[: len(given_sums)]]


def operations(drawn):
    return sum(len(terms) - 1 + sum(max(len(cube) - 1, 0) for _, cube in terms) for terms in drawn if terms)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(sums, min_size=1, max_size=4))
def test_values_are_kept_and_operations_do_not_rise(given_sums):
    drawn = draw_out(given_sums, LITERALS)
    assert values(drawn, given_sums) == values(given_sums, given_sums)
    assert operations(drawn) <= operations(given_sums)


def test_a_common_factor_is_drawn_out():
    """a c + b c = c d with d = a + b."""
    assert draw_out([[(1, (0, 2)), (1, (1, 2))]], 3) == [[(1, (2, 3))], [(1, (0,)), (1, (1,))]]


def test_a_sum_and_its_opposite_are_one_literal():
    """a c - b c and b d - a d are c e and -d e with e = a - b."""
    first, second, added = draw_out([[(1, (0, 2)), (-1, (1, 2))], [(1, (1, 3)), (-1, (0, 3))]], 4)
    assert {first[0][0], second[0][0]} == {1, -1}
    assert (first[0][1], second[0][1]) == ((2, 4), (3, 4))
    assert {sign for sign, _ in added} == {1, -1}


def test_a_product_in_two_terms_is_computed_once():
    assert draw_out([[(1, (0, 1, 2))], [(-1, (0, 1, 3))]], 4) == [[(1, (2, 4))], [(-1, (3, 4))], [(1, (0, 1))]]


def test_a_square_is_a_product_too():
    assert draw_out([[(1, (0, 0, 1))], [(1, (0, 0, 2))]], 3) == [[(1, (1, 3))], [(1, (2, 3))], [(1, (0, 0))]]


def test_the_most_profitable_divisor_goes_first():
    """Of a b c + a b d and a b: the sum c + d saves a b once, the product a b is used by both that are left."""
    drawn = draw_out([[(1, (0, 1, 2)), (1, (0, 1, 3))], [(1, (0, 1))]], 4)
    assert operations(drawn) == 3  # c + d, a b, and their product


def test_what_has_nothing_in_common_stays():
    given_sums = [[(1, (0, 1)), (1, (2, 3))], [(1, (0,)), (-1, ())]]
    assert draw_out(given_sums, 4) == given_sums


def test_very_long_terms_are_left_whole():
    long = tuple(range(LONG + 1))
    assert draw_out([[(1, long)], [(1, long)]], LONG + 1) == [[(1, long)], [(1, long)]]


def is_drawn_out(given_sums, literals):
    """Whether a sum of two terms was added."""
    return any(len(terms) == 2 for terms in draw_out(given_sums, literals)[len(given_sums) :])


@pytest.mark.parametrize(("apart", "drawn"), [(1, True), (NEAR, True), (NEAR + 1, False)])
@pytest.mark.parametrize("before", [0, 2 * NEAR])
def test_terms_up_to_a_distance_are_compared(apart, drawn, before):
    """a x and a y, with terms before and between them that have nothing in common."""
    others = [(1, (k,)) for k in range(3, before + apart + 2)]
    terms = [*others[:before], (1, (0, 1)), *others[before:], (1, (0, 2))]
    assert is_drawn_out([terms], len(others) + 3) == drawn


@pytest.mark.parametrize("apart", [1, NEAR - 1, NEAR])
def test_a_term_that_has_changed_is_compared_with_those_after_it(apart):
    """p q, which others have too, becomes a literal first; then a p q and a y still have a in common."""
    a, p, q, x, y, z = range(6)
    terms = [(1, (a, p, q)), *((1, (k,)) for k in range(6, apart + 5)), (1, (a, y))]
    assert is_drawn_out([terms, *([(1, (p, q, k))] for k in (x, y, z))], apart + 5)
