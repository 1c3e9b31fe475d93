"""Constraints that follow from each other, contradict each other or prescribe the gap of an impact, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np

from volterra_cg.errors import ModelError, ModelErrors
from volterra_cg.formulations.rank import MOST, RANK, independent, tried, worst
from volterra_cg.kinematics.configurations import at, gaps, matrix, onto, walked
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.field import independent_rows
from volterra_cg.program.interpret import interpret

CONTRADICTION = 1e-6  # residual of a dependent constraint, beside the size of its terms, where the others hold


def set_aside(kinematics: Kinematics) -> Kinematics:
    """A mechanism with the constraints that follow from others on it set aside: all rows of a spatial loop may be given.

    Those that contradict others, or follow from them at every configuration, are refused by name and with what to do.
    """
    rows = kinematics.constraints
    kept = independent(kinematics, [row.columns for row in rows])
    dependent = [number for number in range(len(rows)) if number not in kept]
    if not dependent:
        return kinematics
    before = [rows[number] for number in kept]
    opposed = [rows[number] for number in dependent if _contradicts(kinematics, rows[number], before)]
    if opposed:
        remedy = "no motion satisfies all of them: correct or remove one"
        raise ModelErrors([_refusal(row, "contradicts", remedy) for row in opposed])
    everywhere = set(range(len(rows))) - set(independent_rows([row.columns for row in rows]))
    out = _least_missed(kinematics, dependent)
    if everywhere:
        advice = _advice(kinematics, out)
        raise ModelErrors(
            [_refusal(rows[n], "follows from", advice, only_there=n not in everywhere) for n in dependent]
        )
    names = ", ".join(rows[number].name for number in out)
    note = f"constraints that follow from the others on the mechanism and are not solved for at the start: {names}"
    return replace(
        kinematics,
        constraints=tuple(row for number, row in enumerate(rows) if number not in out),
        redundant=tuple(rows[number] for number in out),
        notes=(*kinematics.notes, note),
    )


def require_gaps(kinematics: Kinematics) -> None:
    """Refuse impacts whose gap the constraints prescribe: no impulse could open it."""
    rows = [row.columns for row in kinematics.constraints]
    wrong = []
    for event in kinematics.events:
        if event.gap is not None and len(rows) not in independent(kinematics, [*rows, event.gap.columns]):
            message = f"the constraints prescribe the gap of the impact {event.name}, so that no impulse can open it"
            wrong.append(ModelError(message, ("events", event.name), "let a coordinate that is free close the gap"))
    if wrong:
        raise ModelErrors(wrong)


def _refusal(row: AffineRow, verb: str, remedy: str, *, only_there: bool = False) -> ModelError:
    where = "on the mechanism, " if only_there else ""
    message = f"{where}constraint {row.name} {verb} the constraints before it"
    return ModelError(message, ("constraints", row.name), remedy)


def _contradicts(kinematics: Kinematics, row: AffineRow, others: Sequence[AffineRow]) -> bool:
    """Whether a constraint never holds where the others do, on which it depends."""
    inputs = kinematics.inputs
    q = np.stack([kinematics.configurations.values[node] for node in inputs.coordinates], axis=1)
    times = kinematics.configurations.values[inputs.time]
    holonomic = [other for other in others if other.position is not None]
    q = onto(kinematics, holonomic, q, times)
    values = at(kinematics, q, times)
    off = np.abs(gaps(holonomic, values)).max(axis=1, initial=0.0) <= CONTRADICTION
    if row.position is not None:
        return bool(off.any() and (np.abs(gaps([row], values)[off, 0]) > CONTRADICTION).all())
    slopes = matrix([other.columns for other in (*others, row)], values, q.shape[1])
    rest = np.stack(
        [np.broadcast_to(v, times.shape) for v in interpret([o.rest for o in (*others, row)], values)], axis=1
    )
    good = off & np.isfinite(slopes).all(axis=(1, 2)) & np.isfinite(rest).all(axis=1)
    rates = -(np.linalg.pinv(slopes[good, :-1], rcond=RANK) @ rest[good, :-1, np.newaxis])
    residual = np.abs((slopes[good, -1:] @ rates)[:, 0, 0] + rest[good, -1])
    return bool(good.any() and (residual > CONTRADICTION * (1.0 + np.abs(rest[good, -1]))).all())


def _least_missed(kinematics: Kinematics, dependent: Sequence[int]) -> tuple[int, ...]:
    """Which rows to leave out: those whose loss keeps the others most independent along the way of the mechanism."""
    rows, surplus = kinematics.constraints, len(dependent)
    if comb(len(rows), surplus) > MOST:
        return tuple(dependent)
    found, every = (
        tried([row.columns for row in rows], walked(kinematics), len(kinematics.inputs.coordinates)),
        range(len(rows)),
    )
    measured = [(worst(found.only([k for k in every if k not in out])), out) for out in combinations(every, surplus)]
    best = max(size for size, _ in measured)
    return max(out for size, out in measured if size >= best / 2)  # of those that are as good, the last


def _advice(kinematics: Kinematics, out: Sequence[int]) -> str:
    """How to write the constraints without some of their rows."""
    lost = [kinematics.constraints[number].name for number in out]
    return "; ".join(_without(kinematics, name, lost) for name in dict.fromkeys(row.partition(".")[0] for row in lost))


def _without(kinematics: Kinematics, constraint: str, lost: Sequence[str]) -> str:
    """How to write a constraint without the rows that are lost."""
    own = [row.name for row in kinematics.constraints if row.name.partition(".")[0] == constraint]
    left = [name.partition(".")[2] for name in own if name not in lost]
    listed = ", ".join(f'"{name}"' for name in left)
    return f"keep only along = [{listed}] of {constraint}" if left else f"leave {constraint} out"
