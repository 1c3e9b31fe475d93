"""Joints whose type or child cannot be read: the names in the rest of them are checked all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from volterra_cg.spec import names
from volterra_cg.spec.entities import INERTIAL_FRAME
from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.names import Context
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import Reading

_CONTEXTS: Mapping[str, Context] = {
    "at": names.CONSTANT,
    "rotate": names.CONSTANT,
    "axis": names.CONSTANT,
    "axes": names.CONSTANT,
    "center": names.CONSTANT,
    "initial": names.INITIAL,
    "rate": names.INITIAL,
    "attitude": names.INITIAL,
    "spin": names.INITIAL,
    "spring": names.CONSTANT,
    "damper": names.CONSTANT,
    "friction": names.LOAD,
    "actuator": names.LOAD,
    "armature": names.CONSTANT,
}
_WORDS = ("sequence", *AXES)  # keys and values in which there are no names


def check(reading: Reading) -> None:
    """Note unknown names in joints that were left out."""
    for joint in reading.lost.keys() - reading.document.joints.keys():
        path: KeyPath = ("joints", joint)
        given = reading.lost[joint]
        for key in ("parent", "child"):
            if isinstance(given.get(key), str) and (key, given[key]) != ("parent", INERTIAL_FRAME):
                reading.body((*path, key), given[key])
        if isinstance(given.get("at"), str):
            reading.point((*path, "at"), given["at"])
        for key, context in _CONTEXTS.items():
            alone = key in ("at", "attitude") and isinstance(given.get(key), str)
            for place, text in () if alone else _texts((*path, key), given.get(key)):
                reading.expression(place, text, context)


def _texts(path: KeyPath, value: Any) -> Iterator[tuple[KeyPath, str]]:
    """The expressions in a value, and where each stands."""
    if isinstance(value, str) and value not in _WORDS:
        yield path, value
    elif isinstance(value, list | dict):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in _WORDS:
                yield from _texts((*path, key), part)
