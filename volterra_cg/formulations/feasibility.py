"""Numeric checks of a posed problem: consistent start values, and full rank where the mechanism really is.

A rank over all configurations says too much where holonomic constraints leave only some: three parallel cranks have
four independent loop rows at random angles and three on the mechanism. So points of the constraint manifold are sought
first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import ModelError
from volterra_cg.formulations.problem import Equation, Problem
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Node
from volterra_cg.system.types import System

Values = dict[Node, float]
Vector = NDArray[np.float64]

RESIDUAL = 1e-8  # how well start values must satisfy the constraints, beside the size of their terms
RANK = 1e-9  # singular values below this part of the largest count as zero
SAMPLES = 5


def require(problem: Problem, system: System) -> None:
    """Refuse start values that break the constraints and constraints that depend on each other on their manifold."""
    values = _parameters(problem, system)
    q, rates = (np.array(interpret(nodes, values), dtype=float) for nodes in problem.kinematics.start)
    _require_consistent(problem, _at(problem, values, q, rates))
    if any(row.position is not None for row in problem.kinematics.constraints):
        _require_rank(problem, values, q)


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


def _require_consistent(problem: Problem, values: Values) -> None:
    for row in problem.kinematics.constraints:
        slope = [abs(v) for v in interpret(list(row.columns.values()), values)]
        rates = [abs(values[problem.kinematics.inputs.rates[j]]) for j in row.columns]
        scale = 1.0 + sum(a * b for a, b in zip(slope, rates, strict=True))
        for what, node in (("position", row.position), ("rate", row.value)):
            residual = 0.0 if node is None else float(interpret([node], values)[0])
            if not abs(residual) <= RESIDUAL * scale:
                message = f"the initial {what}s do not satisfy the constraint {row.name}: it is {residual:.6g}, not 0"
                raise ModelError(message, ("constraints", row.name))


def _require_rank(problem: Problem, values: Values, start: Vector) -> None:
    """The singular values of a and of [Y; M'; a] at projected configurations decide."""
    points = _configurations(problem, values, start)
    equations = problem.rates.equations
    a_rows = [row.columns for row in problem.kinematics.constraints]
    if all(_defect(problem, a_rows, _at(problem, values, q)) for q in points):
        names = [row.name for row in problem.kinematics.constraints]
        name = next(n for k, n in enumerate(names, 1) if _defect(problem, a_rows[:k], _at(problem, values, points[0])))
        message = f"on the mechanism, constraint {name} follows from the constraints before it: leave it out"
        raise ModelError(message, ("constraints", name))
    if all(_defect(problem, [e.terms for e in equations], _at(problem, values, q)) for q in points):
        _refuse_speeds(equations)


def _refuse_speeds(equations: Sequence[Equation]) -> None:
    names = ", ".join(e.name for e in equations if e.law.value == "quasi-velocity")
    message = f"[Y; M'; a] is singular wherever the constraints hold: choose other quasi-velocities than {names}"
    raise ModelError(message, ("quasi_velocities", ""))


def _defect(problem: Problem, rows: Sequence[object], values: Values) -> bool:
    matrix = _matrix(problem, rows, values)
    sizes = np.linalg.norm(matrix, axis=1, keepdims=True)
    singular = np.linalg.svd(matrix / np.where(sizes > 0, sizes, 1.0), compute_uv=False)
    return bool(singular[-1] <= RANK * singular[0])


def _matrix(problem: Problem, rows: Sequence[object], values: Values) -> Vector:
    matrix = np.zeros((len(rows), len(problem.kinematics.inputs.coordinates)))
    for i, row in enumerate(rows):
        assert isinstance(row, dict)
        matrix[i, list(row)] = interpret(list(row.values()), values)
    return matrix


def _configurations(problem: Problem, values: Values, start: Vector) -> list[Vector]:
    """The start, and points of the constraint manifold near it, by Gauss-Newton from random displacements."""
    random = np.random.default_rng(0)
    holonomic = [row for row in problem.kinematics.constraints if row.position is not None]
    positions = [row.position for row in holonomic if row.position is not None]
    found = [start]
    for _ in range(4 * SAMPLES):
        q = start + random.normal(scale=0.3, size=start.shape) * np.maximum(1.0, np.abs(start))
        for _ in range(50):
            at = _at(problem, values, q)
            gap = np.array(interpret(positions, at), dtype=float)
            if np.abs(gap).max() < 1e-12:
                found.append(q)
                break
            q = q - np.linalg.lstsq(_matrix(problem, [dict(r.columns) for r in holonomic], at), gap, rcond=None)[0]
        if len(found) > SAMPLES:
            break
    return found
