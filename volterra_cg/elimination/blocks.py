"""Solving a sparse square system symbolically, dividing only by what cannot vanish at a regular configuration.

The matrix is permuted to block triangular form; its irreducible blocks are solved by Cramer's rule up to size 3, beyond by the
transpose where rows are at right angles, else by LU with pivoting at run time. Inside a block, rows whose pivot is a number or a
function of parameters go first. Inside a larger one, unknowns that two or three rows alone contain, one fewer than the rows, go
before these: one combination of the rows does without them, and they follow by least squares. A rod between two bodies is so: the
combination is the row along it, and its angles follow from the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from sympy.utilities.iterables import strongly_connected_components

from volterra_cg.kinematics.axes import cross
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Const, Node
from volterra_cg.program.parts import groups
from volterra_cg.program.types import Check

Row = Mapping[int, Node]
CRAMER_LIMIT = 3
FACTORISED = 7  # rows of a block that is rather factorised than taken apart: that costs less
CHOSEN = "quasi-velocity"  # how the origin of a row begins that could have been chosen otherwise


@dataclass(frozen=True)
class Pivot:
    """Eliminates one unknown by one row, before the block it was in is solved."""

    row: int
    column: int
    inverse: Node
    weights: tuple[tuple[int, Node], ...]  # (row, factor): rows from which the pivot row is subtracted


@dataclass(frozen=True)
class Private:
    """Solves rows for the unknowns that they alone contain, one fewer: `without` combines the rows into `row`, free of these.

    `inverse` is (C^T C)^-1 C^T of their columns C. It exists wherever these are independent: else the whole matrix is singular.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    row: int
    without: tuple[Node, ...]
    inverse: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True)
class Block:
    """An irreducible block: unknowns `columns` from equations `rows`."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    matrix: tuple[tuple[Node, ...], ...]
    inverse: tuple[tuple[Node, ...], ...] | None  # None: solved by LU at run time


class _Parts(NamedTuple):
    """Steps and blocks, in solving order."""

    steps: list[Pivot | Private]
    blocks: list[Block]


class BlockSolver:
    """A factorised square matrix; `solve` takes any number of right sides.

    `names` are those of the columns, `origins` say where the rows come from.
    """

    def __init__(self, graph: Graph, rows: Sequence[Row], names: Sequence[str], origins: Sequence[str]) -> None:
        self.graph = graph
        self._names = names
        self._origins = origins
        self._rows: list[dict[int, Node]] = [{k: n for k, n in row.items() if not n.is_zero} for row in rows]
        self.checks: list[Check] = []
        self._steps: list[Pivot | Private] = []
        self._together = {c: (rows, columns) for rows, columns in self._triangular() for c in columns}
        self._group = groups(self._rows)
        self._find_pivots()
        self._blocks = [self._block(*block) for block in self._triangular()]

    def solve(self, right: Sequence[Node]) -> tuple[Node, ...]:
        """The solution for one right side."""
        found = self.sparse({row: value for row, value in enumerate(right) if not value.is_zero})
        return tuple(found.get(k, self.graph.zero) for k in range(len(right)))

    def sparse(self, right: Mapping[int, Node]) -> dict[int, Node]:
        """The entries of a solution that do not vanish, for a right side by its entries."""
        steps, blocks = self._met(right)
        values, zero = dict(right), self.graph.zero
        for step in steps:
            if isinstance(step, Private):
                values[step.row] = self.graph.dot(step.without, [values.get(row, zero) for row in step.rows])
            elif step.row in values:
                for row, weight in step.weights:
                    values[row] = values.get(row, zero) - weight * values[step.row]
        known: dict[int, Node] = {}
        for block in blocks:
            inner = [self._rest(row, values.get(row, zero), known, block.columns) for row in block.rows]
            if not all(value.is_zero for value in inner):
                known.update(zip(block.columns, self._solve_block(block, inner), strict=True))
        for step in reversed(steps):
            if isinstance(step, Private):
                rests = [self._rest(row, values.get(row, zero), known, step.columns) for row in step.rows]
                known.update((c, self.graph.dot(w, rests)) for c, w in zip(step.columns, step.inverse, strict=True))
                continue
            rest = self._rest(step.row, values.get(step.row, zero), known, (step.column,))
            if not rest.is_zero:
                known[step.column] = rest * step.inverse
        return {k: node for k, node in known.items() if not node.is_zero}

    def _met(self, right: Mapping[int, Node]) -> _Parts:
        """The steps and blocks that a right side can reach, in order: with many bodies apart these are few."""
        if len(right) != 1:
            return _Parts(self._steps, self._blocks)
        return self._apart[self._group[next(iter(right))]]

    @cached_property
    def _apart(self) -> dict[int, _Parts]:
        """The steps and blocks of each group of rows that share no unknowns with others."""
        group, parts = list(self._group), {number: _Parts([], []) for number in self._group}
        for step in self._steps:
            if isinstance(step, Private):
                group.append(group[step.rows[0]])  # the row that it has made
            parts[group[step.row]].steps.append(step)
        for block in self._blocks:
            parts[group[block.rows[0]]].blocks.append(block)
        return parts

    def _rest(self, row: int, value: Node, known: Mapping[int, Node], unknown: Sequence[int]) -> Node:
        done = [entry * known[k] for k, entry in self._rows[row].items() if k in known and k not in unknown]
        return value - self.graph.add(self.graph.zero, *done) if done else value

    def _solve_block(self, block: Block, right: Sequence[Node]) -> tuple[Node, ...]:
        if block.inverse is None:
            return self.graph.solve(block.matrix, right)
        return tuple(self.graph.dot(row, right) for row in block.inverse)

    # --- structure --------------------------------------------------------------------------------------------------

    def _find_pivots(self) -> None:
        """Take unknowns of few rows out of large blocks, and safe pivots while an irreducible block is larger than one."""
        while any(self._take(rows, columns) for rows, columns in self._triangular() if len(rows) > 1):
            pass

    def _take(self, rows: Sequence[int], columns: Sequence[int]) -> bool:
        """Make a block smaller, if there is a way."""
        if len(rows) > FACTORISED and (private := self._private(columns)):
            self._solve_for(*private)
            return True
        pivot = self._safe_pivot(rows, columns)
        if pivot:
            self._eliminate(*pivot)
        return pivot is not None

    def _private(self, columns: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Two or three rows, and the unknowns that they alone contain, one fewer, without an entry that is a safe pivot."""
        active = self._active()
        within = {c: [row for row in active if c in self._rows[row]] for c in columns}
        for own in sorted((own for own in within.values() if len(own) <= CRAMER_LIMIT), key=len, reverse=True):
            inner = [c for c, others in within.items() if set(others) <= set(own)]
            entries = [self._rows[row][c] for c in inner for row in within[c]]
            if len(inner) == len(own) - 1 and not any(entry.is_parameter_only for entry in entries):
                return tuple(own), tuple(inner)
        return None

    def _solve_for(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        zero = self.graph.zero
        matrix = [tuple(self._rows[row].get(c, zero) for row in rows) for c in columns]
        without = (-matrix[0][1], matrix[0][0]) if len(rows) == 2 else _cross(matrix[0], matrix[1])
        others = sorted({k for row in rows for k in self._rows[row]} - set(columns))
        combined = {k: self.graph.dot(without, [self._rows[row].get(k, zero) for row in rows]) for k in others}
        self._rows.append({k: node for k, node in combined.items() if not node.is_zero})
        inverse = self._least_squares(matrix, without, columns)
        self._steps.append(Private(rows, columns, len(self._rows) - 1, without, inverse))

    def _least_squares(
        self, matrix: Sequence[tuple[Node, ...]], without: tuple[Node, ...], columns: Sequence[int]
    ) -> tuple[tuple[Node, ...], ...]:
        """(C^T C)^-1 C^T for the columns of C; of two, each crossed with their product, over the square of its length."""
        if self._at_right_angles(tuple(matrix)):
            lengths = [
                self._divisor(self.graph.dot(column, column), (c,)) for c, column in zip(columns, matrix, strict=True)
            ]
            return tuple(tuple(e * n for e in column) for column, n in zip(matrix, lengths, strict=True))
        length = self._divisor(self.graph.dot(without, without), columns)
        crossed = _cross(matrix[1], without), _cross(without, matrix[0])
        return tuple(tuple(e * length for e in column) for column in crossed)

    def _safe_pivot(self, rows: Sequence[int], columns: Sequence[int]) -> tuple[int, int] | None:
        """The constant or parameter-only entry of least fill in a block."""
        best: tuple[int, int, int, int] | None = None
        for row in rows:
            for column in columns:
                entry = self._rows[row].get(column)
                if entry is None or not entry.is_parameter_only:
                    continue
                others = sum(column in self._rows[other] for other in rows if other != row)
                fill = others * (len(self._rows[row]) - 1)
                candidate = (fill, int(not isinstance(entry, Const)), row, column)
                best = min(best, candidate) if best else candidate
        return (best[2], best[3]) if best else None

    def _eliminate(self, row: int, column: int) -> None:
        inverse = self._divisor(self._rows[row][column], (column,))
        weights = []
        for other in self._active():
            if other != row and column in self._rows[other]:
                factor = self._rows[other].pop(column) * inverse
                weights.append((other, factor))
                for k, entry in self._rows[row].items():
                    if k != column:
                        changed = self._rows[other].get(k, self.graph.zero) - factor * entry
                        self._rows[other] = {**self._rows[other], k: changed}
                self._rows[other] = {k: n for k, n in self._rows[other].items() if not n.is_zero}
        self._steps.append(Pivot(row, column, inverse, tuple(weights)))

    def _active(self) -> list[int]:
        used = {row for step in self._steps for row in (step.rows if isinstance(step, Private) else (step.row,))}
        return [row for row in range(len(self._rows)) if row not in used]

    def _triangular(self) -> list[tuple[list[int], list[int]]]:
        """The irreducible blocks (rows, columns) of the rows not yet used, in solving order."""
        matched = _matching(self._rows, self._active())
        row_of = {column: row for row, column in matched.items()}
        vertices = sorted(row_of)
        edges = [(c, k) for c in vertices for k in self._rows[row_of[c]] if k != c and k in row_of]
        components = strongly_connected_components((vertices, edges))
        return [(sorted(row_of[c] for c in part), sorted(part)) for part in components]

    def _block(self, rows: Sequence[int], columns: Sequence[int]) -> Block:
        zero = self.graph.zero
        matrix = tuple(tuple(self._rows[row].get(column, zero) for column in columns) for row in rows)
        inverse = None
        if len(rows) <= CRAMER_LIMIT:
            inverse = self._cramer(matrix, columns)
        elif self._at_right_angles(matrix):
            lengths = [self._divisor(self.graph.dot(row, row), columns) for row in matrix]
            inverse = tuple(
                zip(*(tuple(e * n for e in row) for row, n in zip(matrix, lengths, strict=True)), strict=True)
            )
        else:
            factor = self.graph.factorised(matrix)
            self.checks.append(Check(factor, self._label(columns)))
        return Block(tuple(rows), tuple(columns), matrix, inverse)

    def _at_right_angles(self, matrix: tuple[tuple[Node, ...], ...]) -> bool:
        """Whether all rows are, as those of a quaternion's rates: A^-1 is A^T, over the squares of their lengths."""
        return all(self.graph.dot(a, b).is_zero for a, b in combinations(matrix, 2))

    def _cramer(self, matrix: tuple[tuple[Node, ...], ...], columns: Sequence[int]) -> tuple[tuple[Node, ...], ...]:
        cofactors = adjugate(matrix)
        reciprocal = self._divisor(self.graph.dot(matrix[0], [row[0] for row in cofactors]), columns)
        return tuple(tuple(entry * reciprocal for entry in row) for row in cofactors)

    def _divisor(self, node: Node, columns: Sequence[int]) -> Node:
        if not isinstance(node, Const):
            self.checks.append(Check.of(node, self._label(columns)))
        return self.graph.inverse(node)

    def _label(self, columns: Sequence[int]) -> str:
        blocks = [self._together[column] for column in columns]
        origins = [self._origins[row] for row in sorted({row for rows, _ in blocks for row in rows})]
        names = [self._names[column] for column in sorted({column for _, inner in blocks for column in inner})]
        verb, rate = ("does", "rate") if len(names) == 1 else ("do", "rates")
        chosen = any(origin.startswith(CHOSEN) for origin in self._origins)
        remedy = "choose other quasi-velocities" if chosen else "a singular position"
        return f"{', '.join(origins)} {verb} not determine the {rate} of {', '.join(names)} ({remedy})"


def _cross(a: Sequence[Node], b: Sequence[Node]) -> tuple[Node, ...]:
    return cross((a[0], a[1], a[2]), (b[0], b[1], b[2]))


def adjugate(matrix: Sequence[Sequence[Node]]) -> list[list[Node]]:
    """The adjugate of a matrix of size 1, 2 or 3."""
    one = matrix[0][0].graph.one
    if len(matrix) == 1:
        return [[one]]
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        return [[d, -b], [-c, a]]
    m = matrix

    def cofactor(i: int, j: int) -> Node:
        r, s, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return m[r][c] * m[s][d] - m[r][d] * m[s][c]

    return [[cofactor(j, i) for j in range(3)] for i in range(3)]


def _matching(rows: Sequence[Row], active: Sequence[int]) -> dict[int, int]:
    """A column for each row, by augmenting paths; the block triangular form does not depend on which."""
    owner: dict[int, int] = {}

    def augment(row: int, seen: set[int]) -> bool:
        for column in sorted(rows[row]):
            if column in seen:
                continue
            seen.add(column)
            if column not in owner or augment(owner[column], seen):
                owner[column] = row
                return True
        return False

    for row in active:
        if not augment(row, set()):
            raise IdenticallyZero("structurally singular")
    return {row: column for column, row in owner.items()}
