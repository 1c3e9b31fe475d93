"""The search over sequences of passes: the best few programs are followed, and the cheapest one met is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from volterra_cg.passes.merge import merge
from volterra_cg.program.cost import foreseen
from volterra_cg.program.nodes import Node, topological
from volterra_cg.program.types import Check, Entry, Program

ORDERS = 2  # how many elimination orders are followed
ROUNDS = (2, 1)  # of how many programs all moves are tried, in each round
LARGE = 1500  # nodes; larger programs are shared, but not followed
HOPE = 1.25  # times the least cost up to which a large program is shared at all
RHS = "rhs"

Move = Callable[[Program], Program]


@dataclass(frozen=True)
class Candidate:
    """One function of the program of a name, what it will cost, and the moves that led to it with the cost after each."""

    name: str
    program: Program
    cost: int
    trail: tuple[tuple[str, int], ...] = ()

    def moved(self, label: str, move: Move) -> Candidate:
        """The candidate that a move leads to."""
        program = merge(move(self.program))
        cost = foreseen(program.entry(RHS).results)
        return Candidate(self.name, program, cost, (*self.trail, (label, cost)))


@dataclass(frozen=True)
class Moves:
    """The passes of the search, by name: what is tried first, what may come before sharing, and what is tried again and again.

    What stands beside comes before sharing too, but is followed apart, so that it never costs. The last move is what shares.
    """

    freeing: Mapping[str, Move]
    opening: Mapping[str, Move]
    beside: Mapping[str, Move]
    again: Mapping[str, Move]


def cheapest(programs: Mapping[str, Program], moves: Moves) -> tuple[list[Candidate], dict[str, int]]:
    """The cheapest forms of rhs among programs of equal meaning, as they were met, and the least cost met for each of these."""
    given = sorted((_start(name, program) for name, program in programs.items()), key=_cost)  # of a tie the first wins
    if not moves.again:
        return _cheapest(given), _least(given)
    starts = _different([start for start in given if start.cost <= HOPE * given[0].cost or not _is_large(start)])
    freed = [_freed(start, moves.freeing) for start in starts]
    sharing = list(moves.again.items())[-1]
    shared = [start.moved(*sharing) for start in freed]
    least = _least(shared)
    orders = sorted(least, key=least.__getitem__)[:ORDERS]
    followed = [start for start in freed if start.name in orders]
    opened = [start.moved(*move) for move in moves.opening.items() for start in followed]
    shared += [candidate.moved(*sharing) for candidate in opened]
    met = [*freed, *opened, *_rounds(shared, moves)]
    beside = [start.moved(*move) for move in moves.beside.items() for start in followed if not _is_large(start)]
    others = [candidate.moved(*sharing) for candidate in _different([*freed, *beside])[len(_different(freed)) :]]
    if others and min(map(_cost, others)) < min(map(_cost, shared)):
        met += _rounds(others, moves)
    return _cheapest(met), _least([*given, *met])


def _cheapest(met: Sequence[Candidate]) -> list[Candidate]:
    """Those of the least cost, each program once."""
    least = min(map(_cost, met))
    return _different([candidate for candidate in met if candidate.cost == least])


def _rounds(last: list[Candidate], moves: Moves) -> list[Candidate]:
    """Candidates and all that is met when the best of them are moved again and again."""
    met = list(last)
    for followed in ROUNDS:
        last = [candidate.moved(*move) for candidate in _best(last, followed) for move in moves.again.items()]
        met += last
    return met


def outlook(program: Program, moves: Moves) -> int:
    """What rhs takes after a first round of the search: enough to compare sets of quasi-velocities."""
    start = _freed(_start("", program).moved("", lambda same: same), moves.freeing)
    return start.moved(*list(moves.again.items())[-1]).cost


def _least(candidates: Sequence[Candidate]) -> dict[str, int]:
    """The least cost of each name."""
    least: dict[str, int] = {}
    for candidate in candidates:
        least[candidate.name] = min(candidate.cost, least.get(candidate.name, candidate.cost))
    return least


def _start(name: str, program: Program) -> Candidate:
    results = program.entry(RHS).results
    return Candidate(name, replace(program, entries=(Entry(RHS, results),)), foreseen(results))


def _cost(candidate: Candidate) -> int:
    return candidate.cost


def _freed(start: Candidate, moves: Mapping[str, Move]) -> Candidate:
    """A start after the moves that make it cheaper."""
    if _is_large(start):
        return start
    for move in moves.items():
        start = min(start, start.moved(*move), key=_cost)
    return start


def _is_large(candidate: Candidate) -> bool:
    return len(topological(candidate.program.roots)) > LARGE


def _best(candidates: Sequence[Candidate], count: int) -> list[Candidate]:
    """The cheapest few that are not large, each program once."""
    small = [candidate for candidate in candidates if not _is_large(candidate)]
    return sorted(_different(small), key=_cost)[:count]


def _different(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, each program once."""
    found: dict[tuple[Node, ...], Candidate] = {}
    for candidate in candidates:
        found.setdefault(candidate.program.entry(RHS).results, candidate)
    return list(found.values())


def joined(program: Program, best: Program) -> Program:
    """A program with rhs in the form that was found; the divisors of that form are watched too."""
    found = best.entry(RHS).results
    entries = tuple(replace(entry, results=found) if entry.name == RHS else entry for entry in program.entries)
    pairs = zip(program.checks, best.checks, strict=True)
    changed: list[Check] = [new for old, new in pairs if old.divisor is not new.divisor]
    return _titled(replace(program, entries=entries, checks=(*program.checks, *changed)))


def _titled(program: Program) -> Program:
    """The sections of rhs with the nodes of equal meaning that its form has."""
    entry = program.entry(RHS)
    known = {node.fingerprint: node for node in topological(entry.results)}
    sections = tuple(
        replace(s, nodes=tuple(known.get(node.fingerprint, node) for node in s.nodes)) for s in entry.sections
    )
    titled = replace(entry, sections=sections)
    return replace(program, entries=tuple(titled if old is entry else old for old in program.entries))
