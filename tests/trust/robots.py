"""Robots of example-robot-data beside Pinocchio, and models of dm_control's suite beside MuJoCo."""

from itertools import cycle, islice

from tests.robots import mujoco_twin, pinocchio_twin
from tests.trust.apart import short
from tests.trust.progress import PROGRESS
from tests.trust.tally import Tally

CLOSE = 1e-10  # of accelerations, beside the largest


def _jobs():
    """What to compare, as the robot, whom with, and a function of a seed."""
    for name, floating in pinocchio_twin.ROBOTS.items():
        for path in pinocchio_twin.installed(name)[:1]:
            yield (
                name,
                "Pinocchio",
                lambda seed, path=path, floating=floating: pinocchio_twin.difference(path, floating, seed),
            )
    for name in mujoco_twin.SUITE:
        for path in mujoco_twin.installed(name)[:1]:
            yield name, "MuJoCo", lambda seed, path=path: mujoco_twin.difference(path, seed)


def robots(_, count):
    """The row of robots: `count` states, of one robot after the other.

    They are the same whatever the seed of the row: at some states some robots differ by up to 7e-11.
    """
    tally, jobs = Tally(), [*_jobs()]
    if not jobs:
        tally.skipped = "neither example-robot-data with Pinocchio nor dm_control is installed"
    for number, (name, other, difference) in enumerate(islice(cycle(jobs), count)):
        state = number // len(jobs)
        PROGRESS.told(number, count, len(tally.failures))
        try:
            apart = difference(state)
            if apart < CLOSE:
                tally.add(f"as {other}")
            else:
                tally.fail(f"{name}, state {state}: {apart:.3g} apart from {other}")
        except Exception as error:
            tally.fail(f"{name}, state {state}: {short(error)}")
    return tally
