"""What a spec must satisfy as a whole: no cycles, no clashes, sound numbers, nothing forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from volterra_cg.spec.bodies import RESTITUTION, limits
from volterra_cg.spec.evaluate import evaluate
from volterra_cg.spec.expressions import Node, scalar_names
from volterra_cg.spec.include import TABLES
from volterra_cg.spec.names import varies
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.source import Path
from volterra_cg.spec.types import EventEntry, Expression, FrameEntry, InertiaEntry, Spec
from volterra_cg.spec.uses import frame_expressions, used_names

_SHARED = (("parameters", "signals", "coordinates"), ("coordinates", "quasi_velocities", "outputs", "events"))
_COMPUTED = frozenset({
    "rates", "accelerations", "kinetic_energy", "potential_energy", "energy", "momenta", "constraints", "positions",
    "jacobian", "drift", "gap_rates", "work",
})  # fmt: skip


def check(reading: Reading, own: Spec, spec: Spec) -> None:
    """Note everything that is wrong with the spec as a whole; `own` is without its parts, which were checked before."""
    _clashes(reading)
    _taken(reading)
    cyclic = _cycles(reading, spec)
    _listed_coordinates(reading, ("ignorable",), own.ignorable or ())
    _listed_coordinates(reading, ("start", "project"), own.project if isinstance(own.project, tuple) else ())
    _still_frames(reading, own, {frame.name: frame for frame in spec.frames})
    values = {entry.name: entry.value.node for entry in spec.parameters if entry.name not in cyclic}
    _axes(reading, own, values)
    _bodies(reading, own, values)
    _numbers(reading, own, values)
    _settable(reading, own, spec)
    if not reading.problems:  # else what was left out may be what is missed
        _nothing_moves(reading, own, spec)
        _unused(reading, own, spec)


def _clashes(reading: Reading) -> None:
    for tables in _SHARED:
        for first, second in combinations(tables, 2):
            for name in getattr(reading.document, second):
                if name in getattr(reading.document, first):
                    place = reading.source.key_place((first, name))
                    message = (
                        f"'{name}' is already the name of one of the {first.replace('_', '-')}, in line {place.line}"
                    )
                    reading.wrong((second, name), message, "give one of them another name", key=True)
    for name, body in reading.document.bodies.items():
        if name in reading.document.frames and body.frame != name:
            message = f"'{name}' is also the name of a frame that is not this body's"
            reading.wrong(("bodies", name), message, "give one of them another name", key=True)


def _taken(reading: Reading) -> None:
    """Names that every mechanism has, or a part."""
    for table, what in (("outputs", "output"), ("events", "event")):
        for name in (name for name in getattr(reading.document, table) if name in _COMPUTED):
            message = f"'{name}' is computed for every mechanism and cannot be the name of an {what}"
            reading.wrong((table, name), message, f"e.g. '{name}_'", key=True)
    for prefix, part in reading.parts.items():
        for table in TABLES:
            names = {f"{prefix}_{entry.name}" for entry in getattr(part, table)}
            for name in (name for name in getattr(reading.document, table) if name in names):
                message = f"'{name}' is already a name in the part '{prefix}'"
                reading.wrong((table, name), message, "give the part another prefix", key=True)


def _cycles(reading: Reading, spec: Spec) -> frozenset[str]:
    """Note cycles of frames, points and parameters; the names of parameters that have no value for it."""
    known = {entry.name for entry in spec.parameters}
    parameters = {entry.name: set(scalar_names(entry.value.node)) & known for entry in spec.parameters}
    _report_cycles(reading, "frames", {entry.name: {entry.parent} for entry in spec.frames}, "turned from")
    _report_cycles(reading, "points", {entry.name: {entry.origin} for entry in spec.points}, "placed from")
    _report_cycles(reading, "parameters", parameters, "defined by")
    return frozenset(name for name in parameters if _reaches_cycle(name, parameters))


def _report_cycles(reading: Reading, table: str, edges: Mapping[str, set[str]], verb: str) -> None:
    told: set[str] = set()
    for name in edges:
        way = _way_back(name, edges)
        if way and not told & set(way):
            told |= set(way)
            message = f"'{name}' is {verb} itself" + (f", by way of {' and '.join(way[1:])}" if way[1:] else "")
            reading.wrong((table, name), message, key=True)


def _way_back(start: str, edges: Mapping[str, set[str]]) -> list[str]:
    """The names on a way from `start` back to itself, or nothing."""
    ways, seen = [[start]], set()
    while ways:
        way = ways.pop()
        for following in sorted(edges.get(way[-1], ())):
            if following == start:
                return way
            if following not in seen:
                seen.add(following)
                ways.append([*way, following])
    return []


def _reaches_cycle(start: str, edges: Mapping[str, set[str]]) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        for following in edges.get(waiting.pop(), ()):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return any(_way_back(name, edges) for name in seen)


def _listed_coordinates(reading: Reading, path: Path, listed: tuple[str, ...]) -> None:
    for number, name in enumerate(listed):
        reading.coordinate((*path, number), name)
        if name in listed[:number]:
            reading.wrong((*path, number), f"'{name}' is named twice")


def _still_frames(reading: Reading, spec: Spec, frames: Mapping[str, FrameEntry]) -> None:
    """Gravity and inertias are given in frames that do not turn, in space and in their body."""
    if spec.gravity and _turning(chain(spec.gravity.frame, frames), reading):
        message = f"gravity is given in '{spec.gravity.frame}', which turns"
        reading.wrong(("gravity", spec.gravity.frame), message, "give it in N", key=True)
    for body in spec.bodies:
        if not isinstance(body.inertia, InertiaEntry) or body.inertia.frame is None or body.frame is None:
            continue
        own, other = set(chain(body.frame, frames)), set(chain(body.inertia.frame, frames))
        if _turning(own ^ other, reading):
            message = f"'{body.inertia.frame}' turns in the frame of '{body.name}'"
            reading.wrong(
                ("bodies", body.name, "inertia", "in"), message, "an inertia is given in a frame fixed in its body"
            )


def chain(name: str, frames: Mapping[str, FrameEntry]) -> tuple[FrameEntry, ...]:
    """A frame and its parents up to N; ends where it comes back to itself."""
    found: list[FrameEntry] = []
    while name in frames and frames[name] not in found:
        found.append(frames[name])
        name = frames[name].parent
    return tuple(found)


def _turning(frames: set[FrameEntry] | tuple[FrameEntry, ...], reading: Reading) -> bool:
    names = {name for frame in frames for part in frame_expressions(frame) for name in scalar_names(part.node)}
    return bool(names & (reading.scope.coordinates | {"t"}))


def _value(reading: Reading, path: Path, expression: Expression, values: Mapping[str, Node]) -> float | None:
    """The number an expression stands for; None if there is none, which is noted unless it was before."""
    try:
        return evaluate(expression.node, values)
    except KeyError:  # holds a name that was reported already
        return None
    except (ArithmeticError, ValueError):
        reading.wrong(
            path,
            "this has no value at the given parameters",
            "a division by zero, or the root or logarithm of a negative number?",
        )
        return None


def _axes(reading: Reading, spec: Spec, values: Mapping[str, Node]) -> None:
    """Note axes of rotations that point nowhere at the given parameters."""
    for frame in spec.frames:
        for number, turn in enumerate(frame.turns):
            path: Path = ("frames", frame.name, "rotate", number, 0)
            if all(_value(reading, path, part, values) == 0 for part in turn.axis):
                reading.wrong(path, "an axis needs a direction, and this one has length zero")


def _bodies(reading: Reading, spec: Spec, values: Mapping[str, Node]) -> None:
    """Note the first limit that each body breaks; what follows from it would only repeat that."""
    for body in spec.bodies:
        for limit in limits(body, lambda path, expression: _value(reading, path, expression, values)):
            least = min(limit.least)
            if least < 0 or (least == 0 and not limit.reached):
                told = f"{limit.what} is {least:g}" if len(limit.least) == 1 else f"no body has {limit.what}"
                reading.wrong(limit.path, told, limit.rule)
                break


def _numbers(reading: Reading, spec: Spec, values: Mapping[str, Node]) -> None:
    for parameter in spec.parameters:
        if parameter.name in values and parameter.value.node is not BROKEN:
            _value(reading, ("parameters", parameter.name, "value"), parameter.value, values)
    for coordinate in spec.coordinates:
        _value(reading, ("coordinates", coordinate.name, "initial"), coordinate.initial, values)
        _value(reading, ("coordinates", coordinate.name, "rate"), coordinate.rate, values)
    for friction in spec.frictions:
        path = ("frictions", friction.name, "speed")
        speed = _value(reading, path, friction.speed, values) if friction.speed else None
        if speed is not None and speed <= 0:
            reading.wrong(path, f"the speed of '{friction.name}' is {speed:g}", "a speed above zero is needed")
    for event in spec.events:
        _restitution(reading, event, values)


def _restitution(reading: Reading, event: EventEntry, values: Mapping[str, Node]) -> None:
    """Refuse a coefficient that no impact has; one that depends on the motion shows at run time."""
    if event.restitution is None or varies(event.restitution.node, reading.scope):
        return
    path = ("events", event.name, "restitution")
    value = _value(reading, path, event.restitution, values)
    if value is not None and not 0 <= value <= 1:
        reading.wrong(path, f"the restitution of '{event.name}' is {value:g}", RESTITUTION)


def _settable(reading: Reading, own: Spec, spec: Spec) -> None:
    """Events set parameters that the compiled module has."""
    sound = [entry for entry in spec.parameters if entry.value.node is not BROKEN]
    fixed, derived = (
        ("is fixed and part of the equations", "take out fixed = true"),
        ("follows from others", "set those that it is made of"),
    )
    reasons = {entry.name: fixed for entry in sound if entry.fixed}
    reasons |= {entry.name: derived for entry in sound if entry.derived}
    for event in spec.events:
        for change in event.set:
            if change.kind != "parameter" or change.name not in reasons:
                continue
            why, remedy = reasons[change.name]
            if event in own.events:
                path: Path = ("events", event.name, "set", change.name)
                reading.wrong(path, f"the parameter '{change.name}' {why}", remedy, key=True)
            else:
                path = ("include", next(prefix for prefix in reading.parts if event.name.startswith(f"{prefix}_")))
                message = f"the event '{event.name}' sets '{change.name}', which here {why}"
                reading.wrong(path, message, remedy, key=True)


def _nothing_moves(reading: Reading, own: Spec, spec: Spec) -> None:
    for table, entries in (("coordinates", spec.coordinates), ("bodies", spec.bodies)):
        if not entries:
            reading.wrong(
                (table,), f"the spec has no {table}", f"a mechanism needs at least one entry in [{table}]", key=True
            )
    used = set(used_names(spec, geometry_only=True))
    for coordinate in own.coordinates:
        if coordinate.name not in used:
            message = f"the coordinate '{coordinate.name}' appears in no frame, point or constraint"
            reading.wrong(("coordinates", coordinate.name), message, "use it or take it out", key=True)


def _unused(reading: Reading, own: Spec, spec: Spec) -> None:
    used = set(used_names(spec))
    for table, entries in (("parameters", own.parameters), ("signals", own.signals)):
        for entry in entries:
            if entry.name not in used:
                reading.warn((table, entry.name), f"'{entry.name}' is never used")
