"""From the tables of a spec to its entries: expressions parsed, names resolved, problems noted."""

from __future__ import annotations

from volterra_cg.spec import names, schema
from volterra_cg.spec.expressions import has_velocity, scalar_names
from volterra_cg.spec.names import Context
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.source import Path
from volterra_cg.spec.types import (
    BodyEntry,
    ConstraintEntry,
    CoordinateEntry,
    DamperEntry,
    FrameEntry,
    GravityEntry,
    InertiaEntry,
    LoadEntry,
    ParameterEntry,
    PointEntry,
    ScalarEntry,
    ShapeEntry,
    SignalEntry,
    SpringEntry,
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
    """Named inputs."""
    given = reading.document.signals.items()
    return tuple(SignalEntry(name, entry.value, entry.unit, entry.about) for name, entry in given)


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
    if all(part == 0 for part in axis):
        reading.wrong((*path, 0), "an axis needs a direction, and this one has length zero")
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


def scalars(reading: Reading, table: str, context: Context) -> tuple[ScalarEntry, ...]:
    """A table of named scalars."""
    given: dict[str, schema.Scalar] = getattr(reading.document, table)
    return tuple(ScalarEntry(name, reading.expression((table, name), raw, context)) for name, raw in given.items())


def generalized_forces(reading: Reading) -> tuple[ScalarEntry, ...]:
    """Forces along coordinates, by the name of the coordinate."""
    for name in reading.document.generalized_forces:
        reading.coordinate(("generalized_forces", name), name, key=True)
    return scalars(reading, "generalized_forces", names.LOAD)


def quasi_velocities(reading: Reading) -> tuple[ScalarEntry, ...]:
    """Speeds, which must contain a velocity."""
    entries = scalars(reading, "quasi_velocities", names.MOTION)
    for entry in entries:
        if entry.value.node is not BROKEN and not has_velocity(entry.value.node):
            remedy = "use der, velocity or omega"
            reading.wrong(("quasi_velocities", entry.name), f"'{entry.name}' has no velocity in it", remedy)
    return entries


def springs(reading: Reading) -> tuple[SpringEntry, ...]:
    """Springs between points."""
    entries = []
    for name, given in reading.document.springs.items():
        path = ("springs", name)
        stiffness = reading.expression((*path, "stiffness"), given.stiffness, names.CONSTANT)
        length = reading.expression((*path, "length"), given.length, names.CONSTANT)
        entries.append(SpringEntry(name, _ends(reading, path, given.between), stiffness, length))
    return tuple(entries)


def dampers(reading: Reading) -> tuple[DamperEntry, ...]:
    """Dampers between points."""
    entries = []
    for name, given in reading.document.dampers.items():
        damping = reading.expression(("dampers", name, "damping"), given.damping, names.CONSTANT)
        entries.append(DamperEntry(name, _ends(reading, ("dampers", name), given.between), damping))
    return tuple(entries)


def _ends(reading: Reading, path: Path, between: tuple[str, str]) -> tuple[str, str]:
    first, second = (reading.point((*path, "between", n), point) for n, point in enumerate(between))
    if first == second:
        reading.wrong((*path, "between"), "the two ends are the same point")
    return first, second


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


def constraints(reading: Reading) -> tuple[ConstraintEntry, ...]:
    """Constraints, of positions or of velocities."""
    found = (_constraint(reading, name, given) for name, given in reading.document.constraints.items())
    return tuple(entry for entry in found if entry is not None)


def _constraint(reading: Reading, name: str, given: schema.Constraint) -> ConstraintEntry | None:
    forms = [(key, raw) for key in ("either", "velocity", "position") if (raw := getattr(given, key)) is not None]
    if len(forms) != 1:
        reading.wrong(("constraints", name), f"'{name}' needs exactly one of position and velocity", key=True)
        return None
    form, raw = forms[0]
    path: Path = ("constraints", name, "expression" if form == "either" else form)
    value = reading.expression(path, raw, names.POSITION if form == "position" else names.MOTION)
    holonomic = form == "position" or (form == "either" and not has_velocity(value.node))
    entry = ConstraintEntry(name, value, holonomic)
    if value.node is BROKEN:
        return entry
    if form == "velocity" and not has_velocity(value.node):
        reading.wrong(path, f"'{name}' has no velocity in it", "write position = ... and we differentiate it")
    if holonomic and not names.moves(value.node, reading.scope):
        reading.wrong(
            path, f"'{name}' has neither coordinates nor velocities in it", "it can only be always or never true"
        )
    return entry
