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
multipliers act on q_N alone. V is kept apart from R. The derivatives of R are taken by Routh's theorem, which spares
differentiating M_22^-1: dR/dq_N' = dT/dq_N' and dR/dq_N = dT/dq_N, with q_I' put in afterwards. In d/dt (dR/dq_N') then
stands q_I'', from the derivative of the first line, so that the matrix of q_N'' is M_11 - M_12 M_22^-1 M_21, definite
as M is. q_I follows by integrating the first line: the states are q and q_N'.
"""

from __future__ import annotations

from volterra_cg.formulations import lagrange
from volterra_cg.formulations.algebra import Algebra, Column, Derived, Factored, Rows
from volterra_cg.formulations.inertia import mass_matrix
from volterra_cg.formulations.posing import flow_of, in_other_rates
from volterra_cg.formulations.problem import Asked, ClassicalProblem, Problem, Titles
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.nodes import Node

TITLES = Titles(
    "q_I' = M_22^-1 (G_I - N_2 - M_21 q_N'), Eq. (23)",
    "M_11 - M_12 M_22^-1 M_21",
    "Q_N - dV/dq_N + dR/dq_N + a_1^T λ, less what is left of d/dt (dR/dq_N') at q_N'' = 0",
    "q_N''",
)


def pose(kinematics: Kinematics, asked: Asked) -> ClassicalProblem:
    """Pose Routh's equations; refused where no coordinate is ignorable."""
    return in_other_rates("routh", kinematics, asked, TITLES, derive)


def derive(problem: ClassicalProblem, algebra: Algebra) -> Derived:
    """Lagrange's equations of Routh's function, for q_N alone."""
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    kept = [j for j in range(len(kinematics.inputs.rates)) if j not in problem.ignorable]
    M_22 = _ignorable_masses(problem, algebra)
    coupling = [[row.columns.get(j, graph.zero) for row in problem.momenta] for j in kept]  # rows of M_12
    carried = [M_22.solve(row) for row in coupling]
    masses = mass_matrix(kinematics)
    matrix = [[graph.zero] * len(kept) for _ in kept]
    for i, j in enumerate(kept):
        for k in range(i + 1):
            matrix[i][k] = matrix[k][i] = masses[j][kept[k]] - graph.dot(coupling[i], carried[k])
    forces = _forces(problem, kept, carried)
    names = [row.name for row in problem.speeds]
    solved = lagrange.with_multipliers(graph, algebra, _rows(matrix), forces, kinematics.constraints, kept, names)
    seconds = dict(zip(kept, solved.accelerations, strict=True))
    seconds |= zip(problem.ignorable, M_22.solve(_remaining(problem, seconds)), strict=True)
    return Derived(
        rates=_rates(problem, M_22, kept),
        matrix=_rows(matrix),
        forcing=solved.forcing,
        speed_rates=solved.accelerations,
        accelerations=tuple(seconds[j] for j in sorted(seconds)),
    )


def _rows(matrix: list[list[Node]]) -> Rows:
    return tuple(tuple(row) for row in matrix)


def _ignorable_masses(problem: Problem, algebra: Algebra) -> Factored:
    graph = problem.kinematics.graph
    block = [[row.columns.get(k, graph.zero) for k in problem.ignorable] for row in problem.momenta]
    return algebra.definite(block, [row.name for row in problem.momenta], "the mass matrix of ignorable coordinates")


def _forces(problem: Problem, kept: list[int], carried: list[Column]) -> Column:
    """Lagrange's F of q_N, and M_12 M_22^-1 times the rates of the momenta at q'' = 0, which q_I'' has to undo."""
    kinematics, graph = problem.kinematics, problem.kinematics.graph
    flow, every = flow_of(kinematics), lagrange.forces(kinematics)
    drift = [flow.along(row.value) for row in problem.momenta]
    return tuple(every[j] + graph.dot(row, drift) for j, row in zip(kept, carried, strict=True))


def _rates(problem: Problem, M_22: Factored, kept: list[int]) -> Column:
    """The rates q_N' of the state, and q_I' = M_22^-1 (G_I - N_2 - M_21 q_N')."""
    graph = problem.kinematics.graph
    known: dict[int, Node] = dict(zip(kept, problem.speed_inputs, strict=True))
    right = [
        graph.add(g - row.rest, *(-row.columns[j] * rate for j, rate in known.items() if j in row.columns))
        for row, g in zip(problem.momenta, problem.momentum_inputs, strict=True)
    ]
    known |= zip(problem.ignorable, M_22.solve(right), strict=True)
    return tuple(known[j] for j in sorted(known))


def _remaining(problem: Problem, seconds: dict[int, Node]) -> list[Node]:
    """What M_22 q_I'' has to be, from the time derivative of Eq. (23)."""
    graph = problem.kinematics.graph
    return [
        graph.add(-row.bias, *(-row.columns[j] * second for j, second in seconds.items() if j in row.columns))
        for row in problem.momenta
    ]
