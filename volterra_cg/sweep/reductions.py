"""What can be kept of a run instead of all its results: a few numbers, found where the run is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from volterra_cg.runtime import Run
from volterra_cg.runtime.description import unknown

Reduction = Callable[[Run], float]
WORDS = ("final", "extrema")


def reductions(word: str, columns: Sequence[str]) -> dict[str, Reduction]:
    """The reductions that a word stands for, by the names of their results."""
    if word == "final":
        return {f"final {name}": partial(_final, name) for name in columns}
    if word == "extrema":
        lowest: dict[str, Reduction] = {f"min {name}": partial(_lowest, name) for name in columns}
        return lowest | {f"max {name}": partial(_highest, name) for name in columns}
    raise unknown("reduction", word, WORDS)


def _final(name: str, run: Run) -> float:
    return float(run[name][-1])


def _lowest(name: str, run: Run) -> float:
    return float(np.min(run[name]))


def _highest(name: str, run: Run) -> float:
    return float(np.max(run[name]))
