"""Passes: each takes a program and returns one of the same values with fewer operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from volterra_cg.passes.factor import factor, factor_pairs, factor_through
from volterra_cg.passes.invariance import invariance
from volterra_cg.passes.merge import merge
from volterra_cg.passes.powers import powers
from volterra_cg.passes.prepare import prepare
from volterra_cg.program.cost import foreseen
from volterra_cg.program.nodes import topological
from volterra_cg.program.types import Check, Program

LEVELS = 4
ROUNDS = 3  # how often the optional passes are tried
BEAM = 2  # how many programs are followed
LARGE = 1500  # nodes; a larger function gets one round
RHS = "rhs"
Listener = Callable[[str, Program], None]


@dataclass(frozen=True)
class Pass:
    """A pass by name; it runs from a level of optimisation on. An optional one is kept only where it lowers the cost."""

    name: str
    level: int
    run: Callable[[Program], Program]
    optional: bool = False
    first: bool = False  # tried before the others and not again


PASSES = (
    Pass("merge", 1, merge),
    Pass("invariance", 3, invariance, optional=True, first=True),
    Pass("factor", 2, factor, optional=True),
    Pass("factor through", 3, factor_through, optional=True),
    Pass("factor pairs", 3, factor_pairs, optional=True),
    Pass("powers", 1, powers),
    Pass("prepare", 0, prepare),
)


def optimise(program: Program, level: int = LEVELS - 1, listener: Listener | None = None) -> Program:
    """Run the passes of a level in order; a listener hears the name of each and the program after it.

    Functions share nothing at run time but prepared values, so the one that matters takes the optional passes on its own.
    """
    passes = [step for step in PASSES if step.level <= level]
    for step in passes:
        if step.optional:
            continue
        if step.name == "powers":
            program = _searched(program, [s for s in passes if s.optional], listener)
        program = step.run(program)
        if listener:
            listener(step.name, program)
    return program


def _searched(program: Program, passes: list[Pass], listener: Listener | None) -> Program:
    """Try sequences of the optional passes on rhs, following the best few, and keep the cheapest program met."""
    if not passes or RHS not in [entry.name for entry in program.entries]:
        return program
    best = replace(program, entries=(program.entry(RHS),))
    least = _cost(best)
    large = is_large(best)
    beam = [best] if large else [best, *(merge(step.run(best)) for step in passes if step.first)]
    for _ in range(1 if large else ROUNDS):
        tried = {}
        for step in (step for step in passes if not step.first):
            for found in (merge(step.run(start)) for start in beam):
                tried[found.entry(RHS).results] = (_cost(found), step, found)
        ranked = sorted(tried.values(), key=lambda item: item[0])[:BEAM]
        beam = [found for _, _, found in ranked]
        if ranked and ranked[0][0] < least:
            least, step, best = ranked[0]
            if listener:
                listener(step.name, best)
        else:
            break
    entries = tuple(best.entry(RHS) if entry.name == RHS else entry for entry in program.entries)
    return replace(program, entries=entries, checks=_joined(program, best))


def is_large(program: Program) -> bool:
    """Whether a program is too large for a search."""
    return len(topological(program.roots)) > LARGE


def _joined(program: Program, best: Program) -> tuple[Check, ...]:
    """The divisors of rhs as they have become, beside those of the other functions."""
    changed = [new for old, new in zip(program.checks, best.checks, strict=True) if old.divisor is not new.divisor]
    return (*program.checks, *changed)


def _cost(program: Program) -> int:
    return foreseen(program.entry(RHS).results)
