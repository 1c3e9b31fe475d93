"""Random mechanisms beside an oracle that shares nothing with the compiler; many more of them in `make torture`."""

import json

import pytest

from tests.differential.broken import WAYS
from tests.differential.compare import Tally
from tests.differential.generator import case
from tests.differential.seeds import COMPILED, HUNG, INTERPRETED, JOINTED, ONCE_WRONG
from tests.differential.torture import examined, report
from volterra_cg.options import FORMULATIONS, ORDERS

CHUNK = 5
TOLD_TO_SYMPY = {
    14: "a rod",
    17: "cosines",
    29: "signals",
    32: "dampers",
    40: "springs",
    78: "sliders",
}
COVERED = {
    "formulation": set(FORMULATIONS),
    "elimination order": {*ORDERS, "own"} - {"auto", "recursive in ground axes"},  # that is for larger mechanisms
    "level": {"0", "3"},
    "feature": {
        "quaternion",
        "include",
        "rolling on a body",
        "gravity in another frame",
        "impact",
        "particles on rods",
    },
    "spoilt": {way.__name__ for way in WAYS},
    "quantity": {
        "what check tells",
        "a term of T shown",
        "a force shown",
        "jacobian",
        "sensitivity",
        "start_sensitivity",
        "reactions",
        "changes by events",
        "sources emitted",
    },
}


def holds(kind, seed):
    _, _, tally, mismatch = examined((kind, seed))
    if mismatch:
        pytest.fail(report(kind, seed, mismatch, seconds=30), pytrace=False)
    return tally


@pytest.mark.parametrize("first", range(0, INTERPRETED, CHUNK))
def test_the_interpreted_program_agrees_with_the_oracle(first, workshop):
    whole = Tally()
    for seed in range(first, first + CHUNK):
        whole.join(holds("interpreted", seed))
    covered(whole, workshop / "mechanisms", first)


def covered(tally, folder, number):
    """What a chunk has compared is kept in a folder; the last one of a run sees that in sum nothing was left out."""
    folder.mkdir(exist_ok=True)
    made = folder / f"{number}.part"
    made.write_text(json.dumps({table: sorted(map(str, tally.counts[table])) for table in COVERED}))
    made.rename(folder / f"{number}.json")
    kept = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    if len(kept) == INTERPRETED // CHUNK:
        for table, expected in COVERED.items():
            assert expected <= {name for part in kept for name in part[table]}, table


@pytest.mark.parametrize("seed", JOINTED, ids=JOINTED.get)
def test_a_mechanism_told_with_joints_agrees_with_the_oracle(seed):
    assert f"{JOINTED[seed]} joint" in case(seed).features
    holds("interpreted", seed)


@pytest.mark.parametrize("seed", HUNG, ids=HUNG.get)
def test_a_body_on_several_rods_and_legs_agrees_with_the_oracle(seed):
    assert "hung body" in case(seed).features
    holds("interpreted", seed)


@pytest.mark.parametrize("seed", TOLD_TO_SYMPY, ids=TOLD_TO_SYMPY.get)
def test_a_mechanism_told_to_sympy_agrees_with_the_oracle(seed):
    assert holds("sympy", seed).mechanisms == 1


@pytest.mark.parametrize("seed", ONCE_WRONG, ids=ONCE_WRONG.get)
def test_what_once_came_out_wrong_agrees_with_the_oracle(seed):
    holds("interpreted", seed)


@pytest.mark.compiles
@pytest.mark.parametrize("seed", range(COMPILED))
def test_a_compiled_model_agrees_with_the_oracle(seed):
    holds("compiled", seed)


def test_a_seed_is_a_mechanism():
    assert case(3).spec == case.__wrapped__(3).spec
