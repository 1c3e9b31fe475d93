"""The Boltzmann-Hamel equations: p equations in the quasi-velocities, from the kinetic energy as a function of them.

| letter   | meaning                                                                              |
|----------|--------------------------------------------------------------------------------------|
| ω        | m quasi-velocities ω = A q' + c: the p that are states, then the r constraints (zero)  |
| A, c     | [Y; a] and [Z; b] of Eqs. (3) and (1)                                                  |
| W        | the first p columns of A^-1: δq = W δπ for displacements the constraints allow         |
| T*       | T(t, q, q') with q' = A^-1 (ω - c) put in, all m of ω kept apart                       |
| h        | momenta dT*/dω, those of the constraints included                                    |
| γ        | Hamel's coefficients, contracted with the motion                                     |

    d/dt (dT*/dω_j) - dT*/dπ_j + Σ_k (dT*/dω_k) γ_kj = U_j,    j = 1 .. p

    dT*/dπ_j = Σ_l W_lj dT*/dq_l
    γ_kj     = Σ_l W_lj (dA_kl/dt - dω_k/dq_l), with total d/dt and q' held in dω_k/dq_l,
             = Σ_l,n W_lj (dA_kl/dq_n - dA_kn/dq_l) q'_n + Σ_l W_lj (∂A_kl/∂t - ∂c_k/∂q_l)

The constraints may be put in (ω_k = 0 for k > p) only after T* is differentiated: their momenta h_k appear in the sum.
The second form of γ shows the coefficients of the textbooks and the terms that rheonomic systems add.
"""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.formulations.algebra import Algebra, Column, Derived, Rows, combined
from volterra_cg.formulations.partials import active_forces
from volterra_cg.formulations.posing import flow_of, in_speeds, transmitted
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Problem, Titles
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.nodes import Node, Role
from volterra_cg.program.rewrite import substitute

TITLES = Titles(
    "q' = W u + X, Eq. (4)",
    "second derivatives of T* by u",
    "U, the derivatives of T* by π, -γ^T h, and what is left of d/dt h at u' = 0",
    "u' from the Boltzmann-Hamel equations",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose the equations; `asked` names the ignorable coordinates whose momenta are measured."""
    return in_speeds("boltzmann-hamel", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """Differentiate T*, then put the constraints in, then solve for u'."""
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    degrees = len(problem.speeds)
    rows = (*problem.speeds, *kinematics.constraints)
    solver = algebra.square([row.columns for row in rows], [e.origin for e in problem.rates.equations])
    way = transmitted(problem, solver)
    broken = [graph.input(Role.SPEED, degrees + i, row.name) for i, row in enumerate(kinematics.constraints)]
    omega = [*problem.speed_inputs, *broken]
    rates = solver.solve([w - row.rest for w, row in zip(omega, rows, strict=True)])
    (energy,) = substitute([kinematics.kinetic], dict(zip(kinematics.inputs.rates, rates, strict=True)))
    momenta = [Derivative({w: graph.one})(energy) for w in omega]
    matrix = [[Derivative({w: graph.one})(h) for w in problem.speed_inputs] for h in momenta[:degrees]]
    forcing = _forcing(problem, way.columns, energy, momenta)
    closed = substitute([*forcing, *(entry for row in matrix for entry in row)], dict.fromkeys(broken, graph.zero))
    forces, entries = closed[:degrees], closed[degrees:]
    masses = tuple(entries[degrees * j : degrees * (j + 1)] for j in range(degrees))
    speed_rates = algebra.definite(masses, [row.name for row in problem.speeds], "the mass matrix").solve(forces)
    accelerations = combined(graph, way.still, way.columns, speed_rates)
    return Derived(way.rates, masses, forces, speed_rates, accelerations, way.rows, way.offset)


def _forcing(problem: Problem, columns: Rows, energy: Node, momenta: Sequence[Node]) -> Column:
    """U_j + dT*/dπ_j - Σ_k h_k γ_kj less d/dt h_j at u' = 0."""
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    along = flow_of(kinematics).along  # quasi-velocities held
    rows = (*problem.speeds, *kinematics.constraints)
    result = []
    for column, force, momentum in zip(columns, active_forces(kinematics, columns), momenta, strict=False):
        quasi = Derivative(dict(zip(kinematics.inputs.coordinates, column, strict=True)))
        gammas = [
            graph.add(graph.zero, *(column[n] * along(entry) for n, entry in row.columns.items())) - quasi(row.value)
            for row in rows
        ]
        result.append(force + quasi(energy) - graph.dot(gammas, momenta) - along(momentum))
    return tuple(result)
