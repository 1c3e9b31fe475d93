"""The elimination order for loops: the tree as if it were open, with one more right side for each row that closes it.

    M q'' + a^T λ = Q,    a q'' + bias = 0

All rates q'' are eliminated along the tree, as if nothing closed it. The forces λ of the rows stay: their system a M^-1 a^T is as
small as the rows are few, and as sparse as the loops are apart. u' is then read off the rows of the quasi-velocities.
"""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.elimination import tree
from volterra_cg.elimination.accelerations import Follow, Speeds
from volterra_cg.formulations.problem import ReducedProblem
from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check


def accelerations(
    problem: ReducedProblem, forces: Sequence[Node], follow: Follow
) -> tuple[tuple[Node, ...], list[Check]]:
    """The accelerations q'', and the pivots they rest on."""
    kinematics = problem.kinematics
    graph, names = kinematics.graph, [coordinate.name for coordinate in kinematics.inputs.coordinates]
    count = len(names)
    speeds = Speeds(count, [{j: graph.one} for j in range(count)], [graph.zero] * count)
    solved = tree.solve(kinematics, speeds, forces, lambda _: False, follow, kinematics.constraints)
    checks = []
    for unknown, pivot in solved.pivots:
        if unknown < 0:
            name = kinematics.constraints[-1 - unknown].name
            checks.append(Check.of(-pivot, f"constraint {name} depends on the others here", positive=True))
        else:
            name = names[unknown] if unknown < count else "the whole"
            checks.append(Check.of(pivot, f"the inertia seen by {name} is not positive", positive=True))
    return solved.rates, checks


def speed_rates(problem: ReducedProblem, accelerations: Sequence[Node]) -> tuple[Node, ...]:
    """Eq. (42) differentiated: u' = Y q'' + (Y' q' + Z')."""
    graph = problem.kinematics.graph
    return tuple(
        graph.add(row.bias, *(entry * accelerations[j] for j, entry in row.columns.items())) for row in problem.speeds
    )
