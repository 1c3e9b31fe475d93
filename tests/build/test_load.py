"""Loading a model from its folder."""

import json
import pickle
import shutil
import sys

import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, load, pack, unpack
from volterra_cg.build.cache import Cache, read_files
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


@pytest.mark.parametrize("trap", ["_model/__init__.py", "_model.py", "__pycache__"])
def test_only_what_a_build_made_is_imported(spec, tmp_path, shared_cache, trap):
    built = build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), shared_cache)
    folder = shutil.copytree(built.folder, tmp_path / "copy")
    (folder / "notes.txt").write_text(trap)  # or a model of the same content is loaded already
    if trap == "__pycache__":
        cached = folder / "__pycache__" / f"__init__.{sys.implementation.cache_tag}.pyc"
        cached.parent.mkdir()
        cached.write_bytes(b"not bytecode")
    else:
        (folder / trap).parent.mkdir(exist_ok=True)
        (folder / trap).write_text("raise SystemExit('run')")
    assert load(folder).rhs(0.0, [1, 0, 2, 0]).tolist() == [0.0, 1.0, 0.0, -4.0]
    if trap == "__pycache__":
        assert cached.read_bytes() == b"not bytecode"
    else:
        assert not (folder / "__pycache__").exists()


def test_a_folder_beside_a_cached_extension_does_not_win(spec, tmp_path):
    cache = Cache(tmp_path / "cache")
    folder = build(spec, Options(), None, oscillator.sources, Clock(), cache).folder
    (folder / "_model").mkdir()
    (folder / "_model" / "__init__.py").write_text("raise SystemExit('run')")
    again = build(spec, Options(), None, oscillator.sources, Clock(), cache).folder
    assert again == folder
    assert not (folder / "_model").exists()
    load(folder)


def test_texts_travel_as_plain_text(spec, tmp_path, shared_cache):
    folder = build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), shared_cache).folder
    (folder / "oscillator.c").write_bytes((folder / "oscillator.c").read_bytes() + b"/* caf\xe9 */\r\n")
    texts = pack(folder, json.loads((folder / "report.json").read_text()))
    with pytest.raises(pickle.UnpicklingError):
        pickle.loads(texts.packed)
    module = unpack(texts, Cache(tmp_path / "other"))
    kept = read_files(module.model.folder)
    assert kept["oscillator.c"].endswith(b"/* caf\xe9 */\r\n")
    assert module.rhs(0.0, [1, 0, 2, 0]).tolist() == [0.0, 1.0, 0.0, -4.0]
