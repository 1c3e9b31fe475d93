"""What a spec must satisfy as a whole: no cycles, no clashes, sound numbers, nothing forgotten."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import combinations

from volterra_cg.errors import SpecError
from volterra_cg.spec.entities import INERTIAL_FRAME, Event, Frame, Inertia, Mechanism, Turn
from volterra_cg.spec.expressions import LARGE, Node, Number, evaluate, scalar_names
from volterra_cg.spec.include import TABLES
from volterra_cg.spec.limits import RESTITUTION, limits
from volterra_cg.spec.names import varies
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.tree import scalars

Edges = Mapping[str, set[str]]
Values = Mapping[str, float]  # of parameters

HUGE = 1e100  # for a mass, size or inertia; energies are to fit floating-point numbers
_TREE = (
    "joints make a tree that begins at N, and close no loop; write coincide = [...] in [constraints] in place of one"
)
_SHOWN = 12  # cycles, and names on a cycle
_SHARED = (
    ("parameters", "signals", "coordinates", "expressions"),
    ("coordinates", "quasi_velocities", "outputs", "events"),
)
_COMPUTED = frozenset({
    "rates", "accelerations", "kinetic_energy", "potential_energy", "energy", "momenta", "constraints", "positions",
    "jacobian", "drift", "gap_rates", "signals", "work",
})  # fmt: skip


def check(reading: Reading, own: Mechanism[Node], whole: Mechanism[Node]) -> None:
    """Note everything that is wrong with a spec as a whole; `own` is without its parts, which were checked before."""
    _clashes(reading)
    _taken(reading)
    order = _cycles(reading, whole)
    _still_frames(reading, own, {frame.name: frame for frame in whole.frames})
    values = _values(reading, own, whole, order)
    _axes(reading, own, values)
    _bodies(reading, own, values)
    _numbers(reading, own, values)
    _settable(reading, own, whole)
    if not reading.problems:  # else what was left out may be what is missed
        _nothing_moves(reading, own, whole)
        _unused(reading, own, whole)


def _clashes(reading: Reading) -> None:
    for tables in _SHARED:
        for first, second in combinations(tables, 2):
            theirs = reading.told(first)
            for name in (name for name in reading.told(second) if name in theirs):
                line = reading.source.key_place(theirs[name]).line
                message = f"'{name}' is already the name of one of the {first.replace('_', '-')}, in line {line}"
                reading.wrong((second, name), message, "give one of them another name", key=True)
    frames = reading.told("frames")
    for name in reading.document.bodies:
        if name in frames and reading.bodies[name][1] != name and name not in reading.carried:
            message = f"'{name}' is also the name of a frame that is not this body's"
            reading.wrong(("bodies", name), message, "give one of them another name", key=True)


def _taken(reading: Reading) -> None:
    """Names that every mechanism has, or a part."""
    for table, what in (("outputs", "an output"), ("events", "an event"), ("signals", "a signal")):
        for name in (name for name in getattr(reading.document, table) if name in _COMPUTED):
            message = f"'{name}' is computed for every mechanism and cannot be the name of {what}"
            reading.wrong((table, name), message, f"e.g. '{name}_'", key=True)
    for prefix, part in reading.parts.items():
        for table in TABLES:
            names = {f"{prefix}_{entity.name}" for entity in getattr(part, table)}
            for name in (name for name in reading.told(table) if name in names):
                message = f"'{name}' is already a name in the part '{prefix}'"
                reading.wrong((table, name), message, "give the part another prefix", key=True)


def _cycles(reading: Reading, whole: Mechanism[Node]) -> list[str]:
    """Note cycles of frames, points and parameters; the names of the other parameters, each after what it is made of."""
    known = {parameter.name for parameter in whole.parameters}
    parameters: dict[str, set[str]] = {each.name: set(scalar_names(each.value)) & known for each in whole.parameters}
    _ordered(
        reading,
        "frames",
        {frame.name: {frame.parent} for frame in whole.frames if frame.name != INERTIAL_FRAME},
        "turned from",
    )
    _ordered(reading, "points", {point.name: {point.origin} for point in whole.points}, "placed from")
    return _ordered(reading, "parameters", parameters, "defined by")


def _ordered(reading: Reading, table: str, edges: Edges, verb: str) -> list[str]:
    """The names, each after those that it leads to; cycles are noted and left out."""
    for _ in range(_SHOWN):
        try:
            return [name for name in TopologicalSorter(edges).static_order() if name in edges]
        except CycleError as error:
            cycle = error.args[1][:0:-1]
        rank = {name: number for number, name in enumerate(edges)}
        first = min(range(len(cycle)), key=lambda n: rank[cycle[n]])
        way = cycle[first:] + cycle[:first]
        edges = {name: edges[name] for name in rank.keys() - set(cycle)}
        jointed = all(reading.origin((table, name))[0] == "joints" for name in way)
        if table == "points" and jointed:
            continue  # told of the frames of these joints
        message = f"'{way[0]}' is {verb} itself" + (f", by way of {_listed(way[1:])}" if way[1:] else "")
        remedy = "" if not jointed else _TREE if way[1:] else "the parent of a joint is another body, or N"
        reading.wrong((table, way[0]), message, remedy, key=True)
    raise SpecError(reading.problems)


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - _SHOWN} others"] if len(names) > _SHOWN else []
    return " and ".join(names[:_SHOWN] + more)


def _still_frames(reading: Reading, own: Mechanism[Node], frames: Mapping[str, Frame[Node]]) -> None:
    """Gravity and inertias are given in frames that do not turn, in space and in their body."""
    if own.gravity and _turning(_chain(own.gravity.frame, frames), reading):
        message = f"gravity is given in '{own.gravity.frame}', which turns"
        reading.wrong(("gravity", own.gravity.frame), message, "give it in N", key=True)
    for body in own.bodies:
        if not isinstance(body.inertia, Inertia) or body.inertia.frame is None or body.frame is None:
            continue
        body_chain, other = (set(_chain(name, frames)) for name in (body.frame, body.inertia.frame))
        if _turning(body_chain ^ other, reading):
            message = f"'{body.inertia.frame}' turns in the frame of '{body.name}'"
            reading.wrong(
                ("bodies", body.name, "inertia", "in"), message, "an inertia is given in a frame fixed in its body"
            )


def _chain(name: str, frames: Mapping[str, Frame[Node]]) -> tuple[Frame[Node], ...]:
    """A frame and its parents up to N; ends where it comes back to itself."""
    found: dict[str, Frame[Node]] = {}
    while name in frames and name not in found:
        found[name] = frames[name]
        name = frames[name].parent
    return tuple(found.values())


def _turning(frames: Iterable[Frame[Node]], reading: Reading) -> bool:
    return bool(_names_in(*frames) & (reading.scope.coordinates | {"t"}))


def _names_in(*entities: object) -> set[str]:
    """The names of scalars in the expressions of entities."""
    return {name for node in scalars(entities) for name in scalar_names(node)}


def _values(reading: Reading, own: Mechanism[Node], whole: Mechanism[Node], order: list[str]) -> Values:
    """The numbers of the parameters that have one; where an own one has none, that is noted."""
    given: dict[str, Node] = {parameter.name: parameter.value for parameter in whole.parameters}
    ours = {parameter.name for parameter in own.parameters}
    values: dict[str, float] = {}
    for name in order:
        path = ("parameters", name, "value") if name in ours else ("include", _prefix(reading, name), "set")
        value = _value(reading, path, given[name], values)
        if value is not None:
            values[name] = value
    return values


def _prefix(reading: Reading, name: str) -> str:
    """The part that a name comes from."""
    return next(prefix for prefix in reading.parts if name.startswith(f"{prefix}_"))


def _value(reading: Reading, path: KeyPath, node: Node, values: Values) -> float | None:
    """The number that an expression stands for; None if there is none, which is noted unless it was before."""
    try:
        value = evaluate(node, values)
    except KeyError:  # holds a name that was reported already
        return None
    except OverflowError:
        value = math.inf
    except (ArithmeticError, ValueError):
        remedy = "a division by zero, or the root or logarithm of a negative number?"
        reading.wrong(path, "this has no value at the given parameters", remedy)
        return None
    if math.isfinite(value):
        return value
    reading.wrong(path, "this number is out of range at the given parameters", LARGE)
    return None


def _axes(reading: Reading, own: Mechanism[Node], values: Values) -> None:
    """Note axes of rotations that point nowhere at the given parameters."""
    for frame in own.frames:
        for number, turn in enumerate(turn for turn in frame.rotations if isinstance(turn, Turn)):
            path: KeyPath = ("frames", frame.name, "rotate", number, 0)
            told = reading.origin(path)[0] == "joints" and all(isinstance(part, Number) for part in turn.axis)
            if not told and all(_value(reading, path, part, values) == 0 for part in turn.axis):
                reading.wrong(path, "an axis needs a direction, and this one has length zero")


def _bodies(reading: Reading, own: Mechanism[Node], values: Values) -> None:
    """Note the first limit that each body breaks; what follows from it would only repeat that."""
    for body in own.bodies:
        for limit in limits(body, lambda path, node: _value(reading, path, node, values)):
            least = min(limit.least)
            if max(limit.least) > HUGE:
                reading.wrong(
                    limit.path, f"{limit.what} is larger than {HUGE:g}", "products with it would be out of range"
                )
                break
            if least < 0 or (least == 0 and not limit.reached):
                told = f"{limit.what} is {least:g}" if len(limit.least) == 1 else f"no body has {limit.what}"
                reading.wrong(limit.path, told, limit.rule)
                break


def _numbers(reading: Reading, own: Mechanism[Node], values: Values) -> None:
    for coordinate in own.coordinates:
        _value(reading, ("coordinates", coordinate.name, "initial"), coordinate.initial, values)
        _value(reading, ("coordinates", coordinate.name, "rate"), coordinate.rate, values)
    for friction in own.frictions:
        path = ("frictions", friction.name, "speed")
        speed = _value(reading, path, friction.speed, values) if friction.speed else None
        if speed is not None and speed <= 0:
            reading.wrong(path, f"the speed of '{friction.name}' is {speed:g}", "a speed above zero is needed")
    for armature in own.armatures:
        where = ("armatures", armature.name)
        inertia = _value(reading, where, armature.value, values)
        if inertia is not None and inertia < 0:
            reading.wrong(where, f"the armature of '{armature.name}' is {inertia:g}", "an armature is not below zero")
    for event in own.events:
        _restitution(reading, event, values)


def _restitution(reading: Reading, event: Event[Node], values: Values) -> None:
    """Refuse a coefficient that no impact has; one that depends on the motion shows at run time."""
    if event.restitution is None or varies(event.restitution, reading.scope):
        return
    path = ("events", event.name, "restitution")
    value = _value(reading, path, event.restitution, values)
    if value is not None and not 0 <= value <= 1:
        reading.wrong(path, f"the restitution of '{event.name}' is {value:g}", RESTITUTION)


def _settable(reading: Reading, own: Mechanism[Node], whole: Mechanism[Node]) -> None:
    """Events set parameters that the compiled module has."""
    sound = [parameter for parameter in whole.parameters if parameter.value is not BROKEN]
    fixed, derived = (
        ("is fixed and part of the equations", "take out fixed = true"),
        ("follows from others", "set those that it is made of"),
    )
    reasons = {parameter.name: fixed for parameter in sound if parameter.fixed}
    reasons |= {parameter.name: derived for parameter in sound if parameter.derived}
    for event in whole.events:
        for change in event.set:
            if change.kind != "parameter" or change.name not in reasons:
                continue
            why, remedy = reasons[change.name]
            if event in own.events:
                path: KeyPath = ("events", event.name, "set", change.name)
                reading.wrong(path, f"the parameter '{change.name}' {why}", remedy, key=True)
            else:
                path = ("include", _prefix(reading, event.name))
                message = f"the event '{event.name}' sets '{change.name}', which here {why}"
                reading.wrong(path, message, remedy, key=True)


def _nothing_moves(reading: Reading, own: Mechanism[Node], whole: Mechanism[Node]) -> None:
    for table, entities in (("coordinates", whole.coordinates), ("bodies", whole.bodies)):
        if not entities:
            reading.wrong(
                (table,), f"the spec has no {table}", f"a mechanism needs at least one entry in [{table}]", key=True
            )
    used = _names_in(whole.frames, whole.points, whole.constraints)
    for coordinate in own.coordinates:
        if coordinate.name not in used:
            message = f"the coordinate '{coordinate.name}' appears in no frame, point or constraint"
            reading.wrong(("coordinates", coordinate.name), message, "use it or take it out", key=True)


def _unused(reading: Reading, own: Mechanism[Node], whole: Mechanism[Node]) -> None:
    used = _names_in(whole)
    names = [("parameters", each.name) for each in own.parameters] + [("signals", each.name) for each in own.signals]
    for table, name in names:
        if name not in used:
            reading.warn((table, name), f"'{name}' is never used")
