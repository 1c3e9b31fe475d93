"""The choice of a road: each legal one is tried, and the one of fewest operations after the passes is kept."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from volterra_cg import passes
from volterra_cg.elimination import classical, dense, roads
from volterra_cg.elimination.assemble import Assembly, assemble
from volterra_cg.elimination.solution import Solution
from volterra_cg.errors import OptionError
from volterra_cg.formulations.problem import Problem
from volterra_cg.options import Options
from volterra_cg.passes.factor import factor_through
from volterra_cg.passes.invariance import invariance
from volterra_cg.passes.merge import merge
from volterra_cg.program.cost import foreseen, of_entry
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.types import Program

CLOSE = 1.1  # roads within this factor of the cheapest after a quick round go through all passes
FINALISTS = 2  # roads that go through all passes at the most
SEARCH_LEVEL = 2  # of optimisation, from which on roads are compared
OWN = "own"  # the road of a classical formulation


@dataclass(frozen=True)
class Found:
    """The road taken and its functions after the passes; operations of rhs on every road tried and after every pass."""

    road: str
    assembly: Assembly
    tried: Mapping[str, int]
    history: Mapping[str, int]


def solutions(problem: Problem, options: Options) -> dict[str, Solution]:
    """A posed problem solved by every road that the options allow, by name."""
    if problem.derive is not None:
        return {OWN: classical.solve(problem)}
    if options.road == "auto" and options.optimise < SEARCH_LEVEL:
        return {"dense": dense.solve(problem)}
    available = roads.available(problem)
    if options.road != "auto":
        if options.road not in available:
            raise OptionError(f"the road {options.road} is not open here; there are {', '.join(available)}")
        available = {options.road: available[options.road]}
    elif not problem.kinematics.constraints and len(available) > 1:
        available = {name: road for name, road in available.items() if name != "dense"}  # composite bodies do better
    found: dict[str, Solution] = {}
    for name, road in available.items():
        with suppress(IdenticallyZero):  # a road may meet a direction without inertia that others go round
            found[name] = road(problem)
    return found or {"dense": dense.solve(problem)}


def cheapest(problem: Problem, found: Mapping[str, Solution], level: int, work: bool) -> Found:
    """The road of fewest operations, its program optimised."""
    assemblies = {name: assemble(problem, solution, work) for name, solution in found.items()}
    tried = {name: _quick(assembly.program) for name, assembly in assemblies.items()} if len(found) > 1 else {}
    close = [name for name in found if not tried or tried[name] <= CLOSE * min(tried.values())]
    close = sorted(close, key=lambda name: tried.get(name, 0))[:FINALISTS]
    results = {name: _optimised(name, assemblies[name], level) for name in close}
    best = min(results.values(), key=lambda result: result.history["prepare"])
    tried |= {name: result.history["prepare"] for name, result in results.items() if len(found) > 1}
    return replace(best, tried=tried)


def _optimised(name: str, assembly: Assembly, level: int) -> Found:
    history = {"derived": of_entry(assembly.program, "rhs").total}

    def note(step: str, program: Program) -> None:
        history[step] = of_entry(program, "rhs").total

    program = passes.optimise(assembly.program, level, note)
    return Found(name, replace(assembly, program=program), {}, history)


def _quick(program: Program) -> int:
    """Operations of rhs after a quick round of passes, enough to tell most roads apart."""
    alone = replace(program, entries=(replace(program.entry("rhs"), sections=()),), checks=())
    merged = merge(alone)
    starts = [merged] if passes.is_large(merged) else [merged, merge(invariance(merged))]
    return min(foreseen(merge(factor_through(start)).entry("rhs").results) for start in starts)
