"""Statements as text, and long functions in pieces: the same values, whatever the length of a piece."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.chains import cart_chain
from volterra_cg import driver
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.emit.printer import Piece, cut, lines, whole
from volterra_cg.emit.statements import (
    Clear,
    Code,
    Comment,
    Declare,
    Invoke,
    Leave,
    Place,
    Reserve,
    Return,
    Store,
    code,
    named,
)
from volterra_cg.options import Options

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"


def sample():
    """q_x is given, x0 is computed of it, and both are needed for the result."""
    q, x = named("q_x"), named("x0")
    return [
        Declare("q_x", Place("z", 0)),
        Declare("x0", code(q, "*", q)),
        Store(Place("dz", 0), code(x, " + ", q)),
        Return(),
    ]


def test_statements_are_printed_one_a_line():
    matrix = named("lu0")
    forms = {
        "const LANES x1 = t[0].x;": Declare("x1", Place("t", 0, ".x"), "LANES"),
        "double lu0[4] = {1.0, x1};": Reserve("double", ("lu0",), "4", code("1.0, ", named("x1"))),
        "LANES x2, x3;": Reserve("LANES", ("x2", "x3")),
        "if (lu_factor(2, lu0)) { *where = 7; return 1; }": Leave(code("lu_factor(2, ", matrix, ")"), 7),
        "lu_back(2, lu0);": Invoke(code("lu_back(2, ", matrix, ")")),
        "failed[0] = (LANE_BITS){0};": Store(Place("failed", 0), Code("(LANE_BITS){0}")),
        "for (int i = 3; i < 90; ++i) { mass[i] = 0.0; }": Clear("mass", 3, 90),
        "/* q' * / 2 */": Comment("q' */ 2"),
        "return 0;": Return(),
    }
    assert lines(list(forms.values())) == [f"    {text}" for text in forms]


def test_a_short_function_stays_whole():
    assert cut([Return()]) == ([Piece("    return 0;", frozenset())], 0)
    assert cut(sample()) == ([whole(sample())], 0)
    assert whole(sample()).names == {"q_x", "x0", "z", "dz"}


def test_what_a_later_piece_needs_goes_through_scratch_or_is_read_again():
    pieces, scratch = cut(sample(), longest=20, length=10)
    first, second, last = (piece.body for piece in pieces)
    assert scratch == 1
    assert first == "    const double q_x = z[0];\n    const double x0 = q_x*q_x;\n    scratch[0] = x0;\n    return 0;"
    assert second.splitlines()[:2] == ["    const double q_x = z[0];", "    const double x0 = scratch[0];"]
    assert second.splitlines()[2:] == ["    dz[0] = x0 + q_x;", "    return 0;"]
    assert last == "    return 0;"
    assert [{"z", "scratch", "dz"} & piece.names for piece in pieces] == [
        {"z", "scratch"}, {"z", "scratch", "dz"}, set()
    ]  # fmt: skip


def test_what_only_renames_a_computed_value_goes_through_scratch():
    """The value that it is a copy of may be gone."""
    held = [Declare("x0", Code("2.0")), Declare("x1", named("x0")), Store(Place("dz", 0), named("x1")), Return()]
    pieces, scratch = cut(held, longest=10, length=10)
    assert scratch == 2
    assert pieces[2].body.splitlines()[0] == "    const double x1 = scratch[1];"


def test_an_array_stays_in_one_piece():
    use = code("use(", named("lu0"), ", ", named("lu0_more"), ")")
    statements = [
        Reserve("double", ("lu0",), "4"),
        Reserve("int", ("lu0_more",), "2"),
        Invoke(use),
        Store(Place("dz", 0), Code("1.0")),
        Return(),
    ]
    pieces, _ = cut(statements, longest=10, length=10)
    assert [piece.body.count("lu0") for piece in pieces] == [4, 0, 0]


def compiled(spec, options, tmp_path):
    def sources():
        return driver.generate(spec, options, Clock())

    return load(build(spec, options, None, sources, Clock(), Cache(tmp_path / "cache")).folder)


@pytest.mark.parametrize("name", ["three_bodies", "andrews"])
def test_pieces_give_the_same_bits(name, tmp_path, monkeypatch):
    spec = MODELS / f"{name}.toml"
    whole = compiled(spec, Options(), tmp_path / "whole")
    monkeypatch.setattr(cut, "__defaults__", (2000, 1000))
    in_pieces = compiled(spec, Options(), tmp_path / "cut")
    assert in_pieces.model.default.handle.sizes["scratch"] > 0
    z = np.array(whole.z0) + 0.01
    np.testing.assert_array_equal(in_pieces.rhs(0.5, z), whole.rhs(0.5, z))
    np.testing.assert_array_equal(in_pieces.model.default.measured(0.5, z), whole.model.default.measured(0.5, z))
    np.testing.assert_array_equal(in_pieces.mass_matrix(0.5, z), whole.mass_matrix(0.5, z))


def test_a_large_definite_matrix_is_solved_in_loops(tmp_path):
    spec = tmp_path / "chain.toml"
    spec.write_text(cart_chain(18))
    loops, chosen = (compiled(spec, Options(optimise=level), tmp_path / str(level)) for level in (1, 3))
    text = (tmp_path / "1").rglob("*.c")
    assert any("ldl_factor(18," in path.read_text() for path in text)
    z = np.array(chosen.z0) + np.linspace(0, 1, chosen.z0.size)
    np.testing.assert_allclose(loops.rhs(0.0, z), chosen.rhs(0.0, z), rtol=1e-9, atol=1e-9)
