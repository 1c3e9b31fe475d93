"""How regular a set of quasi-velocities is, whatever the coordinates that the mechanism is written in.

Velocities that the constraints and the conserved momenta allow are measured by the kinetic energy of the motion. On those of
unit energy the quasi-velocities, each scaled by its usual length, are a square matrix. Its least singular value is 1 where
they are perpendicular and 0 where one vanishes or follows from the others. Where the coordinates themselves lock, as Euler's
angles do, every set is blind alike; such places are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from volterra_cg.arrays import Vector
from volterra_cg.formulations.rank import CLEAR, MOST
from volterra_cg.kinematics.configurations import matrix, walked
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.field import independent_rows
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Node

THIN = 4  # of the places along walks, one in so many is looked at
LOCKED = 1e-9  # part of the largest energy that a unit of rates must have in every direction


class Regularity:
    """Measures sets of quasi-velocities beside required rows: the constraints and the momenta that are embedded."""

    def __init__(self, kinematics: Kinematics, required: Sequence[AffineRow]) -> None:
        self._count = len(kinematics.inputs.coordinates)
        self._required = required
        self._places = _places(kinematics)
        rows = matrix([row.columns for row in required], self._places, self._count)
        self._allowed, kept = _unit_motions(rows, _masses(kinematics, self._places))
        self._places = {node: value[kept] for node, value in self._places.items()}

    def of(self, rows: Sequence[AffineRow]) -> float:
        """The least singular value of a complete set where it is least; 0 if its rows are dependent by meaning."""
        if len(independent_rows([row.columns for row in (*self._required, *rows)])) < self._count:
            return 0.0
        return _least(self._seen(rows))

    def best(self, rows: Sequence[AffineRow], count: int) -> list[int]:
        """The first `count` of the rows that are regular, or else the most regular ones."""
        if comb(len(rows), count) > MOST:
            return list(range(count))
        seen, found = self._seen(rows), [(-1.0, list(range(count)))]
        for kept in map(list, combinations(range(len(rows)), count)):
            found.append((_least(seen[:, kept]), kept))
            if found[-1][0] >= CLEAR:
                break
        return max(found, key=lambda pair: pair[0])[1]

    def parts(self, rows: Sequence[AffineRow], count: int) -> list[tuple[float, list[int]]]:
        """All choices of `count` of the rows, by their numbers, and how regular each is by numbers alone."""
        seen = self._seen(rows)
        return [(_least(seen[:, kept]), kept) for kept in map(list, combinations(range(len(rows)), count))]

    def _seen(self, rows: Sequence[AffineRow]) -> Vector:
        """The rows on motions of unit energy where all are finite, scaled to their usual length and to no more than 1."""
        seen = matrix([row.columns for row in rows], self._places, self._count) @ self._allowed
        seen = seen[np.isfinite(seen).all(axis=(1, 2))]
        sizes = np.linalg.norm(seen, axis=2, keepdims=True)
        sizes = np.maximum(sizes, np.median(sizes, axis=0, keepdims=True)) if len(seen) else sizes
        return np.asarray(seen / np.where(sizes > 0, sizes, 1.0))


def _least(seen: Vector) -> float:
    return float(np.linalg.svd(seen, compute_uv=False)[:, -1].min()) if seen.size else 1.0


def _places(kinematics: Kinematics) -> dict[Node, Vector]:
    """Around the start, and along ways on from it."""
    near, along = kinematics.configurations.values, walked(kinematics)
    return {node: np.concatenate([near[node], along[node][::THIN]]) for node in along}


def _masses(kinematics: Kinematics, places: dict[Node, Vector]) -> Vector:
    """The mass matrix at places, from kinetic energies of unit rates and of their pairs."""
    rates = kinematics.inputs.rates
    count, number = len(rates), len(next(iter(places.values())))
    pairs = [(j, k) for j in range(count) for k in range(j + 1)]
    units = np.array([np.eye(count)[j] + np.eye(count)[k] for j, k in pairs] + list(np.eye(count)) + [np.zeros(count)])
    values = {node: np.repeat(value, len(units)) for node, value in places.items()}
    values |= {rate: np.tile(units[:, j], number) for j, rate in enumerate(rates)}
    with np.errstate(all="ignore"):
        energy = np.broadcast_to(interpret([kinematics.kinetic], values)[0], number * len(units)).reshape(number, -1)
    alone, still = energy[:, len(pairs) : -1], energy[:, -1]
    found = np.zeros((number, count, count))
    for column, (j, k) in enumerate(pairs):
        found[:, j, k] = found[:, k, j] = energy[:, column] - alone[:, j] - alone[:, k] + still
    return found


def _unit_motions(rows: Vector, masses: Vector) -> tuple[Vector, NDArray[np.bool_]]:
    """A basis of unit energy of the rates that rows allow, by columns, and at which places there is one."""
    count, free = masses.shape[1], masses.shape[1] - rows.shape[1]
    kept = np.logical_and(np.isfinite(rows).all(axis=(1, 2)), np.isfinite(masses).all(axis=(1, 2)))
    rows, masses = np.where(kept[:, None, None], rows, 0.0), np.where(kept[:, None, None], masses, 0.0)
    directions = np.linalg.svd(rows)[2] if rows.shape[1] else np.tile(np.eye(count), (len(rows), 1, 1))
    basis = np.swapaxes(directions[:, count - free :], 1, 2)
    sizes, motions = np.linalg.eigh(np.swapaxes(basis, 1, 2) @ masses @ basis)
    if free:
        kept = np.logical_and(kept, sizes[:, 0] > LOCKED * sizes[:, -1])
    return np.asarray((basis @ motions)[kept] / np.sqrt(sizes[kept])[:, np.newaxis]), kept
