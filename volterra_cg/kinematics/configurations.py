"""Configurations at which a mechanism is tried before it is built: the start, and others on the constraints around it.

A rank over all configurations says too much where constraints on positions leave only some: three parallel cranks have four
independent loop rows at random angles and three on the mechanism. So random configurations are moved onto the constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.kinematics.types import AffineRow, Configurations, Kinematics
from volterra_cg.program.interpret import interpreter
from volterra_cg.program.nodes import Node

COUNT, LARGE = 8, 40  # configurations of each width; a quarter of them for mechanisms of more coordinates than this
NARROW, WIDE = 0.1, 1.5  # widths of the displacements from the start, beside the size of a coordinate or 1
LATEST = 3.0  # configurations are tried between the time 0 and this; those close to the start earlier
STEPS, FEW = 60, 12  # towards the constraints, from anywhere and from close to them
STALLED = 0.9  # part of the step before that shows, where steps are small already, that only rounding is left
WALKS, STRIDES, STRIDE = 4, 80, 0.1  # ways along the constraints, and their steps as far as this
NEAR = 1e-13  # gap of a configuration on the constraints; where rows are dependent, it is off them by its root


def sampled(kinematics: Kinematics) -> Configurations:
    """The start, and the random configurations that could be moved onto the constraints; else all as they were drawn."""
    rows = [row for row in kinematics.constraints if row.position is not None]
    given = np.array(interpreter(kinematics.start[0])(kinematics.given), dtype=float)[np.newaxis]
    start = onto(kinematics, rows, given, np.zeros(1))
    slopes = matrix([row.columns for row in rows], at(kinematics, start, np.zeros(1)), start.shape[1])[0]
    near, far = _drawn(start[0], slopes)
    times = np.append(np.linspace(0.0, NARROW * LATEST, len(near)), np.linspace(0.0, LATEST, len(far)))
    drawn = np.concatenate([near, far])
    moved = onto(kinematics, rows, drawn, times)
    on = np.abs(gaps(rows, at(kinematics, moved, times))).max(axis=1, initial=0.0) <= NEAR
    if on[: len(near)].any():
        return Configurations(at(kinematics, moved[on], times[on]), int(on[: len(near)].sum()), on_constraints=True)
    return Configurations(at(kinematics, drawn, times), len(near), on_constraints=False)


def walked(kinematics: Kinematics) -> dict[Node, Vector]:
    """Where the mechanism comes when it is moved on and on from its start, in several directions, at the time 0."""
    key = tuple(
        row.number for row in kinematics.rows
    )  # rows of one mechanism keep their numbers where some are left out
    ways = kinematics.configurations.ways
    if key not in ways:
        ways[key] = _walk(kinematics)
    return ways[key]


def _walk(kinematics: Kinematics) -> dict[Node, Vector]:
    inputs, rows = kinematics.inputs, [row.columns for row in kinematics.rows]
    holonomic = [row for row in kinematics.rows if row.position is not None]
    start = np.stack([kinematics.configurations.values[node][:1] for node in inputs.coordinates], axis=1)
    q, times = np.repeat(start, WALKS, axis=0), np.zeros(WALKS)
    heading = np.random.default_rng(0).normal(size=q.shape)
    heading[1::2] = -heading[::2]
    slopes_at, moved = _matrix_of(rows, q.shape[1]), _onto(kinematics, holonomic, FEW)
    found = []
    for _ in range(STRIDES):
        found.append(q)
        slopes = np.nan_to_num(slopes_at(at(kinematics, q, times)))
        heading = heading - (np.linalg.pinv(slopes, rcond=1e-6) @ slopes @ heading[..., np.newaxis])[..., 0]
        heading /= np.maximum(np.linalg.norm(heading, axis=1, keepdims=True), 1e-30)
        q = moved(q + STRIDE * heading, times)
    return at(kinematics, np.concatenate(found), np.zeros(WALKS * STRIDES))


def _drawn(start: Vector, slopes: Vector) -> tuple[Vector, Vector]:
    """The start with configurations close to it, displaced along the constraints, and as many further away."""
    random = np.random.default_rng(0)
    count = COUNT if len(start) <= LARGE else COUNT // 4
    moves = random.normal(size=(2, count, len(start))) * np.maximum(1.0, np.abs(start))
    moves[0, 0] = 0.0
    if np.isfinite(slopes).all():  # else it is tried as it is
        moves[0] -= moves[0] @ np.linalg.pinv(slopes, rcond=1e-6) @ slopes
    return start + NARROW * moves[0], start + WIDE * moves[1]


def at(kinematics: Kinematics, q: Vector, times: Vector) -> dict[Node, Vector]:
    """The inputs at configurations q, of shape (places, coordinates)."""
    inputs = kinematics.inputs
    values = {node: np.full(len(times), value) for node, value in kinematics.given.items()}
    return values | {inputs.time: times} | dict(zip(inputs.coordinates, q.T, strict=True))


def onto(kinematics: Kinematics, rows: Sequence[AffineRow], q: Vector, times: Vector) -> Vector:
    """Configurations moved onto constraints on positions by Gauss-Newton, as far as that converges."""
    return _onto(kinematics, rows, STEPS)(q, times)


def _onto(kinematics: Kinematics, rows: Sequence[AffineRow], steps: int) -> Callable[[Vector, Vector], Vector]:
    """The same for many calls. A configuration stays where only rounding is left of its steps."""
    count = len(kinematics.inputs.coordinates)
    gaps_and_slopes = _matrix_of(
        [{**row.columns, count: row.position} for row in rows if row.position is not None], count + 1
    )

    def moved(q: Vector, times: Vector) -> Vector:
        q, active, last = q.copy(), np.arange(len(q)), np.full(len(q), np.inf)
        for _ in range(steps if rows else 0):
            found = gaps_and_slopes(at(kinematics, q[active], times[active]))
            good = np.isfinite(found).all(axis=(1, 2))
            active, slopes, off = active[good], found[good, :, :count], found[good, :, count:]
            step = (np.linalg.pinv(slopes, rcond=1e-10) @ off)[..., 0]
            q[active] -= step
            size, scale = np.abs(step).max(axis=1, initial=0.0), 1.0 + np.abs(q[active]).max(axis=1, initial=0.0)
            going = (size > 1e-14 * scale) & ~((size < 1e-11 * scale) & (size > STALLED * last[active]))
            last[active] = size
            active = active[going]
            if not len(active):
                break
        return q

    return moved


def gaps(rows: Sequence[AffineRow], values: Mapping[Node, Vector]) -> Vector:
    """What constraints on positions are, of shape (places, rows)."""
    return evaluated([row.position for row in rows if row.position is not None])(values)


def matrix(rows: Sequence[Mapping[int, Node]], values: Mapping[Node, Vector | float], count: int) -> Vector:
    """Rows over `count` coordinates, of shape (places, rows, count); a place may be given by plain numbers."""
    return _matrix_of(rows, count)(values)


def _matrix_of(rows: Sequence[Mapping[int, Node]], count: int) -> Callable[[Mapping[Node, Vector | float]], Vector]:
    entries = [(i, j, node) for i, row in enumerate(rows) for j, node in row.items()]
    evaluate = evaluated([node for _, _, node in entries])

    def values_of(values: Mapping[Node, Vector | float]) -> Vector:
        found = np.zeros((_number(values), len(rows), count))
        found[:, [i for i, _, _ in entries], [j for _, j, _ in entries]] = evaluate(values)
        return found

    return values_of


def evaluated(nodes: Sequence[Node]) -> Callable[[Mapping[Node, Vector | float]], Vector]:
    """The values of nodes as a function of those of the inputs, of shape (places, nodes)."""
    evaluate = interpreter(nodes)

    def values_of(values: Mapping[Node, Vector | float]) -> Vector:
        number = _number(values)
        with np.errstate(all="ignore"):
            found = [np.broadcast_to(value, number) for value in evaluate(values)]
        return np.stack(found, axis=1).astype(float) if found else np.zeros((number, 0))

    return values_of


def _number(values: Mapping[Node, Vector | float]) -> int:
    return int(np.size(next(iter(values.values()))))
