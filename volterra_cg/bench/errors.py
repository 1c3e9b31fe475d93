"""The paper's measures of error, over the samples of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.runtime import Run

TINY = 1e-12  # a first value this small beside the others cannot serve as a unit


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
