"""Other specs as parts of this one: their names get a prefix, their N and O become a frame and a point of this spec."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from volterra_cg.errors import OptionError, Problem, SpecError
from volterra_cg.spec import names, schema
from volterra_cg.spec.expressions import AxisOf, Binary, Call, Name, Negative, Node, scalar_names
from volterra_cg.spec.files import included
from volterra_cg.spec.names import meant
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.source import Source
from volterra_cg.spec.types import CoordinateEntry, Expression, ParameterEntry, Spec

# What a part brings; gravity, quasi-velocities, `ignorable`, `work`, `start` and `simulation` are the whole's to say.
TABLES = (
    "parameters", "signals", "coordinates", "frames", "points", "bodies", "potentials", "springs", "dampers",
    "actuators", "frictions", "forces", "torques", "generalized_forces", "constraints", "outputs", "events",
)  # fmt: skip
_NAMES = frozenset({
    "name", "parent", "origin", "frame", "center", "on", "reaction", "ends", "frames", "contact",
    "surface_origin", "surface_frame", "upright", "axes_frame",
})  # fmt: skip
DEPTH = 8  # of specs within specs

Rename = Callable[[str], str]
ReadFile = Callable[[FilePath, tuple[FilePath, ...]], Spec]


def files(
    source: Source, given: Mapping[str, schema.Include], way: tuple[FilePath, ...], read: ReadFile
) -> tuple[dict[str, Spec], list[Problem]]:
    """The included specs by their prefix, as they are, and what is wrong with them."""
    found: dict[str, Spec] = {}
    problems: list[Problem] = []
    for prefix, entry in given.items():
        place = source.value_place(("include", prefix, "spec"))
        path = included(FilePath(source.file), entry.spec)
        if path.resolve() in way or len(way) > DEPTH:
            problems.append(
                source.problem(place, f"'{entry.spec}' includes itself", "a mechanism is no part of itself")
            )
            continue
        try:
            found[prefix] = read(path, way)
        except OptionError:
            problems.append(
                source.problem(place, f"there is no spec '{entry.spec}'", "paths are relative to this file")
            )
        except SpecError as error:
            problems.extend(error.problems)
            problems.append(source.problem(place, f"'{entry.spec}' has mistakes of its own"))
    return found, problems


def attached(reading: Reading) -> tuple[Spec, ...]:
    """The parts under their names in the whole, with what the whole sets in them."""
    parts = []
    here = {prefix: given for prefix, given in reading.document.include.items() if prefix in reading.parts}
    for prefix, given in here.items():
        rename = _rename(prefix, given.frame, given.point)
        for body in reading.parts[prefix].bodies:
            frame = None if body.frame is None else rename(body.frame)
            reading.bodies[rename(body.name)] = (rename(body.center), frame)
    for prefix, given in here.items():
        path = ("include", prefix)
        frame = reading.frame((*path, "frame"), given.frame)
        point = reading.point((*path, "point"), given.point)
        part = _renamed_spec(reading.parts[prefix], prefix, frame, point)
        part = replace(part, parameters=_set(reading, prefix, part), coordinates=_started(reading, prefix, part))
        parts.append(part)
    return tuple(parts)


def merged(spec: Spec, parts: tuple[Spec, ...]) -> Spec:
    """The whole: its own entries first, then those of its parts."""
    tables: dict[str, Any] = {
        table: tuple(entry for one in (spec, *parts) for entry in getattr(one, table)) for table in TABLES
    }
    places = {key: place for one in (*parts, spec) for key, place in one.places.items()}
    texts = {file: lines for one in (*parts, spec) for file, lines in one.texts.items()}
    return replace(spec, **tables, places=places, texts=texts)


def _set(reading: Reading, prefix: str, part: Spec) -> tuple[ParameterEntry, ...]:
    given = reading.document.include[prefix].set
    known = [entry.name.removeprefix(f"{prefix}_") for entry in part.parameters]
    _require_known(reading, prefix, "set", "parameter", given, known)
    entries = []
    for name, entry in zip(known, part.parameters, strict=True):
        if name in given:
            value = reading.expression(("include", prefix, "set", name), given[name], names.CONSTANT)
            derived = value.node is not BROKEN and any(other != "pi" for other in scalar_names(value.node))
            entry = replace(entry, value=value, derived=derived, fixed=entry.fixed and not derived)
        entries.append(entry)
    return tuple(entries)


def _started(reading: Reading, prefix: str, part: Spec) -> tuple[CoordinateEntry, ...]:
    given = reading.document.include[prefix]
    known = [entry.name.removeprefix(f"{prefix}_") for entry in part.coordinates]
    entries = []
    for key in ("initial", "rate"):
        _require_known(reading, prefix, key, "coordinate", getattr(given, key), known)
    for name, entry in zip(known, part.coordinates, strict=True):
        changes: dict[str, Any] = {
            key: reading.expression(("include", prefix, key, name), getattr(given, key)[name], names.INITIAL)
            for key in ("initial", "rate")
            if name in getattr(given, key)
        }
        entries.append(replace(entry, **changes))
    return tuple(entries)


def _require_known(
    reading: Reading, prefix: str, key: str, what: str, given: Mapping[str, object], known: list[str]
) -> None:
    for name in given:
        if name not in known:
            message = f"the part '{prefix}' has no {what} '{name}'"
            reading.wrong(("include", prefix, key, name), message, meant(name, known), key=True)


def _rename(prefix: str, frame: str, point: str) -> Rename:
    fixed = {"N": frame, "O": point, "pi": "pi", "t": "t"}
    return lambda name: fixed.get(name) or f"{prefix}_{name}"


def _renamed_spec(spec: Spec, prefix: str, frame: str, point: str) -> Spec:
    rename = _rename(prefix, frame, point)
    tables: dict[str, Any] = {table: _renamed(getattr(spec, table), rename) for table in TABLES}
    places = {(table, rename(key)): place for (table, key), place in spec.places.items() if table in TABLES and key}
    return replace(spec, **tables, places=places)


def _renamed(value: Any, rename: Rename, naming: bool = False) -> Any:
    """A piece of a spec with every name in it changed."""
    if isinstance(value, Expression):
        return replace(value, node=_renamed_node(value.node, rename))
    if isinstance(value, str):
        return rename(value) if naming else value
    if isinstance(value, tuple):
        return tuple(_renamed(part, rename, naming) for part in value)
    if isinstance(value, Mapping):
        return {key: _renamed(part, rename, naming) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value)]
        return replace(value, **{name: _renamed(getattr(value, name), rename, name in _NAMES) for name in fields})
    return value


def _renamed_node(node: Node, rename: Rename) -> Node:
    match node:
        case Name(name=name):
            return replace(node, name=rename(name))
        case AxisOf(frame=frame):
            return replace(node, frame=rename(frame))
        case Negative(operand=operand):
            return replace(node, operand=_renamed_node(operand, rename))
        case Binary(left=left, right=right):
            return replace(node, left=_renamed_node(left, rename), right=_renamed_node(right, rename))
        case Call(function=function, arguments=arguments):
            changed = tuple(_renamed_node(argument, rename) for argument in arguments)
            if function == "position" and len(changed) == 1:
                changed = (*changed, Name(rename("O"), node.at))
            return replace(node, arguments=changed)
    return node
