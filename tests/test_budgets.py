"""generated/budgets.json holds the most operations that each model may take: they fall freely and rise only on purpose.

generated/instructions.json holds the same of instructions, of which a fused operation is one.
"""

import json
from pathlib import Path

import pytest

from benchmarks.chains import cart_chain, space_chain
from tests.fixtures.mechanics import MODELS
from volterra_cg import driver
from volterra_cg.clock import Clock
from volterra_cg.options import FUSED, Options

ROOT = Path(__file__).parents[1]
BUDGETS = json.loads((ROOT / "generated" / "budgets.json").read_text())
INSTRUCTIONS = json.loads((ROOT / "generated" / "instructions.json").read_text())
CHAINS = {"cart_chain": cart_chain, "space_chain": space_chain}


def spec_of(name, folder):
    kind, _, links = name.rpartition("_")
    if kind in CHAINS:
        path = folder / f"{name}.toml"
        path.write_text(CHAINS[kind](int(links)))
        return path
    return next(path for path in (MODELS / f"{name}.toml", ROOT / "examples" / f"{name}.toml") if path.exists())


@pytest.mark.parametrize("name", BUDGETS)
def test_no_model_takes_more_operations_than_its_budget(name, tmp_path):
    report = driver.generate(spec_of(name, tmp_path), Options(arithmetic=FUSED), Clock()).report
    taken, instructions = report["operations"]["total"], report["instructions"]
    assert taken <= BUDGETS[name], f"{name} takes {taken} operations; if that is meant, write it into budgets.json"
    assert instructions <= INSTRUCTIONS[name], f"{name} takes {instructions} instructions; see instructions.json"


@pytest.mark.parametrize("formulation", ["kane", "lagrange", "volterra"])
@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.toml")))
def test_the_reduced_form_takes_no_more_than_kane_lagrange_and_volterra(name, formulation, tmp_path):
    options = Options(formulation=formulation)
    taken = driver.generate(spec_of(name, tmp_path), options, Clock()).report["operations"]["total"]
    assert BUDGETS[name] <= taken


def test_every_model_has_a_budget():
    models = {path.stem for folder in (MODELS, ROOT / "examples") for path in folder.glob("*.toml")}
    assert models <= set(BUDGETS)
    assert set(BUDGETS) == set(INSTRUCTIONS)
