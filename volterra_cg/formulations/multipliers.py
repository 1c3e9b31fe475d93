"""Multipliers of constraints on a system with a definite mass matrix: shared by Lagrange's and Routh's equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volterra_cg.formulations.algebra import Algebra, Column, Rows, combined, congruence
from volterra_cg.kinematics.types import AffineRow
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node


@dataclass(frozen=True)
class Constrained:
    """Accelerations, multipliers and the right side F + a^T λ that both satisfy."""

    accelerations: Column
    multipliers: Column
    forcing: Column


def solve(
    graph: Graph,
    algebra: Algebra,
    matrix: Rows,
    forces: Sequence[Node],
    constraints: Sequence[AffineRow],
    kept: Sequence[int],
    names: Sequence[str],
) -> Constrained:
    """M q'' = F + a^T λ with a q'' = -bias, over the coordinates `kept`: λ from (a M^-1 a^T) λ = -bias - a M^-1 F.

    M is definite, and so is a M^-1 a^T where the rows of a are independent: no pivot can vanish.
    """
    rows = [[row.columns.get(j, graph.zero) for j in kept] for row in constraints]
    masses = algebra.definite(matrix, names, "the mass matrix")
    free = masses.solve(forces)
    if not rows:
        return Constrained(free, (), tuple(forces))
    columns = [masses.solve(row) for row in rows]
    compliance = congruence(graph, rows, columns)
    gaps = [-row.bias - graph.dot(entries, free) for row, entries in zip(constraints, rows, strict=True)]
    labels = [row.name for row in constraints]
    multipliers = algebra.definite(compliance, labels, "the constraints through the mass matrix").solve(gaps)
    return Constrained(
        combined(graph, free, columns, multipliers), multipliers, combined(graph, forces, rows, multipliers)
    )
