"""A quadratic form over numbered unknowns, x^T Q x / 2 + b^T x, and the moves that eliminate them.

The accelerations of a mechanism minimise such a form (Gauss's principle of least constraint). Every move below is exact, and
the only divisors are pivots of a positive definite form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volterra_cg.kinematics.axes import Matrix, Rotation
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node


@dataclass(frozen=True)
class Eliminated:
    """x[unknown] = -(constant + Σ weight * x[other])."""

    unknown: int
    constant: Node
    weights: tuple[tuple[int, Node], ...]
    pivot: Node


class Form:
    """The form; entries that vanish by meaning are not kept."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._rows: dict[int, dict[int, Node]] = {}
        self._linear: dict[int, Node] = {}

    def entry(self, a: int, b: int) -> Node:
        """Q[a, b]."""
        return self._rows.get(a, {}).get(b, self._graph.zero)

    def linear(self, a: int) -> Node:
        """b[a]."""
        return self._linear.get(a, self._graph.zero)

    def unknowns(self) -> list[int]:
        """The unknowns with a quadratic or a linear term."""
        return sorted({*self._rows, *self._linear})

    def has(self, a: int) -> bool:
        """Whether an unknown has a quadratic or a linear term."""
        return a in self._rows or a in self._linear

    def degree(self, a: int) -> int:
        """How many other unknowns one is coupled to."""
        return len(self._rows.get(a, {}).keys() - {a})

    def coupled(self, a: int) -> list[int]:
        """The unknowns that one is coupled to, itself among them if it has a square."""
        return list(self._rows.get(a, ()))

    def set(self, a: int, b: int, value: Node) -> None:
        """Q[a, b] = Q[b, a] = value."""
        for i, j in ((a, b), (b, a)):
            row = self._rows.setdefault(i, {})
            if value.is_zero:
                row.pop(j, None)
                if not row:
                    del self._rows[i]
            else:
                row[j] = value

    def add(self, a: int, b: int, value: Node) -> None:
        """Q[a, b] += value."""
        if not value.is_zero:
            self.set(a, b, self.entry(a, b) + value)

    def couple(self, a: int, b: int, value: Node) -> None:
        """Add value * x[a] * x[b] to the form."""
        self.add(a, b, value + value if a == b else value)

    def add_linear(self, a: int, value: Node) -> None:
        """b[a] += value."""
        total = self.linear(a) + value
        if total.is_zero:
            self._linear.pop(a, None)
        else:
            self._linear[a] = total

    def shift(self, y: int, w: int, coefficient: Node) -> None:
        """Write x[y] as x[y] + coefficient * x[w]."""
        if coefficient.is_zero:
            return
        for z, value in list(self._rows.get(y, {}).items()):
            if z not in (y, w):
                self.add(w, z, coefficient * value)
        before = self.entry(y, w)
        after = before + coefficient * self.entry(y, y)
        self.set(y, w, after)
        self.add(w, w, coefficient * (before + after))
        self.add_linear(w, coefficient * self.linear(y))

    def substitute(self, ys: Sequence[int], columns: Mapping[int, Mapping[int, Node]]) -> None:
        """Write unknowns y, all at once, as Σ columns[w][y] * x[w]: C^T Q C costs less than one shift after the other."""
        inner = {y: dict(self._rows.get(y, {})) for y in ys}
        linear = {y: self.linear(y) for y in ys}
        images = {w: {y: self._along(column, inner[y]) for y in ys} for w, column in columns.items()}
        outer = sorted({z for row in inner.values() for z in row} - set(ys))
        for y in ys:
            self.drop(y)
        order = sorted(columns, key=lambda w: (sum(c is not self._graph.one for c in columns[w].values()), w))
        for number, w in enumerate(order):  # the simplest column meets the images of the others
            self.add_linear(w, self._along(columns[w], linear))
            for z in outer:
                self.couple(w, z, self._along(columns[w], {y: inner[y][z] for y in ys if z in inner[y]}))
            for other in order[number:]:
                self.add(w, other, self._along(columns[w], images[other]))

    def move(self, by: Mapping[int, Node]) -> None:
        """Write each x[y] as x[y] + by[y]."""
        coupled = dict.fromkeys(z for y in by for z in self._rows.get(y, {}))
        for z in coupled:
            self.add_linear(z, self._along(by, self._rows[z]))

    def _along(self, column: Mapping[int, Node], values: Mapping[int, Node]) -> Node:
        return self._graph.add(self._graph.zero, *(c * values[y] for y, c in column.items() if y in values))

    def rename(self, y: int, x: int) -> None:
        """Let x[y] be x[x], which may be there already."""
        row = self._pop(y)
        own, both = row.pop(y, self._graph.zero), row.pop(x, self._graph.zero)
        self.add(x, x, own + both + both)
        for z, value in row.items():
            self.add(x, z, value)
        self.add_linear(x, self._linear.pop(y, self._graph.zero))

    def drop(self, y: int) -> None:
        """Let x[y] be 0."""
        self._pop(y)
        self._linear.pop(y, None)

    def _pop(self, y: int) -> dict[int, Node]:
        row = self._rows.pop(y, {})
        for z in row:
            if z != y:
                del self._rows[z][y]
                if not self._rows[z]:
                    del self._rows[z]
        return dict(row)

    def eliminate(self, v: int) -> Eliminated:
        """Minimise over x[v]."""
        row = self._pop(v)
        pivot = row.pop(v, self._graph.zero)
        inverse = self._graph.inverse(pivot)
        linear = self._linear.pop(v, self._graph.zero)
        weights = {z: value * inverse for z, value in sorted(row.items())}
        for z, weight in weights.items():
            for other, value in row.items():
                if other <= z:
                    self.add(z, other, -(weight * value))
            self.add_linear(z, -(weight * linear))
        return Eliminated(v, linear * inverse, tuple(weights.items()), pivot)

    # --- rotations --------------------------------------------------------------------------------------------------

    def turn(self, pairs: Sequence[tuple[int, int]], rotation: Rotation) -> None:
        """Write the vectors that begin at y as R^T times those that begin at x, for all pairs (y, x) at once."""
        matrix = rotation.matrix
        inner = {y + i for y, _ in pairs for i in range(3)}
        outer = sorted({z for y in sorted(inner) for z in self._rows.get(y, {})} - inner)
        own: list[tuple[int, int, Node]] = []  # entries of vectors with themselves, below the diagonal
        coupled: list[tuple[int, int, Node]] = []  # products of different unknowns, which may end in the same one
        lines: list[tuple[int, Node]] = []
        for number, (y, x) in enumerate(pairs):
            lines += self._turned(x, [self.linear(y + i) for i in range(3)], matrix)
            block = self._turned_block(y, y, rotation.steps)
            own += [(x + i, x + j, block[i][j]) for i in range(3) for j in range(i + 1)]
            for z in outer:
                turned = self._turned(x, [self.entry(y + i, z) for i in range(3)], matrix)
                coupled += [(component, z, value) for component, value in turned]
            for other_y, other_x in pairs[:number]:
                block = self._turned_block(y, other_y, rotation.steps)
                coupled += [(x + i, other_x + j, block[i][j]) for i in range(3) for j in range(3)]
        for component in inner:
            self.drop(component)
        for a, b, value in own:
            self.add(a, b, value)
        for a, b, value in coupled:
            self.couple(a, b, value)
        for a, value in lines:
            self.add_linear(a, value)

    def _turned_block(self, y: int, other: int, steps: Sequence[Matrix]) -> list[list[Node]]:
        block = [[self.entry(y + i, other + j) for j in range(3)] for i in range(3)]
        for step in reversed(steps):
            block = turn_block(block, step)
        return block

    def _turned(self, x: int, values: Sequence[Node], matrix: Matrix) -> list[tuple[int, Node]]:
        return [(x + i, self._graph.dot(matrix[i], values)) for i in range(3)]


def axis_of(matrix: Matrix) -> int | None:
    """The axis of a rotation about one of the coordinate axes."""
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        ones = matrix[k][k] is matrix[k][k].graph.one
        zeros = all(matrix[k][n].is_zero and matrix[n][k].is_zero for n in (i, j))
        if ones and zeros and matrix[i][i] is matrix[j][j] and (matrix[i][j] + matrix[j][i]).is_zero:
            return k
    return None


def turn_block(block: Sequence[Sequence[Node]], matrix: Matrix) -> list[list[Node]]:
    """R B R^T. About a coordinate axis only the part of B that turns by twice the angle needs products."""
    k = axis_of(matrix)
    if k is None:
        return _congruence(block, matrix)
    i, j = (k + 1) % 3, (k + 2) % 3
    cosine, sine = matrix[i][i], matrix[j][i]
    p, q, r, t = block[i][i], block[i][j], block[j][i], block[j][j]
    mixed = (p - t) * sine + (q + r) * cosine
    across, along = sine * mixed, cosine * mixed
    result = [list(row) for row in block]
    result[i][i], result[j][j] = p - across, t + across
    result[i][j], result[j][i] = along - r, along - q
    result[i][k] = cosine * block[i][k] - sine * block[j][k]
    result[j][k] = sine * block[i][k] + cosine * block[j][k]
    result[k][i] = cosine * block[k][i] - sine * block[k][j]
    result[k][j] = sine * block[k][i] + cosine * block[k][j]
    return result


def _congruence(block: Sequence[Sequence[Node]], matrix: Matrix) -> list[list[Node]]:
    graph = matrix[0][0].graph
    half = [[graph.dot(row, matrix[j]) for j in range(3)] for row in block]
    return [[graph.dot(matrix[i], [half[n][j] for n in range(3)]) for j in range(3)] for i in range(3)]
