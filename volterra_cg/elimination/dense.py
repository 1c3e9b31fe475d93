"""The dense elimination order: q'' = W u' + q''_0 from [Y; M'; a], then M_NI u' = L_NI by Cholesky, Eqs. (44), (47) and (64)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.definite import Definite, definite_solver
from volterra_cg.elimination.solution import Solution
from volterra_cg.errors import ModelError
from volterra_cg.formulations.problem import Law, Quantity, ReducedProblem
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node


def solve(problem: ReducedProblem) -> Solution:
    """Solve a posed problem with dense matrices."""
    graph = problem.kinematics.graph
    count = len(problem.kinematics.inputs.coordinates)
    names = [coordinate.name for coordinate in problem.kinematics.inputs.coordinates]
    laws = (Law.SPEED, Law.MOMENTUM, Law.CONSTRAINT)
    equations = problem.rates.of(*laws)
    try:
        solver = BlockSolver(graph, [e.terms for e in equations], names, [e.origin for e in equations])
    except IdenticallyZero as error:
        raise ModelError("[Y; M'; a] is singular everywhere: choose other quasi-velocities") from error
    columns = [solver.solve(_unit(graph, i, count)) for i in range(len(problem.speeds))]
    still = solver.solve([e.right for e in problem.motion.of(*laws)])
    mass, forcing = _reduced(problem, columns, still)
    definite = _definite(graph, mass, problem)
    speed_rates = definite.solve(forcing)
    accelerations = tuple(
        graph.add(still[k], *(column[k] * rate for column, rate in zip(columns, speed_rates, strict=True)))
        for k in range(count)
    )
    return Solution(
        rates=solver.solve([equation.right for equation in equations]),
        transmission=tuple(tuple(column[k] for column in columns) for k in range(count)),
        offset=solver.solve([graph.zero] * len(problem.speeds) + [e.right for e in equations[len(problem.speeds) :]]),
        mass=mass,
        forcing=forcing,
        speed_rates=speed_rates,
        accelerations=accelerations,
        checks=(*solver.checks, *definite.checks),
    )


def _unit(graph: Graph, position: int, count: int) -> list[Node]:
    return [graph.const(int(k == position)) for k in range(count)]


def _reduced(
    problem: ReducedProblem, columns: Sequence[Sequence[Node]], still: Sequence[Node]
) -> tuple[tuple[tuple[Node, ...], ...], tuple[Node, ...]]:
    """M_NI = W_N^T M_NN W_N - W_I^T M_II W_I and L_NI = W_N^T (right - M_NN q''_0N) + W_I^T M_II q''_0I.

    N are the coordinates that are not ignorable and I those that are; their momenta give M_IN W_N = -M_II W_I.
    """
    graph = problem.kinematics.graph
    ignorable = list(problem.ignorable)
    others = [k for k in range(len(still)) if k not in ignorable]
    rows = problem.dynamics()

    def image(terms: Mapping[int, Node], vector: Sequence[Node], among: Sequence[int]) -> Node:
        return graph.add(graph.zero, *(terms[k] * vector[k] for k in among if k in terms))

    def part(vector: Sequence[Node], among: Sequence[int]) -> list[Node]:
        return [vector[k] for k in among]

    images = [[image(row.terms, column, others) for row in rows] for column in columns]
    carried = [[image(row.columns, column, ignorable) for row in problem.momenta] for column in columns]
    rest = [row.right - image(row.terms, still, others) for row in rows]
    drift = [image(row.columns, still, ignorable) for row in problem.momenta]
    mass = [[graph.zero] * len(columns) for _ in columns]
    for i, column in enumerate(columns):
        for j in range(i + 1):
            own = graph.dot(part(column, others), images[j])
            mass[i][j] = mass[j][i] = own - graph.dot(part(column, ignorable), carried[j])
    forcing = [graph.dot(part(c, others), rest) + graph.dot(part(c, ignorable), drift) for c in columns]
    return tuple(tuple(row) for row in mass), tuple(forcing)


def _definite(graph: Graph, mass: tuple[tuple[Node, ...], ...], problem: ReducedProblem) -> Definite:
    try:
        return definite_solver(graph, mass, [row.name for row in problem.speeds])
    except IdenticallyZero as error:
        names = ", ".join(u.name for u in problem.motion.unknowns if u.quantity is Quantity.SPEED_RATE)
        raise ModelError(f"the reduced mass matrix is singular: some motion of {names} moves no mass") from error
