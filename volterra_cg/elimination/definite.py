"""The square-root-free Cholesky factorisation of a positive definite matrix: its pivots cannot vanish."""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.program.field import IdenticallyZero, independent_rows
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import LDL, Const, Node
from volterra_cg.program.types import Check

REDUCED = "the reduced mass matrix"
UNROLLED = 16  # rows; beyond, the compiler takes longer for a written-out factorisation than its run gains over a loop


def definite_solver(
    graph: Graph, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str = REDUCED
) -> Definite:
    """A solver of a positive definite matrix, written out or in loops by its size."""
    solver = DefiniteSolver if len(matrix) <= UNROLLED else LoopedSolver
    return solver(graph, matrix, names, what)


class LoopedSolver:
    """M = L D L^T at run time."""

    def __init__(
        self, graph: Graph, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str = REDUCED
    ) -> None:
        if len(independent_rows([dict(enumerate(row)) for row in matrix])) < len(matrix):
            raise IdenticallyZero(f"{what} is singular")
        self._graph = graph
        self._matrix = matrix
        self.checks = [
            Check(graph.factorised(matrix, LDL), f"{what} of {names[0]} to {names[-1]} is not positive definite")
        ]

    def solve(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """The solution for one right side."""
        return self._graph.solve(self._matrix, right, LDL)


class DefiniteSolver:
    """M = L D L^T; `checks` has one entry a pivot, named after `what` the matrix is."""

    def __init__(
        self, graph: Graph, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str = REDUCED
    ) -> None:
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
            if not isinstance(pivot, Const):
                self.checks.append(Check.of(pivot, f"{what} is not positive definite, at {names[i]}", positive=True))

    def solve(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """The solution for one right side."""
        return self.backward(self.scale(self.forward(right)))

    def forward(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """L^-1 times a column."""
        graph, lower = self._graph, self._lower
        values: list[Node] = []
        for i in range(self._size):
            values.append(right[i] - graph.add(graph.zero, *(lower[i][k] * values[k] for k in range(i))))
        return tuple(values)

    def scale(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """D^-1 times a column."""
        return tuple(value * inverse for value, inverse in zip(right, self._inverse, strict=True))

    def backward(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """L^-T times a column."""
        graph, lower = self._graph, self._lower
        result: list[Node] = [graph.zero] * self._size
        for i in reversed(range(self._size)):
            done = graph.add(graph.zero, *(lower[k][i] * result[k] for k in range(i + 1, self._size)))
            result[i] = right[i] - done
        return tuple(result)


Definite = DefiniteSolver | LoopedSolver
