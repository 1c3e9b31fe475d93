"""Passes: each takes a program and returns one of the same values with fewer operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from volterra_cg.passes.factor import factor
from volterra_cg.passes.invariance import invariance
from volterra_cg.passes.merge import merge
from volterra_cg.passes.powers import powers
from volterra_cg.passes.prepare import prepare
from volterra_cg.program.types import Program

LEVELS = 4
Listener = Callable[[str, Program], None]


@dataclass(frozen=True)
class Pass:
    """A pass by name; it runs from a level of optimisation on."""

    name: str
    level: int
    run: Callable[[Program], Program]


PASSES = (
    Pass("merge", 1, merge),
    Pass("invariance", 3, invariance),
    Pass("factor", 3, factor),
    Pass("merge again", 3, merge),
    Pass("powers", 1, powers),
    Pass("prepare", 0, prepare),
)


def optimise(program: Program, level: int = LEVELS - 1, listener: Listener | None = None) -> Program:
    """Run the passes of a level in order; a listener hears the name of each and the program after it."""
    for step in PASSES:
        if step.level <= level:
            program = step.run(program)
            if listener:
                listener(step.name, program)
    return program
