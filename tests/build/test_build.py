import sys
import tempfile
from pathlib import Path

import pytest

import volterra_cg.runtime  # noqa: F401 - before it may be out of reach
from tests.fixtures import oscillator
from tests.fixtures.broken import read_only
from volterra_cg.build import build, keys, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError, OptionError
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


@pytest.mark.parametrize("published", [True, False])
def test_a_cache_that_cannot_be_written_gives_what_it_holds(published, monkeypatch):
    """Below the system's folder, since whoever cannot write here cannot read the folders of tests either."""
    monkeypatch.setattr(keys, "generator_digest", lambda: "the package itself may be out of reach, too")
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        top.chmod(0o755)
        (top / "out").mkdir()
        (top / "out").chmod(0o777)
        spec = top / "oscillator.toml"
        spec.write_text("made by hand")
        cache, options = Cache(top / "cache"), Options(name=f"kept_{published}")  # loaded by no other test

        def sources():
            return oscillator.sources(options.name)

        build(spec, options, top / "first", sources, Clock(), cache)
        with read_only(cache.root):
            built = build(spec, options, top / "out" if published else None, forbidden, Clock(), cache)
            assert built.cached
            assert load(built.folder).rhs(0.0, [1, 0, 2, 0]).tolist() == [0.0, 1.0, 0.0, -4.0]
            with pytest.raises(BuildError, match=r"cannot be used.*VOLTERRA_CG_CACHE"):
                build(spec, Options(name="another"), top / "out", oscillator.sources, Clock(), cache)
