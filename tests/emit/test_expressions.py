"""Numbers, names and functions in C."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volterra_cg.emit.expressions import identifier, literal
from volterra_cg.emit.printer import function


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_literals_read_back_as_the_same_double(value):
    text = literal(Fraction(value))
    assert float(text) == value
    assert re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text)
    assert not re.fullmatch(r"-?\d+", text)  # an integer would divide like one


@pytest.mark.parametrize("name", ["int", "double", "x", "a_b", "Theta1"])
def test_user_names_stand_in_c_behind_a_prefix(name):
    assert identifier("q", name, 3) == f"q_{name}"


@pytest.mark.parametrize("name", ["θ", "a b", "1st", "x'", "", "a" * 60])
def test_names_that_c_does_not_know_give_way_to_numbers(name):
    assert identifier("q", name, 3) == "q3"


def test_functions_are_spelled_by_the_printer():
    assert function("sin", ["x"]) == "sin(x)"
    assert function("abs", ["x"]) == "fabs(x)"
    assert function("atan2", ["y", "x"]) == "atan2(y, x)"
    assert function("sign", ["x"]) == "(double)((x > 0.0) - (x < 0.0))"
