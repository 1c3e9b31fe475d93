import types

import pytest

import volterra_cg
from tests.fixtures import oscillator


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
    driver = types.ModuleType("volterra_cg.driver")
    driver.generate = lambda path, options, clock: oscillator.sources(options.name or "oscillator")
    driver.check = lambda path: Checked()
    driver.derive = lambda path, options, target: {"latex": r"\ddot x", "text": "x'' = -k/m*x"}[target]
    monkeypatch.setitem(__import__("sys").modules, "volterra_cg.driver", driver)
    monkeypatch.setattr(volterra_cg, "driver", driver, raising=False)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(cache_folder))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "oscillator.toml").write_text("made by hand")
    return tmp_path
