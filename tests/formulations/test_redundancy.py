"""Constraints that follow from others, everywhere or on the mechanism."""

import pytest

from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import CRANKS
from volterra_cg.errors import ModelError

FOURTH = 'ry = "dot(position(R, Rc), N.y)"\n'


def test_a_constraint_that_follows_from_others_everywhere_is_refused_by_name():
    with pytest.raises(ModelError, match="constraint again follows from the constraints before it"):
        problem_of(CRANKS + 'again = "2*dot(position(Q, Qb), N.x) - dot(position(Q, Qb), N.y)"\n')


def test_the_fourth_row_of_three_parallel_cranks_is_refused_on_the_mechanism():
    """At random angles the four rows have rank 4, on the mechanism 3."""
    with pytest.raises(ModelError, match="on the mechanism, constraint ry follows from the constraints before it"):
        problem_of(CRANKS + FOURTH)


def test_three_rows_of_three_parallel_cranks_are_a_mechanism():
    assert len(problem_of(CRANKS).speeds) == 1
