"""Lagrange's equations of the first kind: m equations in q', with multipliers for the constraints.

| letter | meaning                                                      |
|--------|--------------------------------------------------------------|
| T, V   | kinetic energy T(t, q, q') and potential energy V(t, q)        |
| Q      | generalized forces that have no potential                    |
| a, b   | constraints a q' + b = 0, Eq. (1)                             |
| λ      | multipliers, one for each constraint                         |
| p      | momenta dT/dq' = M q' + N, Eq. (13)                           |

    d/dt (dT/dq') - dT/dq = Q - dV/dq + a^T λ,    Eq. (17)
    a q'' + a' q' + b' = 0,                        the time derivative of Eq. (1)

With p' = M q'' + (p' at q'' = 0), the first line is M q'' = F + a^T λ. Its solution put into the second gives
(a M^-1 a^T) λ, a definite matrix of size r. States are q and q'; constraints and momenta hold only as well as the
integration is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volterra_cg.formulations.algebra import Algebra, Column, Derived, Rows, combined, congruence
from volterra_cg.formulations.inertia import mass_matrix, momentum_entry
from volterra_cg.formulations.posing import flow_of, in_rates
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Titles
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node

TITLES = Titles(
    "q' is part of the state",
    "M, Eq. (13)",
    "F + a^T λ, Eq. (17)",
    "q'' = M^-1 (F + a^T λ)",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose Lagrange's equations; `asked` names the ignorable coordinates whose momenta are measured."""
    return in_rates("lagrange", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """M q'' = F + a^T λ, Eq. (17)."""
    kinematics = problem.kinematics
    matrix = mass_matrix(kinematics)
    names = [coordinate.name for coordinate in kinematics.inputs.coordinates]
    solved = with_multipliers(
        kinematics.graph, algebra, matrix, forces(kinematics), kinematics.constraints, range(len(names)), names
    )
    return Derived(problem.speed_inputs, matrix, solved.forcing, solved.accelerations, solved.accelerations)


def forces(kinematics: Kinematics) -> tuple[Node, ...]:
    """F = Q - dV/dq + dT/dq - (d/dt dT/dq' at q'' = 0), one entry for each coordinate, Eq. (17)."""
    flow, kinetic = flow_of(kinematics), kinematics.kinetic
    return tuple(
        kinematics.forces[j] + kinematics.conservative[j] + partial(kinetic) - flow.along(momentum_entry(kinematics, j))
        for j, partial in enumerate(flow.partial)
    )


@dataclass(frozen=True)
class Constrained:
    """Accelerations, multipliers and the right side F + a^T λ that both satisfy."""

    accelerations: Column
    multipliers: Column
    forcing: Column


def with_multipliers(
    graph: Graph,
    algebra: Algebra,
    matrix: Rows,
    forces: Sequence[Node],
    constraints: Sequence[AffineRow],
    kept: Sequence[int],
    names: Sequence[str],
) -> Constrained:
    """M q'' = F + a^T λ with a q'' = -bias, over the coordinates `kept`: λ from (a M^-1 a^T) λ = -bias - a M^-1 F.

    M is definite, and so is a M^-1 a^T where the rows of a are independent: no pivot can vanish.
    """
    rows = [[row.columns.get(j, graph.zero) for j in kept] for row in constraints]
    masses = algebra.definite(matrix, names, "the mass matrix")
    free = masses.solve(forces)
    if not rows:
        return Constrained(free, (), tuple(forces))
    columns = [masses.solve(row) for row in rows]
    compliance = congruence(graph, rows, columns)
    gaps = [-row.bias - graph.dot(entries, free) for row, entries in zip(constraints, rows, strict=True)]
    labels = [row.name for row in constraints]
    multipliers = algebra.definite(compliance, labels, "the constraints through the mass matrix").solve(gaps)
    return Constrained(
        combined(graph, free, columns, multipliers), multipliers, combined(graph, forces, rows, multipliers)
    )
