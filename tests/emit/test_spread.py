"""Large models over several C files: the same values, whatever the number of files, and each file by itself is C."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.table import COMPILERS, HEADERS, STRICT
from volterra_cg import driver
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.emit import functions, spread
from volterra_cg.emit.printer import cut
from volterra_cg.options import Options

SPEC = Path(__file__).parents[2] / "benchmarks" / "models" / "three_bodies.toml"


def function(name, *lengths, forms=None, limited=False):
    return {"name": name, "pieces": [{"body": "x" * n} for n in lengths], "forms": forms, "limited": limited}


def names(files):
    return [[(one["name"], number) for one, number in file] for file in files]


def test_a_short_model_is_one_file():
    assert spread.spread([function("rhs", 30_000, forms={}), function("measure", 30_000)]) == []


def test_long_functions_go_into_files_of_bounded_length():
    """What has two forms counts twice; what is short and whole, or calls another function, stays."""
    rhs, rest = function("rhs", *[30_000] * 3, forms={"angles": []}), function("measure", 35_000, 35_000)
    gaps = function("gaps", 5_000, 5_000)
    files = spread.spread([function("prepare", 90_000, limited=True), function("start", 9_000), rhs, rest, gaps])
    assert names(files) == [
        [("rhs", 0), ("rhs", 1)], [("rhs", 2), ("measure", 0), ("measure", 1)], [("gaps", 0), ("gaps", 1)]
    ]  # fmt: skip


@pytest.fixture
def small(monkeypatch):
    """Any model is large."""
    monkeypatch.setattr(spread.spread, "__defaults__", (4_000,))
    monkeypatch.setattr(spread, "SHORT", 1_000)
    monkeypatch.setattr(functions, "LARGE", 0)


def built(tmp_path):
    def sources():
        return driver.generate(SPEC, Options(), Clock())

    return build(SPEC, Options(), tmp_path / "out", sources, Clock(), Cache(tmp_path / "cache")).folder


@pytest.mark.compiles
def test_files_give_the_same_bits(tmp_path, request, monkeypatch):
    whole = load(built(tmp_path / "whole"))
    request.getfixturevalue("small")
    monkeypatch.setattr(cut, "__defaults__", (0, 2_000, 1_000))
    folder = built(tmp_path / "apart")
    apart = load(folder)
    assert len([*folder.glob("three_bodies_part_*.c")]) > 3
    z = np.array(whole.z0) + 0.01
    np.testing.assert_array_equal(apart.rhs(0.5, z), whole.rhs(0.5, z))
    np.testing.assert_allclose(
        apart.model.default.measured(0.5, z), whole.model.default.measured(0.5, z), rtol=1e-12, atol=1e-14
    )
    np.testing.assert_array_equal(apart.mass_matrix(0.5, z), whole.mass_matrix(0.5, z))


@pytest.mark.compiles
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.usefixtures("small")
def test_strict_compilers_take_every_file(tmp_path, compiler):
    sources = driver.generate(SPEC, Options(), Clock())
    for name, text in sources.files.items():
        (tmp_path / name).write_text(text)
    parts = [name for name in sources.files if name.endswith(".c")]
    assert len(parts) > 2
    for name in parts:
        command = [compiler, *STRICT, "-iquote", str(HEADERS), "-c", name, "-o", "part.o"]
        subprocess.run(command, check=True, cwd=tmp_path)
