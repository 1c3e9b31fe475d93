"""Routh's equations: m - s equations, the ignorable coordinates gone from the energy with their momenta as constants.

| letter     | meaning                                                                       |
|------------|-------------------------------------------------------------------------------|
| q_N, q_I   | coordinates that are not ignorable, and those that are, Eq. (10)                |
| G_I        | constant momenta of q_I, Eq. (22)                                               |
| M_22, M_21 | blocks of the mass matrix, Eq. (14); N_2 the bias of Eq. (15)                    |
| R          | Routh's function, the energy that is left: T - G_I · q_I', with q_I' put in      |
| a_1, λ     | constraints a_1 q_N' + b = 0 and their multipliers                             |

    q_I' = M_22^-1 (G_I - N_2 - M_21 q_N')                 from Eq. (23)
    d/dt (dR/dq_N') - dR/dq_N = Q_N - dV/dq_N + a_1^T λ

For a system with constraints this is the modified form: by Definition 1 no constraint contains q_I' (a_2 = 0), and the
multipliers act on q_N alone. V is kept apart from R. d²R/dq_N'² is the Schur complement M_11 - M_12 M_22^-1 M_21,
definite as M is. q_I follows by integrating the first line, so that the states are q and q_N'.
"""

from __future__ import annotations

from volterra_cg.formulations import multipliers
from volterra_cg.formulations.algebra import Algebra, Column, Derived, Factored
from volterra_cg.formulations.posing import flow_of, without_ignorable
from volterra_cg.formulations.problem import Problem
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.nodes import Node
from volterra_cg.program.rewrite import substitute

METHOD = "routh"
TITLES = (
    "q_I' = M_22^-1 (G_I - N_2 - M_21 q_N'), Eq. (23)",
    "d²R/dq_N'²",
    "Q_N - dV/dq_N + dR/dq_N - (d/dt dR/dq_N' at q_N'' = 0) + a_1^T λ",
    "q_N''",
)


def pose(kinematics: Kinematics, asked: tuple[str, ...] | None) -> Problem:
    """Pose Routh's equations; refused where no coordinate is ignorable."""
    return without_ignorable(METHOD, kinematics, asked, derive)


def derive(problem: Problem, algebra: Algebra) -> Derived:
    """Lagrange's equations of Routh's function."""
    kinematics, inputs = problem.kinematics, problem.kinematics.inputs
    graph, flow = kinematics.graph, flow_of(problem.kinematics)
    kept = [j for j in range(len(inputs.rates)) if j not in problem.ignorable]
    names = [row.name for row in problem.momenta]
    block = [[row.columns.get(k, graph.zero) for k in problem.ignorable] for row in problem.momenta]
    M_22 = algebra.definite(block, names, "the mass matrix of the ignorable coordinates")
    ignored = _ignored(problem, M_22, kept)
    R = _function(problem, ignored)
    slopes = [Derivative({inputs.rates[j]: graph.one}) for j in kept]
    momenta = [slope(R) for slope in slopes]
    matrix = tuple(tuple(slope(momentum) for slope in slopes) for momentum in momenta)
    forces = [
        kinematics.forces[j] + kinematics.conservative[j] + flow.partial[j](R) - flow.along(momentum)
        for j, momentum in zip(kept, momenta, strict=True)
    ]
    solved = multipliers.solve(
        graph, algebra, matrix, forces, kinematics.constraints, kept, [row.name for row in problem.speeds]
    )
    full = dict(zip(kept, solved.accelerations, strict=True))
    full |= zip(problem.ignorable, _ignored_second(problem, M_22, full), strict=True)
    own = dict(zip((inputs.rates[j] for j in kept), problem.speed_inputs, strict=True))
    rates = dict(zip(kept, problem.speed_inputs, strict=True))
    rates |= zip(problem.ignorable, substitute(ignored, own), strict=True)
    count = range(len(inputs.rates))
    return Derived(
        rates=tuple(rates[j] for j in count),
        matrix=matrix,
        forcing=solved.forcing,
        speed_rates=solved.accelerations,
        accelerations=tuple(full[j] for j in count),
        titles=TITLES,
    )


def _ignored(problem: Problem, M_22: Factored, kept: list[int]) -> Column:
    """q_I' = M_22^-1 (G_I - N_2 - M_21 q_N'), with q_N' as inputs."""
    graph, rates = problem.kinematics.graph, problem.kinematics.inputs.rates
    right = [
        graph.add(g - row.rest, *(-row.columns[j] * rates[j] for j in kept if j in row.columns))
        for row, g in zip(problem.momenta, problem.momentum_inputs, strict=True)
    ]
    return M_22.solve(right)


def _function(problem: Problem, ignored: Column) -> Node:
    """R = T - G_I · q_I' with q_I' put in."""
    kinematics = problem.kinematics
    known = {kinematics.inputs.rates[j]: rate for j, rate in zip(problem.ignorable, ignored, strict=True)}
    (kinetic,) = substitute([kinematics.kinetic], known)
    return kinetic - kinematics.graph.dot(problem.momentum_inputs, ignored)


def _ignored_second(problem: Problem, M_22: Factored, known: dict[int, Node]) -> Column:
    """q_I'' from the time derivative of Eq. (23)."""
    graph = problem.kinematics.graph
    right = [
        graph.add(-row.bias, *(-row.columns[j] * second for j, second in known.items() if j in row.columns))
        for row in problem.momenta
    ]
    return M_22.solve(right)
