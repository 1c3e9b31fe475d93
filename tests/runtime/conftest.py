import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.options import Options


@pytest.fixture(scope="session")
def module(tmp_path_factory):
    """The hand-made oscillator, compiled and imported."""
    folder = tmp_path_factory.mktemp("oscillator")
    spec = folder / "oscillator.toml"
    spec.write_text("made by hand")
    cache = Cache(folder / "cache")
    return load(build(spec, Options(), folder / "generated", oscillator.sources, Clock(), cache).folder)


@pytest.fixture(scope="session")
def model(module):
    return module.model
