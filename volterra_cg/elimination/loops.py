"""The elimination order for loops: the tree as if it were open, with one more right side for each row that closes it.

    M q'' + a^T λ = Q,    a q'' + bias = 0

All rates q'' are eliminated along the tree, as if nothing closed it. The forces λ of the rows stay: their system a M^-1 a^T is as
small as the rows are few, and as sparse as the loops are apart. u' is then read off the rows of the quasi-velocities.

The order is legal only where the open tree moves a mass with every rate. A thin rod that rolls does not: with its spin and its
lean at zero, it can lean and slide together without moving a mass. So M is tried at special angles too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.elimination import tree
from volterra_cg.elimination.accelerations import Follow, Speeds
from volterra_cg.formulations.inertia import mass_values
from volterra_cg.formulations.problem import ReducedProblem
from volterra_cg.kinematics.configurations import matrix
from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check

SPECIAL = (0.0, 0.5 * np.pi, np.pi)  # values of coordinates at which directions come to coincide
PLACES, FEW, LARGE = 48, 4, 24  # configurations that are tried, fewer for mechanisms of more coordinates than this
REGULAR, MASSLESS = (
    1e-4,
    1e-8,
)  # least singular values of what determines the motion, and of a mass matrix that is singular


def is_open(problem: ReducedProblem) -> bool:
    """Whether M of the open tree is regular at all configurations tried that are regular for the mechanism."""
    kinematics = problem.kinematics
    inputs, count = kinematics.inputs, len(kinematics.inputs.coordinates)
    start = np.array([kinematics.configurations.values[node][0] for node in inputs.coordinates])
    held = [row.columns for row in kinematics.constraints]
    rows = [row.columns for row in (*problem.speeds, *problem.momenta)]
    for q in _special(start):
        at: dict[Node, float] = {**kinematics.given, inputs.time: 0.0}
        at.update(zip(inputs.coordinates, map(float, q), strict=True))
        mass, slopes = _scaled(mass_values(kinematics, at)), matrix([*rows, *held], at, count)[0]
        if not (np.isfinite(mass).all() and np.isfinite(slopes).all()) or _least(mass) > MASSLESS:
            continue
        slopes /= np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-300)
        closed = np.block([[mass, slopes[len(rows) :].T], [slopes[len(rows) :], np.zeros((len(held), len(held)))]])
        if _least(slopes) > REGULAR and _least(closed) > REGULAR:
            return False
    return True


def _special(start: Vector) -> Vector:
    """The start, all coordinates at each special value, and draws in which some are."""
    draw = np.random.default_rng(0)
    places = PLACES if len(start) <= LARGE else FEW
    near = start + draw.normal(size=(places, len(start)))
    drawn = np.where(draw.uniform(size=near.shape) < 0.5, draw.choice(SPECIAL, size=near.shape), near)
    return np.concatenate([[start], *([np.full_like(start, value)] for value in SPECIAL), drawn])


def _scaled(mass: Vector) -> Vector:
    sizes = np.sqrt(np.maximum(np.diag(mass), 0.0))
    scale = np.where(sizes > 0, sizes, 1.0)
    scaled: Vector = mass / np.outer(scale, scale)
    return scaled


def _least(values: Vector) -> float:
    return float(np.linalg.svd(values, compute_uv=False)[-1])


def accelerations(
    problem: ReducedProblem, forces: Sequence[Node], follow: Follow
) -> tuple[tuple[Node, ...], list[Check]]:
    """The accelerations q'', and the pivots they rest on."""
    kinematics = problem.kinematics
    graph, names = kinematics.graph, [coordinate.name for coordinate in kinematics.inputs.coordinates]
    count = len(names)
    speeds = Speeds(count, [{j: graph.one} for j in range(count)], [graph.zero] * count)
    solved = tree.solve(kinematics, speeds, forces, lambda _: False, follow, kinematics.constraints)
    checks = []
    for unknown, pivot in solved.pivots:
        if unknown < 0:
            name = kinematics.constraints[-1 - unknown].name
            checks.append(Check.of(-pivot, f"constraint {name} depends on the others here", positive=True))
        else:
            name = names[unknown] if unknown < count else "the whole"
            checks.append(Check.of(pivot, f"the inertia seen by {name} is not positive", positive=True))
    return solved.rates, checks


def speed_rates(problem: ReducedProblem, accelerations: Sequence[Node]) -> tuple[Node, ...]:
    """Eq. (42) differentiated: u' = Y q'' + (Y' q' + Z')."""
    graph = problem.kinematics.graph
    return tuple(
        graph.add(row.bias, *(entry * accelerations[j] for j, entry in row.columns.items())) for row in problem.speeds
    )
