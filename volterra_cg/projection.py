"""Start values on the constraints, by Gauss-Newton: shared by the compiler, which checks them, and the runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from volterra_cg.arrays import Vector

STEPS = 50
SMALL = 1e-9  # steps below this, beside the coordinates, that no longer shrink are rounding
NEGLIGIBLE = 1e-12  # moves that are rounding


@dataclass(frozen=True)
class Constraints:
    """The constraints at a configuration: slopes q' + drift = 0, and the gaps of those that hold for positions.

    `slopes` has shape (r, m); `holonomic` are the numbers of the rows that the gaps belong to.
    """

    slopes: Vector
    drift: Vector
    gaps: Vector
    holonomic: Sequence[int]


def project(
    q: Vector, rates: Vector, free: Sequence[int], at: Callable[[Vector], Constraints]
) -> tuple[Vector, Vector]:
    """The nearest coordinates and rates that satisfy the constraints, if there are any; only those in `free` change."""
    q, rates, chosen = q.copy(), rates.copy(), list(free)
    before = np.inf
    for _ in range(STEPS):
        rows = at(q)
        step = _least(rows.slopes[list(rows.holonomic)][:, chosen], rows.gaps)
        q[chosen] -= step
        size = np.abs(step).max(initial=0.0) / (1.0 + np.abs(q).max(initial=0.0))
        if size == 0.0 or (size < SMALL and size > before / 4):
            break
        before = size
    rows = at(q)
    for _ in range(2):  # the second time only takes away rounding
        rates[chosen] -= _least(rows.slopes[:, chosen], rows.slopes @ rates + rows.drift)
    return q, rates


def moves(
    names: Sequence[str], given: tuple[Vector, Vector], used: tuple[Vector, Vector]
) -> dict[str, tuple[float, float]]:
    """The coordinates and rates that were changed by more than rounding, before and after."""
    named = [*names, *(f"der({name})" for name in names)]
    pairs = zip(named, map(float, np.concatenate(given)), map(float, np.concatenate(used)), strict=True)
    return {name: (old, new) for name, old, new in pairs if abs(new - old) > NEGLIGIBLE * (1.0 + abs(old))}


def move_lines(moved: Mapping[str, tuple[float, float]]) -> list[str]:
    """What was moved, for reading."""
    return [f"  {name}: {old:.9g} -> {new:.9g}" for name, (old, new) in moved.items()]


def _least(matrix: Vector, right: Vector) -> Vector:
    """The smallest solution in the sense of least squares."""
    if not np.isfinite(matrix).all() or not np.isfinite(right).all():
        return np.zeros(matrix.shape[1])
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=None)[0], dtype=np.float64)
