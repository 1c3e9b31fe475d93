"""Axes, and all combinations of their values."""

import pytest

from volterra_cg.errors import OptionError
from volterra_cg.sweep import Axis, Grid, axis

pytestmark = pytest.mark.compiles


def test_an_axis_is_a_range_or_a_list():
    assert axis("l=0.1:0.5:5") == Axis("l", (0.1, 0.2, 0.30000000000000004, 0.4, 0.5))
    assert axis(" der(theta) = 1, -2e0") == Axis("der(theta)", (1.0, -2.0))
    assert axis("l=3") == axis("l=3:3:1") == Axis("l", (3.0,))


def test_a_grid_holds_all_combinations_the_last_fastest():
    grid = Grid((Axis("a", (1.0, 2.0)), Axis("b", (3.0, 4.0, 5.0))))
    assert (grid.shape, grid.size) == ((2, 3), 6)
    rows = grid.rows(2, 5)
    assert rows["a"].tolist() == [1.0, 2.0, 2.0]
    assert rows["b"].tolist() == [5.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l", "expected NAME=LOW:HIGH:COUNT or NAME=A,B,C"),
        ("=1,2", "expected NAME=LOW:HIGH:COUNT or NAME=A,B,C"),
        ("l=1:2", "which has 2 parts"),
        ("l=1:2:0", "expected a number of values from 1"),
        ("l=1:2:2.5", "not '2.5'"),
        ("l=1:2:1", "cannot be 1 and 2"),
        ("l=1:x:3", "'x' in 'l=1:x:3' is not a number"),
        ("l=1,,2", "'' in 'l=1,,2' is not a number"),
        ("l=nan", "not finite"),
        (None, "expected NAME=LOW:HIGH:COUNT or NAME=A,B,C, not None"),
        ("l=0:inf:3", "not finite"),
    ],
)
def test_a_wrong_axis_is_refused(text, words):
    with pytest.raises(OptionError, match=words):
        axis(text)
