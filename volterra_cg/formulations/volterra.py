"""Volterra's equations in their standard form, Sec. 2.1 of the paper: p equations in the quasi-velocities.

| letter   | meaning                                                       |
|----------|---------------------------------------------------------------|
| u        | quasi-velocities u = Y q' + Z, Eq. (3)                          |
| W, X     | q' = W u + X, Eqs. (4) and (5)                                 |
| P_i, H_i | linear and angular momentum of a body, Eq. (8)                 |
| U        | generalized forces along u, Eq. (9)                            |
| M_u      | d²T/du², the matrix of u' in d/dt (dT/du), as in Eq. (47)      |
| A, K     | the other part of d/dt (dT/du), Eq. (52), and the sum of Eq. (62) |

    d/dt (dT/du_j) - Σ_i [ P_i · d/dt (dV_i/du_j) + H_i · d/dt (dω_i/du_j) ] = U_j,    Eq. (2)

that is M_u u' = U + K - A. Both A and K contain dW/dt; the equations are formed as written, nothing is cancelled.
Departures from the paper: the derivative of dω_i/du_j is the inertial one, in body axes (D W)' + ω × (D W); the
matrix to be inverted is M_u, p by p, not M.
"""

from __future__ import annotations

from volterra_cg.formulations.algebra import Algebra, Derived, combined
from volterra_cg.formulations.partials import Partial, active_forces, inertial_derivative, mass_of, partials
from volterra_cg.formulations.posing import flow_of, in_speeds, transmission
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Titles
from volterra_cg.kinematics.axes import Triple, apply, cross, plus
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.nodes import Node

TITLES = Titles(
    "q' = W u + X, Eq. (4)",
    "M_u = d²T/du²",
    "U + K - A, Eq. (65) before the reduction",
    "u' = M_u^-1 (U + K - A)",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose the standard equations; `asked` names the ignorable coordinates whose momenta are measured."""
    return in_speeds("volterra", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """Eq. (2), solved for u'."""
    kinematics, inputs = problem.kinematics, problem.kinematics.inputs
    graph, way = kinematics.graph, transmission(problem, algebra)
    found = partials(kinematics, way.columns)
    matrix = mass_of(kinematics, found)
    still = Derivative(  # along the motion, at u' = 0
        {
            **dict(zip(inputs.coordinates, inputs.rates, strict=True)),
            **dict(zip(inputs.rates, way.still, strict=True)),
            inputs.time: graph.one,
        }
    )
    A = still.all([_momentum(kinematics, found, j) for j in range(len(way.columns))])
    K = [_turning(kinematics, found, j, flow_of(kinematics).along) for j in range(len(way.columns))]
    U = active_forces(kinematics, way.columns)
    forcing = tuple(u + k - a for u, k, a in zip(U, K, A, strict=True))
    speed_rates = algebra.definite(matrix, [row.name for row in problem.speeds], "the mass matrix").solve(forcing)
    accelerations = combined(graph, way.still, way.columns, speed_rates)
    return Derived(way.rates, matrix, forcing, speed_rates, accelerations, way.rows, way.offset)


def _momentum(kinematics: Kinematics, found: tuple[Partial, ...], j: int) -> Node:
    """dT/du_j = Σ_i P_i · dV_i/du_j + H_i · dω_i/du_j, Eq. (37)."""
    graph, axes = kinematics.graph, kinematics.axes
    terms = []
    for partial in found:
        terms.append(partial.body.mass * axes.dot(partial.body.center.velocity, partial.linear[j]))
        if partial.angular:
            terms.append(graph.dot(_spin_momentum(partial), partial.angular[j]))
    return graph.add(graph.zero, *terms)


def _turning(kinematics: Kinematics, found: tuple[Partial, ...], j: int, along: Derivative) -> Node:
    """K_j = Σ_i P_i · d/dt (dV_i/du_j) + H_i · d/dt (dω_i/du_j), Eqs. (57) to (63)."""
    graph, axes = kinematics.graph, kinematics.axes
    terms = []
    for partial in found:
        body = partial.body
        rate = inertial_derivative(kinematics, along, partial.linear[j])
        terms.append(body.mass * axes.dot(body.center.velocity, rate))
        if partial.angular and body.frame:
            x, y, z = along.all(partial.angular[j])
            turning = plus((x, y, z), cross(body.frame.spin, partial.angular[j]))
            terms.append(graph.dot(_spin_momentum(partial), turning))
    return graph.add(graph.zero, *terms)


def _spin_momentum(partial: Partial) -> Triple:
    """H_i = I_i ω_i, Eq. (8), in body axes."""
    assert partial.body.frame is not None
    assert partial.body.inertia is not None
    return apply(partial.body.inertia, partial.body.frame.spin)
