"""The choice of a road: each legal one is followed to the end and the one of fewest operations is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from volterra_cg import passes
from volterra_cg.elimination import classical, dense, roads
from volterra_cg.elimination.assemble import Assembly, assemble
from volterra_cg.elimination.solution import Solution
from volterra_cg.errors import OptionError
from volterra_cg.formulations.problem import Problem
from volterra_cg.options import Options
from volterra_cg.program.cost import of_entry

SEARCH_LEVEL = 2  # of optimisation, from which on roads are compared


@dataclass(frozen=True)
class Found:
    """The road taken, its functions before the passes, and what a call of rhs costs on each road that was tried."""

    road: str
    assembly: Assembly
    tried: Mapping[str, int]


def find(problem: Problem, options: Options, work: bool) -> Found:
    """The functions of a model by the cheapest road, or by the one asked for."""
    if problem.derive is not None:
        return Found("own", assemble(problem, classical.solve(problem), work), {})
    available = roads.available(problem)
    if options.road != "auto":
        if options.road not in available:
            raise OptionError(f"the road {options.road} is not open here; there are {', '.join(available)}")
        available = {options.road: available[options.road]}
    elif options.optimise < SEARCH_LEVEL:
        available = {"dense": dense.solve}
    solutions = {name: road(problem) for name, road in available.items()}
    if len(solutions) == 1:
        ((name, solution),) = solutions.items()
        return Found(name, assemble(problem, solution, work), {})
    tried = {name: _cost(problem, solution, work, options.optimise) for name, solution in solutions.items()}
    best = min(tried, key=lambda name: tried[name])
    return Found(best, assemble(problem, solutions[best], work), tried)


def _cost(problem: Problem, solution: Solution, work: bool, level: int) -> int:
    """Operations of rhs after the passes."""
    program = assemble(problem, replace(solution, mass=(), forcing=()), work).program
    alone = replace(program, entries=(replace(program.entry("rhs"), sections=()),), checks=())
    return of_entry(passes.optimise(alone, level), "rhs").total
