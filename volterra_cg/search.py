"""The choice of quasi-velocities and of an elimination order, by the operations that they take after the passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from volterra_cg import passes
from volterra_cg.elimination import classical, dense, orders
from volterra_cg.elimination.assemble import Assembly, assemble, slopes
from volterra_cg.elimination.solution import Solution
from volterra_cg.errors import ModelError, OptionError
from volterra_cg.formulations.problem import ClassicalProblem, Posed, Problem, ReducedProblem
from volterra_cg.formulations.speed_sets import SpeedSet, meaning
from volterra_cg.formulations.speeds import left_out
from volterra_cg.options import Options
from volterra_cg.program.cost import foreseen
from volterra_cg.program.field import IdenticallyZero

FEW = 6  # coordinates; beyond, without constraints, composite bodies beat the dense order; up to these, all beat that for loops
FEW_INSIDE = 12  # coordinates; beyond, no other quasi-velocities are tried inside
MANY = 64  # coordinates; beyond, given quasi-velocities are not compared with others
DEAR = 1.5  # times the operations of the automatic choice, above which the given one is called dear
SEARCH_LEVEL = 2  # of optimisation, from which on elimination orders are compared
OWN = "own"  # the name for a classical formulation, which has no choice
INSIDE = " in other speeds"  # what the name of an order ends with that is solved in other quasi-velocities


@dataclass(frozen=True)
class Found:
    """The order taken and its functions after the passes; operations of rhs in every order tried and after every pass.

    `solved_in` are the quasi-velocities inside, if they are not those of the state.
    """

    order: str
    assembly: Assembly
    tried: Mapping[str, int]
    history: Mapping[str, int]
    solved_in: tuple[str, ...]


@dataclass(frozen=True)
class Option:
    """A set of quasi-velocities, how regular it is if that was measured, and about how many operations it takes."""

    problem: Posed
    least: float | None
    operations: int


def compared(problem: Posed) -> list[Option]:
    """The sets that may be chosen, cheapest first; of a tie the first by rule."""
    return _compared(problem, problem.choice.sets())


def _compared(problem: Posed, sets: Sequence[SpeedSet]) -> list[Option]:
    found = [(problem.with_speeds(one.rows), one.least) for one in sets]
    return sorted((Option(one, least, _outlook(one)) for one, least in found), key=lambda option: option.operations)


def settled(problem: Posed) -> Posed:
    """The problem in the quasi-velocities of its spec, or in the cheapest of the sets that are regular."""
    choice = problem.choice
    if choice.given:
        return _settled_part(problem) if len(choice.parts) > 1 else problem
    if len(choice.sets()) == 1:
        return replace(problem, notes=(*problem.notes, chosen(problem)))
    options = compared(problem)
    best = options[0].problem
    note = f"of {len(options)} sets of quasi-velocities that are regular, these take the fewest operations"
    return replace(best, notes=(*problem.notes, chosen(best), note))


def _settled_part(problem: Posed) -> Posed:
    """The problem in the cheapest part of more quasi-velocities than it needs; of a tie in the part that it has."""
    best = _compared(problem, problem.choice.parts)[0].problem
    names, notes = left_out(problem.kinematics, best.speeds)
    others = [note for note in problem.notes if note not in problem.choice.notes]
    return replace(best, dropped=names, notes=(*others, *notes))


def chosen(problem: Problem) -> str:
    """Which quasi-velocities were chosen."""
    names = ", ".join(row.name for row in problem.speeds) or "none are needed"
    return f"no quasi-velocities are given; chosen: {names}"


def _outlook(problem: Posed, inner: Posed | None = None) -> int:
    """About how many operations a problem takes, from one elimination order; inside in other quasi-velocities if given."""
    solution = classical.solve(problem) if isinstance(problem, ClassicalProblem) else orders.usual(problem, inner)
    return passes.outlook(assemble(problem, solution, work=False).program)


def dear(problem: Posed) -> tuple[str, ...]:
    """A note where the quasi-velocities of the spec take many more operations than those that would be chosen without them."""
    if not problem.choice.given or len(problem.kinematics.inputs.coordinates) > MANY:
        return ()
    with suppress(IdenticallyZero, ModelError):  # where nothing can be chosen, there is nothing to compare with
        own, best = _given_and_best(problem)
        if own > DEAR * best:
            return (
                f"the quasi-velocities of the spec take about {own} operations, those that would be chosen without them about"
                f' {best}: leave quasi_velocities out, or write quasi_velocities = "auto"; derive --choices lists them',
            )
    return ()


def _given_and_best(problem: Posed) -> tuple[int, int]:
    """About how many operations the given quasi-velocities take, and those that would be chosen; alike where they are the same.

    The given ones are solved in the others inside where a build tries that. It tries no others beyond few coordinates, where
    one set is there to choose: there it is enough to count before the passes.
    """
    sets = problem.choice.sets()
    if {meaning(one.rows) for one in sets} <= {meaning(problem.speeds)}:
        return 0, 0
    if len(problem.kinematics.inputs.coordinates) > FEW_INSIDE:
        return _derived(problem), _derived(problem.with_speeds(sets[0].rows))
    best, own = _compared(problem, sets)[0], _outlook(problem)
    if own > DEAR * best.operations:
        own = min(own, _outlook(problem, best.problem))
    return own, best.operations


def _derived(problem: Posed) -> int:
    """How many operations a problem takes before the passes, in one elimination order."""
    assert isinstance(problem, ReducedProblem)
    solution = orders.usual(problem)
    return foreseen((*solution.rates, *solution.speed_rates))


def solutions(problem: Posed, options: Options) -> dict[str, Solution]:
    """A posed problem solved in every elimination order that the options allow, by name."""
    if isinstance(problem, ClassicalProblem):
        return {OWN: classical.solve(problem)}
    if options.order == "auto" and options.optimise < SEARCH_LEVEL:
        return {"dense": dense.solve(problem)}
    available = orders.available(problem)
    if options.order in available:
        return {options.order: available[options.order](problem)}
    if options.order != "auto":
        reason = orders.NEEDS.get(options.order.split()[0], "")
        raise OptionError(
            f"the elimination order {options.order} is not open here{reason}; there are {', '.join(available)}"
        )
    few = len(problem.kinematics.inputs.coordinates) <= FEW
    if few or not problem.kinematics.constraints:
        never = "loops" if few else "dense"
        available = {name: o for name, o in available.items() if not name.startswith(never)} or available
    found: dict[str, Solution] = {}
    for name, order in available.items():
        with suppress(IdenticallyZero):  # an order may meet a direction without inertia that others go round
            found[name] = order(problem)
    for name, order in _inside(problem).items():
        with suppress(IdenticallyZero):
            found[name + INSIDE] = order(problem)
    return found or {"dense": dense.solve(problem)}


def alike(problem: Posed, order: str) -> dict[str, Solution]:
    """The solution of a further chart in the elimination order that its first takes; none where that is not open."""
    if isinstance(problem, ClassicalProblem):
        return {}
    name, found = order.removesuffix(INSIDE), orders.available(problem)
    with suppress(IdenticallyZero):
        return {name: found[name](problem)} if name in found else {}
    return {}


def _inside(problem: ReducedProblem) -> Mapping[str, orders.Order]:
    """The orders of the cheapest set of quasi-velocities, if it promises less than the given ones."""
    if not problem.choice.given or len(problem.kinematics.inputs.coordinates) > FEW_INSIDE or not problem.speeds:
        return {}
    own = meaning(problem.speeds)
    others = [option for option in problem.choice.sets() if meaning(option.rows) != own]
    if not others:
        return {}
    best = _compared(problem, others)[0]
    if best.operations >= _outlook(problem):
        return {}
    found = orders.converted(problem, best.problem)
    return {name: order for name, order in found.items() if not name.startswith(("recursive", "loops"))}


def cheapest(
    problem: Problem,
    found: Mapping[str, Solution],
    level: int,
    work: bool,
    jacobian: bool = False,
    charted: bool = False,
) -> Found:
    """The elimination order of fewest operations, its program optimised, with derivatives if asked for."""
    assemblies = {name: assemble(problem, solution, work, charted) for name, solution in found.items()}
    programs = {name: assembly.program for name, assembly in assemblies.items()}
    best = passes.optimise_best(programs, level, slopes(problem, work) if jacobian else ())
    assembly = replace(assemblies[best.name], program=best.program)
    tried = best.tried if len(found) > 1 else {}
    return Found(best.name, assembly, tried, best.history, found[best.name].solved_in)
