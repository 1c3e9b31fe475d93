"""Integration in time with SciPy's solvers, step by step, so that a failure loses nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import IntegrationError, OptionError, SingularConfiguration

from .description import unknown
from .run import Run, Statistics

if TYPE_CHECKING:
    from .start import Start

Vector = NDArray[np.float64]
METHODS = ("DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA")
RTOL = ATOL = 1e-9
SAMPLES = 1000  # of a run whose spec names no dt


@dataclass(frozen=True)
class Settings:
    """What a run was asked for; times in the model's unit."""

    t_end: float
    dt: float
    rtol: float
    atol: float
    method: str


class _Probe:
    """The derivative as the solver sees it: a singular state is NaN, so that a smaller step is tried."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.calls = 0
        self.trouble = ""

    def __call__(self, t: float, z: Vector) -> Vector:
        self.calls += 1
        try:
            dz = self.start.rhs(t, z)
        except SingularConfiguration as error:
            self.trouble = str(error)
            return np.full(z.shape, np.nan)
        if np.isfinite(dz).all():
            self.trouble = ""
        elif np.isfinite(z).all() or not self.trouble:  # else only an echo of the trouble before
            self.trouble = f"the derivative is not finite at t = {t:.9g}"
        return dz


def simulate(
    start: Start, t_end: float | None, dt: float | None, rtol: float | None, atol: float | None, method: str
) -> Run:
    """Integrate a start; raises IntegrationError with the run so far when it cannot go on."""
    settings = _settings(start, t_end, dt, rtol, atol, method)
    solver = _solver_class(settings.method)
    begin = time.perf_counter()
    probe = _Probe(start)
    times = sample_times(start.t0, settings.t_end, settings.dt)
    rows: list[Vector] = [np.array(start.z0)]
    with np.errstate(all="ignore"):
        steps, failure = _advance(probe, solver, settings, times, rows)
    statistics = Statistics(probe.calls, steps, time.perf_counter() - begin, settings.method)
    run = Run.of(start, times[: len(rows)], np.array(rows), statistics)
    if failure:
        where = run.t[-1] if not steps else failure.t
        raise IntegrationError(failure.message(start.model.states), where, run)
    return run


MOST = 1e8  # samples of one run


@dataclass(frozen=True)
class _Failure:
    t: float
    z: Vector
    reason: str

    def message(self, names: tuple[str, ...]) -> str:
        state = ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, self.z, strict=True))
        return f"the simulation stopped at t = {self.t:.9g}: {self.reason} (last state: {state})"


def _advance(
    probe: _Probe, solver_class: Any, settings: Settings, times: Vector, rows: list[Vector]
) -> tuple[int, _Failure | None]:
    """Step to the end, adding a row for every time passed; returns the steps and what went wrong, if anything."""
    t, z, steps = float(times[0]), rows[0], 0
    probe(t, z)
    if probe.trouble:
        return 0, _Failure(t, z, probe.trouble)
    if t == times[-1]:
        return 0, None
    try:
        solver = solver_class(probe, t, z, settings.t_end, rtol=settings.rtol, atol=settings.atol)
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                return steps, _Failure(t, z, probe.trouble or str(message))
            steps, t, z = steps + 1, float(solver.t), np.array(solver.y)
            if not (_sample(solver, times, rows) and np.isfinite(z).all()):
                return steps, _Failure(t, z, "the state is not finite")
    except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        if not probe.trouble:
            raise
        return steps, _Failure(t, z, f"{probe.trouble}; {error}")
    return steps, None


def _sample(solver: Any, times: Vector, rows: list[Vector]) -> bool:
    """Add the rows whose times the last step has passed, up to the first that is not finite; says if all were."""
    stop = int(np.searchsorted(times, solver.t, side="right"))
    if stop <= len(rows):
        return True
    for row in solver.dense_output()(times[len(rows) : stop]).T:
        if not np.isfinite(row).all():
            return False
        rows.append(row)
    return True


def _solver_class(method: str) -> Any:
    from scipy import integrate

    return getattr(integrate, method)


def _settings(
    start: Start, t_end: float | None, dt: float | None, rtol: float | None, atol: float | None, method: str
) -> Settings:
    """What is given, else what the spec says, else a sound default."""
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    spec = start.model.description.simulation
    end = spec.get("t_end") if t_end is None else t_end
    if end is None:
        raise OptionError("the spec names no end time; give t_end")
    step = spec.get("dt", (end - start.t0) / SAMPLES) if dt is None else dt
    settings = Settings(
        float(end),
        float(step),
        float(spec.get("rtol", RTOL) if rtol is None else rtol),
        float(spec.get("atol", ATOL) if atol is None else atol),
        method,
    )
    if not (np.isfinite(settings.t_end) and settings.t_end >= start.t0):
        raise OptionError(f"t_end must be a time after the start at {start.t0:g}, not {settings.t_end:g}")
    if not settings.dt > 0 and settings.t_end > start.t0:
        raise OptionError(f"dt must be positive, not {settings.dt:g}")
    if settings.dt > 0 and (settings.t_end - start.t0) / settings.dt > MOST:
        raise OptionError(f"dt = {settings.dt:g} up to t = {settings.t_end:g} makes more than {MOST:g} samples")
    if not (settings.rtol > 0 and settings.atol >= 0):
        raise OptionError(f"tolerances must be positive, not rtol = {settings.rtol:g}, atol = {settings.atol:g}")
    return settings


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
