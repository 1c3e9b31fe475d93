"""Statements as text; calls of elementary functions are spelled by sympy.

Compilers take more than twice as long for a function of twice the length, so a long one is cut into pieces that run one after
another; short pieces run faster, too, since compilers keep less on the stack. What one computes and a later one needs goes
through `scratch`; inputs are read where they are needed. An array stays within one piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never

import sympy
from sympy.printing.c import C11CodePrinter

from volterra_cg.emit.statements import (
    Clear,
    Comment,
    Declare,
    Invoke,
    Leave,
    Place,
    Reserve,
    Return,
    Statement,
    Store,
    named,
)

LONGEST = 30_000  # characters of a function that is not cut, about five hundred statements
PIECE = 4_000  # characters of a piece of a longer one
INDENT = "    "
SYMPY_NAMES = {"abs": "Abs", "pow": "Pow"}


@cache
def printer() -> C11CodePrinter:
    """The printer that all functions share."""
    return C11CodePrinter()


def function(name: str, args: list[str]) -> str:
    """A call of an elementary function, as sympy spells it in C."""
    symbols = [sympy.Symbol(arg) for arg in args]
    if name == "sign":
        return f"(double)(({args[0]} > 0.0) - ({args[0]} < 0.0))"
    return str(printer().doprint(getattr(sympy, SYMPY_NAMES.get(name, name))(*symbols)))


def lines(statements: Sequence[Statement]) -> list[str]:
    """Statements as they stand in the body of a function, one a line."""
    return [INDENT + _line(statement) for statement in statements]


def _line(statement: Statement) -> str:
    match statement:
        case Declare():
            return f"const {statement.kind} {statement.name} = {statement.code.text};"
        case Reserve():
            return _reserved(statement)
        case Store():
            return f"{statement.place.code.text} = {statement.value.text};"
        case Clear():
            loop = f"for (int i = {statement.first}; i < {statement.end}; ++i)"
            return f"{loop} {{ {statement.argument}[i] = 0.0; }}"
        case Leave():
            note = f"{{ *where = {statement.number}; return {statement.status}; }}"
            return f"if ({statement.condition.text}) {note}"
        case Invoke():
            return f"{statement.call.text};"
        case Comment():
            return f"/* {statement.text.replace('*/', '* /')} */"
        case Return():
            return "return 0;"
        case _:
            assert_never(statement)


def _reserved(statement: Reserve) -> str:
    size = f"[{statement.size}]" if statement.size else ""
    values = "" if statement.values is None else f" = {{{statement.values.text}}}"
    return f"{statement.kind} {', '.join(name + size for name in statement.variables)}{values};"


@dataclass(frozen=True)
class Piece:
    """The text of a function, or of one piece of a long one, and the names that occur in it."""

    body: str
    names: frozenset[str]


def whole(statements: Sequence[Statement]) -> Piece:
    """A function in one piece."""
    return Piece("\n".join(lines(statements)), _names(statements))


def cut(
    statements: Sequence[Statement], used: int = 0, longest: int = LONGEST, length: int = PIECE
) -> tuple[list[Piece], int]:
    """A function in pieces to be called in turn, and how many doubles of scratch they need; `used` are taken by itself.

    Up to `longest` characters it is one piece; else pieces end after `length`.
    """
    if sum(map(len, lines(statements))) + len(statements) - 1 <= longest:
        return [whole(statements)], used
    given = {s.name: s.value for s in statements if isinstance(s, Declare) and isinstance(s.value, Place)}
    stretches = _stretches([s for s in statements if not (isinstance(s, Declare) and s.name in given)], length)
    made = [[s for s in stretch if isinstance(s, Declare)] for stretch in stretches]
    home = {s.name: number for number, declared in enumerate(made) for s in declared} | dict.fromkeys(given, -1)
    needed = [
        sorted(name for name in _names(stretch) if home.get(name, number) < number)
        for number, stretch in enumerate(stretches)
    ]
    kept = sorted({name for names in needed for name in names if name not in given})
    scratch = {name: Place("scratch", k) for k, name in enumerate(kept, start=used)}
    pieces = []
    for number, stretch in enumerate(stretches):
        before = [Declare(name, given[name] if name in given else scratch[name]) for name in needed[number]]
        after: list[Statement] = [Store(scratch[s.name], named(s.name)) for s in made[number] if s.name in scratch]
        after += [Return()] * (number < len(stretches) - 1)
        pieces.append(whole([*before, *stretch, *after]))
    return pieces, used + len(scratch)


def _stretches(statements: Sequence[Statement], longest: int) -> list[Sequence[Statement]]:
    """What the pieces compute: of bounded length, and none ends while an array is in use."""
    arrays = {name for s in statements if isinstance(s, Reserve) for name in s.variables}
    last = {name: number for number, s in enumerate(statements) for name in arrays & s.names}
    starts, length, busy = [0], 0, -1
    for number, statement in enumerate(statements):
        if length > longest and number > busy:
            starts.append(number)
            length = 0
        length += len(_line(statement))
        busy = max([busy, *(last[name] for name in arrays & statement.names)])
    return [statements[a:b] for a, b in zip(starts, [*starts[1:], len(statements)], strict=True)]


def _names(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset().union(*(statement.names for statement in statements))
