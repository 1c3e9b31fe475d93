"""Random mechanisms beside an oracle that shares nothing with the compiler; many more of them in `make torture`."""

import pytest

from tests.differential.generator import case
from tests.differential.torture import examined, report

INTERPRETED, COMPILED, CHUNK = 150, 10, 5


def holds(kind, seed):
    _, _, tally, mismatch = examined((kind, seed))
    if mismatch:
        pytest.fail(report(kind, seed, mismatch, seconds=30), pytrace=False)
    return tally


@pytest.mark.parametrize("first", range(0, INTERPRETED, CHUNK))
def test_the_interpreted_program_agrees_with_the_oracle(first):
    for seed in range(first, first + CHUNK):
        holds("interpreted", seed)


@pytest.mark.compiles
@pytest.mark.parametrize("seed", range(COMPILED))
def test_a_compiled_model_agrees_with_the_oracle(seed):
    holds("compiled", seed)


def test_a_seed_is_a_mechanism():
    assert case(3).spec == case.__wrapped__(3).spec
