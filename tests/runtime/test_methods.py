"""One list of what a model can be asked: starts, models, built modules and the reference have it."""

import re
from pathlib import Path

from volterra_cg.runtime import METHODS, Model, Start

REFERENCE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_starts_models_and_modules_have_every_method(module):
    for name in METHODS:
        assert hasattr(module.start(), name), name
        assert hasattr(Model, name), name
        assert name in dir(module), name
        assert name in module.__all__, name


def test_a_model_answers_for_the_start_of_the_spec(module):
    assert module.model.rates(0.0, module.z0).tolist() == module.start().rates(0.0, module.z0).tolist()
    for name in set(METHODS) - {"z0", "momenta", "rhs"}:
        assert getattr(Model, name) is getattr(Start, name), f"{name} is written twice"


def test_the_reference_lists_what_a_module_has(module):
    table = REFERENCE.read_text().split("## A built module")[1].split("\n\n")[2]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    listed = {name for cell in cells for name in re.findall(r"`([a-z_0-9]+)", cell)}
    assert listed == {*module.__all__}
