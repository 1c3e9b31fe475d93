"""Maggi's equations: m equations in q', from which the multipliers are projected out.

| letter | meaning                                                          |
|--------|------------------------------------------------------------------|
| E      | Lagrange's expressions d/dt (dT/dq') - dT/dq + dV/dq - Q           |
| W      | admissible displacements δq = W δπ, a W = 0, from Eqs. (4), (5)    |
| a, b   | constraints a q' + b = 0, Eq. (1)                                  |
| M, F   | E = M q'' - F                                                     |

    W^T E = 0              p equations: a^T λ does no work on W
    a q'' + a' q' + b' = 0  r equations: the time derivative of Eq. (1)

Together they are [W^T M; a] q'' = [W^T F; -(a' q' + b')], m equations. That matrix is not symmetric; it is solved by
q'' = W v + q''_a, where q''_a alone satisfies the second line, so that only the definite W^T M W is divided by.
States are q and q', as in Lagrange's equations; W comes from the quasi-velocities of the spec.
"""

from __future__ import annotations

from volterra_cg.formulations import lagrange
from volterra_cg.formulations import speeds as quasi
from volterra_cg.formulations.algebra import Algebra, Derived, combined, congruence, product
from volterra_cg.formulations.inertia import mass_matrix
from volterra_cg.formulations.posing import in_rates
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Law, Titles
from volterra_cg.kinematics.types import Kinematics

TITLES = Titles(
    "q' is part of the state",
    "[W^T M; a]",
    "[W^T F; -(a' q' + b')]",
    "q'' = [W^T M; a]^-1 [W^T F; -(a' q' + b')]",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose Maggi's equations; `asked` names the ignorable coordinates whose momenta are measured."""
    return in_rates("maggi", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """W^T (M q'' - F) = 0 and a q'' = -(a' q' + b')."""
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    count, constraints = len(kinematics.inputs.coordinates), kinematics.constraints
    speeds = quasi.choose_all(kinematics, problem.ignorable).kept
    origins = [f"{Law.SPEED.value} {u.name}" for u in speeds] + [
        f"{Law.CONSTRAINT.value} {c.name}" for c in constraints
    ]
    solver = algebra.square([row.columns for row in (*speeds, *constraints)], origins)
    columns = [solver.solve([graph.const(int(k == j)) for k in range(count)]) for j in range(len(speeds))]
    admissible = solver.solve([*[graph.zero] * len(speeds), *(-row.bias for row in constraints)])
    masses, forces = mass_matrix(kinematics), lagrange.forces(kinematics)
    images = [product(graph, masses, column) for column in columns]
    rest = [force - inertia for force, inertia in zip(forces, product(graph, masses, admissible), strict=True)]
    projected = congruence(graph, columns, images)
    solution = algebra.definite(projected, [row.name for row in speeds], "W^T M W")
    accelerations = combined(graph, admissible, columns, solution.solve(product(graph, columns, rest)))
    jacobian = [[row.columns.get(j, graph.zero) for j in range(count)] for row in constraints]
    return Derived(
        rates=problem.speed_inputs,
        matrix=(*images, *(tuple(row) for row in jacobian)),
        forcing=(*product(graph, columns, forces), *(-row.bias for row in constraints)),
        speed_rates=accelerations,
        accelerations=accelerations,
    )
