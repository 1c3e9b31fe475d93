"""Linear algebra as formulations see it: they say which matrix is to be solved, the elimination says how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node

Column = tuple[Node, ...]
Rows = tuple[tuple[Node, ...], ...]


class Factored(Protocol):
    """A regular matrix, ready for any number of right sides."""

    def solve(self, right: Sequence[Node]) -> Column:
        """The solution for one right side."""
        ...


class Root(Factored, Protocol):
    """A positive definite matrix L D L^T."""

    def forward(self, right: Sequence[Node]) -> Column:
        """L^-1 times a column."""
        ...

    def scale(self, right: Sequence[Node]) -> Column:
        """D^-1 times a column."""
        ...

    def backward(self, right: Sequence[Node]) -> Column:
        """L^-T times a column."""
        ...


class Algebra(Protocol):
    """What a derivation may ask for; a matrix that is singular everywhere raises `ModelError`."""

    def square(self, rows: Sequence[Mapping[int, Node]], origins: Sequence[str]) -> Factored:
        """A regular matrix over the rates of the coordinates, row by row; `origins` name the rows in messages."""
        ...

    def definite(self, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str) -> Factored:
        """A positive definite matrix; `what` and the names of its rows appear in messages."""
        ...

    def root(self, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str) -> Root:
        """The same, for those that need its halves."""
        ...


@dataclass(frozen=True)
class Derived:
    """What a formulation derives: q' of the state, and with rates as inputs matrix * u' = forcing, u' and all q''.

    `transmission` and `offset` are W and X of q' = W u + X where the formulation has them.
    """

    rates: Column
    matrix: Rows
    forcing: Column
    speed_rates: Column
    accelerations: Column
    transmission: Rows = ()
    offset: Column = ()


def combined(graph: Graph, first: Sequence[Node], columns: Sequence[Sequence[Node]], factors: Sequence[Node]) -> Column:
    """First + Σ factor * column."""
    pairs = list(zip(columns, factors, strict=True))
    return tuple(graph.add(entry, *(column[k] * factor for column, factor in pairs)) for k, entry in enumerate(first))


def product(graph: Graph, matrix: Sequence[Sequence[Node]], column: Sequence[Node]) -> Column:
    """A matrix times a column."""
    return tuple(graph.dot(row, column) for row in matrix)


def congruence(graph: Graph, columns: Sequence[Sequence[Node]], images: Sequence[Sequence[Node]]) -> Rows:
    """The symmetric matrix of the products column_i · image_j, each pair computed once."""
    size = len(columns)
    result = [[graph.zero] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            result[i][j] = result[j][i] = graph.dot(columns[i], images[j])
    return tuple(tuple(row) for row in result)
