"""From the table of events to entities: what is watched, and what happens to the state where it crosses zero."""

from __future__ import annotations

from collections.abc import Iterator

from volterra_cg.spec import names, schema
from volterra_cg.spec.entities import Change, Event, Settable
from volterra_cg.spec.expressions import Call, ExpressionError, Name, Node, parse
from volterra_cg.spec.names import meant
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.tree import Ref


def events(reading: Reading) -> tuple[Event[Node], ...]:
    """Events with what they change."""
    return tuple(_event(reading, name, given) for name, given in reading.document.events.items())


def _event(reading: Reading, name: str, given: schema.Event) -> Event[Node]:
    path: KeyPath = ("events", name)
    impact = given.restitution is not None
    when = reading.expression((*path, "when"), given.when, names.GAP if impact else names.OUTPUT)
    if when is not BROKEN and not names.varies(when, reading.scope):
        reading.wrong((*path, "when"), f"the expression of '{name}' never changes", "use coordinates, velocities or t")
    changes = tuple(_changed(reading, (*path, "set"), given))
    if not impact:
        return Event(Ref(name), when, given.direction or Event.direction, given.terminal, changes)
    if given.direction == "both":
        remedy = '"falling" where the gap closes, "rising" where it is counted the other way'
        reading.wrong((*path, "direction"), f"the impact '{name}' needs the direction in which its gap closes", remedy)
    restitution = reading.expression((*path, "restitution"), given.restitution, names.CHANGE)
    return Event(Ref(name), when, given.direction or "falling", given.terminal, changes, restitution)


def _changed(reading: Reading, path: KeyPath, given: schema.Event) -> Iterator[Change[Node]]:
    """What an event sets, each once."""
    seen: set[tuple[Settable, str]] = set()
    for key, raw in given.set.items():
        value = reading.expression((*path, key), raw, names.CHANGE)
        target = _target(reading, (*path, key), key)
        if target is None:
            continue
        kind, name = target
        if target in seen:
            reading.wrong((*path, key), f"'{key}' is set twice", "keep one of them", key=True)
        if kind == "rate" and given.restitution is not None:
            message = f"'{key}' cannot be set beside a restitution, from which all rates follow"
            reading.wrong((*path, key), message, "keep one of them", key=True)
        seen.add(target)
        yield Change(kind, Ref(name), value)


def _target(reading: Reading, path: KeyPath, key: str) -> tuple[Settable, str] | None:
    """What a key of `set` stands for; what cannot be set is noted."""
    try:
        node = parse(key)
    except ExpressionError:
        node = BROKEN
    match node:
        case Call(function="der", arguments=(Name(name=name),)) if name in reading.scope.coordinates:
            return "rate", name
        case Call(function="der", arguments=(Name(name=name),)):
            remedy = meant(name, reading.scope.coordinates) or "rates are those of coordinates"
            reading.wrong(path, f"'{name}' is not a coordinate and has no rate to set", remedy, key=True)
        case Name(name=name) if name in reading.scope.coordinates:
            return "coordinate", name
        case Name(name=name) if name in reading.scope.parameters:
            return "parameter", name
        case Name(name=name) if node is not BROKEN:
            reading.wrong(path, *_refusal(reading, name), key=True)
        case _:
            message = f"'{key}' cannot be set"
            reading.wrong(path, message, "name a coordinate, a rate as der(q), or a parameter", key=True)
    return None


def _refusal(reading: Reading, name: str) -> tuple[str, str]:
    """Why a name cannot be set, and what to do."""
    document, scope = reading.document, reading.scope
    rates = "set rates, as der(q), or coordinates"
    if name in scope.signals:
        return f"the signal '{name}' is given from outside", "make it a parameter to let events set it"
    if name in document.quasi_velocities:
        return f"the quasi-velocity '{name}' follows from the rates", rates
    if name in document.outputs or name in document.events:
        return f"'{name}' is computed from the state", rates
    if name in ("t", "pi"):
        return f"'{name}' cannot be set", ""
    known = scope.coordinates | scope.parameters
    remedy = meant(name, known) or "coordinates and parameters are named in their tables"
    return f"unknown name '{name}'", remedy
