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
from volterra_cg.passes.factor import factor_through
from volterra_cg.passes.merge import merge
from volterra_cg.program.cost import foreseen, of_entry
from volterra_cg.program.types import Program

CLOSE = 1.1  # roads within this factor of the cheapest after a quick round go through all passes
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
    tried = {name: _cost(problem, solution, work) for name, solution in solutions.items()}
    close = [name for name in tried if tried[name] <= CLOSE * min(tried.values())]
    assemblies = {name: assemble(problem, solutions[name], work) for name in close}
    if len(close) > 1:
        tried |= {name: _full_cost(assembly.program, options.optimise) for name, assembly in assemblies.items()}
    best = min(close, key=lambda name: tried[name])
    return Found(best, assemblies[best], tried)


def _full_cost(program: Program, level: int) -> int:
    """Operations of rhs after all passes."""
    alone = replace(program, entries=(replace(program.entry("rhs"), sections=()),), checks=())
    return of_entry(passes.optimise(alone, level), "rhs").total


def _cost(problem: Problem, solution: Solution, work: bool) -> int:
    """Operations of rhs after a quick round of passes, enough to tell the roads apart."""
    program = assemble(problem, replace(solution, mass=(), forcing=()), work).program
    alone = replace(program, entries=(replace(program.entry("rhs"), sections=()),), checks=())
    return foreseen(merge(factor_through(merge(alone))).entry("rhs").results)
