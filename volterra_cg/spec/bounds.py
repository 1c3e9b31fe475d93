"""How much a spec may hold: the one table of such limits, which an environment variable raises."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

from volterra_cg.errors import OptionError

VARIABLE = "VOLTERRA_CG_LIMITS"


@dataclass(frozen=True)
class Bound:
    """A limit: so many of `what`."""

    name: str
    value: int
    what: str


TABLE = (
    Bound("megabytes", 32, "size of a spec with all that it includes"),
    Bound("lines", 1_000_000, "lines of a file"),
    Bound("entries", 100_000, "keys, tables and items of lists in a file"),
    Bound("nesting", 16, "lists and tables inside one another; names in a dotted key"),
    Bound("digits", 4_000, "digits of a number, also of one such as 3**100"),
    Bound("exponent", 400, "the largest power"),
    Bound("characters", 20_000, "characters of an expression"),
    Bound("operations", 200, "operations in a row or inside one another in an expression"),
    Bound("parts", 100, "included specs, with those that they include"),
    Bound("part_depth", 8, "specs that include one another in a row"),
    Bound("mistakes", 100, "mistakes reported at once"),
)
_NAMES = ", ".join(row.name for row in TABLE)


def bound(name: str) -> int:
    """The limit of this name."""
    return _chosen(os.environ.get(VARIABLE, ""))[name]


def raised_by(name: str) -> str:
    """How a user raises a limit, for the remedy of a problem."""
    return f"{VARIABLE}={name}=N raises the limit"


@lru_cache(maxsize=8)
def _chosen(text: str) -> dict[str, int]:
    limits = {row.name: row.value for row in TABLE}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (part.strip() for part in entry.partition("="))
        if name not in limits or not (value.isascii() and value.isdigit() and 0 < len(value) <= 12):
            raise OptionError(f"{VARIABLE} is NAME=NUMBER,... with names of {_NAMES}, which {entry!r} is not")
        limits[name] = int(value)
    return limits


def markdown() -> str:
    """The table of limits for the docs."""
    rows = [f"| `{row.name}` | {row.value:,} | {row.what} |" for row in TABLE]
    return "\n".join(["| limit | value | of |", "|---|---|---|", *rows])
