"""Text, data and positions."""

from decimal import Decimal

import pytest

from volterra_cg.errors import Place, SpecError
from volterra_cg.spec.source import load

TEXT = """\
schema = 1
name = "mill" # é
[points]
A = { from = "O", at = ["x", 0.10, -1] }
[bodies.b]
mass.of = 'two'
text = \"\"\"
one
 two\"\"\"
"""


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("schema",), (1, 1), (1, 10)),
        (("name",), (2, 1), (2, 8)),
        (("points",), (3, 2), (3, 2)),
        (("points", "A"), (4, 1), (4, 5)),
        (("points", "A", "from"), (4, 7), (4, 14)),
        (("points", "A", "at", 0), (4, 19), (4, 25)),
        (("points", "A", "at", 2), (4, 19), (4, 36)),
        (("bodies", "b", "mass", "of"), (6, 6), (6, 11)),
        (("points", "A", "missing", "deep"), (4, 1), (4, 5)),
    ],
)
def test_keys_and_values_know_their_place(path, key, value):
    source = load(TEXT, "mill.toml")
    assert source.key_place(path) == Place("mill.toml", *key)
    assert source.value_place(path) == Place("mill.toml", *value)


def test_a_character_of_a_string_knows_its_place():
    source = load(TEXT, "f")
    assert source.value_place(("points", "A", "at", 0), 0) == Place("f", 4, 26)
    assert source.value_place(("bodies", "b", "mass", "of"), 2) == Place("f", 6, 14)
    assert source.value_place(("bodies", "b", "text"), 5) == Place("f", 9, 2)


def test_a_string_with_escapes_is_shown_at_its_start():
    assert load('a = "x\\ty"', "f").value_place(("a",), 2) == Place("f", 1, 5)


def test_columns_count_characters_not_bytes():
    source = load('a = { b = "é", c = "d" }', "f")
    assert source.key_place(("a", "c")) == Place("f", 1, 16)
    assert source.value_place(("a", "c"), 0) == Place("f", 1, 21)


def test_decimals_stay_exact_and_line_ends_do_not_matter():
    source = load("a = 0.10\r\nb = 2\r\n", "f")
    assert source.data["a"] == Decimal("0.10")
    assert source.key_place(("b",)) == Place("f", 2, 1)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a = 1\nb = = 3", 2, 5, "not valid TOML"),
        ("a = 1\na = 2", 2, 1, "'a' is given twice, first in line 1"),
        ("[a]\n[b]\n[a]", 3, 2, "'a' is given twice"),
        ('a = "never ends', 1, 16, "not valid TOML"),
        ("a = [1,\n", 2, 1, "not valid TOML"),
    ],
)
def test_text_that_is_not_toml_is_refused_with_its_place(text, line, column, words):
    with pytest.raises(SpecError) as caught:
        load(text, "f.toml")
    (problem,) = caught.value.problems
    assert problem.place == Place("f.toml", line, column)
    assert words in problem.message
    assert problem.source == text.split("\n")[line - 1]
