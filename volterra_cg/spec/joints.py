"""From the table of joints to what they stand for: coordinates, frames, points, constraints of quaternions, and loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from volterra_cg.spec import attitudes, lost_joints, names, schema
from volterra_cg.spec.attitudes import ONE, ZERO
from volterra_cg.spec.entities import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Actuator,
    Constraint,
    Coordinate,
    CoordinateLink,
    Damper,
    Frame,
    Friction,
    Point,
    Quantity,
    Quaternion,
    Rotation,
    Spring,
    Turn,
)
from volterra_cg.spec.expressions import AXES, Name, Node
from volterra_cg.spec.joint_starts import start_of
from volterra_cg.spec.joint_types import ANGLES, QUATERNION, TYPES, Direction, JointType, Made
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import MADE, Reading
from volterra_cg.spec.tables import dry_and_viscous, turns
from volterra_cg.spec.tree import CoordinateRef, FrameRef, PointRef, Ref, Triple

LOADS = ("spring", "damper", "friction", "actuator", "armature")
_NOTHING = (None, 0, schema.JointSpring(stiffness=0), schema.JointFriction())  # in a list, for a coordinate without it
_LOOPS = "a joint closes no loop; write coincide = [...] in [constraints] in its place"
_NOWHERE: Triple[Node] = (ZERO, ZERO, ZERO)


@dataclass
class Joints:
    """What all joints of a file make, by the tables of a mechanism."""

    coordinates: list[Coordinate[Node]] = field(default_factory=list)
    frames: list[Frame[Node]] = field(default_factory=list)
    points: list[Point[Node]] = field(default_factory=list)
    springs: list[Spring[Node]] = field(default_factory=list)
    dampers: list[Damper[Node]] = field(default_factory=list)
    actuators: list[Actuator[Node]] = field(default_factory=list)
    frictions: list[Friction[Node]] = field(default_factory=list)
    armatures: list[Quantity[Node]] = field(default_factory=list)
    constraints: list[Constraint[Node]] = field(default_factory=list)


def joints(reading: Reading) -> Joints:
    """Every joint spelled out."""
    found = Joints()
    _names(reading)
    lost_joints.check(reading)
    for name, given in reading.document.joints.items():
        _Joint(reading, name, given, found).add()
    return found


def _names(reading: Reading) -> None:
    """Note names that a joint makes and that something else has."""
    seen: dict[tuple[str, str], str] = {}
    points = reading.told("points")
    for joint, own in reading.joints.items():

        def wrong(message: str, remedy: str, joint: str = joint) -> None:
            reading.wrong(("joints", joint), message, remedy, key=True)

        for table, key in zip(MADE, ("coordinates", "frame", "point"), strict=True):
            remedy = f"name one of them otherwise, as {key} = ..."
            for name in getattr(own, table):
                other = seen.setdefault((table, name), joint)
                made = f"'{joint}' makes the {table.removesuffix('s')} '{name}'"
                if name in getattr(reading.document, table):
                    wrong(f"{made}, and [{table}] has it too", remedy)
                elif other != joint and name not in (
                    own.center,
                    own.frame,
                ):  # else a child has two joints, which is told
                    wrong(f"{made}, and so does '{other}'", remedy)
        if joint in reading.document.constraints and reading.document.joints[joint].orientation == QUATERNION:
            wrong(f"'{joint}' is also the name of a constraint", "give one of them another name")
        if own.frame in points and own.point != own.frame:
            wrong(f"'{own.frame}' is the frame of '{joint}' and the name of a point", "name the frame, as frame = ...")
        if own.point in reading.document.bodies:
            wrong(f"'{joint}' makes the point '{own.point}', and a body is called so", "name the point, as point = ...")


class _Joint:
    """One joint while it is spelled out."""

    def __init__(self, reading: Reading, name: str, given: schema.Joint, found: Joints) -> None:
        self.reading, self.name, self.given, self.found = reading, name, given, found
        self.path: KeyPath = ("joints", name)
        self.kind: JointType = TYPES[given.type]
        self.made: Made = reading.joints[name]
        self.quaternion = self.kind.ball and given.orientation == QUATERNION
        self.simple = len(self.kind.suffixes) + (3 if self.kind.ball and not self.quaternion else 0)

    def add(self) -> None:
        """Everything that this joint makes."""
        self._misplaced()
        center, frame = self._parent()
        self._child()
        axes = self._axes()
        if self._coordinates():
            self._place(center, frame, axes)
            for load in self._acted_on():
                self._load(*load)

    def _misplaced(self) -> None:
        """Note keys that this type of joint does not take."""
        given, kind = self.given, self.kind
        ball = "it belongs to a spherical or free joint"
        turned = 'it belongs to a joint with orientation = "quaternion"'
        rules = [
            ("axis", given.axis is not None and kind.axes != 1, self._axes_told()),
            ("axes", given.axes is not None and kind.axes != 2, self._axes_told()),
            ("orientation", given.orientation is not None and not kind.ball, ball),
            ("attitude", given.attitude is not None and not self.quaternion, turned),
            ("spin", given.spin is not None and not self.quaternion, turned),
        ]
        for key, wrong, rule in rules:
            if wrong:
                self._wrong(f"'{key}' has no meaning in a {given.type} joint", rule, key, at_key=True)

    def _axes_told(self) -> str:
        told = {
            0: "it has no axis to give; turn it with rotate = [...]",
            1: "it has one axis = ...",
            2: "it has two axes = [..., ...]",
        }
        return told[self.kind.axes]

    def _parent(self) -> tuple[PointRef, FrameRef]:
        """The point and the frame that carry the joint."""
        parent = self.given.parent
        if parent == INERTIAL_FRAME:
            return FIXED_POINT, INERTIAL_FRAME
        found = self.reading.body((*self.path, "parent"), parent)
        if found is None:
            return FIXED_POINT, INERTIAL_FRAME
        center, frame = found
        if frame is None:
            self._wrong(f"'{parent}' has no frame to carry a joint", "give it the frame it turns with", "parent")
        return center, frame or INERTIAL_FRAME

    def _child(self) -> None:
        reading, child = self.reading, self.given.child
        if child == INERTIAL_FRAME:
            self._wrong("N is the ground, and no joint carries it", _LOOPS, "child")
            return
        if reading.body((*self.path, "child"), child) is None:
            return
        body = reading.document.bodies.get(child)
        first = reading.carried.get(child)
        if body is None:
            self._wrong(f"'{child}' is a body of a part, which places it", "it can be a parent", "child")
        elif body.center is not None or body.frame is not None:
            key = "center" if body.center is not None else "frame"
            reading.wrong(
                ("bodies", child, key),
                f"'{child}' has a {key}, and the joint '{self.name}' places it too",
                "take one of them out",
                key=True,
            )
        elif first != self.name:
            self._wrong(
                f"'{child}' is already the child of '{first}'",
                _LOOPS,
                "child",
            )

    def _axes(self) -> tuple[Triple[Node], ...]:
        """The directions that the spec gives, or z, or x and y."""
        defaults = {0: (), 1: ((0, 0, 1),), 2: ((1, 0, 0), (0, 1, 0))}
        given, key = defaults[self.kind.axes], ""
        if self.kind.axes == 1 and self.given.axis is not None:
            given, key = (self.given.axis,), "axis"
        elif self.kind.axes == 2 and self.given.axes is not None:
            given, key = self.given.axes, "axes"
        paths: list[KeyPath] = [(*self.path, key)] if key != "axes" else [(*self.path, key, n) for n in range(2)]
        found = [self.reading.triple(path, axis, names.CONSTANT) for path, axis in zip(paths * 2, given, strict=False)]
        for axis in found:
            if all(part == ZERO for part in axis):
                self._wrong("an axis needs a direction, and this one has length zero", "", key)
        return tuple(found)

    # --- coordinates ------------------------------------------------------------------------------------------------

    def _coordinates(self) -> bool:
        """The coordinates with their start; whether there are as many as there must be."""
        count = self.simple + (4 if self.quaternion else 0)
        if len(self.made.coordinates) != count:
            told = f"'{self.name}' has {_many(count, 'coordinate')}, and {len(self.made.coordinates)} are named"
            self._wrong(told, "", "coordinates")
            return False
        starts, rates = self._start("initial"), self._start("rate")
        if self.quaternion:
            attitude = start_of(self.reading, (*self.path, "attitude"), self.given.attitude)
            spin = self.reading.triple((*self.path, "spin"), self.given.spin or (0, 0, 0), names.INITIAL)
            starts, rates = [*starts, *attitude], [*rates, *attitudes.rates(attitude, spin)]
            parts = [Name(name) for name in self.made.coordinates[self.simple :]]
            self.found.constraints.append(Constraint(Ref(self.name), attitudes.unit_row(parts), holonomic=True))
        units = self.kind.units(QUATERNION if self.quaternion else ANGLES)
        for name, start, rate, unit in zip(self.made.coordinates, starts, rates, units, strict=True):
            self.found.coordinates.append(Coordinate(Ref(name), start, rate, unit))
        return True

    def _start(self, key: str) -> list[Node]:
        given = self._for_each(key, getattr(self.given, key) or ())
        return [ZERO if raw is None else self.reading.expression(at, raw, names.INITIAL) for at, raw in given]

    # --- frames and points ------------------------------------------------------------------------------------------

    def _place(self, center: PointRef, frame: FrameRef, axes: Sequence[Triple[Node]]) -> None:
        reading, given, made, found = self.reading, self.given, self.made, self.found
        constant = turns(reading, (*self.path, "rotate"), given.rotate, names.CONSTANT)
        own = [Name(name) for name in made.coordinates]
        slides, rest = own[: len(self.kind.slides)], own[len(self.kind.slides) :]
        at, origin, offset = given.at, center, _NOWHERE
        if isinstance(at, str):
            origin = reading.point((*self.path, "at"), at)
        else:
            offset = reading.triple((*self.path, "at"), at, names.CONSTANT)
        carrier = frame
        if constant:
            carrier = FrameRef(made.frames[0])
            found.frames.append(Frame(carrier, frame, constant))
        found.frames.append(Frame(FrameRef(made.frame), carrier, tuple(self._rotations(rest, axes))))
        point = PointRef(made.point)
        if slides:
            base = PointRef(made.points[0])
            found.points.append(Point(base, origin, frame, offset))
            way = self._way(slides, [self._direction(way, axes) for way in self.kind.slides])
            found.points.append(Point(point, base, carrier, way))
        else:
            found.points.append(Point(point, origin, frame, offset))
        middle = reading.triple((*self.path, "center"), given.center, names.CONSTANT)
        found.points.append(Point(PointRef(made.center), point, FrameRef(made.frame), middle))

    def _rotations(self, coordinates: Sequence[Name], axes: Sequence[Triple[Node]]) -> Iterator[Rotation[Node]]:
        rest = list(coordinates)
        for way in self.kind.turns:
            yield Turn(self._direction(way, axes), rest.pop(0))
        if self.quaternion:
            a, b, c, d = rest
            yield Quaternion((a, b, c, d))
        elif self.kind.ball:
            for letter, angle in zip(self.given.orientation or ANGLES, rest, strict=True):
                yield Turn(_unit(letter), angle)

    @staticmethod
    def _direction(way: Direction, axes: Sequence[Triple[Node]]) -> Triple[Node]:
        return axes[way] if isinstance(way, int) else _unit(way)

    @staticmethod
    def _way(coordinates: Sequence[Name], directions: Sequence[Triple[Node]]) -> Triple[Node]:
        """How far slides move, along directions of length one."""
        x, y, z = (
            attitudes.total(
                *(attitudes.times(attitudes.unit(axis)[n], q) for q, axis in zip(coordinates, directions, strict=True))
            )
            for n in range(3)
        )
        return x, y, z

    def _acted_on(self) -> Iterator[tuple[str, str, KeyPath, Any]]:
        """The loads that are given: the key of each, its coordinate, where it is told, and what."""
        for key in LOADS:
            given = getattr(self.given, key)
            if given and self.quaternion:
                told = f"a {key} acts along coordinates, and those of '{self.name}' hold a quaternion"
                self._wrong(told, "use [torques], or [dampers] with turn = [...]", key, at_key=True)
            elif given:
                for name, (path, raw) in zip(self.made.coordinates, self._for_each(key, given), strict=True):
                    if raw not in _NOTHING:
                        yield key, name, path, raw

    def _load(self, key: str, coordinate: str, path: KeyPath, raw: Any) -> None:
        reading, found = self.reading, self.found
        link, name = CoordinateLink(CoordinateRef(coordinate)), Ref(coordinate)
        match key:
            case "spring":
                stiffness = reading.expression((*path, "stiffness"), raw.stiffness, names.CONSTANT)
                length = reading.expression((*path, "length"), raw.length, names.CONSTANT)
                found.springs.append(Spring(name, link, stiffness, length))
            case "friction":
                found.frictions.append(Friction(name, link, *dry_and_viscous(reading, path, raw)))
            case "damper":
                found.dampers.append(Damper(name, link, reading.expression(path, raw, names.CONSTANT)))
            case "actuator":
                found.actuators.append(Actuator(name, link, reading.expression(path, raw, names.LOAD)))
            case "armature":
                found.armatures.append(Quantity(name, reading.expression(path, raw, names.CONSTANT)))

    def _for_each(self, key: str, given: Sequence[Any]) -> list[tuple[KeyPath, Any]]:
        """What is given for each coordinate that is no part of a quaternion, and where; None is for nothing."""
        path = (*self.path, key)
        if given and len(given) != self.simple:
            told = f"'{self.name}' has {_many(self.simple, 'coordinate')}, and '{key}' is given for {len(given)}"
            remedy = "attitude and spin are for its quaternion" if self.quaternion else "one for each, in a list"
            self._wrong(told, remedy, key)
            given = ()
        where: list[KeyPath] = [path] if self.simple == 1 else [(*path, n) for n in range(self.simple)]
        return list(zip(where, given or [None] * self.simple, strict=True))

    def _wrong(self, message: str, remedy: str, key: str, *, at_key: bool = False) -> None:
        self.reading.wrong((*self.path, key), message, remedy, key=at_key)


def _unit(letter: str) -> Triple[Node]:
    x, y, z = (ONE if letter == other else ZERO for other in AXES)
    return x, y, z


def _many(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
