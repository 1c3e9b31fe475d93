"""What is measured of a model: the paper's errors over the samples of a run, processor time, machine instructions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.build.temporary import temporary
from volterra_cg.runtime import Run
from volterra_cg.runtime.integration import StepControl, repeat, states

from .models import Built

TINY = 1e-12  # a first value this small beside the others cannot serve as a unit
MEASURED = 64  # states of the motion that the time of one rhs is measured over
TRIAL = 2000  # calls from which the number of calls that takes LEAST_SECONDS is told
LEAST_SECONDS = 0.02
LOOPS = 2000
SCRIPT = """
import sys
from pathlib import Path
from volterra_cg.build import load
from volterra_cg.runtime.integration import repeat
start = load(Path(sys.argv[1])).model.default
repeat(start.handle, [start.t0], [start.z0], int(sys.argv[2]))
"""


# --- errors -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Errors:
    """Signed errors over time, and None where a system has no such quantity."""

    energy: Vector | None  # (E - E0) / E0, shape (times,)
    momentum: Vector | None  # (P - P0) / P0 of the first ignorable coordinate
    constraint: Vector | None  # residuals of the constraints, shape (times, r), absolute


def errors(run: Run) -> Errors:
    """Energy and momentum relative to their first values, constraints as they are."""
    outputs = run.description.outputs
    energy = run.y[:, outputs["energy"].offset] if "energy" in outputs else None
    momenta, constraints = outputs["momenta"], outputs["constraints"]
    kinetic = run.y[:, outputs["kinetic_energy"].offset]
    return Errors(
        energy=None if energy is None else _relative(energy, float(np.abs(kinetic).max())),
        momentum=_relative(run.y[:, momenta.offset], 1.0) if momenta.size else None,
        constraint=run.y[:, constraints.where] if constraints.size else None,
    )


def _relative(values: Vector, otherwise: float) -> Vector:
    """Beside the first value; beside `otherwise` where that is zero."""
    unit = float(values[0])
    if abs(unit) <= TINY * max(float(np.abs(values).max()), otherwise):
        unit = otherwise or 1.0
    change: Vector = (values - values[0]) / unit
    return change


def norm(values: Vector | None) -> float | None:
    """The 2-norm over all samples, as in the paper's tables: not a percentage, maximum or mean."""
    return None if values is None else float(np.linalg.norm(values))


# --- processor time, of models that take turns on one core ------------------------------------------------------------


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


def integrations(built: Sequence[Built], times: Vector, control: StepControl, rounds: int) -> dict[str, Timing]:
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


# --- machine instructions of one call of rhs, counted by valgrind's callgrind; its own libraries' included ------------


def available() -> bool:
    """Whether valgrind is on this machine."""
    return shutil.which("valgrind") is not None


def instructions(folder: Path) -> int | None:
    """Of the model in a folder, at its start; None without valgrind or where it fails."""
    if not available():
        return None
    with temporary() as aside:
        out = aside / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=vcg_repeat", f"--callgrind-out-file={out}"]
        answer = subprocess.run(
            [*command, sys.executable, "-c", SCRIPT, str(folder), str(LOOPS)],
            capture_output=True,
            text=True,
            check=False,
        )
        text = out.read_text() if out.exists() else ""
    total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
    return round(int(total[1]) / LOOPS) if answer.returncode == 0 and total else None
