"""Where everything is that a picture shows: positions, orientations and sizes as nodes of a graph of their own.

They depend on coordinates, time and parameters, forces on rates and signals too, and no other function of a model knows
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy

from volterra_cg.kinematics.axes import Axes, Parts, cross, plus, times
from volterra_cg.kinematics.lower import Lowering, inputs_of, symbols_of
from volterra_cg.kinematics.motion import Flow
from volterra_cg.kinematics.types import Inputs
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node
from volterra_cg.system import vectors
from volterra_cg.system.inertia import central_tensor
from volterra_cg.system.types import FIXED_POINT, INERTIAL_FRAME, Body, Cosines, Drawn, Quaternion, Shape, System, Turn

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
    walk = _Walk(system, graph, inputs, _Lowering(graph, symbols_of(system, graph, inputs), Axes(graph)))
    described = walk.described()
    return SceneNodes(inputs, tuple(walk.nodes), described)


class _Lowering(Lowering):
    """Vectors by their components in N, made by the walk once it knows all frames and points."""

    walk: _Walk

    def vector(self, vector: sympy.Basic) -> Parts:
        """The components of a vector in N, the frame of number 0."""
        return ((0, self._components(vector)),)

    def _components(self, vector: sympy.Basic) -> Triple:
        walk, parts = self.walk, vector.args
        match vector:
            case vectors.Axis():
                first, second, third = (row[int(parts[1])] for row in walk.frames[parts[0].name])
                return (first, second, third)
            case vectors.Position():
                return plus(walk.points[parts[0].name], times(self.graph.const(-1), walk.points[parts[1].name]))
            case vectors.Velocity():
                x, y, z = walk.flow.along.all(walk.points[parts[0].name])
                return (x, y, z)
            case vectors.AngularVelocity():
                return walk.spin_of(parts[0].name)
            case vectors.Scaled():
                return times(self.scalar(parts[0]), self._components(parts[1]))
            case vectors.VectorSum():
                return plus(*map(self._components, parts))
            case vectors.Cross():
                return cross(self._components(parts[0]), self._components(parts[1]))
        raise TypeError(f"{type(vector).__name__} is no vector")


@dataclass
class _Walk:
    """Frames and points one after another; `nodes` are the numbers found so far."""

    system: System
    graph: Graph
    inputs: Inputs
    lower: _Lowering
    nodes: list[Node] = field(default_factory=list)
    frames: dict[str, Rows] = field(default_factory=dict)
    points: dict[str, Triple] = field(default_factory=dict)
    placed: dict[str, int] = field(default_factory=dict)

    @cached_property
    def flow(self) -> Flow:
        """How positions change along the motion."""
        return Flow.of(self.graph, self.inputs.time, self.inputs.coordinates, self.inputs.rates)

    def spin_of(self, frame: str) -> Triple:
        """The angular velocity of a frame in N, from R' R^T."""
        rows = self.frames[frame]
        slopes = [self.flow.along.all(row) for row in rows]
        x, y, z = (self.graph.dot(slopes[i], rows[j]) for i, j in ((2, 1), (0, 2), (1, 0)))
        return (x, y, z)

    def described(self) -> dict[str, Any]:
        self.lower.walk = self
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
            self.points[point.name] = plus(origin, offset)
        scene, gravity = self.system.scene, self.system.gravity
        return {
            "bodies": [self._body(body) for body in self.system.bodies if body.mass != 0],  # no armature has any
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
        if body.drawn is not None:
            return told | self._drawn(body.drawn)
        if body.frame is None:
            return told
        told |= {
            "frame": str(body.frame),
            "axes": self._put(*(node for row in self.frames[body.frame] for node in row)),
        }
        if isinstance(body.inertia, Shape):
            return told | self._solid(body.inertia)
        spin = self._spin(body.frame)
        told |= {} if spin is None else {"spin": spin}
        tensor = central_tensor(body)
        assert tensor is not None  # a body with a frame has an inertia
        return told | {"inertia": self._put(*(self.lower.scalar(entry) for row in tensor for entry in row))}

    def _solid(self, shape: Shape[sympy.Expr]) -> dict[str, Any]:
        sizes = self._put(*(self.lower.scalar(size) for size in shape.sizes))
        return {"shape": shape.kind, "axis": shape.axis, "sizes": sizes, "count": len(shape.sizes)}

    def _drawn(self, drawn: Drawn[sympy.Expr]) -> dict[str, Any]:
        """What the spec has drawn, and how it is turned and moved in the axes of the body."""
        own = self.frames[drawn.frame or INERTIAL_FRAME]
        told: dict[str, Any] = {"axes": self._put(*(node for row in own for node in row))}
        if isinstance(drawn.what, Shape):
            told |= self._solid(drawn.what)
        else:
            told |= {"mesh": drawn.what.corners, "scale": self._put(self.lower.scalar(drawn.scale))}
        turned = self.frames[INERTIAL_FRAME]
        for rotation in drawn.rotate:
            turned = self._product(turned, self._matrix(rotation))
        moved = self._put(*self.lower.triple(drawn.at), *(node for row in turned for node in row))
        return told | {"moved": moved}

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
