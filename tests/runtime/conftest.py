import pytest

from tests.fixtures import handmade, oscillator
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


@pytest.fixture(scope="session")
def made_by_hand(tmp_path_factory):
    """Makes the models of fixtures/handmade.py by name, each once a run."""
    folder, made = tmp_path_factory.mktemp("handmade"), {}

    def make(name, **options):
        key = (name, *sorted(options.items()))
        if key not in made:
            made[key] = getattr(handmade, name)(folder, **options)
        return made[key]

    return make


JUMP = """
schema = 1
name = "jump"
[parameters]
w = 1
[signals]
push = "0.5*sign(t - w) + 0.5"
[bodies]
c = { mass = 1 }
[joints]
x = { type = "prismatic", child = "c", axis = "x" }
[forces]
p = { at = "c", vector = ["push", 0, 0] }
"""


@pytest.fixture(scope="module")
def jump(compiled):
    """A particle pushed with 1 N from the time w on."""
    return compiled(JUMP)


@pytest.fixture(scope="module")
def bodies(compiled):
    """The paper's case 2, which has a vector form of rhs."""
    return compiled("three_bodies")
