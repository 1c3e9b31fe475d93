"""Kane's equations, which are those of Gibbs and Appell: p equations in the quasi-velocities.

| letter     | meaning                                                              |
|------------|----------------------------------------------------------------------|
| u_r        | generalized speeds, u = Y q' + Z, Eq. (3)                              |
| v_r, ω_r   | partial velocities dV_i/du_r, partial angular velocities dω_i/du_r     |
| a_t, α_t   | what is left of a_i and α_i at u' = 0                                  |
| F_r, F_r*  | generalized active and inertia forces                                 |

    F_r + F_r* = 0,    F_r* = -Σ_i [ m_i a_i · v_r + (I_i α_i + ω_i × I_i ω_i) · ω_r ],    r = 1 .. p

With a_i = Σ_r v_r u_r' + a_t and the like for α_i, this is a definite matrix Σ m v_r · v_s + ω_r · I ω_s times u'.
It is also dG/du_r' = F_r, with Gibbs's function G = Σ ½ m a · a + ... Constraints are part of W and never drift in
the velocities; momenta do.
"""

from __future__ import annotations

from volterra_cg.formulations.algebra import Algebra, Column, Derived, combined
from volterra_cg.formulations.partials import Partial, active_forces, mass_of, moved, partials, turned
from volterra_cg.formulations.posing import in_speeds, transmission
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Titles
from volterra_cg.kinematics.axes import apply, cross, plus
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.nodes import Node

TITLES = Titles(
    "q' = W u + X, Eq. (4)",
    "the mass matrix of F_r*, from partial velocities",
    "F_r and the part of F_r* at u' = 0",
    "u' from F_r + F_r* = 0",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose Kane's equations; `asked` names the ignorable coordinates whose momenta are measured."""
    return in_speeds("kane", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """F_r + F_r* = 0, solved for u'."""
    kinematics = problem.kinematics
    way = transmission(problem, algebra)
    found = partials(kinematics, way.columns)
    matrix = mass_of(kinematics, found)
    active, inertial = active_forces(kinematics, way.columns), _inertia_forces(kinematics, found, way.still)
    forcing = tuple(force + inertia for force, inertia in zip(active, inertial, strict=True))
    speed_rates = algebra.definite(matrix, [row.name for row in problem.speeds], "the mass matrix").solve(forcing)
    accelerations = combined(kinematics.graph, way.still, way.columns, speed_rates)
    return Derived(way.rates, matrix, forcing, speed_rates, accelerations, way.rows, way.offset)


def _inertia_forces(kinematics: Kinematics, found: tuple[Partial, ...], still: Column) -> tuple[Node, ...]:
    """F_r* at u' = 0: accelerations a_t = B q''_0 + bias and α_t = D q''_0 + bias, projected on partial velocities."""
    graph, axes = kinematics.graph, kinematics.axes
    terms: list[list[Node]] = [[] for _ in found[0].linear] if found else []
    for partial in found:
        body = partial.body
        force = axes.scale(body.mass, axes.add(moved(kinematics, body, still), body.center.bias))
        for row, direction in zip(terms, partial.linear, strict=True):
            row.append(axes.dot(direction, force))
        if partial.angular and body.frame and body.inertia:
            spin, rate = body.frame.spin, plus(turned(kinematics, body, still), body.frame.bias)
            torque = plus(apply(body.inertia, rate), cross(spin, apply(body.inertia, spin)))
            for row, axis in zip(terms, partial.angular, strict=True):
                row.append(graph.dot(axis, torque))
    return tuple(-graph.add(graph.zero, *row) for row in terms)
