"""Which rows over the rates of the coordinates are independent, and how well a choice of them determines the rates.

A rank is decided twice: by the fingerprints of the rows, which are exact but do not see through roots, and by their values where
the mechanism is tried around its start (`Kinematics.configurations`). Rows that depend on each other by either are dependent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.kinematics.configurations import evaluated, walked
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.field import independent_rows
from volterra_cg.program.nodes import Node
from volterra_cg.program.parts import groups

Row = Mapping[int, Node]

RANK = (
    1e-6  # part of its size by which a row must differ from those before it; a dead point is found to sqrt(NEAR) only
)
CLEAR = 0.05  # least singular value of a set of rows of length 1 that needs no better one
ENOUGH = 0.02  # part of the best set's least singular value that an earlier set may have
TINY = 1e-300  # stands for a least singular value of rows that are dependent only where one of them was tried
MOST = 500  # sets that are compared
# parts of a row of length 1 by which it differs from others at the start and close to it, tried in turn
APART = 0.5, 0.2, 0.1, 0.03, 0.01, 0.001
FEW = 24  # rows, up to which a matrix is not taken apart


def independent(kinematics: Kinematics, rows: Sequence[Row]) -> list[int]:
    """Positions of the first maximal set of independent rows."""
    found = _tried(kinematics, rows, kinematics.configurations.near)
    return sorted(part.rows[k] for part in found.parts for k in _independent([rows[i] for i in part.rows], part.values))


def _independent(rows: Sequence[Row], values: Vector) -> list[int]:
    """The same for rows and their values where they are tried."""
    exact = independent_rows(rows)
    if not len(values):
        return exact
    sizes = np.linalg.norm(values, axis=2).max(axis=0, initial=0.0)  # each row is measured where it is largest
    values = values / np.where(sizes > 0, sizes, 1.0)[:, np.newaxis]
    kept = _in_order(values, exact, lambda _, sizes: bool(sizes.max(initial=0.0) > RANK))
    if len(kept) == len(exact):
        return kept
    # a row that the mechanism makes dependent has left its place to a later one
    return _in_order(
        values,
        range(len(rows)),
        lambda chosen, sizes: (
            sizes.max(initial=0.0) > RANK and len(independent_rows([rows[number] for number in chosen])) == len(chosen)
        ),
    )


def _in_order(values: Vector, numbers: Iterable[int], kept_if: Callable[[list[int], Vector], bool]) -> list[int]:
    """Those of the numbers that are kept, asked with these and by how much the row differs from those kept, place by place."""
    basis = np.zeros((len(values), 0, values.shape[2]))
    kept: list[int] = []
    for number in numbers:
        rest = values[:, number]
        for _ in range(2):  # the second time only takes away rounding
            rest = rest - np.einsum("pk,pkm->pm", np.einsum("pkm,pm->pk", basis, rest), basis)
        size = np.linalg.norm(rest, axis=1)[:, np.newaxis]
        if kept_if([*kept, number], size):
            kept.append(number)
            unit = np.where(size > RANK, rest / np.where(size > 0, size, 1.0), 0.0)
            basis = np.concatenate([basis, unit[:, np.newaxis]], axis=1)
    return kept


class Pick(NamedTuple):
    """Some rows, by their numbers, and how regular they are where the mechanism is tried.

    `steady` if the determinant keeps its sign; `least` is the least singular value.
    """

    steady: bool
    least: float
    numbers: list[int]

    @property
    def is_clear(self) -> bool:
        """Whether no better rows are needed."""
        return self.steady and self.least >= CLEAR


def best_of(kinematics: Kinematics, required: Sequence[Row], given: Sequence[Row], count: int) -> Pick | None:
    """Which `count` of the given rows to keep beside the required ones; None if every choice is singular.

    The first choice, in the order of the rows, that is nowhere singular where the mechanism is tried and nearly as regular as
    the best. A determinant that changes its sign is zero in between.
    """
    if comb(len(given), count) > MOST:
        first = _first(kinematics, required, given)[:count]
        measure = _regularity(_tried(kinematics, [*required, *(given[k] for k in first)]).unit())
        return Pick(*measure, first) if len(first) == count else None
    kept = _best(required, given, count, _tried(kinematics, [*required, *given]))
    if not (kept and kept.steady) and any(
        row.position is not None for row in kinematics.constraints
    ):  # places may be of other assemblies
        along = tried([*required, *given], walked(kinematics), len(kinematics.inputs.coordinates))
        other = _best(required, given, count, along)
        kept = other if other and other.steady else kept
    return kept


def _first(kinematics: Kinematics, required: Sequence[Row], given: Sequence[Row]) -> list[int]:
    """The first of the given rows that differ clearly from the required ones and from each other, as clearly as can be had."""
    rows = [*required, *given]
    every = [k - len(required) for k in independent(kinematics, rows) if k >= len(required)]
    near = _tried(kinematics, rows, kinematics.configurations.near).unit()
    for least in APART:
        found = sorted(k for part in near.parts for k in _apart(part, len(required), least) if k >= 0)
        if len(found) >= len(every):
            return found
    return every


def _apart(part: Part, required: int, least: float) -> list[int]:
    """The required rows of a part, and in their order those of others that differ by this much wherever they are tried."""

    def clear(chosen: list[int], sizes: Vector) -> bool:
        return part.rows[chosen[-1]] < required or bool(sizes.min(initial=1.0) > least)

    return [part.rows[k] - required for k in _in_order(part.values, range(len(part.rows)), clear)]


def _best(required: Sequence[Row], given: Sequence[Row], count: int, found: Tried) -> Pick | None:
    """The choice by the values of all rows."""
    unit, first = found.unit(), range(len(required))
    measured: list[tuple[tuple[bool, float], list[int]]] = []
    for kept in map(list, combinations(range(len(given)), count)):
        measured.append((_regularity(unit.only([*first, *(len(required) + k for k in kept)])), kept))
        if measured[-1][0][0] and measured[-1][0][1] >= CLEAR:
            break
    regular = [
        (measure, kept) for measure, kept in measured if _is_regular([*required, *(given[k] for k in kept)], measure)
    ]
    if not regular:
        return None
    steady, size = max(measure for measure, _ in regular)
    return next(Pick(*of, kept) for of, kept in regular if of[0] == steady and of[1] >= ENOUGH * size)


def _is_regular(rows: Sequence[Row], measure: tuple[bool, float]) -> bool:
    return measure[1] > 0.0 and len(independent_rows(rows)) == len(rows)


def worst(found: Tried) -> float:
    """The least singular value of rows of length 1 where it is least."""
    return _regularity(found.unit())[1]


def _regularity(found: Tried) -> tuple[bool, float]:
    """Whether the determinant keeps its sign, for a square matrix, and the least singular value; 0 if always below RANK."""
    if not found.places:
        return True, 1.0
    singular, signs = _measured(found)
    least = max(float(singular.min()), TINY) if singular.max() > RANK else 0.0
    return bool((signs == signs[0]).all()), least


def _measured(found: Tried) -> tuple[Vector, Vector]:
    """The least singular value at every place, and the sign of the determinant there, up to one that all places share."""
    singular, signs = np.full(found.places, np.inf), np.ones(found.places)
    shapes: dict[tuple[int, ...], list[Vector]] = {}
    for part in found.parts:
        shapes.setdefault(part.values.shape[1:], []).append(part.values)
    rows = sum(height * len(blocks) for (height, _), blocks in shapes.items())
    for (height, width), blocks in shapes.items():
        stacked = np.stack(blocks, axis=1)
        one = np.linalg.svd(stacked, compute_uv=False)[..., -1] if height <= width else np.zeros(stacked.shape[:2])
        singular = np.minimum(singular, one.min(axis=1))
        if rows == found.columns:
            signs = signs * (np.sign(np.linalg.det(stacked)).prod(axis=1) if height == width else 0.0)
    return singular, signs


class Part(NamedTuple):
    """Rows that belong together, by their numbers, and their values over their own columns: (places, rows, columns)."""

    rows: list[int]
    values: Vector


class Tried(NamedTuple):
    """Rows over `columns` coordinates at some places; what many bodies have apart is many small matrices, not a large one."""

    places: int
    columns: int
    parts: list[Part]

    def only(self, numbers: Sequence[int]) -> Tried:
        """Some of the rows."""
        kept = set(numbers)
        own = [(part, [k for k, row in enumerate(part.rows) if row in kept]) for part in self.parts]
        parts = [Part([part.rows[k] for k in inner], part.values[:, inner]) for part, inner in own if inner]
        return self._replace(parts=parts)

    def unit(self) -> Tried:
        """The rows with length 1."""
        return self._replace(parts=[Part(part.rows, unit_rows(part.values)) for part in self.parts])


def _tried(kinematics: Kinematics, rows: Sequence[Row], most: int | None = None) -> Tried:
    """The rows at the first `most` places, or all, where all of them are finite."""
    return tried(rows, kinematics.configurations.values, len(kinematics.inputs.coordinates), most)


def tried(rows: Sequence[Row], values: Mapping[Node, Vector | float], count: int, most: int | None = None) -> Tried:
    """Rows over `count` coordinates at some configurations, those left out where they are not finite."""
    entries = evaluated([node for row in rows for node in row.values()])(values)[:most]
    entries = entries[np.isfinite(entries).all(axis=1)]
    starts = np.cumsum([0, *map(len, rows)])
    parts = []
    for own, among in _parts(rows) if len(rows) > FEW else [(list(range(len(rows))), range(count))]:
        place = {column: k for k, column in enumerate(among)}
        dense = np.zeros((len(entries), len(own), len(place)))
        for k, row in enumerate(own):
            dense[:, k, [place[column] for column in rows[row]]] = entries[:, starts[row] : starts[row + 1]]
        parts.append(Part(own, dense))
    return Tried(len(entries), count, parts)


def _parts(rows: Sequence[Row]) -> list[tuple[list[int], Sequence[int]]]:
    """Rows and columns that belong together."""
    found: dict[int, list[int]] = {}
    for number, group in enumerate(groups(rows)):
        found.setdefault(group, []).append(number)
    return [(own, sorted({column for number in own for column in rows[number]})) for own in found.values()]


def unit_rows(values: Vector) -> Vector:
    """Rows with length 1, of shape (places, rows, columns); zeros stay."""
    largest = np.abs(values).max(axis=2, keepdims=True, initial=0.0)
    values = np.ldexp(values, -np.frexp(largest)[1])  # squares of huge entries would leave the range of numbers
    sizes = np.linalg.norm(values, axis=2, keepdims=True)
    return values / np.where(sizes > 0, sizes, 1.0)
