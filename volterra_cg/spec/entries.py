"""From the tables of a spec to its entries: expressions parsed, names resolved, problems noted."""

from __future__ import annotations

from volterra_cg.spec import names, schema
from volterra_cg.spec.expressions import Number, has_velocity, scalar_names
from volterra_cg.spec.names import Context
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.source import Path
from volterra_cg.spec.types import (
    BodyEntry,
    CoordinateEntry,
    FrameEntry,
    InertiaEntry,
    ParameterEntry,
    PointEntry,
    ScalarEntry,
    ShapeEntry,
    SignalEntry,
    TurnEntry,
)

TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


def parameters(reading: Reading) -> tuple[ParameterEntry, ...]:
    """Runtime and derived parameters."""
    entries = []
    for name, given in reading.document.parameters.items():
        path = ("parameters", name, "value")
        value = reading.expression(path, given.value, names.DERIVED)
        derived = any(other != "pi" for other in scalar_names(value.node))
        if derived and given.fixed and value.node is not BROKEN:
            reading.wrong((*path[:2], "fixed"), f"'{name}' follows from other parameters and cannot be fixed itself")
        entries.append(ParameterEntry(name, value, derived, given.fixed, given.unit, given.about))
    return tuple(entries)


def signals(reading: Reading) -> tuple[SignalEntry, ...]:
    """Named inputs: numbers that can be set, or expressions that are compiled in."""
    entries = []
    for name, given in reading.document.signals.items():
        value = reading.expression(("signals", name, "value"), given.value, names.SIGNAL)
        number = float(value.node.value) if isinstance(value.node, Number) else 0.0
        expression = value if isinstance(given.value, str) else None
        entries.append(SignalEntry(name, number, expression, given.unit, given.about))
    return tuple(entries)


def coordinates(reading: Reading) -> tuple[CoordinateEntry, ...]:
    """Coordinates with their start."""
    entries = []
    for name, given in reading.document.coordinates.items():
        path = ("coordinates", name)
        initial = reading.expression((*path, "initial"), given.initial, names.INITIAL)
        rate = reading.expression((*path, "rate"), given.rate, names.INITIAL)
        entries.append(CoordinateEntry(name, initial, rate, given.unit, given.about))
    return tuple(entries)


def frames(reading: Reading) -> tuple[FrameEntry, ...]:
    """Frames by rotations, direction cosines or a quaternion."""
    return tuple(_frame(reading, name, given) for name, given in reading.document.frames.items())


def _frame(reading: Reading, name: str, given: schema.Frame) -> FrameEntry:
    path: Path = ("frames", name)
    parent = reading.frame((*path, "parent"), given.parent)
    ways = [way for way in ("rotate", "cosines", "quaternion") if getattr(given, way) is not None]
    if len(ways) > 1:
        reading.wrong((*path, ways[1]), f"a frame is given in one way, and '{name}' has {' and '.join(ways)}")
    turns = tuple(
        _turn(reading, (*path, "rotate", n), axis, angle) for n, (axis, angle) in enumerate(given.rotate or ())
    )
    if given.cosines is not None:
        at = (*path, "cosines")
        first, second, third = (reading.triple((*at, n), row, names.GEOMETRY) for n, row in enumerate(given.cosines))
        return FrameEntry(name, parent, cosines=(first, second, third))
    if given.quaternion is not None:
        at = (*path, "quaternion")
        e0, e1, e2, e3 = (reading.expression((*at, n), e, names.GEOMETRY) for n, e in enumerate(given.quaternion))
        return FrameEntry(name, parent, quaternion=(e0, e1, e2, e3))
    return FrameEntry(name, parent, turns)


def _turn(reading: Reading, path: Path, axis: tuple[schema.Scalar, ...], angle: schema.Scalar) -> TurnEntry:
    direction = reading.triple((*path, 0), axis, names.CONSTANT)
    return TurnEntry(direction, reading.expression((*path, 1), angle, names.GEOMETRY))


def points(reading: Reading) -> tuple[PointEntry, ...]:
    """Points at offsets from others."""
    entries = []
    for name, given in reading.document.points.items():
        path = ("points", name)
        origin = reading.point((*path, "from"), given.origin)
        frame = reading.frame((*path, "in"), given.frame)
        entries.append(PointEntry(name, origin, frame, reading.triple((*path, "at"), given.at, names.GEOMETRY)))
    return tuple(entries)


def bodies(reading: Reading) -> tuple[BodyEntry, ...]:
    """Rigid bodies and particles."""
    return tuple(_body(reading, name, given) for name, given in reading.document.bodies.items())


def _body(reading: Reading, name: str, given: schema.Body) -> BodyEntry:
    path: Path = ("bodies", name)
    mass = reading.expression((*path, "mass"), given.mass, names.CONSTANT)
    reading.own(path, "center", given.center, reading.own_points)
    if given.frame is not None:
        reading.own(path, "frame", given.frame, reading.own_frames)
    if given.inertia and given.shape:
        reading.wrong((*path, "shape"), f"'{name}' has an inertia and a shape", "keep one of them")
    if (given.inertia or given.shape) and given.frame is None:
        reading.wrong(
            path, f"'{name}' has an inertia and no frame", 'name the frame it turns with, or frame = "N"', key=True
        )
    inertia = _inertia(reading, (*path, "inertia"), given.inertia) if given.inertia else None
    solid = _shape(reading, (*path, "shape"), given.shape) if given.shape else None
    return BodyEntry(name, mass, given.center, given.frame, inertia or solid)


def _inertia(reading: Reading, path: Path, given: schema.Inertia) -> InertiaEntry:
    present = {key: getattr(given, key) for key in TENSOR if getattr(given, key) is not None}
    entries = {key: reading.expression((*path, key), raw, names.CONSTANT) for key, raw in present.items()}
    return InertiaEntry(entries, reading.frame((*path, "in"), given.frame) if given.frame else None)


def _shape(reading: Reading, path: Path, given: schema.Shape) -> ShapeEntry | None:
    kinds = [kind for kind in schema.Shape.model_fields if getattr(given, kind) is not None]
    if len(kinds) != 1:
        reading.wrong(path, "a shape is exactly one of box, plate, rod, cylinder, sphere, ring")
        return None
    kind, value = kinds[0], getattr(given, kinds[0])
    at: Path = (*path, kind)
    if isinstance(value, tuple):
        sizes = tuple(reading.expression((*at, n), raw, names.CONSTANT) for n, raw in enumerate(value))
        return ShapeEntry(kind, sizes, 2)
    keys = [key for key in ("radius", "length") if hasattr(value, key)]
    sizes = tuple(reading.expression((*at, key), getattr(value, key), names.CONSTANT) for key in keys)
    return ShapeEntry(kind, sizes, "xyz".index(getattr(value, "axis", "z")))


def scalars(reading: Reading, table: str, context: Context) -> tuple[ScalarEntry, ...]:
    """A table of named scalars."""
    given: dict[str, schema.Scalar] = getattr(reading.document, table)
    return tuple(ScalarEntry(name, reading.expression((table, name), raw, context)) for name, raw in given.items())


def quasi_velocities(reading: Reading) -> tuple[ScalarEntry, ...]:
    """Speeds, which must contain a velocity."""
    entries = scalars(reading, "quasi_velocities", names.MOTION)
    for entry in entries:
        if entry.value.node is not BROKEN and not has_velocity(entry.value.node):
            remedy = "use der, velocity or omega"
            reading.wrong(("quasi_velocities", entry.name), f"'{entry.name}' has no velocity in it", remedy)
    return entries
