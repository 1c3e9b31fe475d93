"""Udwadia and Kalaba's fundamental equation: m equations in q', the constraints entering by a generalized inverse.

| letter | meaning                                                             |
|--------|---------------------------------------------------------------------|
| M      | mass matrix, definite; M = L D L^T                                   |
| Q      | all given and gyroscopic forces: M q''_u = Q without constraints     |
| q''_u  | acceleration of the system without its constraints (the authors' a)  |
| A, b   | constraints as A q'' = b: A is a of Eq. (1), b is -(a' q' + b')       |

    q'' = q''_u + M^-1/2 (A M^-1/2)^+ (b - A q''_u)

The authors derive it from Gauss's principle: of all q'' with A q'' = b, the motion minimises
(q'' - q''_u)^T M (q'' - q''_u). Departures: in place of the symmetric root M^-1/2 stands S = L^-T D^-1/2, which has
S S^T = M^-1 too, and S (A S)^+ is the same for every such root; the rows of A are independent, so that
(A S)^+ = (A S)^T (A M^-1 A^T)^-1, and with G = L^-1 A^T no square root is left. Q comes from the motion of the bodies,
as in Newton's and Euler's laws, not from the derivatives of T.
"""

from __future__ import annotations

from volterra_cg.formulations.algebra import Algebra, Derived, combined, congruence
from volterra_cg.formulations.inertia import bias_force, mass_matrix
from volterra_cg.formulations.posing import in_rates
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Titles
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.nodes import Node

TITLES = Titles(
    "q' is part of the state",
    "M, Eq. (13)",
    "Q and the force of the constraints",
    "q'' = q''_u + M^-1/2 (A M^-1/2)^+ (b - A q''_u)",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose the fundamental equation; `asked` names the ignorable coordinates whose momenta are measured."""
    return in_rates("udwadia-kalaba", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """The free acceleration and its least correction in the metric of M."""
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    count, constraints = len(kinematics.inputs.coordinates), kinematics.constraints
    matrix, given = mass_matrix(kinematics), _given(kinematics)
    root = algebra.root(matrix, [node.name for node in kinematics.inputs.coordinates], "the mass matrix")
    half = root.scale(root.forward(given))
    accelerations, forcing = root.backward(half), given
    if constraints:
        A = [[row.columns.get(j, graph.zero) for j in range(count)] for row in constraints]
        G = [root.forward(row) for row in A]
        scaled = [root.scale(column) for column in G]
        gaps = [
            -row.bias - graph.dot(column, half) for row, column in zip(constraints, G, strict=True)
        ]  # A q''_u = G^T half
        inner = algebra.definite(congruence(graph, G, scaled), [row.name for row in constraints], "A M^-1 A^T")
        weights = inner.solve(gaps)
        accelerations = root.backward(combined(graph, half, scaled, weights))
        forcing = combined(graph, given, A, weights)
    return Derived(problem.speed_inputs, matrix, forcing, accelerations, accelerations)


def _given(kinematics: Kinematics) -> tuple[Node, ...]:
    """Q: given forces less what the motion at q'' = 0 already takes."""
    return tuple(
        kinematics.forces[j] + kinematics.conservative[j] - bias_force(kinematics, j)
        for j in range(len(kinematics.forces))
    )
