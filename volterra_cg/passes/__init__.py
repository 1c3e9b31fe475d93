"""Passes: each takes a program and returns one of the same values with fewer operations.

`PASSES` says which there are, from which level of optimisation each runs and when; the search (`beam`), the docs and the tests
are made from it. A new one is a module and a row. `differentiate` makes the functions that are derivatives of others, once
their form is found.
"""

from __future__ import annotations

import enum
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
from volterra_cg.passes.turn_back import turn_back
from volterra_cg.program.cost import instructions, of_entry
from volterra_cg.program.types import Program, Slopes

LEVELS = 4


class When(enum.Enum):
    """When a pass runs. Those of the search may add operations: it keeps the cheapest program it meets."""

    BEFORE = "before the search, on every program"
    FREEING = "first in the search, kept where it lowers the cost"
    OPENING = "in the search, on the cheapest elimination orders before they are shared"
    BESIDE = "in the search, on the cheapest elimination orders, followed too where it is cheapest once shared"
    MOVE = "in the search, on the cheapest programs met"
    AFTER = "after the search, on the program that is kept"


@dataclass(frozen=True)
class Pass:
    """A pass by name, the level of optimisation from which on it runs, when it does, and an example for the docs."""

    name: str
    level: int
    when: When
    run: Callable[[Program], Program]
    example: tuple[str, str]

    @property
    def is_searched(self) -> bool:
        """Whether it is part of the search, and so need not lower the cost by itself."""
        return self.when in (When.FREEING, When.OPENING, When.BESIDE, When.MOVE)


PASSES = (
    Pass("merge", 1, When.BEFORE, merge, (
        "`cos(phi)**2*cos(theta) + sin(phi)**2*cos(theta)` beside `cos(theta)`",
        "`cos(theta)` alone: equal fingerprints are one node",
    )),
    Pass("invariance", 3, When.FREEING, invariance, (
        "`m*cos(x)**2 + m*sin(x)**2`",
        "`m`: computed as if x were zero, since x does not matter",
    )),
    Pass("factor through", 3, When.OPENING, factor_through, (
        "`Izz*w*v - Iyy*v*w + m*a*x + m*a*y`",
        "`(Izz - Iyy)*(w*v) + (m*a)*(x + y)`; a multiple by parameters, as `k = m*s`, is opened even where it is shared",
    )),
    Pass("turn back", 3, When.BESIDE, turn_back, (
        "`c*(c*a - s*b + d) + s*(s*a + c*b + e)` with `c = cos(x)` and `s = sin(x)`",
        "`c*d + s*e + a`: what is turned by an angle and back again is as it was",
    )),
    Pass("factor pairs", 3, When.MOVE, factor_pairs, (
        "`d = a + b` shared by the sums `d + c` and `d - a`",
        "opened: `a + b + c` and `b`, where sums alone use it",
    )),
    Pass("share", 3, When.MOVE, share, (
        "`l*s1*c2*w**2 - l*c1*s2*w**2` beside `m*s1*c2*v - m*c1*s2*v`",
        "`l*w**2*d` and `m*v*d` with `d = s1*c2 - c1*s2`",
    )),
    Pass("powers", 1, When.AFTER, powers, (
        "`x**6`",
        "`(x**2)**2 * x**2` with `x**2` computed once",
    )),
    Pass("prepare", 0, When.AFTER, prepare, (
        "`m*l*sin(theta)/2 + m*g`",
        "`w0*sin(theta) + w1`, with `w0 = m*l/2` and `w1 = m*g` computed when parameters are set",
    )),
)  # fmt: skip


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
    chosen = _chosen(level)
    before, after = chosen[When.BEFORE], chosen[When.AFTER]
    ready = {name: _through(before, program) for name, program in programs.items()}
    if not all(any(entry.name == beam.RHS for entry in program.entries) for program in ready.values()):
        ((name, program),) = ready.items()
        return Optimised(name, _through(after, program), {}, {})
    moves = _moves(chosen)
    ways, tried = beam.cheapest(ready, moves)
    best = min(ways, key=lambda way: _taken(_through(after, way.program))) if len(ways) > 1 else ways[0]
    history = {"derived": _operations(programs[best.name])}
    history |= dict.fromkeys([*before][-1:], _operations(ready[best.name]))
    history |= {f"{k}. {label}": cost for k, (label, cost) in enumerate(best.trail, start=1)}
    found = beam.joined(ready[best.name], best.program)
    derivatives = [differentiate(found, s, merged=bool(before), shared=bool(moves.again)) for s in slopes]
    program = together(_through(after, found), [_through(after, part) for part in derivatives])
    taken = _operations(program)
    history |= dict.fromkeys([*after][-1:], taken)
    return Optimised(best.name, program, history, tried | {best.name: taken})


def outlook(program: Program) -> int:
    """About how many operations rhs will take: what the first round of the search finds."""
    return beam.outlook(program, _moves(_chosen(LEVELS - 1)))


def _chosen(level: int) -> dict[When, dict[str, Callable[[Program], Program]]]:
    """The passes of a level, by when they run."""
    return {
        when: {step.name: step.run for step in PASSES if step.when is when and step.level <= level} for when in When
    }


def _moves(chosen: Mapping[When, Mapping[str, Callable[[Program], Program]]]) -> beam.Moves:
    return beam.Moves(chosen[When.FREEING], chosen[When.OPENING], chosen[When.BESIDE], chosen[When.MOVE])


def _through(steps: Mapping[str, Callable[[Program], Program]], program: Program) -> Program:
    """The program after some passes, in the order of the table."""
    for run in steps.values():
        program = run(program)
    return program


def _taken(program: Program) -> tuple[int, int]:
    """Operations of rhs, and what is left of them after fusing."""
    return _operations(program), instructions(program, beam.RHS)


def _operations(program: Program) -> int:
    return of_entry(program, beam.RHS).total


def markdown() -> str:
    """The table of the docs."""
    lines = ["| pass | from level | when | before | after |", "|---|---|---|---|---|"]
    lines += [f"| {p.name} | {p.level} | {p.when.value} | {p.example[0]} | {p.example[1]} |" for p in PASSES]
    return "\n".join(lines)
