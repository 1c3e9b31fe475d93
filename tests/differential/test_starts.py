"""A few random starts of mechanisms with singular configurations; `python -m tests.differential.starts` makes a thousand."""

from dataclasses import replace

import pytest

from tests.differential import starts

pytestmark = pytest.mark.compiles


@pytest.mark.parametrize("name", ["disc", "four-bar in its rocker's rate", "Bricard"])
def test_runs_from_random_starts_are_right(compiled, name):
    model = compiled(starts.FAMILIES[name].text)
    for seed in range(6):
        assert starts.attempt(model, starts.FAMILIES[name], seed) == "right"


def test_a_run_that_is_wrong_and_does_not_say_so_is_found(compiled):
    model = compiled(starts.FAMILIES["Bricard"].text)
    run = model.simulate(1, dt=0.1)
    starts._compare(run, run, 1e-6)
    with pytest.raises(starts.Wrong, match="off by"):
        starts._compare(replace(run, z=run.z + 1e-3), run, 1e-6)
