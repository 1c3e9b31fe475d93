"""The dense road: q'' = W u' + q''_0 from [Y; M'; a], then M_NI u' = L_NI by Cholesky, Eqs. (44), (47) and (64)."""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.definite import Definite, definite_solver
from volterra_cg.elimination.solution import Solution
from volterra_cg.errors import ModelError
from volterra_cg.formulations.problem import Equation, Law, Problem, Quantity
from volterra_cg.formulations.reduced_volterra import dynamics
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node


def solve(problem: Problem) -> Solution:
    """Solve a posed problem by the dense road."""
    graph = problem.kinematics.graph
    count = len(problem.kinematics.inputs.coordinates)
    names = [coordinate.data.name for coordinate in problem.kinematics.inputs.coordinates]
    laws = (Law.SPEED, Law.MOMENTUM, Law.CONSTRAINT)
    equations = problem.rates.of(*laws)
    try:
        solver = BlockSolver(graph, [equation.terms for equation in equations], names)
    except (IdenticallyZero, ValueError) as error:
        raise ModelError("[Y; M'; a] is singular everywhere: choose other quasi-velocities") from error
    columns = [solver.solve(_unit(graph, i, count)) for i in range(len(problem.speeds))]
    still = solver.solve([e.right for e in problem.motion.of(*laws)])
    mass, forcing = _reduced(graph, columns, still, dynamics(problem), names)
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
    graph: Graph,
    columns: Sequence[Sequence[Node]],
    still: Sequence[Node],
    dynamics: Sequence[Equation],
    names: Sequence[str],
) -> tuple[tuple[tuple[Node, ...], ...], tuple[Node, ...]]:
    """W_N^T (M W) and W_N^T (right - M q''_0): only the rows of coordinates that are not ignorable take part."""
    count = len(names)
    where = [names.index(equation.name) for equation in dynamics]

    def image(equation: Equation, vector: Sequence[Node]) -> Node:
        return graph.add(graph.zero, *(entry * vector[k] for k, entry in equation.terms.items() if k < count))

    images = [[image(equation, column) for equation in dynamics] for column in columns]
    rest = [equation.right - image(equation, still) for equation in dynamics]
    left = [[column[k] for k in where] for column in columns]
    mass = [[graph.zero] * len(columns) for _ in columns]
    for i, row in enumerate(left):
        for j in range(i + 1):
            mass[i][j] = mass[j][i] = graph.dot(row, images[j])
    return tuple(tuple(row) for row in mass), tuple(graph.dot(row, rest) for row in left)


def _definite(graph: Graph, mass: tuple[tuple[Node, ...], ...], problem: Problem) -> Definite:
    try:
        return definite_solver(graph, mass, [row.name for row in problem.speeds])
    except IdenticallyZero as error:
        names = ", ".join(u.name for u in problem.motion.unknowns if u.quantity is Quantity.SPEED_RATE)
        raise ModelError(f"the reduced mass matrix is singular: some motion of {names} moves no mass") from error
