"""Numeric checks of a posed problem: consistent start values, frames that are rotations, mass behind every motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import ModelError, ModelErrors
from volterra_cg.formulations.inertia import mass_values
from volterra_cg.formulations.problem import Problem
from volterra_cg.formulations.rank import FEW, RANK, tried, worst
from volterra_cg.formulations.redundancy import require_gaps
from volterra_cg.kinematics.configurations import matrix
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.field import depends
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Node
from volterra_cg.program.parts import groups
from volterra_cg.projection import Constraints, moves, project
from volterra_cg.system.types import System

Values = dict[Node, float]

RESIDUAL = 1e-8  # how well start values must satisfy the constraints, beside the size of their terms
HUGE = 1e150  # of an entry of the mass matrix, whose products are to fit floating-point numbers
SINGULAR = 1e-9  # least singular value of rows of length 1 at a start that is refused
MASSLESS = 1e-12  # part of the masses that a motion moves, coordinate by coordinate, below which it moves none


@dataclass(frozen=True)
class Consistency:
    """How well the start satisfies the constraints: `given` and `used`, residuals by row, differ if it is projected."""

    given: Mapping[str, float]
    used: Mapping[str, float]
    moved: Mapping[str, tuple[float, float]]  # coordinates and rates that were changed, before and after


def require(problem: Problem, system: System) -> None:
    """Refuse frames that are no rotations, start values that break the constraints and impacts that nothing can answer."""
    values = _parameters(problem)
    q, rates = _start(problem, system, values)
    start = _at(problem, values, q, rates)
    _require_rotations(problem.kinematics, start)
    _require_consistent(problem, start, bool(system.project))
    require_gaps(problem.kinematics)


def consistency(problem: Problem, system: System) -> Consistency:
    """The residuals of the start, before and after it is projected, if that is asked for."""
    values = _parameters(problem)
    given, used = _given(problem, values), _start(problem, system, values)
    return Consistency(
        _residuals(problem, _at(problem, values, *given)),
        _residuals(problem, _at(problem, values, *used)),
        moves([c.name for c in system.coordinates], given, used),
    )


def require_mass(problem: Problem, system: System) -> None:
    """Refuse a mechanism with a motion, among those that the constraints allow, that moves no mass."""
    kinematics, values = problem.kinematics, _parameters(problem)
    q, _ = _start(problem, system, values)
    at, count = _at(problem, values, q), len(q)
    mass = mass_values(kinematics, at)
    _require_finite(mass, system)
    sizes = np.sqrt(np.maximum(np.diag(mass), 0.0))
    scale = np.where(sizes > 0, sizes, 1.0)
    slopes = matrix([row.columns for row in kinematics.constraints], at, count)[0] / scale
    scaled, found = mass / np.outer(scale, scale), []
    for part, rows in _apart(scaled, slopes):
        free = _allowed(slopes[np.ix_(rows, part)])
        moving = free.T @ scaled[np.ix_(part, part)] @ free
        if _is_definite(moving, 2 * MASSLESS):
            continue
        weights, motions = np.linalg.eigh(moving)
        if weights.size and weights[0] <= MASSLESS:
            found.append((float(weights[0]), part, np.abs(free @ motions[:, 0])))
    if found:
        _, part, still = min(found, key=lambda one: one[0])
        moved = [system.coordinates[j].name for j in part]
        names = [name for name, size in zip(moved, still, strict=True) if size > 1e-6 * still.max()]
        message = f"a motion of {', '.join(names)} moves no mass, so its acceleration is not determined"
        raise ModelError(message, ("coordinates", names[0]), "give a mass or an inertia to what it moves")


def _is_definite(moving: Vector, least: float) -> bool:
    """Whether all eigenvalues are certainly above a bound: this takes a small part of the time of finding them."""
    try:
        return bool(np.isfinite(np.linalg.cholesky(moving - least * np.eye(len(moving)))).all())
    except np.linalg.LinAlgError:
        return False


def _apart(mass: Vector, slopes: Vector) -> list[tuple[list[int], list[int]]]:
    """Coordinates that masses or rows couple, and these rows; a small mechanism is not taken apart."""
    count = len(mass)
    if count <= FEW:
        return [(list(range(count)), list(range(len(slopes))))]
    coupled = [{j, *map(int, np.flatnonzero(row))} for j, row in enumerate(mass)]
    parts: dict[int, tuple[list[int], list[int]]] = {}
    for number, group in enumerate(groups([*coupled, *(map(int, np.flatnonzero(row)) for row in slopes)])):
        part = parts.setdefault(group, ([], []))
        if number < count:
            part[0].append(number)
        else:
            part[1].append(number - count)
    return [part for part in parts.values() if part[0]]


def _allowed(slopes: Vector) -> Vector:
    """Directions that rows leave open, as columns; the rows count alike, whatever units they are written in."""
    if not len(slopes):
        return np.eye(slopes.shape[1])
    sizes = np.linalg.norm(slopes, axis=1, keepdims=True)
    _, singular, directions = np.linalg.svd(slopes / np.where(sizes > 0, sizes, 1.0))
    return np.asarray(directions[int((singular > RANK).sum()) :].T)


def require_regular_start(problem: Problem, system: System) -> None:
    """Refuse quasi-velocities of the spec that do not determine the rates at the start, and propose others that do."""
    if not problem.choice.given or not problem.speeds:
        return
    values = _parameters(problem)
    at, count = _at(problem, values, _start(problem, system, values)[0]), len(system.coordinates)
    required = [row.columns for row in (*problem.kinematics.constraints, *_embedded(problem))]

    def singular(rows: tuple[AffineRow, ...]) -> bool:
        found = tried([*required, *(row.columns for row in rows)], at, count)
        return not found.places or (len(required) + len(rows) == count and worst(found) <= SINGULAR)

    if not singular(problem.speeds):
        return
    others = next((one.rows for one in problem.choice.sets() if not singular(one.rows)), None)
    remedy = f"take {_names(others)}" if others else "start elsewhere: no other choice is regular there"
    verb = "does" if len(problem.speeds) == 1 else "do"
    message = f"{_names(problem.speeds)} {verb} not determine the motion at the start: [Y; M'; a] is singular there"
    raise ModelError(message, ("quasi_velocities", problem.speeds[0].name), remedy)


def _embedded(problem: Problem) -> list[AffineRow]:
    return [integral.row for integral in problem.integrals if integral.value is not None]


def _names(rows: tuple[AffineRow, ...]) -> str:
    return ", ".join(row.name for row in rows)


def _require_finite(mass: Vector, system: System) -> None:
    for coordinate, row in zip(system.coordinates, mass, strict=True):
        if not np.abs(row).max() < HUGE:
            message = f"the mass that {coordinate.name} moves is {np.abs(row).max():g} at the start"
            raise ModelError(message, ("coordinates", coordinate.name), "choose other units or another start")


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


def _rows(problem: Problem, values: Values) -> Constraints:
    rows = problem.kinematics.rows
    holonomic = [number for number, row in enumerate(rows) if row.position is not None]
    gaps = interpret([row.position for row in rows if row.position is not None], values)
    drift = np.array(interpret([row.rest for row in rows], values), dtype=float)
    slopes = matrix([row.columns for row in rows], values, len(problem.kinematics.inputs.coordinates))[0]
    return Constraints(slopes, drift, np.array(gaps), holonomic)


def _residuals(problem: Problem, values: Values) -> dict[str, float]:
    """The larger of a constraint's residuals of positions and of rates, by row."""
    found = {}
    for row in problem.kinematics.rows:
        nodes = [row.value] if row.position is None else [row.value, row.position]
        found[row.name] = max((float(value) for value in interpret(nodes, values)), key=abs)
    return found


def _parameters(problem: Problem) -> Values:
    return {**problem.kinematics.given, problem.kinematics.inputs.time: 0.0}


def _at(problem: Problem, values: Values, q: Vector, rates: Vector | None = None) -> Values:
    inputs = problem.kinematics.inputs
    known = values | dict(zip(inputs.coordinates, map(float, q), strict=True))
    return known if rates is None else known | dict(zip(inputs.rates, map(float, rates), strict=True))


def _require_consistent(problem: Problem, values: Values, projected: bool) -> None:
    """Refuse with the residual of every constraint that does not hold."""
    wrong = []
    for row in problem.kinematics.rows:
        slope = [abs(v) for v in interpret(list(row.columns.values()), values)]
        rates = [abs(values[problem.kinematics.inputs.rates[j]]) for j in row.columns]
        scale = 1.0 + sum(a * b for a, b in zip(slope, rates, strict=True))
        if row.position is not None and not max(slope) > 0.0:
            message = f"the constraint {row.name} restricts no motion: all its derivatives are zero at the start"
            wrong.append(
                ModelError(message, ("constraints", row.name), "write it without a square, or choose another start")
            )
            continue
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
    return (
        "correct them, or have them moved onto the constraints: [start] project = true, or a list of the coordinates that may be"
        " moved, so that the others stay"
    )


def _require_rotations(kinematics: Kinematics, start: Values) -> None:
    """Refuse frames whose direction cosines or quaternion are no rotation."""
    for frame, nodes in kinematics.rotations.items():
        subject = ("frames", frame)
        off = max(abs(float(value)) for value in interpret(nodes, start))
        if not off <= RESIDUAL:
            message = f"{frame} is no rotation of its parent: its matrix differs from one by {off:.3g}"
            raise ModelError(
                message,
                subject,
                "its axes must have length 1 and be perpendicular and right-handed; a quaternion must have length 1",
            )
        free = [node.name for node in kinematics.inputs.parameters if depends(nodes, node)]
        if free:
            message = f"{frame} is a rotation for some values of {', '.join(free)} only, which can change at run time"
            raise ModelError(message, subject, "write it so that it holds for all values, or make them fixed = true")
        tried = kinematics.configurations
        with np.errstate(all="ignore"):
            far = max(float(np.nanmax(np.abs(value))) for value in interpret(nodes, tried.values))
        if tried.on_constraints and far > RESIDUAL:
            message = f"{frame} is a rotation at the start, but nothing keeps it one"
            raise ModelError(message, subject, "add the constraint that the squares of its quaternion add up to 1")
