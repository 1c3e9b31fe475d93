"""From the tables of loads to entries: gravity, forces and torques, and what acts across a link."""

from __future__ import annotations

from volterra_cg.spec import names, schema
from volterra_cg.spec.entries import scalars
from volterra_cg.spec.reading import Reading
from volterra_cg.spec.source import Path
from volterra_cg.spec.types import (
    ActuatorEntry,
    DamperEntry,
    FrictionEntry,
    GravityEntry,
    LinkEntry,
    LoadEntry,
    ScalarEntry,
    SpringEntry,
)

_WAYS = ("between", "turn", "coordinate")


def gravity(reading: Reading) -> GravityEntry | None:
    """The uniform field, in one frame."""
    given = list(reading.document.gravity.items())
    for name, _ in given[1:]:
        reading.wrong(("gravity", name), "gravity is given in one frame only", key=True)
    if not given:
        return None
    frame, vector = given[0]
    if frame not in reading.scope.frames:
        remedy = names.meant(frame, reading.scope.frames)
        reading.wrong(("gravity", frame), f"unknown frame '{frame}'", remedy, key=True)
    resolved = reading.frame(("gravity", frame), frame) if frame in reading.scope.frames else frame
    return GravityEntry(resolved, reading.triple(("gravity", frame), vector, names.CONSTANT))


def generalized_forces(reading: Reading) -> tuple[ScalarEntry, ...]:
    """Forces along coordinates, by the name of the coordinate."""
    for name in reading.document.generalized_forces:
        reading.coordinate(("generalized_forces", name), name, key=True)
    return scalars(reading, "generalized_forces", names.LOAD)


def springs(reading: Reading) -> tuple[SpringEntry, ...]:
    """Springs across links."""
    entries = []
    for name, given in reading.document.springs.items():
        path = ("springs", name)
        link = _link(reading, path, given)
        if link.kind == "frames" and link.axis is None:
            message = f"'{name}' acts between two frames and needs an axis"
            reading.wrong(path, message, 'e.g. axis = "z", an axis of the first frame', key=True)
        stiffness = reading.expression((*path, "stiffness"), given.stiffness, names.CONSTANT)
        length = reading.expression((*path, "length"), given.length, names.CONSTANT)
        entries.append(SpringEntry(name, link, stiffness, length))
    return tuple(entries)


def dampers(reading: Reading) -> tuple[DamperEntry, ...]:
    """Dampers across links."""
    entries = []
    for name, given in reading.document.dampers.items():
        damping = reading.expression(("dampers", name, "damping"), given.damping, names.CONSTANT)
        entries.append(DamperEntry(name, _link(reading, ("dampers", name), given), damping))
    return tuple(entries)


def actuators(reading: Reading) -> tuple[ActuatorEntry, ...]:
    """Forces and torques across links."""
    entries = []
    for name, given in reading.document.actuators.items():
        path = ("actuators", name)
        force = reading.expression((*path, "force"), given.force, names.LOAD)
        entries.append(ActuatorEntry(name, _axial(reading, path, given), force))
    return tuple(entries)


def frictions(reading: Reading) -> tuple[FrictionEntry, ...]:
    """Dry and viscous friction across links."""
    entries = []
    for name, given in reading.document.frictions.items():
        path = ("frictions", name)
        dry = reading.expression((*path, "dry"), given.dry, names.LOAD)
        viscous = reading.expression((*path, "viscous"), given.viscous, names.LOAD)
        speed = None if given.speed is None else reading.expression((*path, "speed"), given.speed, names.CONSTANT)
        if speed is None and given.dry != 0:
            message = f"'{name}' has dry friction and no speed below which it is smooth"
            reading.wrong(path, message, "e.g. speed = 0.01", key=True)
        entries.append(FrictionEntry(name, _axial(reading, path, given), dry, viscous, speed))
    return tuple(entries)


def _axial(reading: Reading, path: Path, given: schema.Link) -> LinkEntry:
    """A link with a direction: between frames, the axis z unless given."""
    link = _link(reading, path, given)
    return LinkEntry(link.kind, link.ends, 2) if link.kind == "frames" and link.axis is None else link


def _link(reading: Reading, path: Path, given: schema.Link) -> LinkEntry:
    ways = [way for way in _WAYS if getattr(given, way) is not None]
    if len(ways) != 1:
        said = f"has {' and '.join(ways)}" if ways else "has none of them"
        message = f"'{path[1]}' acts across exactly one of between, turn and coordinate, and {said}"
        reading.wrong(path, message, key=True)
        return LinkEntry("points", ("O", "O"))
    if given.axis is not None and ways != ["turn"]:
        reading.wrong((*path, "axis"), "an axis belongs to turn = [...]", key=True)
    if given.coordinate is not None:
        reading.coordinate((*path, "coordinate"), given.coordinate)
        return LinkEntry("coordinate", (given.coordinate,))
    way = ways[0]
    resolve, what = (reading.point, "point") if way == "between" else (reading.frame, "frame")
    first, second = (resolve((*path, way, n), end) for n, end in enumerate(getattr(given, way)))
    if first == second:
        reading.wrong((*path, way), f"the two ends are the same {what}")
    if way == "between":
        return LinkEntry("points", (first, second))
    return LinkEntry("frames", (first, second), None if given.axis is None else "xyz".index(given.axis))


def forces(reading: Reading) -> tuple[LoadEntry, ...]:
    """Forces at points."""
    entries = []
    for name, given in reading.document.forces.items():
        path = ("forces", name)
        point = reading.point((*path, "at"), given.at)
        frame = reading.frame((*path, "in"), given.frame)
        reaction = reading.point((*path, "reaction"), given.reaction) if given.reaction else None
        vector = reading.triple((*path, "vector"), given.vector, names.LOAD)
        entries.append(LoadEntry(name, point, frame, vector, reaction))
    return tuple(entries)


def torques(reading: Reading) -> tuple[LoadEntry, ...]:
    """Torques on frames."""
    entries = []
    for name, given in reading.document.torques.items():
        path = ("torques", name)
        on = reading.frame((*path, "on"), given.on)
        frame = reading.frame((*path, "in"), given.frame)
        reaction = reading.frame((*path, "reaction"), given.reaction) if given.reaction else None
        vector = reading.triple((*path, "vector"), given.vector, names.LOAD)
        entries.append(LoadEntry(name, on, frame, vector, reaction))
    return tuple(entries)
