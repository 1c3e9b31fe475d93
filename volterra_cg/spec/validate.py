"""From data to the shape of a spec; what does not fit is reported and left out, so that the rest can be checked."""

from __future__ import annotations

import copy
import difflib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from volterra_cg.errors import Problem, SpecError
from volterra_cg.spec import schema
from volterra_cg.spec.bounds import bound
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.source import Source

_STAND_INS: dict[str, Any] = {"schema": schema.SCHEMA_VERSION, "name": "unnamed"}
_SOMETHING: dict[str, Any] = {  # in place of keys that an entity cannot do without
    "mass": 1, "value": 1, "vector": [1, 0, 0], "stiffness": 1, "damping": 1, "force": 1, "when": "t",
}  # fmt: skip
_IN_TABLE: dict[KeyPath, str] = {  # the same, for keys of one table
    ("forces", "at"): "O",
    ("torques", "on"): "N",
    ("outputs", "vector"): "N.x",
}
_NEEDED = {
    "bool_type": "true or false is needed here",
    "string_type": "a text in quotes is needed here",
    "list_type": "a list [...] is needed here",
    "tuple_type": "a list [...] is needed here",
    "dict_type": "a table is needed here",
    "model_type": "a table { ... } is needed here",
}


@dataclass(frozen=True)
class Validated:
    """What fits the schema, the problems of what does not, and the names that were left out, by table."""

    document: schema.Document
    problems: tuple[Problem, ...] = ()
    left_out: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def validate(source: Source) -> Validated:
    """Check data against the schema; what is wrong is left out of the result."""
    data = copy.deepcopy(source.data)
    problems: list[Problem] = []
    left_out: dict[str, set[str]] = defaultdict(set)
    replaced: set[KeyPath] = set()  # keys whose values were wrong
    while True:
        try:
            return Validated(schema.Document.model_validate(data), tuple(problems), left_out)
        except ValidationError as error:
            before = frozenset(replaced)
            for detail in error.errors(include_url=False):
                if detail["loc"][:3] not in before:
                    problems.append(_problem(source, detail))
                if len(problems) >= bound("mistakes"):
                    raise SpecError(problems) from None
                _leave_out(data, detail, left_out, replaced, before)


def _problem(source: Source, detail: ErrorDetails) -> Problem:
    kind, path = detail["type"], detail["loc"]
    if path and path[-1] == "[key]":
        path, kind = path[:-1], "key"
    if kind == "missing":
        where = f"{path[0]}.{path[1]}" if len(path) > 2 else "the spec"
        return source.problem(source.key_place(path[:-1]), f"'{path[-1]}' is missing in {where}", _missing_remedy(path))
    if kind == "extra_forbidden":
        return source.problem(source.key_place(path), f"unknown key '{path[-1]}'", _key_remedy(path))
    place = source.key_place(path) if kind == "key" else source.value_place(path)
    context = detail.get("ctx", {})
    message = str(context.get("message", "")) or _NEEDED.get(kind, "") or _literal(detail)
    return source.problem(place, message, str(context.get("remedy", "")))


def _literal(detail: ErrorDetails) -> str:
    expected = detail.get("ctx", {}).get("expected")
    return f"one of {expected} is needed here" if expected else detail["msg"]


def _missing_remedy(path: KeyPath) -> str:
    examples = {"schema": "schema = 1", "name": 'name = "my_mechanism"', "mass": 'mass = "m"', "center": 'center = "G"'}
    examples["when"] = 'when = "y - radius"'
    example = examples.get(str(path[-1]), "")
    return f"e.g. {example}" if example else ""


def _key_remedy(path: KeyPath) -> str:
    known = [field.alias or name for name, field in _table_at(path[:-1]).model_fields.items()]
    close = difflib.get_close_matches(str(path[-1]), known, n=1)
    return f"did you mean '{close[0]}'?" if close else f"known here: {', '.join(known)}"


def _table_at(path: KeyPath) -> type[schema.Table]:
    """The table of the schema that stands at a path, or the nearest one around it."""
    table: type[schema.Table] = schema.Document
    keys = iter(path)
    for key in keys:
        annotations = {field.alias or name: field.annotation for name, field in table.model_fields.items()}
        inner = next(_tables_in(annotations.get(str(key))), None)
        if inner is None:
            break
        table = inner
        if get_origin(annotations[str(key)]) is dict:
            next(keys, None)  # the name of an entity
    return table


def _tables_in(annotation: Any) -> Iterator[type[schema.Table]]:
    if isinstance(annotation, type) and issubclass(annotation, schema.Table):
        yield annotation
    for part in get_args(annotation):
        yield from _tables_in(part)


def _leave_out(
    data: dict[str, Any],
    detail: ErrorDetails,
    left_out: dict[str, set[str]],
    replaced: set[KeyPath],
    before: frozenset[KeyPath],
) -> None:
    """Take out what is wrong: a key of an entity, so that its others are checked, or the entity if it cannot do without."""
    path = detail["loc"]
    if path[0] in _STAND_INS:
        data[str(path[0])] = _STAND_INS[str(path[0])]
    elif detail["type"] != "extra_forbidden" or not _remove(data, path):
        if len(path) > 1:
            left_out[str(path[0])].add(str(path[1]))
        table = data.get(str(path[0]))
        entry = table.get(path[1]) if isinstance(table, dict) and len(path) > 2 else None
        if not isinstance(entry, dict) or path[:3] in before or path[-1] == "[key]":
            _remove(data, path[:2])
            return
        replaced.add(path[:3])
        stand_in = _stand_in(str(path[0]), str(path[2]), entry)
        if stand_in is None:
            entry.pop(path[2], None)
        else:
            entry[path[2]] = stand_in


def _stand_in(table: str, key: str, entry: dict[str, Any]) -> Any:
    """What to go on with in place of a wrong value, so that the other keys of its entry have a meaning; None for nothing."""
    if (table, key) == ("joints", "orientation"):
        return "quaternion" if entry.keys() & {"attitude", "spin"} else None
    if (table, key) == ("outputs", "as"):
        return "angles" if "sequence" in entry else None
    return _IN_TABLE.get((table, key)) or _SOMETHING.get(key)


def _remove(data: Any, path: KeyPath) -> bool:
    """Whether a key was there, and is taken out; one thing alone may stand for a list of it."""
    for part in path[:-1]:
        if isinstance(data, list) and isinstance(part, int):
            data = data[part]
        elif isinstance(data, dict) and not isinstance(part, int):
            data = data.get(part)
    return isinstance(data, dict) and data.pop(path[-1], None) is not None
