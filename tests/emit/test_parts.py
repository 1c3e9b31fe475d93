"""Long functions in parts: the same values, whatever the length of a part."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.chains import cart_chain
from volterra_cg import driver
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.emit import parts
from volterra_cg.options import Options

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"


def test_a_short_body_stays_whole():
    assert parts.in_parts("    return 0;") == parts.Parts(("    return 0;",), 0)


def test_what_a_later_part_needs_goes_through_scratch_or_is_read_again():
    body = "    const double q_x = z[0];\n    const double x0 = q_x*q_x;\n    dz[0] = x0 + q_x;\n    return 0;"
    first, second, third, last = parts.in_parts(body, longest=20).bodies
    assert first == "    const double q_x = z[0];\n    return 0;"
    assert second == "    const double q_x = z[0];\n    const double x0 = q_x*q_x;\n    scratch[0] = x0;\n    return 0;"
    assert third.splitlines()[:2] == ["    const double q_x = z[0];", "    const double x0 = scratch[0];"]
    assert third.splitlines()[2:] == ["    dz[0] = x0 + q_x;", "    return 0;"]
    assert last == "    return 0;"


def test_an_array_stays_in_one_part():
    body = "    double lu0[4] = {1, 2, 3, 4};\n    int lu0_more[2];\n    use(lu0, lu0_more);\n    dz[0] = 1.0;\n    return 0;"
    bodies = parts.in_parts(body, longest=10).bodies
    assert [text.count("lu0") for text in bodies] == [4, 0, 0]


def compiled(spec, options, tmp_path):
    def sources():
        return driver.generate(spec, options, Clock())

    return load(build(spec, options, None, sources, Clock(), Cache(tmp_path / "cache")).folder)


@pytest.mark.parametrize("name", ["three_bodies", "andrews"])
def test_parts_give_the_same_bits(name, tmp_path, monkeypatch):
    spec = MODELS / f"{name}.toml"
    whole = compiled(spec, Options(), tmp_path / "whole")
    monkeypatch.setattr(parts.in_parts, "__defaults__", (2000,))
    cut = compiled(spec, Options(), tmp_path / "cut")
    assert cut.model.default.handle.sizes["scratch"] > 0
    z = np.array(whole.z0) + 0.01
    np.testing.assert_array_equal(cut.rhs(0.5, z), whole.rhs(0.5, z))
    np.testing.assert_array_equal(cut.model.default.measured(0.5, z), whole.model.default.measured(0.5, z))
    np.testing.assert_array_equal(cut.mass_matrix(0.5, z), whole.mass_matrix(0.5, z))


def test_a_large_definite_matrix_is_solved_in_loops(tmp_path):
    spec = tmp_path / "chain.toml"
    spec.write_text(cart_chain(18))
    loops, chosen = (compiled(spec, Options(optimise=level), tmp_path / str(level)) for level in (1, 3))
    text = (tmp_path / "1").rglob("*.c")
    assert any("ldl_factor(18," in path.read_text() for path in text)
    z = np.array(chosen.z0) + np.linspace(0, 1, chosen.z0.size)
    np.testing.assert_allclose(loops.rhs(0.0, z), chosen.rhs(0.0, z), rtol=1e-9, atol=1e-9)
