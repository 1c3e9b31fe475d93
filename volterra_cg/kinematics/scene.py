"""Where everything is that a picture shows: positions, orientations and sizes as nodes of a graph of their own.

They depend on coordinates, time and parameters alone, and no other function of a model knows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from volterra_cg.kinematics.axes import Axes
from volterra_cg.kinematics.lower import Lowering, inputs_of, symbols_of
from volterra_cg.kinematics.types import Inputs
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node
from volterra_cg.system.inertia import central_tensor
from volterra_cg.system.types import FIXED_POINT, INERTIAL_FRAME, Body, Cosines, Quaternion, Shape, System, Turn

Triple = tuple[Node, Node, Node]
Rows = tuple[Triple, Triple, Triple]


@dataclass(frozen=True)
class SceneNodes:
    """All numbers of a scene in a row, the inputs that they are made of, and what stands where, as plain data."""

    inputs: Inputs
    nodes: tuple[Node, ...]
    described: Mapping[str, Any]


def scene_nodes(system: System, seed: int = 0) -> SceneNodes:
    """The scene of a system."""
    graph = Graph(seed)
    inputs = inputs_of(system, graph)
    walk = _Walk(system, graph, Lowering(graph, symbols_of(system, graph, inputs), Axes(graph)))
    described = walk.described()
    return SceneNodes(inputs, tuple(walk.nodes), described)


@dataclass
class _Walk:
    """Frames and points one after another; `nodes` are the numbers found so far."""

    system: System
    graph: Graph
    lower: Lowering
    nodes: list[Node] = field(default_factory=list)
    frames: dict[str, Rows] = field(default_factory=dict)
    points: dict[str, Triple] = field(default_factory=dict)
    placed: dict[str, int] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        one, zero = self.graph.one, self.graph.zero
        self.frames[INERTIAL_FRAME] = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
        self.points[FIXED_POINT] = (zero, zero, zero)
        for frame in self.system.frames:
            rows = self.frames[frame.parent]
            for rotation in frame.rotations:
                rows = self._product(rows, self._matrix(rotation))
            self.frames[frame.name] = rows
        for point in self.system.points:
            origin, offset = self.points[point.origin], self._turned(point.frame, self.lower.triple(point.offset))
            self.points[point.name] = self._sum(origin, offset)
        scene, gravity = self.system.scene, self.system.gravity
        return {
            "bodies": [self._body(body) for body in self.system.bodies],
            "lines": [
                {
                    "kind": line.kind,
                    "name": line.name,
                    "first": self._point(line.first),
                    "second": self._point(line.second),
                }
                | ({"frame": str(line.frame)} if line.frame else {})
                for line in scene.lines
            ],
            "joints": [self._point(name) for name in scene.joints],
            "arrows": [
                {
                    "name": arrow.name,
                    "at": self._point(arrow.at),
                    "vector": self._put(*self._turned(arrow.frame, self.lower.triple(arrow.vector))),
                }
                for arrow in scene.arrows
            ],
            "gravity": self._put(*self._turned(gravity.frame, self.lower.triple(gravity.acceleration)))
            if gravity
            else None,
            "size": len(self.nodes),
        }

    def _body(self, body: Body[sympy.Expr]) -> dict[str, Any]:
        told: dict[str, Any] = {"name": str(body.name), "at": self._point(body.center)}
        told["mass"] = self._put(self.lower.scalar(body.mass))
        if body.frame is None:
            return told
        told |= {
            "frame": str(body.frame),
            "axes": self._put(*(node for row in self.frames[body.frame] for node in row)),
        }
        if isinstance(body.inertia, Shape):
            sizes = [self.lower.scalar(size) for size in body.inertia.sizes]
            return told | {
                "shape": body.inertia.kind,
                "axis": body.inertia.axis,
                "sizes": self._put(*sizes),
                "count": len(sizes),
            }
        spin = self._spin(body.frame)
        told |= {} if spin is None else {"spin": spin}
        tensor = central_tensor(body)
        assert tensor is not None  # a body with a frame has an inertia
        return told | {"inertia": self._put(*(self.lower.scalar(entry) for row in tensor for entry in row))}

    def _spin(self, name: str) -> int | None:
        """The axis that a frame turns about last, if it is one of its own."""
        rotations = next((frame.rotations for frame in self.system.frames if frame.name == name), ())
        if not rotations or not isinstance(rotations[-1], Turn):
            return None
        axis = rotations[-1].axis
        return next((k for k in range(3) if axis[k] in (1, -1)), None)

    def _point(self, name: str) -> int:
        """Where the position of a point stands."""
        if name not in self.placed:
            self.placed[name] = self._put(*self.points[name])
        return self.placed[name]

    def _put(self, *nodes: Node) -> int:
        self.nodes += nodes
        return len(self.nodes) - len(nodes)

    def _matrix(self, rotation: Turn[sympy.Expr] | Cosines[sympy.Expr] | Quaternion[sympy.Expr]) -> Rows:
        one, zero = self.graph.one, self.graph.zero
        if isinstance(rotation, Cosines):
            first, second, third = (self.lower.triple(row) for row in rotation.rows)
            return (first, second, third)
        if isinstance(rotation, Quaternion):
            a, b, c, d = (self.lower.scalar(part) for part in rotation.parts)
            return (
                (one - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)),
                (2 * (b * c + a * d), one - 2 * (b * b + d * d), 2 * (c * d - a * b)),
                (2 * (b * d - a * c), 2 * (c * d + a * b), one - 2 * (b * b + c * c)),
            )
        (x, y, z), angle = self.lower.triple(rotation.axis), self.lower.scalar(rotation.angle)
        sine, cosine = self.graph.call("sin", angle), self.graph.call("cos", angle)
        rest = one - cosine
        skew = ((zero, -z, y), (z, zero, -x), (-y, x, zero))
        axis = (x, y, z)

        def entry(i: int, j: int) -> Node:
            return rest * axis[i] * axis[j] + sine * skew[i][j] + (cosine if i == j else zero)

        def row(i: int) -> Triple:
            return (entry(i, 0), entry(i, 1), entry(i, 2))

        return (row(0), row(1), row(2))

    def _product(self, left: Rows, right: Rows) -> Rows:
        def row(i: int) -> Triple:
            x, y, z = (self.graph.dot(left[i], column) for column in zip(*right, strict=True))
            return (x, y, z)

        return (row(0), row(1), row(2))

    def _turned(self, frame: str, vector: Triple) -> Triple:
        x, y, z = (self.graph.dot(row, vector) for row in self.frames[frame])
        return (x, y, z)

    def _sum(self, first: Triple, second: Triple) -> Triple:
        x, y, z = (a + b for a, b in zip(first, second, strict=True))
        return (x, y, z)
