"""The roads from a posed problem to its solution: which unknowns go first is chosen here, by name or by cost."""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.elimination import tree
from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.solution import Solution
from volterra_cg.elimination.unknowns import Speeds
from volterra_cg.formulations.inertia import mass_entry
from volterra_cg.formulations.problem import Law, Problem
from volterra_cg.program.nodes import Node
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Check


def applies(problem: Problem) -> bool:
    """Whether the rates of ignorable coordinates can stand beside the quasi-velocities as independent speeds."""
    return not any(j in row.columns for row in problem.speeds for j in problem.ignorable)


def recursive(problem: Problem, keep: tree.Keep) -> Solution:
    """u' by elimination along the tree of bodies; `keep` names the speeds that stay until the end."""
    kinematics = problem.kinematics
    graph = kinematics.graph
    moving = [j for j in range(len(kinematics.inputs.rates)) if j not in problem.ignorable]
    names = [kinematics.inputs.rates[j].data.name for j in moving]
    equations = problem.rates.of(Law.SPEED, Law.CONSTRAINT)
    position = {j: i for i, j in enumerate(moving)}
    solver = BlockSolver(graph, [{position[j]: n for j, n in e.terms.items()} for e in equations], names)
    inner = solver.solve([e.right for e in equations])
    rates, checks = _all_rates(problem, moving, inner)
    speeds = _speeds(problem, solver, moving)
    forces = [a + b for a, b in zip(kinematics.forces, kinematics.elastic, strict=True)]
    solved = tree.solve(kinematics, speeds, forces, keep)
    labels = [*(row.name for row in problem.speeds), *(row.name for row in problem.momenta)]
    return Solution(
        rates=rates,
        speed_rates=solved.rates[: len(problem.speeds)],
        accelerations=tuple(
            graph.add(speeds.still[j], *(weight * solved.rates[k] for k, weight in speeds.rows[j].items()))
            for j in range(len(kinematics.inputs.rates))
        ),
        checks=(
            *solver.checks,
            *checks,
            *(Check.of(pivot, _label(k, labels)) for k, pivot in solved.pivots if pivot.kind != "const"),
        ),
    )


def _label(unknown: int, labels: Sequence[str]) -> str:
    return f"the inertia seen by {labels[unknown]}" if unknown < len(labels) else "the inertia of the whole"


def _all_rates(problem: Problem, moving: Sequence[int], inner: Sequence[Node]) -> tuple[tuple[Node, ...], list[Check]]:
    """q' : first of the coordinates that are not ignorable, then of the others from the conserved momenta, Eq. (25)."""
    kinematics = problem.kinematics
    graph, inputs = kinematics.graph, kinematics.inputs
    rates = dict(zip(moving, inner, strict=True))
    names = [row.name for row in problem.momenta]
    matrix = [{i: mass_entry(kinematics, j, k) for i, k in enumerate(problem.ignorable)} for j in problem.ignorable]
    solver = BlockSolver(graph, matrix, names)
    known = {inputs.rates[j]: graph.zero for j in problem.ignorable} | {inputs.rates[j]: rates[j] for j in moving}
    others = substitute([row.value for row in problem.momenta], known)
    solved = solver.solve([g - value for g, value in zip(problem.momentum_inputs, others, strict=True)])
    rates |= dict(zip(problem.ignorable, solved, strict=True))
    return tuple(rates[j] for j in sorted(rates)), solver.checks


def _speeds(problem: Problem, solver: BlockSolver, moving: Sequence[int]) -> Speeds:
    """q'' in the rates of the quasi-velocities and of the ignorable rates."""
    graph = problem.kinematics.graph
    count = len(problem.speeds)
    right = [e.right for e in problem.motion.of(Law.SPEED, Law.CONSTRAINT)]
    inner = solver.solve(right)
    columns = [solver.solve([graph.const(int(i == k)) for i in range(len(moving))]) for k in range(count)]
    rows: dict[int, dict[int, Node]] = {j: {count + i: graph.one} for i, j in enumerate(problem.ignorable)}
    still = dict.fromkeys(problem.ignorable, graph.zero)
    for i, j in enumerate(moving):
        rows[j] = {k: column[i] for k, column in enumerate(columns) if not column[i].is_zero}
        still[j] = inner[i]
    ordered = sorted(rows)
    return Speeds(count + len(problem.ignorable), [rows[j] for j in ordered], [still[j] for j in ordered])
