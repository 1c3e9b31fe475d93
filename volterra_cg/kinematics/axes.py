"""Frames and vectors over program nodes.

A vector is a sum of parts, each kept in the frame in which it is simplest; parts are turned into other axes only when
two vectors meet in a product, along the shortest way in the tree of frames. Frame 0 is the inertial one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node

Triple = tuple[Node, Node, Node]
Matrix = tuple[Triple, Triple, Triple]
Parts = tuple[tuple[int, Triple], ...]  # (frame, components), by frame number


def cross(a: Triple, b: Triple) -> Triple:
    """The cross product of components in the same axes."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plus(*triples: Triple) -> Triple:
    """The sum of components in the same axes."""
    graph = triples[0][0].graph
    return (
        graph.add(*(triple[0] for triple in triples)),
        graph.add(*(triple[1] for triple in triples)),
        graph.add(*(triple[2] for triple in triples)),
    )


def times(factor: Node, triple: Triple) -> Triple:
    """A scalar times components."""
    return (factor * triple[0], factor * triple[1], factor * triple[2])


def apply(matrix: Matrix, triple: Triple) -> Triple:
    """A matrix times components."""
    graph = triple[0].graph
    return (graph.dot(matrix[0], triple), graph.dot(matrix[1], triple), graph.dot(matrix[2], triple))


def transposed(matrix: Matrix) -> Matrix:
    """The matrix with rows and columns exchanged."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return ((a, d, g), (b, e, h), (c, f, i))


def is_zero(triple: Triple) -> bool:
    """Whether all components vanish by meaning."""
    return all(component.is_zero for component in triple)


class Rotation(NamedTuple):
    """A rotation, whole and as the product of simpler ones: vectors are turned at once, squares step by step."""

    matrix: Matrix
    steps: tuple[Matrix, ...]

    @property
    def back(self) -> Rotation:
        """The rotation the other way."""
        return Rotation(transposed(self.matrix), tuple(transposed(step) for step in reversed(self.steps)))


LONG = 8  # parts beyond which a vector in the ground is made from the one with a part less


@dataclass
class Axes:
    """The tree of frames and the vectors in it.

    The product of the matrices `turns[f]` carries components in frame f to its parent's axes; a vector takes them one
    by one.
    """

    graph: Graph
    parents: list[int] = field(default_factory=lambda: [0])
    turns: list[tuple[Matrix, ...]] = field(default_factory=lambda: [()])
    _depths: list[int] = field(default_factory=lambda: [0])
    _turned: dict[tuple[int, int, Triple], Triple] = field(default_factory=dict)
    _expressed: dict[tuple[Parts, int], Triple] = field(default_factory=dict)

    def add_frame(self, parent: int, turn: tuple[Matrix, ...]) -> int:
        """A new frame, by its number."""
        self.parents.append(parent)
        self.turns.append(turn)
        self._depths.append(self._depths[parent] + 1)
        return len(self.parents) - 1

    @property
    def zero(self) -> Triple:
        """The null components."""
        return (self.graph.zero,) * 3

    def vector(self, parts: Iterable[tuple[int, Triple]]) -> Parts:
        """A vector from parts; those in one frame are added up and null ones left out."""
        collected: dict[int, list[Triple]] = {}
        for frame, triple in parts:
            if not is_zero(triple):
                collected.setdefault(frame, []).append(triple)
        summed = [(frame, plus(*triples)) for frame, triples in sorted(collected.items())]
        return tuple((frame, triple) for frame, triple in summed if not is_zero(triple))

    def add(self, *vectors: Parts) -> Parts:
        """The sum of vectors."""
        return self.vector(part for vector in vectors for part in vector)

    def extended(self, vector: Parts, frame: int, triple: Triple) -> Parts:
        """A vector and one more part; often that is in a frame that comes after all others."""
        if is_zero(triple):
            return vector
        if not vector or vector[-1][0] < frame:
            return (*vector, (frame, triple))
        return self.add(vector, ((frame, triple),))

    def scale(self, factor: Node, vector: Parts) -> Parts:
        """A scalar times a vector."""
        return self.vector((frame, times(factor, triple)) for frame, triple in vector)

    def dot(self, left: Parts, right: Parts) -> Node:
        """The scalar product."""
        if not left or not right:
            return self.graph.zero
        frame = self._meeting(left, right)
        return self.graph.dot(self.express(left, frame), self.express(right, frame))

    def cross(self, left: Parts, right: Parts) -> Parts:
        """The cross product."""
        if not left or not right:
            return ()
        frame = self._meeting(left, right)
        return self.vector([(frame, cross(self.express(left, frame), self.express(right, frame)))])

    def express(self, vector: Parts, frame: int) -> Triple:
        """Components of a vector in a frame; parts that share an edge of the tree cross it together."""
        key = (vector, frame)
        if key not in self._expressed and frame == 0 and self._is_long(vector):
            self._express_in_turn(vector)
        if key not in self._expressed:
            waiting = dict(vector)
            while set(waiting) - {frame}:
                source = max((f for f in waiting if f != frame), key=lambda f: self._distance(f, frame))
                target = self.next(source, frame)
                moved = self._step(waiting.pop(source), source, target)
                waiting[target] = plus(moved, waiting[target]) if target in waiting else moved
            self._expressed[key] = waiting.get(frame, self.zero)
        return self._expressed[key]

    def turn(self, source: int, target: int) -> Matrix:
        """What carries components in one frame to those in another."""
        one, zero = self.graph.one, self.graph.zero
        units = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
        x, y, z = (self.express(((source, unit),), target) for unit in units)
        return transposed((x, y, z))

    def _is_long(self, vector: Parts) -> bool:
        """Whether a vector has many parts, all of them in frames next to the ground."""
        return len(vector) > LONG and all(self._depths[frame] <= 1 for frame, _ in vector)

    def _express_in_turn(self, vector: Parts) -> None:
        """Components in the ground by one part after the other: the points of a chain then differ by one sum each."""
        known = next((k for k in range(len(vector), LONG, -1) if (vector[:k], 0) in self._expressed), LONG)
        total = self.express(vector[:known], 0)
        for k in range(known, len(vector)):
            total = plus(total, self.express(vector[k : k + 1], 0))
            self._expressed[vector[: k + 1], 0] = total

    def _distance(self, source: int, target: int) -> int:
        return sum(map(len, self._way(source, target)))

    def next(self, source: int, target: int) -> int:
        """The first frame on the way from one to another."""
        up, down = self._way(source, target)
        return self.parents[source] if up else down[0]

    def _step(self, triple: Triple, source: int, target: int) -> Triple:
        """Components across one edge of the tree."""
        key = (source, target, triple)
        if key not in self._turned:
            up = self.parents[source] == target and source != 0
            for matrix in reversed(self.turns[source]) if up else self.turns[target]:
                triple = apply(matrix if up else transposed(matrix), triple)
            self._turned[key] = triple
        return self._turned[key]

    def _ancestors(self, frame: int) -> list[int]:
        chain = [frame]
        while chain[-1]:
            chain.append(self.parents[chain[-1]])
        return chain

    def _way(self, source: int, target: int) -> tuple[list[int], list[int]]:
        """The frames to leave upwards and those to enter downwards."""
        above, below = self._ancestors(source), self._ancestors(target)
        while above and below and above[-1] == below[-1]:
            above.pop()
            below.pop()
        return above, below[::-1]

    def _meeting(self, left: Parts, right: Parts) -> int:
        """The frame where two vectors meet with the fewest turns; deep chains meet outside, where turns are shared."""
        if self._is_long(left) or self._is_long(right):
            return 0
        frames = sorted({frame for frame, _ in (*left, *right)})
        deepest = max(frames, key=lambda frame: (len(self._ancestors(frame)), frame))
        candidates = dict.fromkeys([0, left[0][0], right[0][0], left[-1][0], right[-1][0], deepest])
        outside = len(self._ancestors(deepest)) > 2
        return min(
            candidates, key=lambda f: (self._edges(left, f) + self._edges(right, f), outside and f != deepest, f)
        )

    def _edges(self, vector: Parts, target: int) -> int:
        """How many edges of the tree the parts of a vector cross on their way to a frame, together."""
        crossed = {frame for source, _ in vector for way in self._way(source, target) for frame in way}
        return len(crossed)
