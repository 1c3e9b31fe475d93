"""The states that constraints leave free near a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from volterra_cg.arrays import Vector

if TYPE_CHECKING:
    from .start import Start

SMALL = 1e-10  # pivots below this, beside the largest, belong to rows that depend on others
STEP = 1e-6  # of differences, beside the size of a coordinate


@dataclass(frozen=True)
class Tangent:
    """Deviations of a state that keep to the constraints: basis @ those of the `independent` states."""

    independent: list[int]
    basis: Vector


def tangent(start: Start, t: float, z: Vector) -> Tangent:
    """The deviations that the constraints allow at a state: all of them, where none holds for positions.

    Quasi-velocities are independent of each other, but where rates are states, as in Lagrange's equations, the
    constraints hold for them too.
    """
    count, size, speeds = len(start.model.coordinates), len(z), len(start.model.quasi_velocities)
    _, slopes = start.handle.gaps(t, z)
    rows = np.hstack([slopes, np.zeros((len(slopes), size - count))])
    dependent = _pivots(slopes)
    if speeds > count - len(start.model.description.constraints) - len(start.momenta):
        rates = _rate_rows(start, t, z)
        rows = np.vstack([rows, rates])
        dependent += [count + column for column in _pivots(rates[:, count : count + speeds])]
    independent = [i for i in range(size) if i not in dependent]
    basis = np.zeros((size, len(independent)))
    basis[independent] = np.eye(len(independent))
    if dependent:
        basis[dependent] = -np.linalg.lstsq(rows[:, dependent], rows[:, independent], rcond=None)[0]
    return Tangent(independent, basis)


def _rate_rows(start: Start, t: float, z: Vector) -> Vector:
    """The derivatives by z of the constraints on rates, which the model gives as residuals; central differences."""
    output = start.model.description.output("constraints")
    columns = []
    for i in range(len(z)):
        step = np.zeros(len(z))
        step[i] = STEP * (1 + abs(z[i])) if i < len(start.model.coordinates) else 1.0  # they are linear in the rates
        above, below = (start.measured(t, z + sign * step)[output.where] for sign in (1, -1))
        columns.append((above - below) / (2 * step[i]))
    return np.array(columns).T.reshape(output.size, len(z))


def _pivots(rows: Vector) -> list[int]:
    """The columns that elimination with full pivoting solves for, one for each independent row."""
    rest, chosen = rows.copy(), list[int]()
    largest = np.abs(rest).max(initial=0.0)
    while rest.size and np.abs(rest).max() > SMALL * largest:
        row, column = np.unravel_index(int(np.abs(rest).argmax()), rest.shape)
        chosen.append(int(column))
        rest = rest - np.outer(rest[:, column] / rest[row, column], rest[row])
        rest[row], rest[:, column] = 0.0, 0.0
    return sorted(chosen)
