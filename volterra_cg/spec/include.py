"""Other specs as parts of this one: their names get a prefix, their N and O become a frame and a point of this spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar, assert_never

from volterra_cg.errors import LimitError, NotToml, Place, Problem, SpecError
from volterra_cg.spec import names, schema
from volterra_cg.spec.bounds import bound, raised_by
from volterra_cg.spec.entities import FIXED_POINT, INERTIAL_FRAME, Coordinate, Mechanism, Parameter
from volterra_cg.spec.expressions import AxisOf, Binary, Call, Name, Negative, Node, Number, is_derived
from volterra_cg.spec.files import Files, Refused
from volterra_cg.spec.names import meant
from volterra_cg.spec.places import Places, Spec
from volterra_cg.spec.reading import Carrier, Reading
from volterra_cg.spec.source import Source
from volterra_cg.spec.tree import mapped

# What is the whole's to say; all else a part brings.
_WHOLE = {"name", "about", "ignorable", "work", "gravity", "quasi_velocities", "project", "simulation"}
TABLES = tuple(field.name for field in fields(Mechanism) if field.name not in _WHOLE)
Rename = Callable[[str], str]
ReadFile = Callable[[Path], Spec]
T = TypeVar("T")


@dataclass
class Way:
    """How the reader came to a spec: the files that include it, the first of all before; `count` is of all parts so far."""

    files: Files
    above: list[Path] = field(default_factory=list)
    count: int = 0


def parts(
    source: Source, given: Mapping[str, schema.Include], way: Way, read: ReadFile
) -> tuple[dict[str, Spec], list[Problem]]:
    """The included specs by their prefix, as they are, and what is wrong with them."""
    found: dict[str, Spec] = {}
    problems: list[Problem] = []
    for prefix, entry in given.items():
        place = source.value_place(("include", prefix, "spec"))
        try:
            found[prefix] = _part(source, place, entry.spec, way, read)
        except LimitError:
            raise
        except NotToml as error:  # what is in it may be nobody's business
            first = error.problems[0].place
            message = f"'{entry.spec}' is not valid TOML in line {first.line}, column {first.column}"
            problems.append(source.problem(place, message, "check it by itself to see what is wrong"))
        except SpecError as error:
            problems.extend(error.problems)
            problems.append(source.problem(place, f"'{entry.spec}' has mistakes of its own"))
        except Refused as error:
            problems.append(source.problem(place, str(error.strerror), error.remedy))
        except OSError:
            problems.append(
                source.problem(place, f"there is no spec '{entry.spec}'", "paths are relative to this file")
            )
    return found, problems


def _part(source: Source, place: Place, name: str, way: Way, read: ReadFile) -> Spec:
    path = way.files.named(Path(source.file), name)
    if path.resolve() in way.above:
        raise Refused(f"'{name}' includes itself", "a mechanism is no part of itself")
    way.count += 1
    for limit, count, what in (("part_depth", len(way.above), "in a row"), ("parts", way.count, "in all")):
        if count > bound(limit):
            message = f"more than {bound(limit)} specs are included {what}"
            raise LimitError([source.problem(place, message, f"put them in fewer files; {raised_by(limit)}")])
    return read(path)


def attached(reading: Reading) -> tuple[Mechanism[Node], ...]:
    """The parts under their names in the whole, with what the whole sets in them."""
    found = []
    here = {prefix: given for prefix, given in reading.document.include.items() if prefix in reading.parts}
    for prefix, given in here.items():
        reading.bodies |= _bodies(reading.parts[prefix], _rename(prefix, given.frame, given.point))
    for prefix, given in here.items():
        path = ("include", prefix)
        frame = reading.frame((*path, "frame"), given.frame)
        point = reading.point((*path, "point"), given.point)
        part = renamed(reading.parts[prefix], _rename(prefix, frame, point))
        part = replace(part, parameters=_set(reading, prefix, part), coordinates=_started(reading, prefix, part))
        found.append(part)
    return tuple(found)


def _bodies(part: Mechanism[Node], rename: Rename) -> dict[str, Carrier]:
    """The bodies of a part, and what they stand for, under their names in the whole."""
    found = [renamed((body.name, body.center, body.frame), rename) for body in part.bodies]
    return {name: (center, frame) for name, center, frame in found}


def merged(own: Mechanism[Node], parts: tuple[Mechanism[Node], ...]) -> Mechanism[Node]:
    """The whole: its own entities first, then those of its parts."""
    tables: dict[str, Any] = {
        table: tuple(entity for one in (own, *parts) for entity in getattr(one, table)) for table in TABLES
    }
    return replace(own, **tables)


def merged_places(own: Places, parts: Mapping[str, Places]) -> Places:
    """The places of the whole and, under their names in it, of its parts."""
    entities = {
        (table, f"{prefix}_{name}"): place
        for prefix, part in parts.items()
        for (table, name), place in part.entities.items()
        if table in TABLES and name
    }
    texts = {file: lines for one in (*parts.values(), own) for file, lines in one.texts.items()}
    return Places(own.file, entities | dict(own.entities), texts)


def _set(reading: Reading, prefix: str, part: Mechanism[Node]) -> tuple[Parameter[Node], ...]:
    given = reading.document.include[prefix].set
    known = [parameter.name.removeprefix(f"{prefix}_") for parameter in part.parameters]
    _require_known(reading, prefix, "set", "parameter", given, known)
    found = []
    for name, parameter in zip(known, part.parameters, strict=True):
        if name in given:
            value = reading.expression(("include", prefix, "set", name), given[name], names.CONSTANT)
            derived = is_derived(value)
            parameter = replace(parameter, value=value, derived=derived, fixed=parameter.fixed and not derived)
        found.append(parameter)
    return tuple(found)


def _started(reading: Reading, prefix: str, part: Mechanism[Node]) -> tuple[Coordinate[Node], ...]:
    given = reading.document.include[prefix]
    known = [coordinate.name.removeprefix(f"{prefix}_") for coordinate in part.coordinates]
    found = []
    for key in ("initial", "rate"):
        _require_known(reading, prefix, key, "coordinate", getattr(given, key), known)
    for name, coordinate in zip(known, part.coordinates, strict=True):
        changes: dict[str, Any] = {
            key: reading.expression(("include", prefix, key, name), getattr(given, key)[name], names.INITIAL)
            for key in ("initial", "rate")
            if name in getattr(given, key)
        }
        found.append(replace(coordinate, **changes))
    return tuple(found)


def _require_known(
    reading: Reading, prefix: str, key: str, what: str, given: Mapping[str, object], known: list[str]
) -> None:
    for name in given:
        if name not in known:
            message = f"the part '{prefix}' has no {what} '{name}'"
            reading.wrong(("include", prefix, key, name), message, meant(name, known), key=True)


def _rename(prefix: str, frame: str, point: str) -> Rename:
    fixed = {INERTIAL_FRAME: frame, FIXED_POINT: point, "pi": "pi", "t": "t"}
    return lambda name: fixed.get(name) or f"{prefix}_{name}"


def renamed(entities: T, rename: Rename) -> T:
    """Entities with every name in them changed."""
    found: T = mapped(entities, lambda node: _renamed_node(node, rename), lambda name: type(name)(rename(name)))
    return found


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
                changed = (*changed, Name(rename(FIXED_POINT), node.at))
            return replace(node, arguments=changed)
        case Number():
            return node
    assert_never(node)
