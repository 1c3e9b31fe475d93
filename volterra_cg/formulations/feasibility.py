"""Numeric checks of a posed problem: consistent start values, and full rank where the mechanism really is.

A rank over all configurations says too much where holonomic constraints leave only some: three parallel cranks have
four independent loop rows at random angles and three on the mechanism. So points of the constraint manifold are sought
first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import ModelError, ModelErrors
from volterra_cg.formulations.inertia import mass_entry
from volterra_cg.formulations.problem import Equation, Problem
from volterra_cg.formulations.speeds import leave_out
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Node
from volterra_cg.projection import Rows, project
from volterra_cg.system.types import System

Values = dict[Node, float]
Vector = NDArray[np.float64]

RESIDUAL = 1e-8  # how well start values must satisfy the constraints, beside the size of their terms
RANK = 1e-6  # singular values below this part of the largest count as zero; a dead point is found to sqrt(NEAR) only
SAMPLES = 5
NEAR = 1e-12  # gap of a point that counts as lying on the manifold


@dataclass(frozen=True)
class Consistency:
    """How well the start satisfies the constraints: `given` and `used`, residuals by row, differ if it is projected."""

    given: Mapping[str, float]
    used: Mapping[str, float]
    moved: Mapping[str, tuple[float, float]]  # coordinates and rates that were changed, before and after


def require(problem: Problem, system: System) -> None:
    """Refuse start values that break the constraints and constraints that depend on each other on their manifold."""
    values = _parameters(problem, system)
    q, rates = _start(problem, system, values)
    _require_consistent(problem, _at(problem, values, q, rates), bool(system.project))
    if any(row.position is not None for row in problem.kinematics.constraints):
        _require_rank(problem, values, q)


def consistency(problem: Problem, system: System) -> Consistency:
    """The residuals of the start, before and after it is projected, if that is asked for."""
    values = _parameters(problem, system)
    given, used = _given(problem, values), _start(problem, system, values)
    names = [c.name for c in system.coordinates] + [f"der({c.name})" for c in system.coordinates]
    pairs = zip(names, map(float, np.concatenate(given)), map(float, np.concatenate(used)), strict=True)
    return Consistency(
        _residuals(problem, _at(problem, values, *given)),
        _residuals(problem, _at(problem, values, *used)),
        {name: (old, new) for name, old, new in pairs if abs(new - old) > 1e-12 * (1.0 + abs(old))},
    )


def require_mass(problem: Problem, system: System) -> None:
    """Refuse a mechanism with a motion, among those that the constraints allow, that moves no mass."""
    kinematics, values = problem.kinematics, _parameters(problem, system)
    q, _ = _start(problem, system, values)
    at, count = _at(problem, values, q), len(q)
    entries = interpret([mass_entry(kinematics, j, k) for j in range(count) for k in range(count)], at)
    mass = np.array(entries, dtype=float).reshape(count, count)
    sizes = np.sqrt(np.maximum(np.diag(mass), 0.0))
    scale = np.where(sizes > 0, sizes, 1.0)
    slopes = _matrix(problem, [dict(row.columns) for row in kinematics.constraints], at) / scale
    _, singular, directions = np.linalg.svd(slopes) if len(slopes) else (None, np.zeros(0), np.eye(count))
    free = directions[int((singular > RANK * singular.max(initial=0.0)).sum()) :].T
    weights, motions = np.linalg.eigh(free.T @ (mass / np.outer(scale, scale)) @ free)
    if weights.size and weights[0] <= RANK:
        still = np.abs(free @ motions[:, 0])
        names = [c.name for c, part in zip(system.coordinates, still, strict=True) if part > 1e-6 * still.max()]
        message = f"a motion of {', '.join(names)} moves no mass, so that no force can say how it goes on"
        raise ModelError(message, ("coordinates", names[0]), "give a mass or an inertia to what it moves")


def _given(problem: Problem, values: Values) -> tuple[Vector, Vector]:
    q, rates = (np.array(interpret(nodes, values), dtype=float) for nodes in problem.kinematics.start)
    return q, rates


def _start(problem: Problem, system: System, values: Values) -> tuple[Vector, Vector]:
    """The start values, projected if the spec asks for it."""
    q, rates = _given(problem, values)
    if not system.project or not problem.kinematics.constraints:
        return q, rates
    names = [coordinate.name for coordinate in system.coordinates]
    free = [names.index(name) for name in system.project]
    return project(q, rates, free, lambda at: _rows(problem, _at(problem, values, at)))


def _rows(problem: Problem, values: Values) -> Rows:
    rows = problem.kinematics.constraints
    holonomic = [number for number, row in enumerate(rows) if row.position is not None]
    gaps = interpret([row.position for row in rows if row.position is not None], values)
    drift = np.array(interpret([row.rest for row in rows], values), dtype=float)
    return Rows(_matrix(problem, [dict(row.columns) for row in rows], values), drift, np.array(gaps), holonomic)


def _residuals(problem: Problem, values: Values) -> dict[str, float]:
    """The larger of a constraint's residuals of positions and of rates, by row."""
    found = {}
    for row in problem.kinematics.constraints:
        nodes = [row.value] if row.position is None else [row.value, row.position]
        found[row.name] = max((float(value) for value in interpret(nodes, values)), key=abs)
    return found


def _parameters(problem: Problem, system: System) -> Values:
    inputs = problem.kinematics.inputs
    free = [parameter for parameter in system.parameters if not parameter.fixed]
    values = {node: float(parameter.value) for node, parameter in zip(inputs.parameters, free, strict=True)}
    values |= {node: signal.value for node, signal in zip(inputs.signals, system.signals, strict=True)}
    return values | {inputs.time: 0.0}


def _at(problem: Problem, values: Values, q: Vector, rates: Vector | None = None) -> Values:
    inputs = problem.kinematics.inputs
    known = values | dict(zip(inputs.coordinates, map(float, q), strict=True))
    return known if rates is None else known | dict(zip(inputs.rates, map(float, rates), strict=True))


def _require_consistent(problem: Problem, values: Values, projected: bool) -> None:
    """Refuse with the residual of every constraint that does not hold."""
    wrong = []
    for row in problem.kinematics.constraints:
        slope = [abs(v) for v in interpret(list(row.columns.values()), values)]
        rates = [abs(values[problem.kinematics.inputs.rates[j]]) for j in row.columns]
        scale = 1.0 + sum(a * b for a, b in zip(slope, rates, strict=True))
        for what, node in (("values", row.position), ("rates", row.value)):
            residual = 0.0 if node is None else float(interpret([node], values)[0])
            if not abs(residual) <= RESIDUAL * scale:
                message = f"the initial {what} do not satisfy the constraint {row.name}: it is {residual:.6g}, not 0"
                wrong.append(ModelError(message, ("constraints", row.name), _remedy(projected)))
                break
    if wrong:
        raise ModelErrors(wrong)


def _remedy(projected: bool) -> str:
    if projected:
        return "projection found nothing nearer; start from other values, or let more coordinates change"
    return "correct them, or write [start] project = true to have them moved onto the constraints"


def _require_rank(problem: Problem, values: Values, start: Vector) -> None:
    """The singular values of a and of [Y; M'; a] at projected configurations decide."""
    places = [_at(problem, values, q) for q in _configurations(problem, values, start)]
    equations = problem.rates.equations
    a_rows = [row.columns for row in problem.kinematics.constraints]
    if _defect(problem, a_rows, places):
        names = [row.name for row in problem.kinematics.constraints]
        name = next(name for k, name in enumerate(names, 1) if _defect(problem, a_rows[:k], places))
        message = f"on the mechanism, constraint {name} follows from the constraints before it"
        raise ModelError(message, ("constraints", name), leave_out(name))
    if _defect(problem, [e.terms for e in equations], places):
        _refuse_speeds(equations)


def _refuse_speeds(equations: Sequence[Equation]) -> None:
    names = ", ".join(e.name for e in equations if e.law.value == "quasi-velocity")
    message = f"[Y; M'; a] is singular wherever the constraints hold: choose other quasi-velocities than {names}"
    raise ModelError(message, ("quasi_velocities", ""))


def _defect(problem: Problem, rows: Sequence[object], places: Sequence[Values]) -> bool:
    """Whether the rows depend on each other at all places; each is measured where it is largest."""
    matrices = np.array([_matrix(problem, rows, values) for values in places])
    sizes = np.linalg.norm(matrices, axis=2).max(axis=0)[:, np.newaxis]
    singular = np.linalg.svd(matrices / np.where(sizes > 0, sizes, 1.0), compute_uv=False)
    return bool((singular[:, -1] <= RANK * singular[:, 0]).all())


def _matrix(problem: Problem, rows: Sequence[object], values: Values) -> Vector:
    matrix = np.zeros((len(rows), len(problem.kinematics.inputs.coordinates)))
    for i, row in enumerate(rows):
        assert isinstance(row, dict)
        matrix[i, list(row)] = interpret(list(row.values()), values)
    return matrix


def _configurations(problem: Problem, values: Values, start: Vector) -> list[Vector]:
    """The start, and points of the constraint manifold near it, by Gauss-Newton from random displacements."""
    random = np.random.default_rng(0)
    found, every = [start], range(len(start))
    for _ in range(4 * SAMPLES):
        far = start + random.normal(scale=0.3, size=start.shape) * np.maximum(1.0, np.abs(start))
        q, _ = project(far, np.zeros_like(far), every, lambda at: _rows(problem, _at(problem, values, at)))
        if np.abs(_rows(problem, _at(problem, values, q)).gaps).max() < NEAR:
            found.append(q)
        if len(found) > SAMPLES:
            break
    return found
