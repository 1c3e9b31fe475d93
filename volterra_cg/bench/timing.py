"""Processor time of models that take turns on one core."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.runtime import Run
from volterra_cg.runtime.integration import Control, repeat, states

from .models import Built

MEASURED = 64  # states of the motion that the time of one rhs is measured over
TRIAL = 2000  # calls from which the number of calls that takes LEAST_SECONDS is told
LEAST_SECONDS = 0.02


@dataclass(frozen=True)
class Timing:
    """Seconds of one integration, round by round of interleaved repeats."""

    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return median(self.rounds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Where the middle half lies."""
        low, high = np.quantile(self.rounds, [0.25, 0.75])
        return float(low), float(high)

    def beside(self, other: Timing) -> float:
        """The median of the ratios within rounds: a machine that changes its speed changes it for both."""
        return median(a / b for a, b in zip(self.rounds, other.rounds, strict=True))


@contextmanager
def one_core() -> Iterator[None]:
    """Stay on one core while measuring, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {max(before)})
        yield
    finally:
        os.sched_setaffinity(0, before)


def integrations(built: Sequence[Built], times: Vector, control: Control, rounds: int) -> dict[str, Timing]:
    """Formulation after formulation, round after round, so that a slow moment of the machine hits all alike."""
    seconds: dict[str, list[float]] = {b.label: [] for b in built}
    for _ in range(rounds):
        for item in built:
            seconds[item.label].append(states(item.model.default, times, control)[1].seconds)
    return {label: Timing(tuple(row)) for label, row in seconds.items()}


def evaluations(built: Sequence[Built], runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """Nanoseconds of one call of rhs in a loop in C, over states along the motion: the median of such rounds."""
    found: dict[str, list[float]] = {b.label: [] for b in built}
    loops: dict[str, int] = {}
    for _ in range(rounds):
        for item in built:
            run = runs[item.label]
            rows = np.unique(np.linspace(0, len(run.t) - 1, MEASURED).astype(int))
            handle, at, z = item.model.default.handle, run.t[rows], run.z[rows]
            if item.label not in loops:
                trial = max(repeat(handle, at, z, TRIAL), 1e-6)
                loops[item.label] = max(TRIAL, int(TRIAL * LEAST_SECONDS / trial))
            found[item.label].append(repeat(handle, at, z, loops[item.label]) / loops[item.label])
    return {label: 1e9 * median(row) for label, row in found.items()}
