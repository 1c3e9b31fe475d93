"""How long a build will still take: at the usual ratios that is exact, and a stage that tells how far it is knows best."""

import pytest

from volterra_cg.cli.estimate import USUAL, Estimate
from volterra_cg.clock import STAGES, Moment


def test_usual_stages_take_what_was_said():
    time = [0.0]
    estimate, total = Estimate(lambda: time[0]), 2 * sum(USUAL.values())
    for stage in STAGES:
        seconds = 2 * USUAL.get(stage, 0.0)
        estimate.hear(Moment(stage))
        time[0] += seconds / 2
        if stage in ("read", "derive"):
            assert estimate.left() is None
        else:
            assert estimate.left() == pytest.approx(total - time[0])
        time[0] += seconds / 2
        estimate.hear(Moment(stage, 1.0, seconds))
    assert estimate.left() == 0.0


def test_a_stage_that_tells_how_far_it_is_knows_best():
    time = [0.0]
    estimate = Estimate(lambda: time[0])
    estimate.hear(Moment("derive"))
    estimate.hear(Moment("derive", 1.0, 1.0))
    estimate.hear(Moment("compile"))
    time[0] = 3.0
    estimate.hear(Moment("compile", 0.25))
    assert estimate.left() == pytest.approx(9.0)
    time[0] = 6.0
    assert estimate.left() == pytest.approx(18.0)


def test_a_stage_that_takes_longer_than_usual_is_not_over():
    time = [0.0]
    estimate = Estimate(lambda: time[0])
    estimate.hear(Moment("derive"))
    estimate.hear(Moment("derive", 1.0, 3.0))
    estimate.hear(Moment("optimise"))
    time[0] = 100.0
    assert estimate.left() == pytest.approx(
        103.0 * (USUAL["emit"] + USUAL["compile"]) / (USUAL["derive"] + USUAL["optimise"])
    )
