"""The texts of a model: names, powers, reports, nothing of when or where they were made."""

import re

import pytest

from tests.fixtures.mechanics import PAPER
from tests.fixtures.specs import KEYWORDS, KNOTTED, PLAIN
from volterra_cg.errors import SpecError
from volterra_cg.options import FUSED, SEPARATE


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


def written(text, head):
    """The operators and calls of a function as they stand in the text."""
    body = text[text.index(f"{head}(") :]
    body = body[body.index("{") : body.index("\n}")]
    body = re.sub(r"/\*.*?\*/|\(void\)\w+;|\[\d+\]|\d+(\.\d+)?e-\d+", "", body)
    return {
        "mul": body.count("*") - body.count("*where"),
        "div": body.count("/"),
        "function": len(re.findall(r"\b(?:sin|cos|sqrt|exp|tan)\(|= (?:co)?sines?\d*;", body)),
        "add": len(re.findall(r" [+-] ", body)),
        "fma": len(re.findall(r"\bfma\(", body)),
    }


@pytest.mark.parametrize("name", PAPER)
def test_the_operators_of_the_text_are_the_operations_reported(generated, name):
    sources = generated(name, arithmetic=SEPARATE)
    told = sources.report["operations"]
    assert written(sources.files[f"{name}.c"], "static int rhs") == {
        **{key: told[key] for key in ("mul", "div", "function", "add")},
        "fma": 0,
    }
    assert sources.report["instructions"] == told["total"]


@pytest.mark.parametrize("name", PAPER)
def test_a_fused_operation_is_a_product_and_a_sum(generated, name):
    """A product that several sums take in is written in each of them."""
    sources = generated(name, arithmetic=FUSED)
    told, found = sources.report["operations"], written(sources.files[f"{name}.c"], "VCG_TEXT int rhs_text_1")
    assert found["add"] + found["fma"] == told["add"]
    assert (found["div"], found["function"]) == (told["div"], told["function"])
    assert found["mul"] >= told["mul"] - found["fma"]
    assert told["total"] - found["fma"] <= sources.report["instructions"] <= sum(found.values())
    assert sources.report["instructions"] < 0.8 * told["total"]


@pytest.mark.parametrize("name", ["Python", "vcg_model", "vcg_solve"])
def test_names_of_headers_are_refused(generated, name):
    with pytest.raises(SpecError, match=f"cannot be called {name}"):
        generated(PLAIN.replace('"plain"', f'"{name}"'))


@pytest.mark.compiles
def test_a_model_may_be_called_like_a_header_of_the_system(compiled):
    assert compiled(PLAIN.replace('"plain"', '"math"')).name == "math"
