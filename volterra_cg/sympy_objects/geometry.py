"""Frames and points of sympy, by the ways that lead to them from the inertial frame and from points that do not move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sympy import Expr, Integer, expand
from sympy.physics.vector import Point, ReferenceFrame

from volterra_cg.spec import entities
from volterra_cg.spec.entities import FIXED_POINT, INERTIAL_FRAME
from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.tree import FrameRef, PointRef, Ref, Triple
from volterra_cg.sympy_objects.names import Names
from volterra_cg.sympy_objects.rotations import rotations
from volterra_cg.sympy_objects.scalars import Kind, Scalars
from volterra_cg.sympy_objects.told import Told, known_velocity, neighbours, step
from volterra_cg.system.types import TIME, symbol
from volterra_cg.system.vectors import Axis, Scaled, Vector, VectorSum


class Frames:
    """The frames that are used, each after the one it is turned from."""

    def __init__(self, inertial: ReferenceFrame, scalars: Scalars) -> None:
        self.inertial, self.scalars = inertial, scalars
        self.found: dict[ReferenceFrame, entities.Frame[Expr]] = {}
        self.quaternions: dict[Ref, tuple[Expr, Expr, Expr, Expr]] = {}  # by which frames are turned
        self._names = Names((INERTIAL_FRAME,))
        self._parents = _parents(inertial)

    def name(self, frame: ReferenceFrame) -> FrameRef:
        """The name of a frame, which is made with those that it is turned from."""
        if frame == self.inertial:
            return INERTIAL_FRAME
        if frame not in self._parents:
            remedy = f"orient it, or a frame that carries it, in {self.inertial}"
            self.scalars.problems.add(f"the frame {frame} is not turned from {self.inertial}", remedy)
            return INERTIAL_FRAME
        for each in reversed(list(self._way(frame))):
            self._make(each)
        return FrameRef(self.found[frame].name)

    def _way(self, frame: ReferenceFrame) -> Iterator[ReferenceFrame]:
        while frame != self.inertial:
            yield frame
            frame = self._parents[frame]

    def _make(self, frame: ReferenceFrame) -> None:
        if frame in self.found:
            return
        parent = self._parents[frame]
        kind = Kind(f"the orientation of {frame} in {parent}")
        cosines = parent.dcm(frame).applyfunc(lambda part: self.scalars.scalar(part, kind))
        base = INERTIAL_FRAME if parent == self.inertial else FrameRef(self.found[parent].name)
        name = Ref(self._names.of(frame, frame.name))
        turns = rotations(cosines)
        self.found[frame] = entities.Frame(name, base, turns)
        if turns and isinstance(turns[0], entities.Quaternion):
            self.quaternions[name] = turns[0].parts

    def is_fixed(self, frame: ReferenceFrame) -> bool:
        """Whether a frame is turned from the inertial one and does not turn in it."""
        if frame != self.inertial and frame not in self._parents:
            return False
        return not any(self.scalars.varies(part) for each in self._way(frame) for part in self._parents[each].dcm(each))

    def parts(self, vector: Any, kind: Kind) -> list[tuple[ReferenceFrame, Triple[Expr]]]:
        """The components of a vector, by the frames that it is given in."""
        found = []
        for components, frame in getattr(vector, "args", ()):
            x, y, z = (self.scalars.scalar(part, kind) for part in components)
            found.append((frame, (x, y, z)))
        return found

    def vector(self, given: Any, kind: Kind) -> Vector:
        """A vector of sympy as one of the system."""
        terms = [
            Scaled(part, Axis(self.name(frame), n))
            for frame, components in self.parts(given, kind)
            for n, part in enumerate(components)
            if part != 0
        ]
        return VectorSum(*terms)


class Points:
    """The points that are used, each after the one it is placed from; `loose` are those that only have a velocity.

    What hangs together has an origin: `choice` says which of those that could be.
    """

    def __init__(self, told: Told, frames: Frames, loose: Sequence[Point] = (), choice: int = 0) -> None:
        self.told, self.frames, self.loose = told, frames, tuple(loose)
        self.choice, self.choices = choice, 1
        self.found: dict[tuple[Point, int], entities.Point[Expr]] = {}
        self.coordinates: list[str] = []  # of loose points
        self.driven: list[Point] = []  # loose points that have them
        self._names = Names((FIXED_POINT,))
        self._parents: dict[Point, Point | None] = {}

    def name(self, point: Point) -> PointRef:
        """The name of a point, which is made with those that it is placed from."""
        if point in self.loose:
            return self._loose(point)
        if point not in self._parents:
            self._connect(point)
        if point not in self._parents:
            return self._lost(point)
        for each in reversed(list(self._way(point))):
            self._make(each)
        return self._known(point)

    def _known(self, point: Point) -> PointRef:
        return FIXED_POINT if self._parents[point] is None else PointRef(self.found[point, 0].name)

    def _way(self, point: Point) -> Iterator[Point]:
        """A point and those before it, without its origin."""
        while (before := self._parents[point]) is not None:
            yield point
            point = before

    def _connect(self, point: Point) -> None:
        """Choose the origin of all that a point hangs together with."""
        near = [point, *_parents(point)]
        candidates = self._candidates(near)
        self.choices = max(self.choices, len(candidates))
        if candidates:
            origin = candidates[min(self.choice, len(candidates) - 1)]
            self._parents |= {origin: None, **_parents(origin)}

    def _candidates(self, near: Sequence[Point]) -> list[Point]:
        """The point that is said to be fixed; those that do not move; or those beside the ones whose velocity is said."""
        if self.told.fixed_point in near:
            return [self.told.fixed_point]
        velocities = {point: known_velocity(point, self.frames.inertial) for point in near}
        still = [point for point, velocity in velocities.items() if velocity is not None and not velocity.args]
        unsaid = [point for point, velocity in velocities.items() if velocity is None]
        return still or (unsaid if len(unsaid) < len(near) else [])

    def _make(self, point: Point) -> None:
        if (point, 0) in self.found:
            return
        before = self._parents[point]
        assert before is not None
        origin = self._known(before)
        kind = Kind(f"the position of {point} from {before}")
        nowhere = (self.frames.inertial, (Integer(0), Integer(0), Integer(0)))
        pieces = self.frames.parts(step(before, point), kind) or [nowhere]
        for number, (frame, offset) in reversed(list(enumerate(pieces))):  # the last one is the point itself
            called = point.name if number == 0 else f"{point.name}_{frame.name}"
            name = Ref(self._names.of((point, number), called))
            self.found[point, number] = entities.Point(name, origin, self.frames.name(frame), offset)
            origin = PointRef(name)

    def _loose(self, point: Point) -> PointRef:
        """A point that only has a velocity: where that leads, if the rates alone make it; else it gets three coordinates."""
        if (point, 0) not in self.found:
            name = Ref(self._names.of((point, 0), point.name))
            offset = self._integrated(point)
            if offset is None:
                of = self.frames.scalars.names.of
                x, y, z = (of((point, axis), f"{name}_{axis}") for axis in AXES)
                self.coordinates += [x, y, z]
                offset = (symbol(x), symbol(y), symbol(z))
                self.driven.append(point)
            self.found[point, 0] = entities.Point(name, FIXED_POINT, INERTIAL_FRAME, offset)
        return PointRef(self.found[point, 0].name)

    def _integrated(self, point: Point) -> Triple[Expr] | None:
        """The displacement by a velocity whose components are sums of rates with constant factors."""
        kind = Kind(f"the velocity of {point}", velocities=True)
        pieces = self.frames.parts(self.velocity(point), kind)
        if any(frame != self.frames.inertial for frame, _ in pieces):
            return None
        scalars, total = self.frames.scalars, [Integer(0)] * 3
        moving = {TIME, *map(scalars.symbol_of, scalars.q)}
        for n, part in ((n, part) for _, components in pieces for n, part in enumerate(components)):
            factors = {q: part.coeff(scalars.rate_of(q)) for q in scalars.q}
            rest = part - sum((factor * scalars.rate_of(q) for q, factor in factors.items()), start=Integer(0))
            if expand(rest) != 0 or any(factor.free_symbols & moving for factor in factors.values()):
                return None
            total[n] += sum((factor * scalars.symbol_of(q) for q, factor in factors.items()), start=Integer(0))
        return (total[0], total[1], total[2])

    def velocity(self, point: Point) -> Any:
        """The velocity of a point in the inertial frame, as sympy knows it."""
        try:
            return point.vel(self.frames.inertial)
        except ValueError:
            remedy = (
                f"place it from a fixed point, as made by O.set_vel({self.frames.inertial}, 0), or set its velocity"
            )
            self.frames.scalars.problems.add(f"nothing tells how the point {point} moves", remedy)
            return None

    def _lost(self, point: Point) -> PointRef:
        self.loose = (*self.loose, point)
        return self._loose(point)

    def is_fixed(self, point: Point) -> bool:
        """Whether a point does not move."""
        if point not in self._parents and point not in self.loose:
            self._connect(point)
        if point in self.loose or point not in self._parents:
            return False
        steps = [step(before, each) for each in self._way(point) if (before := self._parents[each]) is not None]
        scalars = self.frames.scalars
        return all(
            self.frames.is_fixed(frame) and not any(scalars.varies(part) for part in components)
            for vector in steps
            for components, frame in vector.args
        )


def _parents(root: Any) -> dict[Any, Any]:
    """All that hangs together with a frame or point, by what comes before it on the shortest way."""
    found: dict[Any, Any] = {root: None}
    waiting = [root]
    for each in waiting:
        for other in neighbours(each):
            if other not in found:
                found[other] = each
                waiting.append(other)
    del found[root]
    return found
