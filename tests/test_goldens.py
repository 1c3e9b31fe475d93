"""generated/ holds what the paper's systems compile to; it changes only on purpose (pytest --update-goldens)."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.mechanics import MODELS, PAPER
from tests.fixtures.table import Oracle, agree, compiled_table, run_table
from volterra_cg import driver
from volterra_cg.clock import Clock
from volterra_cg.options import Options

GENERATED = Path(__file__).parents[1] / "generated"


def golden(name):
    return {path.name: path.read_text() for path in sorted((GENERATED / name).iterdir()) if path.is_file()}


@pytest.mark.parametrize("name", PAPER)
def test_texts_are_those_of_the_repository(name, request):
    fresh = dict(driver.generate(MODELS / f"{name}.toml", Options(), Clock()).files)
    folder = GENERATED / name
    if request.config.getoption("--update-goldens"):
        folder.mkdir(parents=True, exist_ok=True)
        for path in set(folder.iterdir()) - {folder / file for file in fresh}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for file, text in fresh.items():
            (folder / file).write_text(text)
    kept = golden(name)
    own = {f"{name}.c", f"{name}.h", f"{name}_lanes.h"}
    assert set(kept) == set(fresh) == {"__init__.py", "_model.pyx", "report.json", *own}
    for file, text in fresh.items():
        assert kept[file] == text, f"generated/{name}/{file} is not what the spec gives; pytest --update-goldens"


@pytest.mark.compiles
@pytest.mark.parametrize("name", PAPER)
def test_numbers_of_the_golden_c_are_the_interpreters(name, tmp_path):
    program, oracle = compiled_table(golden(name), name, tmp_path), Oracle(name)
    random, count = np.random.default_rng(1), len(oracle.system.coordinates)
    for t in (0.0, 2.5):
        q, rates = random.uniform(-1, 1, count), random.uniform(-1, 1, count)
        agree(run_table(program, t, oracle.parameters, oracle.signals, q, rates), oracle(t, q, rates))


def test_nothing_else_is_kept():
    kept = {path.name for path in GENERATED.iterdir() if path.name != "__pycache__"}
    assert kept == {*PAPER, "budgets.json", "instructions.json"}
