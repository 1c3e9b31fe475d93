"""Loading a model from its folder."""

import json
import sys

import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, load
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError
from volterra_cg.options import Options


def test_loading_uses_a_name_of_the_content(spec, tmp_path, shared_cache):
    before = list(sys.path)
    built = build(spec, Options(), None, oscillator.sources, Clock(), shared_cache)
    module = load(built.folder)
    assert module.__name__.startswith("volterra_cg_model_")
    assert load(built.folder) is module
    published = build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), shared_cache)
    assert load(published.folder).rhs(0.0, [1, 0, 2, 0]).tolist() == [0.0, 1.0, 0.0, -4.0]
    assert sys.path == before
    (published.folder / "__init__.py").write_text((published.folder / "__init__.py").read_text() + "\n# edited\n")
    with pytest.raises(BuildError, match="new Python process"):
        load(published.folder)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BuildError, match="holds no generated model"):
        load(tmp_path)


def test_a_module_that_does_not_import_leaves_no_trace(tmp_path):
    (tmp_path / "report.json").write_text(json.dumps(oscillator.report()))
    (tmp_path / "__init__.py").write_text("from . import nothing_here")
    before = set(sys.modules)
    with pytest.raises(BuildError, match="build it again"):
        load(tmp_path)
    assert {name for name in set(sys.modules) - before if name.startswith("volterra_cg_model")} == set()
