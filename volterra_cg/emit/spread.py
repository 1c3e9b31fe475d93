"""The functions of a large model over several C files, which can be compiled at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LONGEST = 100_000  # characters of a file, those of functions with two forms twice; a model up to this is one file
SHORT = 20_000  # characters of a function that stays in the file of the model

Piece = tuple[dict[str, Any], int]  # a function of the C template, and which of its pieces, from 0


def spread(functions: Sequence[dict[str, Any]], longest: int = LONGEST) -> list[list[Piece]]:
    """What goes into further files, file by file, in order; nothing if the model is short."""
    if sum(map(_length, functions)) <= longest:
        return []
    found: list[list[Piece]] = []
    length = longest
    for function in functions:
        for number in range(len(function["pieces"])) if _moves(function) else ():
            if length >= longest:
                found.append([])
                length = 0
            found[-1].append((function, number))
            length += _length(function, number)
    return found


def _moves(function: dict[str, Any]) -> bool:
    """Whether a function is long or in pieces, and calls no other."""
    return not function["limited"] and (len(function["pieces"]) > 1 or _length(function) > SHORT)


def _length(function: dict[str, Any], number: int | None = None) -> int:
    pieces = function["pieces"] if number is None else [function["pieces"][number]]
    return sum(len(piece["body"]) for piece in pieces) * (2 if function["forms"] else 1)
