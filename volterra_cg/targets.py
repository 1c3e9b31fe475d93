"""What a mechanism can be made into, in one table: options, help, messages, the docs and tests are made from it.

A new library is a row here and a template, _NAME.c.j2; a new notation for equations is a row here and a class in
emit/equations.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from volterra_cg.errors import OptionError


@dataclass(frozen=True)
class Target:
    """`command`, of the command line, is `build` for what is compiled and `derive` for equations to be read."""

    name: str
    command: str
    about: str


TABLE = (
    Target("module", "build", "a Python package: C, header, Cython wrapper, report and the compiled module"),
    Target("casadi", "build", "a shared library for CasADi's `external`: `rhs`, `start` and their derivatives"),
    Target("text", "derive", "the equations as plain text"),
    Target("latex", "derive", "the equations in LaTeX"),
    Target("mathml", "derive", "the equations in MathML, as a part of an HTML page"),
)
COMPILED = tuple(row.name for row in TABLE if row.command == "build")
EQUATIONS = tuple(row.name for row in TABLE if row.command == "derive")
MODULE, *_OTHERS = COMPILED
LIBRARIES = tuple(_OTHERS)  # a model and an adapter, for programs that are not Python


def require_library(name: str) -> None:
    """Refuse what is no library."""
    if name not in LIBRARIES:
        raise OptionError(f"no library is called {name!r}; there are {', '.join(LIBRARIES)}")


def help_on(command: str) -> str:
    """What `--to` of a command can be."""
    rows = [row for row in TABLE if row.command == command]
    return f"{'; '.join(f'{row.name}: {row.about}' for row in rows)} (default: {rows[0].name})"


def markdown() -> str:
    """The table of the docs."""
    lines = ["| target | what it is | command | Python |", "|---|---|---|---|"]
    for row in TABLE:
        option = "" if row.name in (MODULE, EQUATIONS[0]) else f" --to {row.name}"
        library = f'`vcg.library(path, "{row.name}")`' if row.name in LIBRARIES else ""
        python = "`vcg.compile(path)`" if row.name == MODULE else library
        lines.append(f"| {row.name} | {row.about} | `volterra-cg {row.command} SPEC{option}` | {python} |")
    return "\n".join(lines)
