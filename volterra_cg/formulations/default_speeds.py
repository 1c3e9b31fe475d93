"""Quasi-velocities for a spec that gives none, by rule; each is named by what one would write for it in a spec.

- Rates of coordinates, `der(x)`, are what joints take.
- A body that three coordinates or more turn freely takes its angular velocity in its own axes, `dot(omega(box), box.x)`: fewer
  operations than the rates of Euler's angles (which lock where these do, too), and regular for every unit quaternion, of which
  no three rates are. A body that a quaternion turns in a moving one takes the relative angular velocity, for the same reason.
- Where no choice of these stays regular, the same is tried for bodies that are not free, and the velocity of their centers in
  their own axes, `dot(velocity(sleigh), sleigh.x)`, for the rates that move them. What is more regular is taken.

Which of these rows are kept is decided by `rank.best_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from volterra_cg.formulations.rank import Pick, best_of
from volterra_cg.kinematics.axes import Triple
from volterra_cg.kinematics.motion import Flow
from volterra_cg.kinematics.types import AffineRow, BodyMotion, Kinematics
from volterra_cg.program.nodes import Node

DIRECTIONS = "xyz"
QUATERNION = 4  # coordinates, which one constraint ties


class Replacement(NamedTuple):
    """Rows that may stand for the rates of some coordinates, spins or velocities; `free` if nothing speaks against it."""

    coordinates: frozenset[int]
    rows: tuple[AffineRow, ...]
    spins: bool
    free: bool = False


def instead(rows: Sequence[AffineRow], other: Replacement) -> tuple[AffineRow, ...]:
    """Rows with others in place of rates; of velocities, those that are not forward stand last."""
    first = len(other.rows) if other.spins else 1
    kept = [row for row in rows if not set(row.columns) <= other.coordinates]
    return (*other.rows[:first], *kept, *other.rows[first:])


def default_rows(
    kinematics: Kinematics, required: Sequence[AffineRow], needed: int, ignorable: Sequence[int]
) -> tuple[AffineRow, ...]:
    """The rows to choose from, of which `needed` are kept beside the required ones; those of ignorable coordinates last."""

    def picked(rows: Sequence[AffineRow]) -> Pick | None:
        return best_of(kinematics, _columns(required), _columns(rows), needed) if len(rows) >= needed else None

    found = rates(kinematics, sorted(range(len(kinematics.inputs.rates)), key=lambda j: (j in ignorable, j)))
    turned = list(_turned(kinematics, ignorable))
    free, replaced = _apart(turning for turning in turned if turning.free), set[int]()
    best = picked(_with_all(found, free))  # at once, since one by one takes as long for each
    if best:
        found, replaced = _with_all(found, free), {j for one in free for j in one.coordinates}
    else:
        best = picked(found)
    for other in (*sorted(turned, key=lambda turning: not turning.free), *moved(kinematics, ignorable)):
        if replaced & other.coordinates or (best and best.is_clear and not other.free):
            continue
        rows = instead(found, other)
        pick = picked(rows)
        if pick and (other.free or best is None or pick[:2] > best[:2]):
            found, best, replaced = rows, pick, replaced | other.coordinates
    return found


def _apart(replacements: Iterable[Replacement]) -> list[Replacement]:
    """Those that replace nothing that one before them does."""
    kept, replaced = list[Replacement](), set[int]()
    for one in replacements:
        if replaced.isdisjoint(one.coordinates):
            kept.append(one)
            replaced |= one.coordinates
    return kept


def _with_all(found: Sequence[AffineRow], spinning: Sequence[Replacement]) -> tuple[AffineRow, ...]:
    """Rates with all of some spins in their place, as `instead` gives them one after another."""
    replaced = {j for one in spinning for j in one.coordinates}
    kept = [row for row in found if not row.columns.keys() <= replaced]
    return (*(row for one in reversed(spinning) for row in one.rows), *kept)


def rates(kinematics: Kinematics, which: Sequence[int]) -> tuple[AffineRow, ...]:
    """The rates of some coordinates as quasi-velocities."""
    graph, inputs = kinematics.graph, kinematics.inputs
    return tuple(
        AffineRow(f"der({inputs.rates[j].name})", {j: graph.one}, graph.zero, inputs.rates[j], graph.zero)
        for j in which
    )


def _columns(rows: Sequence[AffineRow]) -> list[Mapping[int, Node]]:
    return [row.columns for row in rows]


def _turned(kinematics: Kinematics, ignorable: Sequence[int]) -> Iterator[Replacement]:
    """Bodies that three coordinates or more turn against the ground, each frame once.

    One is free where no other body is on the frames between, no coordinate of them is ignorable, and three of them are left by
    the constraints that they are in, such as that of a quaternion.
    """
    seen = set[int]()
    for body in kinematics.bodies:
        frame = body.frame
        if frame is None or body.frame_number in seen:
            continue
        seen.add(body.frame_number)
        relative = _relative_spins(kinematics, body)
        if relative is not None:
            yield relative._replace(free=relative.coordinates.isdisjoint(ignorable))
            continue
        way = _way(kinematics, body.frame_number)
        coordinates = frozenset(frame.columns)
        if len(coordinates) < len(DIRECTIONS):
            continue
        others = {other.frame_number for other in kinematics.bodies} & set(way[1:])
        ties = [row.columns.keys() for row in kinematics.constraints if coordinates & row.columns.keys()]
        turns = all(tie <= coordinates for tie in ties) and len(coordinates) - len(ties) == len(DIRECTIONS)
        free = turns and not others and coordinates.isdisjoint(ignorable)
        yield spins(kinematics, body, body.frame_number)._replace(free=free)


def _relative_spins(kinematics: Kinematics, body: BodyMotion) -> Replacement | None:
    """The angular velocity of a body in a moving frame, where a quaternion of four coordinates of its own turns it there."""
    frame = body.frame
    if frame is None or frame.turn is None or not kinematics.frames[frame.parent].columns:
        return None
    own = frozenset(frame.turn.columns)
    ties = [row.columns.keys() for row in kinematics.constraints if own & row.columns.keys()]
    alone = own.isdisjoint(kinematics.frames[frame.parent].columns) and not any(map(_moves, frame.turn.drift))
    if len(own) != QUATERNION or ties != [own] or not alone:
        return None
    base, flow = kinematics.frame_names[frame.parent], _flow(kinematics)
    rows = []
    for k, direction in enumerate(DIRECTIONS):
        columns = {j: frame.columns[j][k] for j in sorted(own) if not frame.columns[j][k].is_zero}
        terms = (node * kinematics.inputs.rates[j] for j, node in columns.items())
        value = kinematics.graph.add(kinematics.graph.zero, *terms)
        name = f"dot(omega({body.name}) - omega({base}), {body.name}.{direction})"
        rows.append(AffineRow(name, columns, kinematics.graph.zero, value, flow.along(value)))
    return Replacement(own, tuple(rows), spins=True)


def _moves(node: Node) -> bool:
    return not node.is_zero


def frame_coordinates(body: BodyMotion) -> frozenset[int]:
    """The coordinates that turn a body."""
    return frozenset(body.frame.columns if body.frame else ())


def spins(kinematics: Kinematics, body: BodyMotion, number: int) -> Replacement:
    """The angular velocity of a body in the axes of a frame."""
    frame, axes = body.frame, kinematics.axes
    assert frame is not None
    name = body.name if number == body.frame_number else kinematics.frame_names[number]

    def seen(triple: Triple) -> Triple:
        return axes.express(((body.frame_number, triple),), number)

    columns = {j: seen(column) for j, column in frame.columns.items()}
    drift, value = seen(frame.drift), seen(frame.spin)
    bias = frame.bias if number == body.frame_number else _flow(kinematics).along.all(value)
    rows = [
        AffineRow(
            f"dot(omega({body.name}), {name}.{direction})",
            {j: column[k] for j, column in columns.items() if not column[k].is_zero},
            drift[k],
            value[k],
            bias[k],
        )
        for k, direction in enumerate(DIRECTIONS)
    ]
    return Replacement(frozenset(frame.columns), tuple(rows), spins=True)


def _flow(kinematics: Kinematics) -> Flow:
    inputs = kinematics.inputs
    return Flow.of(kinematics.graph, inputs.time, inputs.coordinates, inputs.rates)


def _way(kinematics: Kinematics, number: int) -> list[int]:
    """A frame and those that carry it, without the ground."""
    found = []
    while number:
        found.append(number)
        number = kinematics.frames[number].parent
    return found


def moved(kinematics: Kinematics, ignorable: Sequence[int], *, drift: bool = True) -> Iterator[Replacement]:
    """Bodies whose centers are moved by coordinates that do not turn them, where velocities are constrained.

    Without `drift`, less what time alone gives to the velocity. Rates of ignorable coordinates stay out of it.
    """
    if all(row.position is not None for row in kinematics.constraints):
        return
    flow = _flow(kinematics)
    for body in kinematics.bodies:
        coordinates = frozenset(body.center.columns) - frame_coordinates(body)
        if body.frame is not None and len(coordinates) > 1 and body.center.columns.keys().isdisjoint(ignorable):
            found = [_velocity_row(kinematics, body, k, flow, drift) for k in range(len(DIRECTIONS))]
            yield Replacement(coordinates, tuple(row for row in found if row.columns), spins=False)


def _velocity_row(kinematics: Kinematics, body: BodyMotion, k: int, flow: Flow, drift: bool) -> AffineRow:
    """One component of the velocity of a body's center in its own axes."""
    axes, center, number = kinematics.axes, body.center, body.frame_number
    columns = {j: axes.express(column, number)[k] for j, column in center.columns.items()}
    value, rest = (axes.express(parts, number)[k] for parts in (center.velocity, center.drift))
    name = f"dot(velocity({body.name}), {body.name}.{DIRECTIONS[k]})"
    if not drift and not rest.is_zero:
        name, value, rest = f"{name} - drift", value - rest, kinematics.graph.zero
    kept = {j: node for j, node in columns.items() if not node.is_zero}
    return AffineRow(name, kept, rest, value, flow.along(value))
