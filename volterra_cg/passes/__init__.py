"""Passes: each takes a program and returns one of the same values with fewer operations.

| pass           | from level | what it does                                                            |
|----------------|------------|-------------------------------------------------------------------------|
| merge          | 1          | nodes of equal meaning become one                                       |
| invariance     | 3          | inputs that a node only seems to depend on are set to zero              |
| factor through | 3          | like terms over coefficients of parameters alone, common factors        |
| factor pairs   | 3          | the same, through sums of two terms that only sums use                  |
| share          | 3          | what several sums or products have in common is computed once           |
| powers         | 1          | powers above the third become squares                                   |
| prepare        | 0          | arithmetic of parameters alone is done once per parameter set           |

`differentiate` makes the functions that are derivatives of others, once their form is found.
Those of level 3 are moves of a search (`beam`), which keeps the cheapest program it meets: alone, one may add operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from volterra_cg.passes import beam
from volterra_cg.passes.differentiate import differentiate, together
from volterra_cg.passes.factor import factor_pairs, factor_through
from volterra_cg.passes.invariance import invariance
from volterra_cg.passes.merge import merge
from volterra_cg.passes.powers import powers
from volterra_cg.passes.prepare import prepare
from volterra_cg.passes.share import share
from volterra_cg.program.cost import of_entry
from volterra_cg.program.types import Program, Slopes

LEVELS = 4
SEARCH = 3  # the level from which on forms are searched


@dataclass(frozen=True)
class Pass:
    """A pass by name; it runs from a level of optimisation on. An optional one is a move of the search."""

    name: str
    level: int
    run: Callable[[Program], Program]
    optional: bool = False


PASSES = (
    Pass("merge", 1, merge),
    Pass("invariance", SEARCH, invariance, optional=True),
    Pass("factor through", SEARCH, factor_through, optional=True),
    Pass("factor pairs", SEARCH, factor_pairs, optional=True),
    Pass("share", SEARCH, share, optional=True),
    Pass("powers", 1, powers),
    Pass("prepare", 0, prepare),
)
FIRST = (invariance, factor_through)  # what the search begins with
MOVES = {step.name: step.run for step in PASSES if step.optional and step.run not in FIRST}


@dataclass(frozen=True)
class Optimised:
    """The cheapest of several programs of equal meaning, and the operations of rhs on the way to it and in the others."""

    name: str
    program: Program
    history: Mapping[str, int]
    tried: Mapping[str, int]


def optimise(program: Program, level: int = LEVELS - 1) -> Program:
    """The program after the passes of a level."""
    return optimise_best({"": program}, level).program


def optimise_best(programs: Mapping[str, Program], level: int, slopes: Sequence[Slopes] = ()) -> Optimised:
    """The cheapest of several programs of equal meaning, after the passes of a level, with the derivatives asked for."""
    merged = {name: merge(program) for name, program in programs.items()} if level else dict(programs)
    has_rhs = all(any(entry.name == beam.RHS for entry in program.entries) for program in merged.values())
    if not has_rhs:
        ((name, program),) = merged.items()
        return Optimised(name, prepare(powers(program)), {}, {})
    best, tried = beam.cheapest(merged, MOVES if level >= SEARCH else {})
    history = {"derived": _operations(programs[best.name]), "merge": _operations(merged[best.name])}
    history |= {f"{k}. {label}": cost for k, (label, cost) in enumerate(best.trail, start=1)}
    found = beam.joined(merged[best.name], best.program)
    parts = [_finished(part, level) for part in (found, *(differentiate(found, s, level) for s in slopes))]
    program = together(parts[0], parts[1:])
    history["prepare"] = _operations(program)
    return Optimised(best.name, program, history, tried | {best.name: history["prepare"]})


def _finished(program: Program, level: int) -> Program:
    return prepare(powers(program) if level else program)


def _operations(program: Program) -> int:
    return of_entry(program, beam.RHS).total
