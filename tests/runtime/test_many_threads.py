"""The ensemble in C on several threads: no race, nothing undefined, the same bits for any number of them."""

import itertools

import pytest

from tests.fixtures.ensembles import How, harness, rows
from tests.fixtures.mechanics import MODELS
from tests.fixtures.table import COMPILERS, INSTRUCTIONS, LEVELS, SANITIZERS, sanitized
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
        for how in How:
            alone = rows(program, sources, 200, 1, integrator, how)
            assert rows(program, sources, 200, 8, integrator, how) == alone
            assert sum(line.startswith("0 21 ") for line in alone) == 200 - 6  # the others have no parameters
    assert rows(program, sources, 10_000, 8) == rows(program, sources, 10_000, 1)


@pytest.mark.parametrize("compiler", COMPILERS[-1:])
def test_nothing_undefined(sources, tmp_path, compiler):
    program = harness(sources, tmp_path, *SANITIZERS, compiler=compiler)
    for integrator in IN_LANES:
        for count in (1, 7, 60):
            rows(program, sources, count, 2, integrator)
            rows(program, sources, count, 2, integrator, How.WITHOUT_LANES)


def same_bits(sources, folder, ways):
    """Single runs, and ensembles with lanes and without, on one and on eight threads: compilers, levels, instructions."""
    found = {integrator: set() for integrator in IN_LANES}
    for compiler, level, name in ways:
        flag = f"-DVCG_SUPPORTS(instructions)={INSTRUCTIONS[name]}"
        program = harness(sources, folder / f"{compiler}{level}-{name}", flag, level, compiler=compiler)
        for integrator, (how, threads) in itertools.product(IN_LANES, zip(How, (1, 8, 8), strict=True)):
            found[integrator].add(tuple(rows(program, sources, 60, threads, integrator, how)))
    return all(len(ends) == 1 for ends in found.values())


def test_neither_compilers_nor_instructions_matter(sources, tmp_path):
    ways = [(COMPILERS[0], "-O2", "baseline"), (COMPILERS[-1], "-O0", "avx2"), (COMPILERS[0], "-O3", "avx512")]
    assert same_bits(sources, tmp_path, [way for way in ways if runs_here(way[2])])


@pytest.mark.torture
@pytest.mark.parametrize("name", ["cart_pendulum", "three_bodies", "andrews"])
def test_all_of_them_give_the_same_bits(tmp_path, name):
    made = driver.generate(MODELS / f"{name}.toml", Options(), Clock())
    every = itertools.product(COMPILERS, LEVELS, INSTRUCTIONS)
    assert same_bits(made, tmp_path, [way for way in every if runs_here(way[2])])
