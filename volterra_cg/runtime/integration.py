"""Integration in time without the interpreter: the compiled integrators over a model's own table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from volterra_cg.errors import IntegrationError, OptionError

from .description import unknown
from .integrate import Bound
from .run import Run, Statistics

if TYPE_CHECKING:
    from .start import Start

Vector = NDArray[np.float64]
INTEGRATORS = ("ode45", "dop853", "rk4")

REASONS = {
    "too small": "the tolerances ask for steps smaller than time can be told apart",
    "not finite": "the state or its derivative is not finite",
    "no memory": "there is not enough memory",
}


@dataclass(frozen=True)
class Control:
    """How to step. `max_step` None is MATLAB's default, a tenth of the span; for rk4 it is the time between results."""

    integrator: str = "ode45"
    rtol: float = 1e-3
    atol: float = 1e-6
    max_step: float | None = None

    def __post_init__(self) -> None:
        if self.integrator not in INTEGRATORS:
            raise unknown("integrator", self.integrator, INTEGRATORS)
        if not (self.rtol > 0 and self.atol >= 0):
            raise OptionError(f"tolerances must be positive, not rtol = {self.rtol:g}, atol = {self.atol:g}")
        if self.max_step is not None and not self.max_step > 0:
            raise OptionError(f"the largest step must be positive, not {self.max_step:g}")


def bound(start: Start) -> Bound:
    """The table of a start's model with all it needs."""
    values = [value for value in start.signals.values() if isinstance(value, int | float)]
    if len(values) < len(start.signals):
        raise OptionError("the compiled integrators take signals that do not change")
    return Bound(start.model.table, list(start.parameters.values()), values, start.momenta)


def states(start: Start, times: ArrayLike, control: Control) -> tuple[Vector, Statistics]:
    """The states at the times, shape (times, states), and what they took; raises where a run cannot go on."""
    asked = np.asarray(times, dtype=np.float64)
    if asked.ndim != 1 or not asked.size or not (np.diff(asked) > 0).all():
        raise OptionError("times must be a list of increasing numbers")
    rows, told = bound(start).integrate(
        control.integrator, start.z0, asked, control.rtol, control.atol, control.max_step or 0.0
    )
    statistics = Statistics(told["calls"], told["steps"], told["seconds"], control.integrator, told["failures"])
    if told["status"] != "done":
        reached = told["reached"]
        run = Run.of(start, asked[:reached], rows[:reached], statistics)
        raise IntegrationError(f"the simulation stopped at t = {told['t']:.9g}: {_reason(start, told)}", told["t"], run)
    return rows, statistics


def integrate(start: Start, times: ArrayLike, control: Control | None = None) -> Run:
    """A run with its outputs at the times."""
    rows, statistics = states(start, times, control or Control())
    return Run.of(start, np.asarray(times, dtype=np.float64), rows, statistics)


def _reason(start: Start, told: dict[str, object]) -> str:
    if told["status"] in REASONS:
        return REASONS[str(told["status"])]
    checks, where = start.model.description.checks, told["where"]
    assert isinstance(where, int)
    return f"{checks[where] if 0 <= where < len(checks) else f'check {where}'} has no inverse"
