"""From a system to its equations: posed, checked to be solvable, shown; with errors that know their place in the spec."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from volterra_cg import formulations, search
from volterra_cg.elimination import classical, dense
from volterra_cg.elimination.solution import Solution
from volterra_cg.emit import equations, model
from volterra_cg.errors import InternalError, ModelError, ModelErrors, OptionError, Problem, SpecError
from volterra_cg.formulations import charts as charting
from volterra_cg.formulations import feasibility, summary
from volterra_cg.formulations.problem import ClassicalProblem, Posed
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.kinematics.scene import SceneNodes, scene_nodes
from volterra_cg.options import CHEAPEST, FORMULATIONS, Options, is_model_name
from volterra_cg.program.cost import of_entry
from volterra_cg.program.field import AccidentalZero, IdenticallyZero
from volterra_cg.spec import Places, Spec, read
from volterra_cg.system.from_spec import TOO_DEEP, from_spec
from volterra_cg.system.types import Coordinate, Parameter, Quantity, Signal, System
from volterra_cg.targets import EQUATIONS

SEEDS = 4  # sets of random points to try; that one fails by accident has odds of about 2**-50
ZERO_DIVISOR = "the equations of motion divide by something that is zero at every configuration"
T = TypeVar("T")


def pose(system: System, options: Options, seed: int = 0) -> Posed:
    """A system as a posed problem, checked to be solvable."""
    _require_names(system)
    kinematics = analyse(system, seed)
    problem = formulations.pose(options.formulation, kinematics, system.ignorable)
    feasibility.require(problem, system)
    with _massless(problem, system):
        return search.settled(problem)


def charts(problem: Posed) -> list[Posed]:
    """A posed problem, and the same in other quasi-velocities for where it is singular, if it is somewhere on its way."""
    ignorable = tuple(row.name for row in problem.momenta)
    sets = [formulations.pose_set(problem.formulation, one, ignorable) for one in charting.further(problem)]
    if not sets:
        return [problem]
    names = "; ".join(", ".join(row.name for row in one.speeds) for one in (problem, *sets))
    note = f"{len(sets) + 1} charts, as each is singular somewhere; their quasi-velocities: {names}"
    return [replace(problem, notes=(*problem.notes, note)), *sets]


def _require_names(system: System) -> None:
    """Refuse names that the generated files need for themselves."""
    if not is_model_name(system.name):
        raise ModelError(f"a model cannot be called {system.name}: the generated files use that name", ("name", ""))
    states = [("coordinates", c.name) for c in system.coordinates]
    states += [("quasi_velocities", u.name) for u in system.quasi_velocities]
    for subject in states:
        if system.work and subject[1] == "work":
            raise ModelError("with work = true a state is called work already: choose another name", subject)


def solved(problem: Posed, system: System, options: Options, like: str | None = None) -> dict[str, Solution]:
    """A posed problem solved in every elimination order that the options allow, by name; or in one `like` another's if open."""
    with _massless(problem, system):
        return (search.alike(problem, like) if like else {}) or search.solutions(problem, options)


@contextmanager
def _massless(problem: Posed, system: System) -> Iterator[None]:
    """Where a problem cannot be solved, tell the usual reason, a motion without mass, as `check` tells it."""
    try:
        yield
    except (IdenticallyZero, ModelError):
        feasibility.require_mass(problem, system)
        raise


def check(
    path: Path, allow_include: Sequence[Path] = (), told: Callable[[Problem], Problem] | None = None
) -> summary.Summary:
    """What a spec describes: its sizes, its ignorable coordinates and why the others are not.

    `told` gives warnings another place.
    """
    spec = read(path, allow_include)
    system = from_spec(spec)
    warnings = tuple(str(told(warning) if told else warning) for warning in spec.warnings)

    def summarised(seed: int) -> summary.Summary:
        problem = pose(system, Options(), seed)
        feasibility.require_mass(problem, system)
        feasibility.require_regular_start(problem, system)
        dear = search.dear(problem)
        problem, *_ = charts(problem)
        problem = replace(problem, notes=(*problem.notes, *dear))
        return summary.summarise(problem, system.name, warnings, feasibility.consistency(problem, system))

    with located(spec.places):
        return over_seeds(summarised)


def cheapest(spec: Spec, system: System, options: Options) -> tuple[Options, tuple[str, ...]]:
    """The options with the formulation of fewest operations if that is asked for, of a tie of fewest states, and why it is."""
    if options.formulation != CHEAPEST:
        return options, ()
    found, refusal = [], None
    for formulation in FORMULATIONS:
        chosen = replace(options, formulation=formulation)
        try:
            with located(spec.places):
                found.append((*over_seeds(partial(_size, system, chosen)), chosen))
        except (SpecError, ModelError) as error:
            refusal = refusal or error
    if not found:
        assert refusal is not None
        raise refusal
    found.sort(key=lambda one: one[:2])
    names = [f"{one.formulation} {operations}" for operations, _, one in found]
    operations, states, best = found[0]
    note = f"{best.formulation} takes the fewest operations, {operations}, with {states} states"
    return best, (f"{note}; operations of all that apply: {', '.join(names)}",)


def _size(system: System, options: Options, seed: int) -> tuple[int, int]:
    """Operations of rhs, and states."""
    problem, *_ = charts(pose(system, options, seed))
    found = search.cheapest(problem, solved(problem, system, options), options.optimise, system.work)
    states = len(problem.kinematics.inputs.coordinates) + len(problem.speeds) + system.work
    return of_entry(found.assembly.program, "rhs").total, states


def derive(path: Path, options: Options, target: str = EQUATIONS[0]) -> str:
    """The equations of a spec, for reading."""
    spec = read(path, options.allow_include)
    system = from_spec(spec)
    options, _ = cheapest(spec, system, options)

    def shown(seed: int) -> str:
        problem, *_ = charts(pose(system, options, seed))
        solution = classical.solve(problem) if isinstance(problem, ClassicalProblem) else dense.solve(problem)
        return equations.show(problem, solution, system.name, target)

    with located(spec.places):
        return over_seeds(shown)


def scene(system: System) -> SceneNodes:
    """What pictures show of a system, and where it is."""
    return scene_nodes(system)


def choices(path: Path, options: Options) -> str:
    """The sets of quasi-velocities to choose from, with the operations and the regularity of each."""
    spec = read(path, options.allow_include)
    system = from_spec(spec)
    options, _ = cheapest(spec, system, options)

    def listed(seed: int) -> str:
        problem = pose(system, options, seed)
        if not problem.choice.sets():
            raise OptionError(f"{options.formulation} takes rates, not quasi-velocities")
        own = [("the spec", problem, None)] if problem.choice.given else []
        found = [*own, *(("", option.problem, option.least) for option in search.compared(problem))]
        lines = ["operations  regularity  quasi-velocities"]
        for by, one, least in found:
            taken = search.cheapest(one, solved(one, system, options), options.optimise, system.work)
            operations = of_entry(taken.assembly.program, "rhs").total
            names = ", ".join(row.name for row in one.speeds) or "none are needed"
            lines.append(f"{operations:>10}  {by or measured(least):>10}  {names}")
        return "\n".join(lines)

    def measured(least: float | None) -> str:
        return "" if least is None else f"{least:.2f}"

    with located(spec.places):
        return over_seeds(listed)


def heading(spec: Spec, system: System, options: Options) -> model.Heading:
    """What the report takes from the spec."""
    text = "\n".join(line for lines in spec.places.texts.values() for line in lines)
    free = [parameter for parameter in system.parameters if not parameter.fixed]
    named: list[Coordinate[Any] | Parameter[Any] | Signal[Any] | Quantity[Any]] = [
        *system.coordinates,
        *system.parameters,
        *system.signals,
        *system.computed_signals,
        *system.outputs,
    ]
    return model.Heading(
        name=options.name or system.name,
        spec_hash=hashlib.sha256(text.encode()).hexdigest()[:16],
        parameters={parameter.name: float(parameter.value) for parameter in free},
        signals={signal.name: signal.value for signal in system.signals},
        units={item.name: item.unit for item in named if item.unit},
        simulation=vars(system.simulation),
        work=system.work,
        about=system.about,
    )


@contextmanager
def located(places: Places) -> Iterator[None]:
    """Give the errors of a derivation their place, where the mechanism is told."""
    try:
        yield
    except ModelError as error:
        reasons = error.errors if isinstance(error, ModelErrors) else (error,)
        problems = [places.problem(reason.subject or ("name", ""), str(reason), reason.remedy) for reason in reasons]
        raise SpecError(problems) from error
    except RecursionError as error:
        raise SpecError([places.problem(("parameters", ""), *TOO_DEEP)]) from error
    except OverflowError as error:  # of an exact number; those that the spec holds itself are refused before
        remedy = "floating-point numbers end at 1.8e308; choose other units"
        raise SpecError([places.problem(("name", ""), "the equations hold a number out of range", remedy)]) from error


def over_seeds(derivation: Callable[[int], T]) -> T:
    """A derivation, with other random points for the fingerprints if one set of them meets an accident."""
    for seed in range(SEEDS):
        try:
            with _uncollected(), np.errstate(all="ignore"):  # what is tried by numbers is asked whether it is finite
                return derivation(seed)
        except AccidentalZero:
            continue
        except IdenticallyZero as error:
            raise ModelError(ZERO_DIVISOR, remedy="does every coordinate move a mass?") from error
    raise InternalError(f"a divisor vanished at the random points of {SEEDS} draws")


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let the garbage collector rest: a derivation makes many nodes and drops none before its end."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
