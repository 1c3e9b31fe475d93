"""Which rows of a sparse matrix belong together: many bodies apart from each other are many small matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def groups(rows: Sequence[Iterable[int]]) -> list[int]:
    """For rows given by their columns, the group of each: rows that share a column, by way of others too, are of one group."""
    holder: dict[int, int] = {}  # the first row that a column was met in
    parent = list(range(len(rows)))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = row = parent[parent[row]]
        return row

    for number, row in enumerate(rows):
        for column in row:
            parent[root(number)] = root(holder.setdefault(column, number))
    return [root(number) for number in range(len(rows))]
