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

from volterra_cg.formulations import multipliers
from volterra_cg.formulations.algebra import Algebra, Derived
from volterra_cg.formulations.inertia import mass_matrix, momentum_entry
from volterra_cg.formulations.posing import flow_of, in_rates
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Titles
from volterra_cg.kinematics.types import Kinematics
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
    solved = multipliers.solve(
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
