"""Simulations as a user asks for them: what is not given comes from the spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import DoubtfulRun, IntegrationError, OptionError
from volterra_cg.integrators import AUTO

from .arguments import number, numbers
from .choice import choose
from .controller import Function, controller_of
from .events import Event, Watch, watches
from .integration import Choice, StepControl, Wishes, integrate
from .run import Run
from .status import Status
from .stepper import Stepper
from .tolerances import chosen_tolerances

if TYPE_CHECKING:
    from .start import Start

SAMPLES = 1000  # of a run whose spec names no dt
MOST = 1e8  # samples of one run


@dataclass(frozen=True)
class Settings:
    """What a run is asked for; None is the spec's own, or a sound default. Times are in the model's unit."""

    t_end: float | None = None
    dt: float | None = None
    rtol: float | None = None
    atol: ArrayLike | None = None
    integrator: str = AUTO
    t_eval: ArrayLike | None = None
    max_step: float | None = None
    first_step: float | None = None
    max_steps: int | None = None
    dense: bool = False
    events: Mapping[str, Event | None] | None = None
    project: bool = False
    raises: bool = True
    strict: bool = False
    control: Function | None = None
    period: float | None = None


def simulate(start: Start, settings: Settings) -> Run:
    """Integrate a start; raises IntegrationError with the run so far when it cannot go on, or is not to be trusted."""
    run = _simulated(start, settings)
    if settings.strict and run.warnings:
        raise DoubtfulRun(f"the run is not to be trusted: {'; '.join(run.warnings)}", float(run.t[-1]), run, run.status)
    return run


def _simulated(start: Start, settings: Settings) -> Run:
    description = start.model.description
    watched = watches(description, settings.events)
    controller = controller_of(settings.control, settings.period, description, start.inputs.varying)
    start = start if controller is None else start.controlled(controller)
    control = _control(start, settings, watched)
    judged = settings.rtol is not None or settings.atol is not None
    wishes = Wishes(settings.dense, settings.project, watched, raises=settings.raises, judged=judged)
    if settings.t_eval is None:
        return integrate(
            start, result_times(description.simulation, start.t0, settings.t_end, settings.dt), control, wishes
        )
    times, before, after = asked_times(start.t0, settings.t_end, settings.dt, settings.t_eval)
    try:
        return _without(integrate(start, times, control, wishes), before, after)
    except IntegrationError as error:
        error.run = _without(error.run, before, after=False)
        raise


def stepper(start: Start, settings: Settings) -> Stepper:
    """A stepper at a start."""
    watched = watches(start.model.description, settings.events)
    return Stepper(start, _control(start, settings, watched), Wishes(project=settings.project, watches=watched))


def _without(run: Run, before: bool, after: bool) -> Run:
    """A run without the rows that were not asked for: the start, and the end if it was reached."""
    last = len(run.t) - 1 if after and run.status is Status.DONE else len(run.t)
    rows = slice(int(before), last)
    if not before and last == len(run.t):
        return run
    return run.rows(rows)


def _control(start: Start, settings: Settings, watched: tuple[Watch, ...]) -> StepControl:
    rtol, atol = chosen_tolerances(start.model.description, settings.rtol, settings.atol)
    limits = float(atol) if atol.ndim == 0 else tuple(map(float, atol.ravel()))
    choices: tuple[Choice, ...] = ((settings.integrator, ""),)
    if settings.integrator == AUTO:
        choices = choose(start, rtol, settings.max_step, watched)
    (name, why), *others = choices
    return StepControl(
        name, rtol, limits, settings.max_step, settings.first_step, settings.max_steps, why, tuple(others)
    )


def asked_times(t0: float, t_end: float | None, dt: float | None, t_eval: ArrayLike) -> tuple[Vector, bool, bool]:
    """The times of t_eval from the start to the end, and whether these two were added."""
    if dt is not None:
        raise OptionError("give dt or t_eval, not both")
    times = numbers("t_eval", t_eval)
    if times.ndim != 1 or not times.size or not np.isfinite(times).all() or not (times[1:] > times[:-1]).all():
        raise OptionError("t_eval must be a list of increasing times")
    last = float(times[-1]) if t_end is None else number("t_end", t_end)
    if times[0] < t0 or not times[-1] <= last < np.inf:
        raise OptionError(f"t_eval must lie between the start at {t0:g} and t_end = {last:g}")
    before, after = bool(times[0] > t0), bool(last > times[-1])
    if not before and not after:
        return times, False, False
    return np.concatenate([[t0] if before else [], times, [last] if after else []]), before, after


def result_times(spec: Mapping[str, Any], t0: float, t_end: float | None, dt: float | None) -> Vector:
    """The times of results from t_end and dt, or the spec's."""
    given = spec.get("t_end") if t_end is None else t_end
    if given is None:
        raise OptionError("the spec names no end time; give t_end")
    end = number("t_end", given)
    if not (np.isfinite(end) and end >= t0):
        raise OptionError(f"t_end must be a time after the start at {t0:g}, not {end:g}")
    step = number("dt", spec.get("dt", (end - t0) / SAMPLES) if dt is None else dt)
    if not 0 < step < np.inf and end > t0:
        raise OptionError(f"dt must be positive and finite, not {step:g}")
    if step > 0 and (end - t0) / step > MOST:
        raise OptionError(f"dt = {step:g} up to t = {end:g} makes more than {MOST:g} samples")
    return sample_times(t0, end, step)


def sample_times(t0: float, t_end: float, dt: float) -> Vector:
    """t0 and its successors by dt; the last is t_end, even where that is no whole number of steps away."""
    if t_end == t0:
        return np.array([t0])
    count = int(np.floor((t_end - t0) / dt * (1 + 1e-12) + 1e-9))
    times: Vector = t0 + dt * np.arange(count + 1, dtype=np.float64)
    if times[-1] >= t_end - 1e-9 * dt:
        times[-1] = t_end
        return times
    return np.concatenate([times, [t_end]])
