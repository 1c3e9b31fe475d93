"""Build a mechanism with every method, integrate it, and measure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median

import numpy as np

from volterra_cg.build import build, load
from volterra_cg.clock import Clock
from volterra_cg.emit.sources import Sources
from volterra_cg.errors import IntegrationError, OptionError, SpecError
from volterra_cg.options import METHODS, Options
from volterra_cg.runtime import Model, Run
from volterra_cg.runtime.integration import Control, bound, integrate, states
from volterra_cg.runtime.simulation import sample_times

from .errors import Errors, errors, norm
from .instructions import instructions

REFERENCE = METHODS[0]
DENSE = f"{REFERENCE} dense"
MEASURED = 64  # states of the motion that the time of one rhs is measured over
LEAST_SECONDS = 0.02  # of one measurement of rhs
Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """What to compare and how; None is the spec's own, or for the tolerances and the step the paper's."""

    methods: tuple[str, ...] = METHODS
    integrator: str = "ode45"
    t_end: float | None = None
    dt: float | None = None
    rtol: float | None = None
    atol: float | None = None
    max_step: float | None = None
    repeat: int = 11
    callgrind: bool = False

    def __post_init__(self) -> None:
        strange = [method for method in self.methods if method not in METHODS]
        if strange:
            raise OptionError(f"no method is called {strange[0]!r}; there are {', '.join(METHODS)}")
        if self.repeat < 1:
            raise OptionError(f"a measurement is repeated at least once, not {self.repeat} times")


@dataclass(frozen=True)
class Timing:
    """Processor seconds of one integration: the median and the quartiles of interleaved repeats."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Measured:
    """One method on one system."""

    label: str
    model: Model
    folder: Path
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
        """The paper's three rows."""
        parts = ("energy", "constraint", "momentum")
        return {f"{part}_error": norm(getattr(self.errors, part)) for part in parts}


@dataclass(frozen=True, eq=False)
class System:
    """All methods on one system, and those that do not apply with the reason."""

    name: str
    spec: Path
    control: Control
    times: tuple[float, float]  # end, and between results
    measured: tuple[Measured, ...]
    refused: Mapping[str, str]

    @property
    def reference(self) -> Measured | None:
        """What the others are compared with."""
        return next((m for m in self.measured if m.label == REFERENCE), None)


@dataclass(frozen=True)
class _Built:
    label: str
    model: Model
    folder: Path


def compare(spec: Path, settings: Settings, say: Say = lambda _: None) -> System:
    """One mechanism by every method asked for; `say` hears what is under way."""
    built, refused = _built(spec, settings, say)
    if not built:
        raise OptionError(f"none of the methods applies to {spec}: {'; '.join(refused.values())}")
    simulation = built[0].model.description.simulation
    t_end = float(simulation["t_end"] if settings.t_end is None else settings.t_end)
    dt = float(simulation["dt"] if settings.dt is None else settings.dt)
    if not (t_end > 0 and dt > 0):
        raise OptionError(f"t_end and dt must be positive, not {t_end:g} and {dt:g}")
    control = Control(
        settings.integrator,
        1e-3 if settings.rtol is None else settings.rtol,
        1e-6 if settings.atol is None else settings.atol,
        dt if settings.max_step is None else settings.max_step,
    )
    times = sample_times(0.0, t_end, dt)
    say(f"{built[0].model.name}: integrating to t = {t_end:g}")
    runs: dict[str, Run] = {}
    for item in list(built):
        try:
            runs[item.label] = integrate(item.model.default, times, control)
        except IntegrationError as error:
            refused[item.label] = str(error)
            built.remove(item)
    say(f"{built[0].model.name}: measuring, {settings.repeat} times each")
    with _one_core():
        timings = _timings(built, times, control, settings.repeat)
        costs = _costs(built, runs, settings.repeat)
    counts = {b.label: instructions(b.folder) if settings.callgrind else None for b in built}
    measured = tuple(
        Measured(b.label, b.model, b.folder, runs[b.label], errors(runs[b.label]), timings[b.label], costs[b.label],
                 counts[b.label])
        for b in built
    )  # fmt: skip
    return System(built[0].model.name, spec, control, (t_end, dt), measured, refused)


def _variants(methods: Sequence[str]) -> Iterator[tuple[str, Options]]:
    """The reduced form appears twice where a road can be chosen: with the compiler's own and with the dense one."""
    roads = any(field.name == "road" for field in fields(Options))
    for method in methods:
        yield method, Options(method)
        if method == REFERENCE and roads:
            yield DENSE, Options(method, road="dense")


def _built(spec: Path, settings: Settings, say: Say) -> tuple[list[_Built], dict[str, str]]:
    built: list[_Built] = []
    refused: dict[str, str] = {}
    for label, options in _variants(settings.methods):
        say(f"{spec.stem}: building {label}")
        try:
            folder = _folder(spec, options)
        except SpecError as error:
            if options.method == REFERENCE:
                raise
            refused[label] = "; ".join(problem.message for problem in error.problems)
            continue
        built.append(_Built(label, load(folder).model, folder))
    return built, refused


def _folder(spec: Path, options: Options) -> Path:
    clock = Clock()

    def generate() -> Sources:
        from volterra_cg import driver

        return driver.generate(spec, options, clock)

    return build(spec, options, None, generate, clock).folder


@contextmanager
def _one_core() -> Iterator[None]:
    """Stay on one core while measuring, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {max(before)})
        yield
    finally:
        os.sched_setaffinity(0, before)


def _timings(built: Sequence[_Built], times: np.ndarray, control: Control, repeat: int) -> dict[str, Timing]:
    """Method after method, round after round, so that a slow moment of the machine hits all alike."""
    seconds: dict[str, list[float]] = {b.label: [] for b in built}
    for _ in range(repeat):
        for item in built:
            seconds[item.label].append(states(item.model.default, times, control)[1].seconds)
    return {label: Timing(median(row), *np.quantile(row, [0.25, 0.75])) for label, row in seconds.items()}


def _costs(built: Sequence[_Built], runs: Mapping[str, Run], repeat: int) -> dict[str, float]:
    """Nanoseconds of one call of rhs in a loop in C, over states along the motion; the median of interleaved repeats."""
    found: dict[str, list[float]] = {b.label: [] for b in built}
    loops: dict[str, int] = {}
    for _ in range(repeat):
        for item in built:
            run = runs[item.label]
            rows = np.unique(np.linspace(0, len(run.t) - 1, MEASURED).astype(int))
            handle, at, z = bound(item.model.default), run.t[rows], run.z[rows]
            if item.label not in loops:
                trial = max(handle.repeat(at, z, 2000), 1e-6)
                loops[item.label] = max(2000, int(2000 * LEAST_SECONDS / trial))
            found[item.label].append(handle.repeat(at, z, loops[item.label]) / loops[item.label])
    return {label: 1e9 * median(row) for label, row in found.items()}
