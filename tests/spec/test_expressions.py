"""The allow-list of expressions."""

from decimal import Decimal
from fractions import Fraction

import pytest

from volterra_cg.spec.expressions import (
    AxisOf,
    Binary,
    Call,
    ExpressionError,
    Name,
    Negative,
    Number,
    evaluate,
    exact,
    has_velocity,
    parse,
    scalar_names,
)


def test_numbers_are_taken_from_their_text():
    assert parse("0.1") == Number(Fraction(1, 10))
    assert parse("1e-3") == Number(Fraction(1, 1000))
    assert parse("123456789012345678901.5") == Number(Fraction(246913578024691357803, 2))


def test_a_tree_knows_the_characters_it_came_from():
    assert parse("a + -b*2") == Binary(
        "+", Name("a", 0), Binary("*", Negative(Name("b", 5), 4), Number(Fraction(2), 7), 4), 0
    )
    assert parse(" dot(velocity(C), BC.x)") == Call(
        "dot", (Call("velocity", (Name("C", 14),), 5), AxisOf("BC", 0, 18)), 1
    )


def test_line_breaks_are_blanks():
    assert parse("a\n + b") == Binary("+", Name("a", 0), Name("b", 5), 0)


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("a +", 3, "not an expression"),
        ("a b", 2, "not an expression"),
        ("x = 2", 2, "not an expression"),
        ("a ^ 2", 2, "operator"),
        ("a // 2", 2, "operator"),
        ("a # b", 2, "'#'"),
        ("[1, 2]", 0, "lists"),
        ("a < b", 0, "comparisons"),
        ("a if b else c", 0, "conditions"),
        ("lambda: 1", 0, "not allowed"),
        ("a[0]", 0, "not allowed"),
        ("__import__('os')", 11, "not a number"),
        ("a.b.c", 0, "name of a frame only"),
        ("N.q", 2, "not an axis"),
        ("f(1)(2)", 0, "only functions of the language"),
        ("a.x(1)", 0, "only functions of the language"),
        ("sin(x=1)", 6, "no names"),
        ("0x10", 0, "not a number"),
        ("1j", 0, "not a number"),
        ("True", 0, "not a number"),
        ("1e9999", 0, "out of range"),
        ("+".join(["a"] * 300), 0, "inside one another"),
        ("1+" * 20_000 + "1", 0, "longer"),
    ],
)
def test_everything_else_is_refused_at_its_character(text, at, words):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert words in caught.value.message
    assert caught.value.at == at


def test_deep_parentheses_do_not_end_the_process():
    with pytest.raises(ExpressionError):
        parse("(" * 5000 + "a" + ")" * 5000)


def test_names_of_points_are_no_scalars():
    node = parse("m*dot(velocity(C), N.x) + der(q)")
    assert set(scalar_names(node)) == {"m", "q"}
    assert has_velocity(node)
    assert not has_velocity(parse("dot(position(A, B), N.x)"))


def test_numbers_of_the_file_have_bounds():
    assert exact(Decimal("0.25")) == Fraction(1, 4)
    for wild in ("nan", "inf", "1e500"):
        with pytest.raises(ExpressionError):
            exact(Decimal(wild))


def test_constants_have_values():
    values = {"a": parse("2*b"), "b": parse("3")}
    assert evaluate(parse("-a**2 + min(1, b) + abs(-1) + sign(-3) + cos(2*pi)"), values) == pytest.approx(-34)
    assert evaluate(parse("atan2(1, 1)/pi"), {}) == pytest.approx(0.25)
