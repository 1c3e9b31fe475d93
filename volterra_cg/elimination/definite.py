"""The square-root-free Cholesky factorisation of a positive definite matrix, unrolled: its pivots cannot vanish."""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check


class DefiniteSolver:
    """M = L D L^T; `checks` has one entry a pivot."""

    def __init__(self, graph: Graph, matrix: Sequence[Sequence[Node]], names: Sequence[str]) -> None:
        self._graph = graph
        self._size = len(matrix)
        self._lower: list[list[Node]] = []
        self._inverse: list[Node] = []
        self.checks: list[Check] = []
        for i in range(self._size):
            scaled: list[Node] = []  # L_ij d_j
            row: list[Node] = []
            for j in range(i):
                scaled.append(matrix[i][j] - graph.add(graph.zero, *(scaled[k] * self._lower[j][k] for k in range(j))))
                row.append(scaled[j] * self._inverse[j])
            pivot = matrix[i][i] - graph.add(graph.zero, *(scaled[k] * row[k] for k in range(i)))
            self._lower.append(row)
            self._inverse.append(graph.inverse(pivot))
            if pivot.kind != "const":
                self.checks.append(Check.of(pivot, f"the reduced mass matrix at {names[i]}"))

    def solve(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """The solution for one right side."""
        graph, size, lower = self._graph, self._size, self._lower
        values: list[Node] = []
        for i in range(size):
            values.append(right[i] - graph.add(graph.zero, *(lower[i][k] * values[k] for k in range(i))))
        result: list[Node] = [graph.zero] * size
        for i in reversed(range(size)):
            done = graph.add(graph.zero, *(lower[k][i] * result[k] for k in range(i + 1, size)))
            result[i] = values[i] * self._inverse[i] - done
        return tuple(result)
