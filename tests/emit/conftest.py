import pytest

from tests.fixtures.mechanics import MODELS
from volterra_cg import driver
from volterra_cg.clock import Clock
from volterra_cg.options import ARITHMETIC, Options


@pytest.fixture(scope="session")
def generated(workshop):
    """Makes the sources of a spec text or of a model by its name, once a process."""
    known = {}

    def make(text, jacobian=False, arithmetic=ARITHMETIC):
        key = (text, jacobian, arithmetic)
        if key not in known:
            path = MODELS / f"{text}.toml"
            if "\n" in text:
                path = workshop / f"emit_{len(known)}_{id(known)}.toml"
                path.write_text(text)
            known[key] = driver.generate(path, Options(jacobian=jacobian, arithmetic=arithmetic), Clock())
        return known[key]

    return make
