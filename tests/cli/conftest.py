import sys
import types

import pytest

import volterra_cg
from tests.fixtures import oscillator
from volterra_cg import driver


class Checked:
    def text(self):
        return "3 coordinates"

    def as_dict(self):
        return {"m": 3}


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def here(tmp_path, monkeypatch, cache_folder):
    """An empty working folder with a spec, a cache shared by these tests and a driver that knows one model."""
    derivation = types.ModuleType("volterra_cg.derivation")
    derivation.check = lambda path, allow_include: Checked()
    derivation.derive = lambda path, options, target: {"latex": r"\ddot x", "text": "x'' = -k/m*x"}[target]
    derivation.choices = lambda path, options: "4 operations"
    monkeypatch.setitem(sys.modules, "volterra_cg.derivation", derivation)
    monkeypatch.setattr(volterra_cg, "derivation", derivation, raising=False)
    monkeypatch.setattr(
        driver, "generate", lambda path, options, clock: oscillator.sources(options.name or "oscillator")
    )
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(cache_folder))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "oscillator.toml").write_text("made by hand")
    return tmp_path
