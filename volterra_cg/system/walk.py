"""Walks over expressions in which a part may occur many times: each is visited once."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Basic, Symbol


def parts(*expressions: Basic, seen: set[Basic] | None = None) -> Iterator[Basic]:
    """Every part of expressions, themselves among them, once; those in `seen`, which grows, are left out."""
    known: set[Basic] = set() if seen is None else seen
    waiting = list(expressions)
    while waiting:
        part = waiting.pop()
        if part not in known:
            known.add(part)
            yield part
            waiting.extend(part.args)


def symbols(expression: Basic) -> set[Symbol]:
    """The symbols of an expression, as sympy's `free_symbols`."""
    return {part for part in parts(expression) if part.is_Symbol}
