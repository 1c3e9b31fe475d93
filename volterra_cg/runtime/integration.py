"""Integration in time by the compiled loop over a model's own table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError, Interrupted, OptionError, StartError
from volterra_cg.integrators import ADAPTIVE, IMPLICIT, INTEGRATORS, MATLAB

from .arguments import count, number, numbers
from .conservation import Judge
from .controller import switching_times
from .description import unknown
from .events import Watch, occurrences
from .integrate import Dense, repeat
from .integrate import integrate as compiled
from .run import Run, Statistics
from .status import Status, message
from .tolerances import MATLAB_ATOL, MATLAB_RTOL, TINIEST, check_tolerances

if TYPE_CHECKING:
    from .start import Start

__all__ = ["StepControl", "Wishes", "integrate", "repeat", "states"]

Choice = tuple[str, str]  # an integrator, and why it is taken
Looped = tuple[Vector, Vector, Vector | None, Dense | None, Vector, Vector, dict[str, Any]]
MOST_STEPS = 100_000_000
MANY_HELD = 50  # steps that are short for another reason than accuracy, from which on that is said
PATIENCE = {"gauss": 40, "dop853": 100}  # the same, in a row, after which another integrator begins again
STIFF = 1e-8  # rtol, below which radau takes longer than dop853 on stiff motion too


@dataclass(frozen=True)
class StepControl:
    """How to step; None is up to the integrator.

    `max_step` is for ode45 a tenth of the span, as in MATLAB; steps of one size divide the time
    between results into parts no longer than it. `atol` is one number or one for each state.
    """

    integrator: str = MATLAB
    rtol: float = MATLAB_RTOL
    atol: float | tuple[float, ...] = MATLAB_ATOL
    max_step: float | None = None
    first_step: float | None = None
    max_steps: int | None = None
    chosen: str = ""  # why the integrator was taken, if the caller did not name it
    others: tuple[Choice, ...] = ()  # what to begin again with where steps are short for another reason than accuracy

    def __post_init__(self) -> None:
        if self.integrator not in INTEGRATORS:
            raise unknown("integrator", self.integrator, INTEGRATORS)
        atol = self.atol if isinstance(self.atol, float) else numbers("atol", self.atol)
        check_tolerances(number("rtol", self.rtol), atol)
        check_step("max_step", "largest", self.max_step)
        check_step("first_step", "first", self.first_step)
        check_limit(self.max_steps)


def check_step(name: str, kind: str, value: float | None) -> None:
    """Refuse a size of steps that is not positive."""
    if value is not None and not number(name, value) > 0:
        raise OptionError(f"the {kind} step must be positive, not {value:g}")


def check_limit(given: int | None) -> None:
    """Refuse a limit of steps that is no positive whole number."""
    if given is not None:
        count("max_steps", given)


@dataclass(frozen=True)
class Wishes:
    """What a run is to do beside stepping."""

    dense: bool = False
    project: bool = False
    watches: tuple[Watch, ...] = ()
    outputs: bool = True
    raises: bool = True
    judged: bool = False  # by the tolerances, even where steps are of one size and do not heed them


def states(start: Start, times: ArrayLike, control: StepControl) -> tuple[Vector, Statistics]:
    """The states at the times, shape (times, states), and what they took; raises where a run cannot go on."""
    run = integrate(start, times, control, Wishes(outputs=False))
    return run.z, run.statistics


def integrate(start: Start, times: ArrayLike, control: StepControl | None = None, wishes: Wishes | None = None) -> Run:
    """A run from the first of the times, where the start is, with results at all of them."""
    control, wishes = control or StepControl(), wishes or Wishes()
    asked = numbers("times", times)
    if asked.ndim != 1 or not asked.size or not (asked[1:] > asked[:-1]).all():
        raise OptionError("times must be a list of increasing numbers")
    description = start.model.description
    refuse(start, control, wishes)
    options = loop_options(start, control, wishes)
    t, z, y, dense, found, last, told = _looped(start, asked, control, wishes, options)
    while told["left"]:
        ((name, why), *others), before = control.others, told
        control = replace(control, integrator=name, chosen=why, others=tuple(others))
        options["max_steps"] -= before["steps"] + before["rejections"]
        t, z, y, dense, found, last, told = _looped(start, asked, control, wishes, options)
        told["seconds"] += before["seconds"]
    if told["closed"] >= 0 > told["watch"]:
        raise StartError(_closed(start, wishes.watches[told["closed"]]))
    names = tuple(watch.name for watch in wishes.watches)
    status = Status(told["status"])
    if isinstance(told["error"], KeyboardInterrupt):
        status = Status.INTERRUPTED
    stray = description.strays(np.empty(0) if y is None else y, control.rtol)
    if status.ok and stray:
        status = Status.OFF_CONSTRAINTS
    run = Run(
        t,
        z,
        np.empty((len(t), 0)) if y is None else y,
        description,
        start.parameters,
        _statistics(control, told),
        status,
        message(description, told | {"status": int(status), "stray": stray}, names, last) + _advice(control, told),
        occurrences(found, names, len(last)),
        dense,
        _judge(start, control, wishes, options["atol"]),
        start.inputs,
        start,
        (control.rtol, options["atol"]),
    )
    _complain(run, told["t"], told["error"], wishes.raises)
    return run


def _looped(start: Start, times: Vector, control: StepControl, wishes: Wishes, options: dict[str, Any]) -> Looped:
    """What the compiled loop makes of a start."""
    controller = start.inputs.controller
    if controller is not None and controller.period is not None:
        controller.switches = switching_times(times, controller.period)
    return compiled(
        start.handle,
        control.integrator,
        start.z0,
        times,
        dense=wishes.dense,
        controller=controller,
        switches=None if controller is None else controller.switches,
        outputs=wishes.outputs,
        by_rows=not control.chosen,
        leave=PATIENCE[control.integrator] if control.others else 0,
        **options,
    )


def loop_options(start: Start, control: StepControl, wishes: Wishes) -> dict[str, Any]:
    """What the compiled loop is told, however it is called."""
    description, signals = start.model.description, start.inputs
    stages = signals.controller is not None and signals.controller.period is None
    return {
        "rtol": control.rtol,
        "atol": _limits(control.atol, len(start.z0)),
        "max_step": control.max_step or 0.0,
        "first_step": control.first_step or 0.0,
        "max_steps": control.max_steps or MOST_STEPS,
        "kinks": not description.smooth or bool(signals.functions) or stages,
        "project": wishes.project or (description.changes_rows and bool(start.handle.sizes["holonomic"])),
        "rates": description.output("rates").offset,
        "watches": tuple(watch.numbers for watch in wishes.watches),
        "samples": signals.samples,
        "functions": signals.functions,
        "start_rates": start.qd0,
    }


def _judge(start: Start, control: StepControl, wishes: Wishes, atol: Vector) -> Judge | None:
    if not wishes.outputs or not (wishes.judged or control.integrator in ADAPTIVE):
        return None
    return Judge(start, control.rtol, atol)


def refuse(start: Start, control: StepControl, wishes: Wishes) -> None:
    """What this model cannot do, with the remedy."""
    if control.integrator in IMPLICIT and not start.handle.has_jacobian:
        raise OptionError(f"{control.integrator} needs the model's Jacobian: build with --jacobian")
    if wishes.project and not start.handle.sizes["holonomic"]:
        raise OptionError(f"the model {start.model.name} has no holonomic constraints to project to")


def _closed(start: Start, watch: Watch) -> str:
    gap = float(start.measured(start.t0, start.z0)[watch.output])
    return (
        f"the gap of the impact {watch.name} is closed at the start: it is {gap:.6g}; start with an open gap, or leave the"
        f' impact out with events={{"{watch.name}": None}}'
    )


def _limits(atol: float | tuple[float, ...], count: int) -> Vector:
    if isinstance(atol, tuple) and len(atol) != count:
        raise OptionError(f"atol must be one number or one for each of the {count} states, not {len(atol)}")
    limits: Vector = np.empty(count)
    limits[:] = atol
    return np.maximum(limits, TINIEST)


def _statistics(control: StepControl, told: dict[str, float]) -> Statistics:
    names = (
        "steps",
        "rejections",
        "rhs_calls",
        "seconds",
        "iterations",
        "held",
        "jacobians",
        "factorisations",
        "projections",
        "chart_changes",
    )
    counts = {name: told[name] for name in names}
    names_of = {"integrator": control.integrator, "chosen": control.chosen}
    return Statistics(**names_of, **counts, largest_correction=told["largest_correction"])  # type: ignore[arg-type]


def _advice(control: StepControl, told: dict[str, int]) -> str:
    """What to do where the integrator is the wrong choice."""
    if told["held"] <= max(MANY_HELD, told["steps"] // 4):
        return ""
    held = f"; {told['held']} of {told['steps']} steps of {control.integrator} are short only"
    radau = control.rtol >= STIFF
    if control.integrator == "gauss":
        return f"{held} for its stages to be found: use dop853{', or radau if the motion is stiff' if radau else ''}"
    remedy = ": use radau, with a model built with --jacobian" if radau else ""
    return f"{held} to be stable, as the motion is stiff, or smaller than the tolerances{remedy}"


def _complain(run: Run, t: float, error: BaseException | None, raises: bool) -> None:
    """Raise what a run ended with; an interruption even if failures are to be returned."""
    if run.status is Status.INTERRUPTED and isinstance(error, KeyboardInterrupt):
        raise Interrupted(run.message, t, run, run.status) from error
    if error is not None and (raises or run.status is Status.INTERRUPTED):
        raise error
    if raises and not run.ok:
        raise IntegrationError(run.message, t, run, run.status)
