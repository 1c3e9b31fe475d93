"""Simulations as a user asks for them: what is not given comes from the spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from volterra_cg.errors import IntegrationError, OptionError

from .events import Event, watches
from .integration import Control, Wishes, integrate
from .run import Run
from .status import Status

if TYPE_CHECKING:
    from .start import Start

Vector = NDArray[np.float64]
RTOL = ATOL = 1e-9
SAMPLES = 1000  # of a run whose spec names no dt
MOST = 1e8  # samples of one run


@dataclass(frozen=True)
class Settings:
    """What a run is asked for; None is the spec's own, or a sound default. Times are in the model's unit."""

    t_end: float | None = None
    dt: float | None = None
    rtol: float | None = None
    atol: ArrayLike | None = None
    method: str = "dop853"
    t_eval: ArrayLike | None = None
    max_step: float | None = None
    first_step: float | None = None
    max_steps: int | None = None
    dense: bool = False
    events: Mapping[str, Event | None] | None = None
    project: bool = False
    raises: bool = True


def simulate(start: Start, settings: Settings) -> Run:
    """Integrate a start; raises IntegrationError with the run so far when it cannot go on."""
    control = _control(start, settings)
    chosen = watches(start.model.description, settings.events)
    wishes = Wishes(settings.dense, settings.project, chosen, raises=settings.raises)
    if settings.t_eval is None:
        return integrate(start, _times(start, settings), control, wishes)
    asked = _asked(start, settings)
    before, after = asked[0] > start.t0, settings.t_end is not None and settings.t_end > asked[-1]
    times = np.concatenate([[start.t0] if before else [], asked, [settings.t_end] if after else []])
    try:
        return _without(integrate(start, times, control, wishes), before, after)
    except IntegrationError as error:
        error.run = _without(error.run, before, after=False)
        raise


def _without(run: Run, before: bool, after: bool) -> Run:
    """A run without the rows that were not asked for: the start, and the end if it was reached."""
    last = len(run.t) - 1 if after and run.status is Status.DONE else len(run.t)
    rows = slice(int(before), last)
    if not before and last == len(run.t):
        return run
    return replace(run, t=run.t[rows], z=run.z[rows], y=run.y[rows])


def _control(start: Start, settings: Settings) -> Control:
    spec = start.model.description.simulation
    atol = spec.get("atol", ATOL) if settings.atol is None else settings.atol
    limits = float(atol) if np.ndim(atol) == 0 else tuple(map(float, np.ravel(atol)))  # type: ignore[arg-type]
    rtol = spec.get("rtol", RTOL) if settings.rtol is None else settings.rtol
    steps = settings.max_step, settings.first_step, settings.max_steps
    return Control(settings.method, float(rtol), limits, *steps)


def _asked(start: Start, settings: Settings) -> Vector:
    """The times of t_eval, checked."""
    times = np.array(settings.t_eval, dtype=np.float64)
    if settings.dt is not None:
        raise OptionError("give dt or t_eval, not both")
    if times.ndim != 1 or not times.size or not np.isfinite(times).all() or not (times[1:] > times[:-1]).all():
        raise OptionError("t_eval must be a list of increasing times")
    last = times[-1] if settings.t_end is None else settings.t_end
    if times[0] < start.t0 or not times[-1] <= last < np.inf:
        raise OptionError(f"t_eval must lie between the start at {start.t0:g} and t_end = {last:g}")
    return times


def _times(start: Start, settings: Settings) -> Vector:
    """The times of results from t_end and dt."""
    spec = start.model.description.simulation
    end = spec.get("t_end") if settings.t_end is None else settings.t_end
    if end is None:
        raise OptionError("the spec names no end time; give t_end")
    t_end = float(end)
    if not (np.isfinite(t_end) and t_end >= start.t0):
        raise OptionError(f"t_end must be a time after the start at {start.t0:g}, not {t_end:g}")
    dt = float(spec.get("dt", (t_end - start.t0) / SAMPLES) if settings.dt is None else settings.dt)
    if not dt > 0 and t_end > start.t0:
        raise OptionError(f"dt must be positive, not {dt:g}")
    if dt > 0 and (t_end - start.t0) / dt > MOST:
        raise OptionError(f"dt = {dt:g} up to t = {t_end:g} makes more than {MOST:g} samples")
    return sample_times(start.t0, t_end, dt)


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
