"""What compiler, Cython and linker say is shown."""

from dataclasses import replace

import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError
from volterra_cg.options import Options


def altered(**changes):
    """The oscillator's sources with replaced files; report.json keys by keyword `report`."""
    sources = oscillator.sources()
    return replace(sources, files={**sources.files, **changes})


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
