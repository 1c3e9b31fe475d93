"""The search over sequences of passes: the best few programs are followed, and the cheapest one met is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from volterra_cg.passes.factor import factor_through
from volterra_cg.passes.invariance import invariance
from volterra_cg.passes.merge import merge
from volterra_cg.program.cost import foreseen
from volterra_cg.program.nodes import Node, topological
from volterra_cg.program.types import Check, Program

ROUNDS = 2  # how often all moves are tried on the programs that are followed
WIDTH = 2  # how many programs are followed
LARGE = 1500  # nodes; a larger program gets the first round only
RHS = "rhs"

Move = Callable[[Program], Program]


@dataclass(frozen=True)
class Candidate:
    """One function of the program of a name, what it will cost, and the moves that led to it with the cost after each."""

    name: str
    program: Program
    cost: int
    trail: tuple[tuple[str, int], ...] = ()

    def after(self, label: str, program: Program) -> Candidate:
        """The candidate that a move leads to."""
        cost = foreseen(program.entry(RHS).results)
        return Candidate(self.name, program, cost, (*self.trail, (label, cost)))


def cheapest(programs: Mapping[str, Program], moves: Mapping[str, Move]) -> tuple[Candidate, dict[str, int]]:
    """The cheapest form of rhs among programs of equal meaning, and the least cost met for each of them."""
    starts = sorted((_start(name, program) for name, program in programs.items()), key=_cost)  # of a tie the first wins
    starts = [_freed(start) for start in starts] if moves else starts
    first = [s.after("factor through", merge(factor_through(s.program))) for s in starts] if moves else []
    met = [*starts, *first]
    followed = _best(first)
    for _ in range(ROUNDS):
        made = [
            c.after(label, merge(move(c.program)))
            for c in followed
            if not _is_large(c)
            for label, move in moves.items()
        ]
        met += made
        followed = _best(made)
    least: dict[str, int] = {}
    for candidate in met:
        least[candidate.name] = min(candidate.cost, least.get(candidate.name, candidate.cost))
    return min(met, key=_cost), least


def _start(name: str, program: Program) -> Candidate:
    alone = replace(program, entries=(program.entry(RHS),))
    return Candidate(name, alone, foreseen(alone.entry(RHS).results))


def _cost(candidate: Candidate) -> int:
    return candidate.cost


def _freed(start: Candidate) -> Candidate:
    """A start after invariance, where that makes it cheaper."""
    if _is_large(start):
        return start
    freed = start.after("invariance", merge(invariance(start.program)))
    return freed if freed.cost < start.cost else start


def _is_large(candidate: Candidate) -> bool:
    return len(topological(candidate.program.roots)) > LARGE


def _best(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The cheapest few, each program once."""
    different: dict[tuple[Node, ...], Candidate] = {}
    for candidate in candidates:
        different.setdefault(candidate.program.entry(RHS).results, candidate)
    return sorted(different.values(), key=_cost)[:WIDTH]


def joined(program: Program, best: Program) -> Program:
    """A program with rhs in the form that was found; the divisors of that form are watched too."""
    entries = tuple(best.entry(RHS) if entry.name == RHS else entry for entry in program.entries)
    pairs = zip(program.checks, best.checks, strict=True)
    changed: list[Check] = [new for old, new in pairs if old.divisor is not new.divisor]
    return replace(program, entries=entries, checks=(*program.checks, *changed))
