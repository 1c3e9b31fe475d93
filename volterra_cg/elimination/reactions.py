"""Reactions of constraints and joints, with q'' known.

Those of constraints are the multipliers in M q'' - a^T λ = Q - dV/dq - bias. That of a joint is what the same equation
lacks for a coordinate that loosens it and stays zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volterra_cg.errors import ModelError
from volterra_cg.formulations.inertia import bias_force, mass_entry
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.nodes import Input, Node, Role, topological
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Check


def with_reactions(kinematics: Kinematics) -> tuple[Mapping[str, Node], tuple[Check, ...]]:
    """The outputs with every reaction put in, as functions of rates and accelerations, and the divisors for it."""
    names, nodes = list(kinematics.outputs), list(kinematics.outputs.values())
    inputs = {node.name: node for node in topological(nodes) if isinstance(node, Input) and node.role is Role.REACTION}
    if not inputs:
        return kinematics.outputs, ()
    if kinematics.redundant:
        message = f"reactions are not determined: constraint {kinematics.redundant[0].name} follows from the others"
        remedy = "leave the redundant rows of constraints out with along = [...], or ask for no reaction"
        raise ModelError(message, ("constraints", kinematics.redundant[0].name), remedy)
    accelerations = acceleration_inputs(kinematics)
    found, checks = _multipliers(kinematics, accelerations)
    for name in kinematics.joints:
        if name in inputs:
            found[name] = _joint(kinematics, name, accelerations, found)
    known: dict[Node, Node] = {inputs[name]: node for name, node in found.items() if name in inputs}
    return dict(zip(names, substitute(nodes, known), strict=True)), checks


def acceleration_inputs(kinematics: Kinematics) -> tuple[Node, ...]:
    """The accelerations as inputs, which the outputs read from where the motion has left them."""
    names = [coordinate.name for coordinate in kinematics.inputs.coordinates]
    return tuple(kinematics.graph.input(Role.ACCELERATION, i, name) for i, name in enumerate(names))


def _multipliers(kinematics: Kinematics, accelerations: Sequence[Node]) -> tuple[dict[str, Node], tuple[Check, ...]]:
    """λ = (a a^T)^-1 a (M q'' + bias - Q + dV/dq); a a^T is definite wherever the constraints are independent."""
    graph, rows = kinematics.graph, kinematics.constraints
    if not rows:
        return {}, ()
    needed = sorted({j for row in rows for j in row.columns})
    missing = {j: _missing_force(kinematics, j, accelerations) for j in needed}
    matrix = [[_dot(kinematics, first.columns, second.columns) for second in rows] for first in rows]
    right = [graph.add(graph.zero, *(entry * missing[j] for j, entry in row.columns.items())) for row in rows]
    items = graph.solve(matrix, right)
    check = Check(
        graph.factorised(matrix),
        "the constraints depend on each other here, so that their reactions are not determined",
    )
    return {row.name: item for row, item in zip(rows, items, strict=True)}, (check,)


def _joint(kinematics: Kinematics, name: str, accelerations: Sequence[Node], multipliers: Mapping[str, Node]) -> Node:
    """The force that keeps a loosened joint from moving: what its row of the equations of motion lacks."""
    graph, loose = kinematics.graph, kinematics.joints[name]
    last = len(accelerations)
    missing = _missing_force(loose, last, accelerations)
    held = [
        -row.columns[last] * multipliers[row.name]
        for row in loose.constraints
        if last in row.columns and row.name in multipliers
    ]
    closed: dict[Node, Node] = dict.fromkeys((loose.inputs.coordinates[last], loose.inputs.rates[last]), graph.zero)
    (force,) = substitute([graph.add(missing, *held)], closed)
    return force


def _missing_force(kinematics: Kinematics, j: int, accelerations: Sequence[Node]) -> Node:
    """What the constraints must add to row j of the equations of motion."""
    graph = kinematics.graph
    inertia = [mass_entry(kinematics, j, k) * acceleration for k, acceleration in enumerate(accelerations)]
    return graph.add(bias_force(kinematics, j), *inertia) - kinematics.forces[j] - kinematics.conservative[j]


def _dot(kinematics: Kinematics, left: Mapping[int, Node], right: Mapping[int, Node]) -> Node:
    graph = kinematics.graph
    return graph.add(graph.zero, *(entry * right[j] for j, entry in left.items() if j in right))
