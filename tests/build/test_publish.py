"""What a folder of a published module holds, and what is left alone."""

import json

import pytest

from tests.fixtures import oscillator
from tests.fixtures.broken import full_disk
from volterra_cg.build import build, publish
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError
from volterra_cg.options import Options

FILES = {
    "__init__.py",
    "_model.pyx",
    "oscillator.c",
    "oscillator.h",
    "report.json",
    "vcg_fused.h",
    "vcg_lanes.h",
    "vcg_lanes_words.h",
    "vcg_model.h",
    "vcg_sincos.h",
    "vcg_solve.h",
}


def test_a_module_is_published_whole(spec, tmp_path, shared_cache):
    built = build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), shared_cache)
    names = {path.name for path in built.folder.iterdir()}
    assert built.folder == tmp_path / "out" / "oscillator"
    assert names >= FILES
    assert [name for name in names - FILES if not name.startswith("_model.")] == []
    assert [path.name for path in built.folder.parent.iterdir()] == ["oscillator"]
    told = json.loads(json.dumps(built.as_dict()))
    assert told["module"] == str(built.folder)
    assert set(told["seconds"]) == {"read", "derive", "optimise", "emit", "compile", "total"}


def test_an_unchanged_module_is_not_touched(spec, tmp_path, shared_cache):
    first = build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache)
    before = first.folder.stat().st_mtime_ns, first.folder.stat().st_ino
    build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache)
    assert (first.folder.stat().st_mtime_ns, first.folder.stat().st_ino) == before


def test_a_module_of_ours_is_replaced(spec, tmp_path, shared_cache):
    folder = build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache).folder
    (folder / "__init__.py").write_text("edited")
    (folder / "notes.txt").write_text("of somebody else")
    build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache)
    assert "edited" not in (folder / "__init__.py").read_text()
    assert (folder / "notes.txt").read_text() == "of somebody else"


def test_what_a_killed_build_left_is_cleared(spec, tmp_path, shared_cache):
    left = tmp_path / "out" / ".volterra_cg-killed"
    left.mkdir(parents=True)
    (left / "half").write_text("")
    build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), shared_cache)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["oscillator"]


@pytest.mark.parametrize("swaps", [True, False])
def test_a_module_that_cannot_be_written_stays_as_it_was(spec, tmp_path, shared_cache, monkeypatch, swaps):
    folder = build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache).folder
    (folder / "__init__.py").write_text("edited")
    if not swaps:
        monkeypatch.setattr(publish, "exchange", lambda one, other: False)
    with full_disk(), pytest.raises(BuildError, match="cannot be written"):
        build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache)
    assert (folder / "__init__.py").read_text() == "edited"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["oscillator", "oscillator.toml"]
    build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache)
    assert "edited" not in (folder / "__init__.py").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["oscillator", "oscillator.toml"]


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_what_is_not_ours_is_left_alone(spec, tmp_path, shared_cache, kind):
    target = tmp_path / "oscillator"
    if kind == "folder":
        target.mkdir()
        (target / "thesis.txt").write_text("years of work")
    elif kind == "file":
        target.write_text("years of work")
    else:
        target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(BuildError, match="left alone"):
        build(spec, Options(), tmp_path, oscillator.sources, Clock(), shared_cache)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["oscillator", "oscillator.toml"]
    if kind == "folder":
        assert (target / "thesis.txt").read_text() == "years of work"
