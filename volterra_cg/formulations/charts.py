"""Charts: further choices of what is solved for, for configurations at which the first one is singular.

A chart is a set of quasi-velocities and, where constraints are redundant, of the constraints that are solved for. Where
[Y; M'; a] of the first is close to singular somewhere on the way of the mechanism, others are chosen so that one of them is
regular wherever the mechanism is: at each place the rates that the motion changes most, and the constraints that differ most,
are the best choice, and two or three of these choices serve everywhere.

Regularity is the volume that rows of length 1 span, in the metric of the mass matrix: what no choice of speeds can help,
such as Euler's angles that lock, does not ask for another chart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import ModelError
from volterra_cg.formulations.default_speeds import rates
from volterra_cg.formulations.problem import Problem
from volterra_cg.formulations.rank import unit_rows
from volterra_cg.kinematics.configurations import matrix, walked
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Node

NEEDED = 0.1  # part of the best volume at a place below which the first chart needs others
GOOD = 0.3  # part of it that the charts together are to have
MOST = 3  # charts
SINGULAR = 1e-6  # volume at a place where no chart helps
MASSLESS = 1e-6  # part of the inertia of a coordinate that is added to it
LARGE = 16  # coordinates of a mechanism that is not looked at: it would take too long to build more than one


def is_square(problem: Problem) -> bool:
    """Whether quasi-velocities and constraints are solved for together, so that there is a choice of quasi-velocities."""
    rows = len(problem.speeds) + len(problem.momentum_inputs) + len(problem.kinematics.constraints)
    return rows == len(problem.kinematics.inputs.coordinates)


def frame(problem: Problem) -> tuple[AffineRow, ...]:
    """The rows that must be independent for a problem to be solvable: [Y; M'; a], or a where rates are states."""
    constraints = problem.kinematics.constraints
    momenta = [one.row for one in problem.integrals if one.value is not None]
    return (*problem.speeds, *momenta, *constraints) if is_square(problem) else constraints


def units(kinematics: Kinematics) -> tuple[Fraction, ...]:
    """Powers of 2 by which coordinates become such of about unit mass, with the parameters of the spec."""
    own, _ = _masses(
        kinematics, {n: v[: kinematics.configurations.near] for n, v in kinematics.configurations.values.items()}
    )
    return tuple(Fraction(2) ** round(-0.5 * math.log2(size)) for size in own)


def further(problem: Problem) -> tuple[Kinematics, ...]:
    """The mechanism with other quasi-velocities and constraints to solve for, once for each chart beside the first."""
    kinematics = problem.kinematics
    square = is_square(problem)
    if len(kinematics.inputs.coordinates) > LARGE or not ((square and frame(problem)) or kinematics.redundant):
        return ()
    places = _Places.of(problem)
    found = [places.first]
    covered = places.served(found[0])
    if covered.min(initial=1.0) >= NEEDED:
        return ()
    _require_square(problem)
    while len(found) < MOST and covered.min() < GOOD:
        choices = dict.fromkeys(places.best(int(k)) for k in np.flatnonzero(covered < GOOD))
        added = {choice: np.maximum(covered, places.served(choice)) for choice in choices if choice not in found}
        if not added:
            break
        choice = max(added, key=lambda one: (round(float(added[one].min()), 6), round(float(added[one].sum()), 6)))
        if added[choice].min() <= covered.min() and len(found) > 1:
            break
        found.append(choice)
        covered = added[choice]
    return tuple(places.posed(choice) for choice in found[1:])


def _require_square(problem: Problem) -> None:
    """Refuse formulations whose constraints hold by integration alone: each change of rows would magnify what they miss."""
    if is_square(problem):
        return
    kept, others = (
        ", ".join(row.name for row in rows) for rows in (problem.kinematics.constraints, problem.kinematics.redundant)
    )
    message = (
        f"{problem.formulation} solves for the constraints {kept} all along, but these depend on each other on the way of"
        f" the mechanism, where {others} would have to be solved for"
    )
    remedy = "use reduced-volterra, kane, volterra or boltzmann-hamel, which change the constraints that they solve for"
    raise ModelError(message, ("constraints", problem.kinematics.redundant[0].name), remedy)


@dataclass(frozen=True)
class _Choice:
    """A chart, by the numbers of its rows among speeds to choose from and among all constraints."""

    speeds: tuple[int, ...]
    constraints: tuple[int, ...]


@dataclass(frozen=True)
class _Places:
    """Rows of length 1 at places on the way of the mechanism, of shape (places, rows, coordinates), and what they are."""

    kinematics: Kinematics
    pool: tuple[AffineRow, ...]  # the speeds to choose from, those of the first chart first
    first: _Choice
    speeds: Vector
    momenta: Vector
    constraints: Vector
    best_volumes: Vector

    @classmethod
    def of(cls, problem: Problem) -> _Places:
        kinematics = problem.kinematics
        pool: tuple[AffineRow, ...] = ()
        momenta: list[AffineRow] = []
        if is_square(problem):
            known = {row.name for row in problem.speeds}
            moving = [j for j in range(len(kinematics.inputs.rates)) if j not in problem.ignorable]
            pool = (*problem.speeds, *(row for row in rates(kinematics, moving) if row.name not in known))
            momenta = [one.row for one in problem.integrals if one.value is not None]
        own = {row.number for row in kinematics.constraints}
        first = _Choice(
            tuple(range(len(problem.speeds))) if pool else (),
            tuple(k for k, row in enumerate(kinematics.rows) if row.number in own),
        )
        values = _measured(kinematics, (*pool, *momenta, *kinematics.rows))
        parts = np.split(values, [len(pool), len(pool) + len(momenta)], axis=1)
        made = cls(kinematics, pool, first, parts[0], parts[1], parts[2], np.ones(len(values)))
        volumes = np.array([made.volume(made.best(k), k) for k in range(len(values))])
        good = volumes > SINGULAR
        kept = [part[good] for part in parts]
        return cls(kinematics, pool, first, kept[0], kept[1], kept[2], volumes[good])

    def best(self, place: int) -> _Choice:
        """The choice that spans the largest volume at a place, each row the one that differs most from those before it."""
        constraints, basis = _picked(self.constraints[place], len(self.first.constraints), [])
        _, basis = _picked(self.momenta[place], len(self.momenta[place]), basis)
        speeds, _ = _picked(self.speeds[place], len(self.first.speeds), basis)
        return _Choice(tuple(sorted(speeds)), tuple(sorted(constraints)))

    def volume(self, choice: _Choice, place: int) -> float:
        rows = [self.speeds[place][list(choice.speeds)], self.momenta[place]]
        return float(
            _volumes(np.concatenate([*rows, self.constraints[place][list(choice.constraints)]])[np.newaxis])[0]
        )

    def served(self, choice: _Choice) -> Vector:
        """The volume of a choice beside the best one, at every place."""
        rows = (self.speeds[:, choice.speeds], self.momenta, self.constraints[:, choice.constraints])
        return _volumes(np.concatenate(rows, axis=1)) / self.best_volumes

    def posed(self, choice: _Choice) -> Kinematics:
        rows = self.kinematics.rows
        return replace(
            self.kinematics,
            speeds=tuple(self.pool[k] for k in choice.speeds),
            constraints=tuple(rows[k] for k in choice.constraints),
            redundant=tuple(row for k, row in enumerate(rows) if k not in choice.constraints),
        )


def _measured(kinematics: Kinematics, rows: Sequence[AffineRow]) -> Vector:
    """Rows of length 1 in coordinates of unit mass, on the way of the mechanism and close to its start."""
    count, tried = len(kinematics.inputs.coordinates), kinematics.configurations
    ways = walked(kinematics)
    values = {node: np.concatenate([ways[node], near[: tried.near]]) for node, near in tried.values.items()}
    found = matrix([row.columns for row in rows], values, count)
    own, mass = _masses(kinematics, values)
    with np.errstate(all="ignore"):  # numbers close to the largest ones leave the range
        found, mass = found / np.sqrt(own), mass / np.sqrt(own)[:, np.newaxis] / np.sqrt(own)
    finite = np.isfinite(found).all(axis=(1, 2)) & np.isfinite(mass).all(axis=(1, 2))
    found, mass = found[finite], mass[finite]
    if not len(mass):
        return found
    weights, axes = np.linalg.eigh(mass)
    scaled = found @ axes / np.sqrt(np.maximum(weights, 0.0) + MASSLESS)[:, np.newaxis]
    return unit_rows(scaled)


def _masses(kinematics: Kinematics, values: Mapping[Node, Vector]) -> tuple[Vector, Vector]:
    """The largest inertia of each coordinate at some places, and the mass matrix there, Eq. (13).

    It is made of numbers, not of nodes: the order in which nodes are made shows in the text of a model.
    """
    count = len(kinematics.inputs.coordinates)
    turns = [np.eye(3)[np.newaxis]]
    for frame in kinematics.frames[1:]:
        assert frame.turn is not None
        turns.append(turns[frame.parent] @ _numbers(frame.turn.matrix, values))
    mass: Vector = np.zeros((1, count, count))
    for body in kinematics.bodies:
        weight = _numbers([[body.mass]], values)
        moved = np.zeros((weight.shape[0], 3, count))
        for j, parts in body.center.columns.items():
            moved[:, :, j] += sum(
                (turns[frame] @ _numbers([part], values).swapaxes(1, 2))[:, :, 0] for frame, part in parts
            )
        mass = mass + weight * (moved.swapaxes(1, 2) @ moved)
        if body.frame and body.inertia:
            turned = np.zeros_like(moved)
            for j, column in body.frame.columns.items():
                turned[:, :, j] = _numbers([column], values)[:, 0]
            mass = mass + turned.swapaxes(1, 2) @ _numbers(body.inertia, values) @ turned
    own = np.nan_to_num(np.abs(np.einsum("pjj->pj", mass)), posinf=0.0).max(axis=0, initial=0.0)
    return np.where(own > 0, own, own.max(initial=0.0) or 1.0), mass


def _numbers(rows: Sequence[Sequence[Node]], values: Mapping[Node, Vector]) -> Vector:
    """The values of a matrix of nodes, of shape (places, rows, columns)."""
    return matrix([dict(enumerate(row)) for row in rows], values, len(rows[0]))


def _picked(rows: Vector, count: int, basis: Sequence[Vector]) -> tuple[list[int], list[Vector]]:
    """The numbers of rows that differ most, one after the other, from a basis and from each other; the basis with them."""
    found, numbers = list(basis), list[int]()
    rest = rows.copy()
    for unit in found:
        rest -= np.outer(rest @ unit, unit)
    for _ in range(count):
        sizes = np.round(np.linalg.norm(rest, axis=1), 9)
        sizes[numbers] = -1.0
        best = int(np.argmax(sizes))
        unit = rest[best] / max(float(np.linalg.norm(rest[best])), 1e-300)
        numbers.append(best)
        found.append(unit)
        rest = rest - np.outer(rest @ unit, unit)
    return numbers, found


def _volumes(rows: Vector) -> Vector:
    """The volumes that rows span, of shape (places, rows, coordinates)."""
    if not rows.shape[1]:
        return np.ones(len(rows))
    return np.asarray(np.prod(np.linalg.svd(rows, compute_uv=False), axis=1), dtype=np.float64)
