import pytest

from volterra_cg.bench import Settings, compare
from volterra_cg.bench.paper import specs

PAPER_METHODS = ("lagrange", "maggi", "kane", "reduced-volterra")


@pytest.fixture(scope="session")
def cached(workshop):
    """Builds go to the cache of this test run."""
    patch = pytest.MonkeyPatch()
    patch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def compared(cached):
    """The paper's systems by the paper's four formulations; no number of its tables depends on the passes, so few run."""
    made = {}

    def make(name):
        if name not in made:
            spec = next(path for path in specs() if path.stem == name)
            made[name] = compare(spec, Settings(PAPER_METHODS, repeat=1, optimise=1))
        return made[name]

    return make
