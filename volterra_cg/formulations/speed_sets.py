"""Complete sets of quasi-velocities to choose from, by rule; `default_speeds` has the rows and what they are called.

- A joint: the rate of its coordinate; or its absolute spin, if it sits on a frame that time turns.
- A body that three coordinates or more turn: rates; its angular velocity in its own axes, or in those of a frame in which its
  inertia is constant: before the spin for a body of revolution, at the contact for a ball.
- A body whose center moves under constraints on velocities: rates; its velocity in its own axes, with or without what time
  alone gives.

Regularity comes first: a set is left out where others are regular and it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from volterra_cg.formulations.default_speeds import (
    Replacement,
    frame_coordinates,
    instead,
    moved,
    rates,
    spins,
)
from volterra_cg.formulations.regularity import Regularity
from volterra_cg.kinematics.axes import Triple, apply
from volterra_cg.kinematics.types import AffineRow, BodyMotion, Kinematics
from volterra_cg.program.field import depends

MOST_COORDINATES = 12  # beyond, the first set is taken as it is
MOST_SETS = 12
NEARLY = 1 / 3  # part of the best set's least singular value that another may have


class SpeedSet(NamedTuple):
    """A complete set, and how regular it is where the mechanism is tried (`Regularity.of`), if there was a choice."""

    rows: tuple[AffineRow, ...]
    least: float | None


def speed_sets(
    kinematics: Kinematics, required: Sequence[AffineRow], first: Sequence[AffineRow], ignorable: Sequence[int]
) -> tuple[SpeedSet, ...]:
    """The first set and others, without those that are less regular than the best; in the order of the rules."""
    few = first and len(kinematics.inputs.coordinates) <= MOST_COORDINATES
    lists = [first, *(_lists(kinematics, ignorable) if few else ())]
    if len(lists) == 1:
        return (SpeedSet(tuple(first), None),)
    measure, needed = Regularity(kinematics, required), len(first)
    found: dict[frozenset[object], SpeedSet] = {}
    for rows in lists:
        kept = [rows[number] for number in measure.best(rows, needed)] if len(rows) >= needed else []
        key = meaning(kept)
        if kept and key not in found and len(found) < MOST_SETS:
            found[key] = SpeedSet(tuple(kept), measure.of(kept))
    least = [one.least or 0.0 for one in found.values()]
    enough = NEARLY * max(least)
    return tuple(one for one, size in zip(found.values(), least, strict=True) if size >= enough)


def meaning(rows: Sequence[AffineRow]) -> frozenset[object]:
    """What a set is, whatever the names, the forms and the order of its rows."""
    return frozenset(
        (row.rest.fingerprint, *((j, node.fingerprint) for j, node in sorted(row.columns.items()))) for row in rows
    )


def _lists(kinematics: Kinematics, ignorable: Sequence[int]) -> Iterator[tuple[AffineRow, ...]]:
    """Rows to choose from, one list for each combination of rules; none where rates are all there is."""
    count = len(kinematics.inputs.rates)
    plain = rates(kinematics, sorted(range(count), key=lambda j: (j in ignorable, j)))
    turnings, moves = _turnings(kinematics, ignorable), _moves(kinematics, ignorable)
    spun = [(), *([found] if (found := tuple(_spun(kinematics, ignorable))) else [])]
    if not any(option for options in (turnings, moves, spun) for option in options):
        return
    for turning, move, absolute in product(turnings, moves, spun):
        rows, replaced = plain, set[int]()
        for other in (*turning, *move, *absolute):
            if not replaced & other.coordinates:
                rows, replaced = instead(rows, other), replaced | other.coordinates
        yield rows


def _turnings(kinematics: Kinematics, ignorable: Sequence[int]) -> list[tuple[Replacement, ...]]:
    """Angular velocities for rates: for no body, for all in their own axes, and in the axes of each frame that allows it."""
    bodies = [b for b in _of_frames(kinematics) if _is_turned(b) and frame_coordinates(b).isdisjoint(ignorable)]
    own = tuple(spins(kinematics, body, body.frame_number) for body in bodies)
    found = [(), own]
    for number in range(1, len(kinematics.frames)):
        seen = [_is_constant(kinematics, body, number) for body in bodies]
        axes = [number if constant else body.frame_number for body, constant in zip(bodies, seen, strict=True)]
        if any(seen):
            found.append(tuple(spins(kinematics, body, n) for body, n in zip(bodies, axes, strict=True)))
    return found


def _of_frames(kinematics: Kinematics) -> list[BodyMotion]:
    """One body of each frame."""
    return list({body.frame_number: body for body in reversed(kinematics.bodies) if body.frame}.values())[::-1]


def _is_turned(body: BodyMotion) -> bool:
    return len(frame_coordinates(body)) >= 3


def _is_constant(kinematics: Kinematics, body: BodyMotion, number: int) -> bool:
    """Whether the inertia of a body is constant in the axes of another frame."""
    graph, axes = kinematics.graph, kinematics.axes
    if body.inertia is None or number == body.frame_number:
        return False
    units = [tuple(graph.const(int(i == k)) for i in range(3)) for k in range(3)]
    seen: list[Triple] = [axes.express(((number, (u[0], u[1], u[2])),), body.frame_number) for u in units]
    entries = [graph.dot(seen[i], apply(body.inertia, seen[j])) for i in range(3) for j in range(i + 1)]
    moving = (kinematics.inputs.time, *kinematics.inputs.coordinates)
    return not any(depends(entries, node, graph.field.seed) for node in moving)


def _moves(kinematics: Kinematics, ignorable: Sequence[int]) -> list[tuple[Replacement, ...]]:
    """Velocities for rates: none, those of all centers in the axes of their bodies, and without what time alone gives."""
    whole = tuple(moved(kinematics, ignorable, drift=True))
    relative = tuple(moved(kinematics, ignorable, drift=False))
    drifts = any(not row.rest.is_zero for one in whole for row in one.rows)
    return [(), *([whole] if whole else []), *([relative] if drifts else [])]


def _spun(kinematics: Kinematics, ignorable: Sequence[int]) -> Iterator[Replacement]:
    """The absolute spin of bodies that one coordinate turns on a frame that time turns."""
    for body in _of_frames(kinematics):
        coordinates = frame_coordinates(body)
        if len(coordinates) == 1 and coordinates.isdisjoint(ignorable):
            rows = [row for row in spins(kinematics, body, body.frame_number).rows if row.columns]
            if len(rows) == 1 and not rows[0].rest.is_zero:
                yield Replacement(coordinates, tuple(rows), spins=True)
