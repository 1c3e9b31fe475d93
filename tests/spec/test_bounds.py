"""Limits: one table, which a user can raise."""

from pathlib import Path

import pytest

from volterra_cg.errors import LimitError, OptionError, SpecError
from volterra_cg.spec import parse
from volterra_cg.spec.bounds import TABLE, VARIABLE, bound, markdown

PAGE = (Path(__file__).parents[2] / "docs" / "spec.md").read_text(encoding="utf-8")
SPEC = """\
schema = 1
name = "slider"
[coordinates]
x = {}
[points]
P = { at = ["x", 0, 0] }
[bodies]
ball = { mass = 1, center = "P" }
[outputs]
high = "x**500"
"""


def test_the_page_shows_the_table():
    assert markdown() in PAGE
    assert VARIABLE in PAGE


def test_a_limit_can_be_raised(monkeypatch):
    with pytest.raises(SpecError, match="powers go up to 400; VOLTERRA_CG_LIMITS=exponent=N"):
        parse(SPEC)
    monkeypatch.setenv(VARIABLE, "digits=100, exponent=500")
    parse(SPEC)
    assert (bound("digits"), bound("entries")) == (100, 100_000)


@pytest.mark.parametrize("text", ["exponents=3", "digits", "digits=", "digits=-3", "digits=²", "digits=" + "9" * 50])
def test_what_is_no_limit_is_refused(text, monkeypatch):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(OptionError, match="NAME=NUMBER"):
        bound("digits")


@pytest.mark.parametrize(
    ("limit", "more", "words"),
    [
        ("lines", "\n" * 20, "more than 12 lines"),
        ("entries", "a = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]", "more than 12 entries"),
        ("nesting", "a = " + "[" * 13 + "]" * 13, "more than 12 deep"),
        ("nesting", "a = {" + "a.a.a = {" * 12 + "}" * 13, "more than 12 deep"),
        ("nesting", "a = ''''''" + "[" * 13 + "]" * 13, "more than 12 deep"),
        ("nesting", 'a = ["""x"""", ' + "[" * 13 + "]" * 13 + "]", "more than 12 deep"),
        ("nesting", ".".join(["a", '"b.c"'] * 7) + " = 1", "more than 12 names"),
        ("digits", "a = 0.1234567890123", "more than 12 digits"),
        ("digits", "a = 1_2_3_4_5_6_7_8_9_0_1_2_3", "more than 12 digits"),
    ],
)
def test_what_is_beyond_a_limit_is_told_where_it_is(limit, more, words, monkeypatch):
    monkeypatch.setenv(VARIABLE, f"exponent=500, {limit}=12")
    with pytest.raises(LimitError) as caught:
        parse(more)
    (problem,) = caught.value.problems
    assert words in problem.message
    assert problem.remedy.endswith(f"{VARIABLE}={limit}=N raises the limit")
    assert problem.place.line == 1


def test_brackets_and_digits_in_texts_and_comments_do_not_count(monkeypatch):
    monkeypatch.setenv(VARIABLE, "exponent=500, nesting=3, digits=12, entries=40")
    brackets = "[" * 50 + "=" * 50
    parse(f'about = """\n{brackets}""" # {brackets}\n# {brackets}{"1" * 50}\n' + SPEC.replace("x**500", "x**5"))


def test_there_is_an_end_of_mistakes():
    outputs = "".join(f"o{number} = 'unknown{number}'\n" for number in range(500))
    keys = "".join(f"key{number} = 1\n" for number in range(500))
    for text in (SPEC.replace("500", "5") + outputs, keys + SPEC):
        with pytest.raises(SpecError) as caught:
            parse(text)
        assert len(caught.value.problems) == bound("mistakes")


def test_every_limit_has_a_name_of_its_own():
    assert len({row.name for row in TABLE}) == len(TABLE)
