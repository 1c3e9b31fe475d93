"""One mechanism by every formulation: the same integrator, the same samples, the same measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError, OptionError
from volterra_cg.integrators import MATLAB
from volterra_cg.options import FORMULATIONS
from volterra_cg.runtime import Model, Run
from volterra_cg.runtime.integration import StepControl, integrate
from volterra_cg.runtime.simulation import sample_times
from volterra_cg.runtime.tolerances import MATLAB_ATOL, MATLAB_RTOL

from .measures import Errors, Timing, errors, evaluations, instructions, integrations, norm, one_core
from .models import REFERENCE, Built, Say, models


@dataclass(frozen=True)
class Settings:
    """What to compare and how; None is the spec's own, or for the tolerances and the largest step the paper's."""

    formulations: tuple[str, ...] = FORMULATIONS
    integrator: str = MATLAB
    t_end: float | None = None
    dt: float | None = None
    rtol: float | None = None
    atol: float | None = None
    max_step: float | None = None
    repeat: int = 11
    callgrind: bool = False
    optimise: int = 3

    def __post_init__(self) -> None:
        strange = [formulation for formulation in self.formulations if formulation not in FORMULATIONS]
        if strange or not self.formulations:
            raise OptionError(
                f"no formulation is called {', '.join(strange) or 'so'}; there are {', '.join(FORMULATIONS)}"
            )
        if self.repeat < 1:
            raise OptionError(f"a measurement is repeated at least once, not {self.repeat} times")


@dataclass(frozen=True, eq=False)
class Measured:
    """One formulation on one system."""

    label: str
    model: Model
    run: Run
    errors: Errors
    timing: Timing
    ns_per_rhs: float
    instructions: int | None

    @property
    def operations(self) -> int:
        """Of one call of rhs."""
        return int(self.model.report["operations"]["total"])

    @property
    def norms(self) -> dict[str, float | None]:
        """The three kinds of error in the paper's tables."""
        parts = ("energy", "constraint", "momentum")
        return {f"{part}_error": norm(getattr(self.errors, part)) for part in parts}


@dataclass(frozen=True, eq=False)
class System:
    """All formulations on one system, and those that do not apply with the reason."""

    name: str
    control: StepControl
    t_end: float
    dt: float
    measured: tuple[Measured, ...]
    refused: Mapping[str, str]

    @property
    def reference(self) -> Measured | None:
        """What the others are compared with."""
        return next((m for m in self.measured if m.label == REFERENCE), None)


def compare(spec: Path, settings: Settings, say: Say = lambda _: None) -> System:
    """One mechanism by every formulation asked for; `say` hears what is under way."""
    built, refused = models(spec, settings.formulations, settings.optimise, say)
    if not built:
        raise OptionError(f"none of the formulations applies to {spec}: {'; '.join(refused.values())}")
    name, (t_end, dt) = built[0].model.name, _span(built[0].model, settings)
    control = _control(settings, dt)
    times = sample_times(0.0, t_end, dt)
    say(f"{name}: integrating to t = {t_end:g}")
    runs = _runs(built, times, control, refused)
    done = [item for item in built if item.label in runs]
    if not done:
        raise OptionError(f"no formulation can integrate {spec}: {'; '.join(refused.values())}")
    say(f"{name}: measuring, {settings.repeat} times each")
    return System(name, control, t_end, dt, _measured(done, runs, times, control, settings), refused)


def _span(model: Model, settings: Settings) -> tuple[float, float]:
    simulation = model.description.simulation
    t_end = float(simulation["t_end"] if settings.t_end is None else settings.t_end)
    dt = float(simulation["dt"] if settings.dt is None else settings.dt)
    if not (t_end > 0 and dt > 0):
        raise OptionError(f"t_end and dt must be positive, not {t_end:g} and {dt:g}")
    return t_end, dt


def _control(settings: Settings, dt: float) -> StepControl:
    return StepControl(
        settings.integrator,
        MATLAB_RTOL if settings.rtol is None else settings.rtol,
        MATLAB_ATOL if settings.atol is None else settings.atol,
        dt if settings.max_step is None else settings.max_step,
    )


def _runs(built: Sequence[Built], times: Vector, control: StepControl, refused: dict[str, str]) -> dict[str, Run]:
    """One run of each; a formulation that cannot go on is refused with the reason."""
    runs = {}
    for item in built:
        try:
            runs[item.label] = integrate(item.model.default, times, control)
        except IntegrationError as error:
            refused[item.label] = str(error)
    return runs


def _measured(
    built: Sequence[Built], runs: Mapping[str, Run], times: Vector, control: StepControl, settings: Settings
) -> tuple[Measured, ...]:
    with one_core():
        timings = integrations(built, times, control, settings.repeat)
        costs = evaluations(built, runs, settings.repeat)
    return tuple(
        Measured(
            label=item.label,
            model=item.model,
            run=runs[item.label],
            errors=errors(runs[item.label]),
            timing=timings[item.label],
            ns_per_rhs=costs[item.label],
            instructions=instructions(item.folder) if settings.callgrind else None,
        )
        for item in built
    )
