"""From the tables of a spec to entities: expressions parsed, names resolved, problems noted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from volterra_cg.spec import names, schema
from volterra_cg.spec.entities import (
    FIXED_POINT,
    Actuator,
    Coordinate,
    CoordinateLink,
    Cosines,
    Damper,
    Force,
    Frame,
    FrameLink,
    Friction,
    Gravity,
    Link,
    Parameter,
    Point,
    PointLink,
    Quantity,
    Quaternion,
    Rotation,
    Signal,
    Spring,
    Torque,
    Turn,
)
from volterra_cg.spec.expressions import AXES, Node, Number, has_velocity, is_derived
from volterra_cg.spec.names import Context
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.tree import FrameRef, Ref


def parameters(reading: Reading) -> tuple[Parameter[Node], ...]:
    """Runtime and derived parameters."""
    found = []
    for name, given in reading.document.parameters.items():
        path = ("parameters", name, "value")
        value = reading.expression(path, given.value, names.DERIVED)
        derived = is_derived(value)
        if derived and given.fixed and value is not BROKEN:
            reading.wrong((*path[:2], "fixed"), f"'{name}' follows from other parameters and cannot be fixed itself")
        found.append(Parameter(Ref(name), value, derived, given.fixed, given.unit, given.about))
    return tuple(found)


def signals(reading: Reading) -> tuple[Signal[Node], ...]:
    """Named inputs: numbers that can be set, or expressions that are compiled in."""
    found = []
    for name, given in reading.document.signals.items():
        value = reading.expression(("signals", name, "value"), given.value, names.SIGNAL)
        number = float(value.value) if isinstance(value, Number) else 0.0
        expression = value if isinstance(given.value, str) else None
        found.append(Signal[Node](Ref(name), number, expression, given.unit, given.about))
    return tuple(found)


def coordinates(reading: Reading) -> tuple[Coordinate[Node], ...]:
    """Coordinates with their start."""
    found = []
    for name, given in reading.document.coordinates.items():
        path = ("coordinates", name)
        initial = reading.expression((*path, "initial"), given.initial, names.INITIAL)
        rate = reading.expression((*path, "rate"), given.rate, names.INITIAL)
        found.append(Coordinate(Ref(name), initial, rate, given.unit, given.about))
    return tuple(found)


# --- geometry -----------------------------------------------------------------------------------------------------------


def frames(reading: Reading) -> tuple[Frame[Node], ...]:
    """Frames by rotations, direction cosines or a quaternion."""
    found = []
    for name, given in reading.document.frames.items():
        path = ("frames", name)
        parent = reading.frame((*path, "parent"), given.parent)
        ways = [way for way in ("rotate", "cosines", "quaternion") if getattr(given, way) is not None]
        if len(ways) > 1:
            reading.wrong((*path, ways[1]), f"a frame is given in one way, and '{name}' has {' and '.join(ways)}")
        found.append(Frame(Ref(name), parent, _rotations(reading, path, given)))
    return tuple(found)


def _rotations(reading: Reading, path: KeyPath, given: schema.Frame) -> tuple[Rotation[Node], ...]:
    if given.cosines is not None:
        at = (*path, "cosines")
        first, second, third = (reading.triple((*at, n), row, names.GEOMETRY) for n, row in enumerate(given.cosines))
        return (Cosines((first, second, third)),)
    if given.quaternion is not None:
        at = (*path, "quaternion")
        e0, e1, e2, e3 = (reading.expression((*at, n), e, names.GEOMETRY) for n, e in enumerate(given.quaternion))
        return (Quaternion((e0, e1, e2, e3)),)
    return turns(reading, (*path, "rotate"), given.rotate or ())


def turns(
    reading: Reading, path: KeyPath, given: Iterable[tuple[Any, Any]], context: Context = names.GEOMETRY
) -> tuple[Turn[Node], ...]:
    """Successive turns about axes."""
    return tuple(
        Turn(reading.triple((*path, n, 0), axis, names.CONSTANT), reading.expression((*path, n, 1), angle, context))
        for n, (axis, angle) in enumerate(given)
    )


def points(reading: Reading) -> tuple[Point[Node], ...]:
    """Points at offsets from others."""
    found = []
    for name, given in reading.document.points.items():
        path = ("points", name)
        origin = reading.point((*path, "from"), given.origin)
        frame = reading.frame((*path, "in"), given.frame)
        found.append(Point(Ref(name), origin, frame, reading.triple((*path, "at"), given.at, names.GEOMETRY)))
    return tuple(found)


# --- quantities ---------------------------------------------------------------------------------------------------------


def quantities(reading: Reading, table: str, context: Context) -> tuple[Quantity[Node], ...]:
    """A table of named scalars."""
    given: dict[str, schema.Scalar] = getattr(reading.document, table)
    return tuple(Quantity(Ref(name), reading.expression((table, name), raw, context)) for name, raw in given.items())


def quasi_velocities(reading: Reading) -> tuple[Quantity[Node], ...]:
    """Speeds, which must contain a velocity."""
    found = quantities(reading, "quasi_velocities", names.MOTION)
    for speed in found:
        if speed.value is not BROKEN and not has_velocity(speed.value):
            remedy = "use der, velocity or omega"
            reading.wrong(("quasi_velocities", speed.name), f"'{speed.name}' has no velocity in it", remedy)
    return found


def by_coordinate(reading: Reading, table: str, context: Context) -> tuple[Quantity[Node], ...]:
    """A table of scalars by the names of coordinates: forces along them, or armatures."""
    for name in getattr(reading.document, table):
        reading.coordinate((table, name), name, key=True)
    return quantities(reading, table, context)


# --- loads --------------------------------------------------------------------------------------------------------------


def gravity(reading: Reading) -> Gravity[Node] | None:
    """The uniform field, in one frame."""
    given = list(reading.document.gravity.items())
    for name, _ in given[1:]:
        reading.wrong(("gravity", name), "gravity is given in one frame only", key=True)
    if not given:
        return None
    name, vector = given[0]
    if name not in reading.scope.frames:
        remedy = names.meant(name, reading.scope.frames)
        reading.wrong(("gravity", name), f"unknown frame '{name}'", remedy, key=True)
    frame = reading.frame(("gravity", name), name) if name in reading.scope.frames else FrameRef(name)
    return Gravity(frame, reading.triple(("gravity", name), vector, names.CONSTANT))


def forces(reading: Reading) -> tuple[Force[Node], ...]:
    """Forces at points."""
    found = []
    for name, given in reading.document.forces.items():
        path = ("forces", name)
        at = reading.point((*path, "at"), given.at)
        frame = reading.frame((*path, "in"), given.frame)
        reaction = reading.point((*path, "reaction"), given.reaction) if given.reaction else None
        vector = reading.triple((*path, "vector"), given.vector, names.LOAD)
        found.append(Force(Ref(name), at, frame, vector, reaction))
    return tuple(found)


def torques(reading: Reading) -> tuple[Torque[Node], ...]:
    """Torques on frames."""
    found = []
    for name, given in reading.document.torques.items():
        path = ("torques", name)
        on = reading.frame((*path, "on"), given.on)
        frame = reading.frame((*path, "in"), given.frame)
        reaction = reading.frame((*path, "reaction"), given.reaction) if given.reaction else None
        vector = reading.triple((*path, "vector"), given.vector, names.LOAD)
        found.append(Torque(Ref(name), on, frame, vector, reaction))
    return tuple(found)


def springs(reading: Reading) -> tuple[Spring[Node], ...]:
    """Springs across links."""
    found = []
    for name, given in reading.document.springs.items():
        path = ("springs", name)
        link = _link(reading, path, given)
        if isinstance(link, FrameLink) and link.axis is None:
            message = f"'{name}' acts between two frames and needs an axis"
            reading.wrong(path, message, 'e.g. axis = "z", an axis of the first frame', key=True)
        stiffness = reading.expression((*path, "stiffness"), given.stiffness, names.CONSTANT)
        length = reading.expression((*path, "length"), given.length, names.CONSTANT)
        found.append(Spring(Ref(name), link, stiffness, length))
    return tuple(found)


def dampers(reading: Reading) -> tuple[Damper[Node], ...]:
    """Dampers across links."""
    found = []
    for name, given in reading.document.dampers.items():
        path = ("dampers", name)
        damping = reading.expression((*path, "damping"), given.damping, names.CONSTANT)
        found.append(Damper(Ref(name), _link(reading, path, given), damping))
    return tuple(found)


def actuators(reading: Reading) -> tuple[Actuator[Node], ...]:
    """Forces and torques across links."""
    found = []
    for name, given in reading.document.actuators.items():
        path = ("actuators", name)
        force = reading.expression((*path, "force"), given.force, names.LOAD)
        found.append(Actuator(Ref(name), _axial(reading, path, given), force))
    return tuple(found)


def frictions(reading: Reading) -> tuple[Friction[Node], ...]:
    """Dry and viscous friction across links."""
    found = []
    for name, given in reading.document.frictions.items():
        path = ("frictions", name)
        found.append(Friction(Ref(name), _axial(reading, path, given), *dry_and_viscous(reading, path, given)))
    return tuple(found)


def dry_and_viscous(
    reading: Reading, path: KeyPath, given: schema.Friction | schema.JointFriction
) -> tuple[Node, Node, Node | None]:
    """The two parts of friction, and the speed below which dry friction is smooth."""
    dry = reading.expression((*path, "dry"), given.dry, names.LOAD)
    viscous = reading.expression((*path, "viscous"), given.viscous, names.LOAD)
    speed = None if given.speed is None else reading.expression((*path, "speed"), given.speed, names.CONSTANT)
    if speed is None and given.dry != 0:
        message = f"'{path[1]}' has dry friction and no speed below which it is smooth"
        reading.wrong(path, message, "e.g. speed = 0.01", key=True)
    return dry, viscous, speed


def _axial(reading: Reading, path: KeyPath, given: schema.Link) -> Link:
    """A link with a direction: between frames, the axis z unless given."""
    link = _link(reading, path, given)
    return replace(link, axis=2) if isinstance(link, FrameLink) and link.axis is None else link


def _link(reading: Reading, path: KeyPath, given: schema.Link) -> Link:
    ways = [way for way in ("between", "turn", "coordinate") if getattr(given, way) is not None]
    if len(ways) != 1:
        said = f"has {' and '.join(ways)}" if ways else "has none of them"
        message = f"'{path[1]}' acts across exactly one of between, turn and coordinate, and {said}"
        reading.wrong(path, message, key=True)
        return PointLink(FIXED_POINT, FIXED_POINT)
    if given.axis is not None and given.turn is None:
        reading.wrong((*path, "axis"), "an axis belongs to turn = [...]", key=True)
    link: Link
    if given.between is not None:
        link = PointLink(*(reading.point((*path, "between", n), end) for n, end in enumerate(given.between)))
        if link.first == link.second:
            reading.wrong((*path, "between"), "the two ends are the same point")
    elif given.turn is not None:
        first, second = (reading.frame((*path, "turn", n), end) for n, end in enumerate(given.turn))
        link = FrameLink(first, second, None if given.axis is None else AXES.index(given.axis))
        if first == second:
            reading.wrong((*path, "turn"), "the two ends are the same frame")
    else:
        link = CoordinateLink(reading.coordinate((*path, "coordinate"), str(given.coordinate)))
    return link
