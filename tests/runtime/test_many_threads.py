"""The ensemble in C on several threads: no race, nothing undefined, the same bits for any number of them."""

import pytest

from tests.fixtures.ensembles import harness, rows
from tests.fixtures.mechanics import MODELS
from tests.fixtures.table import COMPILERS, INSTRUCTIONS, SANITIZERS, sanitized
from tests.runtime.test_sincos import runs_here
from volterra_cg import driver
from volterra_cg.clock import Clock
from volterra_cg.integrators import IN_LANES
from volterra_cg.options import Options

pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def sources():
    return driver.generate(MODELS / "cart_pendulum.toml", Options(), Clock())


@pytest.mark.parametrize(("kind", "compiler"), sanitized("thread"))
def test_no_race(sources, tmp_path, kind, compiler):
    """Eight threads under the thread sanitizer, with lanes and without."""
    program = harness(sources, tmp_path, f"-fsanitize={kind}", "-g", compiler=compiler)
    for integrator in IN_LANES:
        for lanes in (True, False):
            alone = rows(program, sources, 200, 1, integrator, lanes)
            assert rows(program, sources, 200, 8, integrator, lanes) == alone
            assert sum(line.startswith("0 21 ") for line in alone) == 200 - 6  # the others have no parameters
    assert rows(program, sources, 10_000, 8) == rows(program, sources, 10_000, 1)


@pytest.mark.parametrize("compiler", COMPILERS[-1:])
def test_nothing_undefined(sources, tmp_path, compiler):
    program = harness(sources, tmp_path, *SANITIZERS, compiler=compiler)
    for integrator in IN_LANES:
        for count in (1, 7, 60):
            rows(program, sources, count, 2, integrator)
            rows(program, sources, count, 2, integrator, lanes=False)


def test_the_instructions_do_not_matter(sources, tmp_path):
    flags = {name: f"-DVCG_SUPPORTS(instructions)={chosen}" for name, chosen in INSTRUCTIONS.items() if runs_here(name)}
    programs = [harness(sources, tmp_path / name, flag) for name, flag in flags.items()]
    for integrator in IN_LANES:
        assert len({tuple(rows(program, sources, 60, 1, integrator)) for program in programs}) == 1
