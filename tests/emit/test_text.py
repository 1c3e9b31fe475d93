import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixtures.mechanics import MODELS, PAPER, problem_of
from tests.fixtures.specs import KEYWORDS, KNOTTED, PLAIN
from volterra_cg import derivation
from volterra_cg.elimination import dense
from volterra_cg.emit import equations
from volterra_cg.emit.expressions import identifier, literal
from volterra_cg.emit.printer import function
from volterra_cg.errors import SpecError
from volterra_cg.options import Options
from volterra_cg.targets import EQUATIONS


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


def test_keywords_of_c_never_stand_alone(generated):
    text = generated(KEYWORDS).files["double.c"]
    words = "struct|register|switch|volatile|extern|goto|unsigned|long|char"
    assert re.findall(rf"(?<![\w*/])(?:{words})\b(?=\s*[=\[;])", text) == []
    assert "q_struct" in text
    assert "u_char" in text


def test_powers_are_products(generated):
    for name in PAPER:
        assert "pow(" not in generated(name).files[f"{name}.c"]


def test_no_text_tells_when_or_where_it_was_made(generated):
    for name in PAPER:
        text = "".join(generated(name).files.values())
        assert not re.search(r"/(home|tmp|work|root|usr|Users)/", text)
        assert not re.search(r"\b20[2-9]\d-\d\d-\d\d\b", text)


def test_the_c_has_no_state_of_its_own(generated):
    for text in ("three_bodies", KNOTTED):
        for line in next(t for n, t in generated(text).files.items() if n.endswith(".c")).splitlines():
            assert not re.match(r"(static )?(double|int) \w+(\[.*\])?( =.*)?;", line)
            assert "Python.h" not in line


def test_the_report_counts_what_the_listing_says(generated):
    for name in PAPER:
        sources = generated(name)
        counts = r"derivative of the state.*\n \* (\d+) operations: (\d+) add.*?(\d+) mul.*?(\d+) div.*?(\d+) func"
        head = re.search(counts, sources.files[f"{name}.c"])
        told = sources.report["operations"]
        assert [int(n) for n in head.groups()] == [told[k] for k in ("total", "add", "mul", "div", "function")]


def written(text, name):
    """The operators and calls of a function as they stand in the text."""
    body = text[text.index(f"static int {name}(") :]
    body = body[body.index("{") : body.index("\n}")]
    body = re.sub(r"/\*.*?\*/|\(void\)\w+;|\[\d+\]|\d+(\.\d+)?e-\d+", "", body)
    return {
        "mul": body.count("*") - body.count("*where"),
        "div": body.count("/"),
        "function": len(re.findall(r"\b(?:sin|cos|sqrt|exp|tan)\(", body)),
        "add": len(re.findall(r" [+-] ", body)),
    }


def test_the_operators_of_the_text_are_the_operations_reported(generated):
    for name in PAPER:
        sources = generated(name)
        assert written(sources.files[f"{name}.c"], "rhs") == {
            key: sources.report["operations"][key] for key in ("mul", "div", "function", "add")
        }


def test_functions_are_spelled_by_the_printer():
    assert function("sin", ["x"]) == "sin(x)"
    assert function("abs", ["x"]) == "fabs(x)"
    assert function("atan2", ["y", "x"]) == "atan2(y, x)"
    assert function("sign", ["x"]) == "(double)((x > 0.0) - (x < 0.0))"


def test_every_target_of_equations_has_a_notation():
    assert tuple(equations.NOTATIONS) == EQUATIONS


def test_equations_for_reading():
    problem = problem_of(PLAIN)
    text = equations.show(problem, dense.solve(problem), "plain", "text")
    assert "G_x = " in text
    assert "M_NI[1] = " in text
    latex = equations.show(problem, dense.solve(problem), "plain", "latex")
    assert r"\dot{x}" in latex
    assert latex.count(r"\[") == latex.count(r"\]")


@pytest.mark.parametrize("name", ["Python", "vcg_model", "vcg_solve"])
def test_names_of_headers_are_refused(generated, name):
    with pytest.raises(SpecError, match=f"cannot be called {name}"):
        generated(PLAIN.replace('"plain"', f'"{name}"'))


@pytest.mark.compiles
def test_a_model_may_be_called_like_a_header_of_the_system(compiled):
    assert compiled(PLAIN.replace('"plain"', '"math"')).name == "math"


def test_a_driver_derives_from_a_file():
    assert "u'" in derivation.derive(MODELS / "chaplygin_sleigh.toml", Options())
