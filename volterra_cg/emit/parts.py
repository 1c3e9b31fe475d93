"""Long functions in parts: compilers take more than twice as long for a function of twice the length.

The parts run one after another. What one computes and a later one needs goes through `scratch`; inputs are read again. An
array stays within one part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST = 60_000  # characters of a part, about a thousand statements

_VALUE = re.compile(r"const double (\w+) = (.*);")
_ARRAY = re.compile(r"(?:double|int) (\w+)\[")
_READ = re.compile(r"\w+(\[\d+\])?")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


@dataclass(frozen=True)
class Parts:
    """The bodies of the parts of a function, and how many doubles of scratch they need."""

    bodies: tuple[str, ...]
    scratch: int


def in_parts(body: str, longest: int = LONGEST) -> Parts:
    """A body of statements, one a line, as the bodies of functions to be called in turn."""
    if len(body) <= longest:
        return Parts((body,), 0)
    pieces = _cut(body.splitlines(), longest)
    made = [_values(piece) for piece in pieces]
    home = {name: number for number, values in enumerate(made) for name in values}
    needed = [
        sorted(name for name in _names(piece) if home.get(name, number) < number) for number, piece in enumerate(pieces)
    ]
    reads = {name: text for values in made for name, text in values.items() if _READ.fullmatch(text)}
    slots = {name: k for k, name in enumerate(sorted({n for names in needed for n in names if n not in reads}))}
    bodies = []
    for number, piece in enumerate(pieces):
        lines = [
            f"    const double {n} = {reads[n] if n in reads else f'scratch[{slots[n]}]'};" for n in needed[number]
        ]
        lines += piece
        kept = [name for name in made[number] if name in slots]
        lines += [f"    scratch[{slots[name]}] = {name};" for name in kept]
        bodies.append("\n".join(lines if number == len(pieces) - 1 else [*lines, "    return 0;"]))
    return Parts(tuple(bodies), len(slots))


def _cut(lines: Sequence[str], longest: int) -> list[list[str]]:
    """The lines in stretches of bounded length, none of which ends while an array is in use."""
    last = {}
    arrays = {match[1] for line in lines if (match := _ARRAY.match(line.strip()))}
    for number, line in enumerate(lines):
        last.update(dict.fromkeys(arrays.intersection(_NAME.findall(line)), number))
    pieces: list[list[str]] = [[]]
    length, busy = 0, -1
    for number, line in enumerate(lines):
        if length > longest and number > busy:
            pieces.append([])
            length = 0
        pieces[-1].append(line)
        length += len(line)
        busy = max([busy, *(last[name] for name in arrays.intersection(_NAME.findall(line)))])
    return pieces


def _values(lines: Sequence[str]) -> dict[str, str]:
    """What is declared in some lines, as texts by name."""
    return {match[1]: match[2] for line in lines if (match := _VALUE.match(line.strip()))}


def _names(lines: Sequence[str]) -> set[str]:
    return {name for line in lines for name in _NAME.findall(line)}
