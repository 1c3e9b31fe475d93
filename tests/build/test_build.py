import sys
from pathlib import Path

import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.errors import OptionError
from volterra_cg.options import Options


def forbidden():
    raise AssertionError("the cache should have had it")


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


def test_a_build_prints_nothing_and_stays_where_it_is(spec, tmp_path, capfd):
    before = Path.cwd(), list(sys.argv), list(sys.path)
    build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), Cache(tmp_path / "cache"))
    assert capfd.readouterr() == ("", "")
    assert (Path.cwd(), sys.argv, sys.path) == before


def test_a_missing_spec_is_told(tmp_path, shared_cache):
    with pytest.raises(OptionError, match=r"nothing\.toml cannot be read"):
        build(tmp_path / "nothing.toml", Options(), None, forbidden, Clock(), shared_cache)
