import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError, OptionError
from volterra_cg.options import Options

FILES = {
    "__init__.py",
    "_model.pyx",
    "oscillator.c",
    "oscillator.h",
    "report.json",
    "vcg_lanes.h",
    "vcg_lanes_words.h",
    "vcg_model.h",
    "vcg_sincos.h",
    "vcg_solve.h",
}


def forbidden():
    raise AssertionError("the cache should have had it")


def altered(**changes):
    """The oscillator's sources with replaced files; report.json keys by keyword `report`."""
    sources = oscillator.sources()
    return replace(sources, files={**sources.files, **changes})


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


def test_a_second_build_derives_and_compiles_nothing(spec, tmp_path):
    cache = Cache(tmp_path / "cache")
    first = build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), cache)
    again = build(spec, Options(), tmp_path / "out", forbidden, Clock(), cache)
    assert (first.cached, again.cached) == (False, True)
    elsewhere = build(spec, Options(), tmp_path / "other", forbidden, Clock(), cache)
    assert elsewhere.cached
    # a changed spec that gives the same C is derived but not compiled
    spec.write_text("made by hand, with a comment")
    edited = build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), cache)
    assert not edited.cached
    assert len([entry for entry in cache.entries() if entry.kind == "extensions"]) == 1


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


def test_what_the_compiler_says_is_shown_with_the_command(spec, tmp_path):
    cache = Cache(tmp_path / "cache")
    with pytest.raises(BuildError) as caught:
        build(spec, Options(), tmp_path / "out", lambda: altered(**{"oscillator.c": "int broken("}), Clock(), cache)
    assert "oscillator.c" in str(caught.value)
    assert "-ffp-contract=off" in str(caught.value)
    assert "error:" in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert [entry.kind for entry in cache.entries()] == ["sources"]


def test_what_cython_says_is_shown(spec, tmp_path, capfd):
    cache = Cache(tmp_path / "cache")
    with pytest.raises(BuildError, match=r"Cython refused _model\.pyx:(.|\n)*undeclared"):
        build(spec, Options(), None, lambda: altered(**{"_model.pyx": "x = undeclared_name\n"}), Clock(), cache)
    assert capfd.readouterr() == ("", "")


def test_what_the_linker_says_is_shown(spec, tmp_path):
    without = (
        oscillator.sources().files["oscillator.c"].replace("const vcg_model vcg_oscillator", "const vcg_model other")
    )
    with pytest.raises(BuildError, match=r"vcg_oscillator|cannot be imported"):
        load(
            build(
                spec, Options(), None, lambda: altered(**{"oscillator.c": without}), Clock(), Cache(tmp_path / "c")
            ).folder
        )


def test_a_build_prints_nothing_and_stays_where_it_is(spec, tmp_path, capfd):
    before = Path.cwd(), list(sys.argv), list(sys.path)
    build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), Cache(tmp_path / "cache"))
    assert capfd.readouterr() == ("", "")
    assert (Path.cwd(), sys.argv, sys.path) == before


def test_a_missing_spec_is_told(tmp_path, shared_cache):
    with pytest.raises(OptionError, match=r"nothing\.toml cannot be read"):
        build(tmp_path / "nothing.toml", Options(), None, forbidden, Clock(), shared_cache)


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


def test_the_clock_adds_up_and_tells(monkeypatch):
    heard = []
    clock = Clock(lambda stage, seconds: heard.append((stage, seconds is None)))
    for _ in range(2):
        with clock("derive"):
            pass
    seconds = clock.seconds()
    assert heard == [("derive", True), ("derive", False)] * 2
    assert 0 < seconds["derive"] <= seconds["total"]
    assert seconds["emit"] == 0.0
