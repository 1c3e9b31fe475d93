"""This compiler's side of the study: one model at every level."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from volterra_cg.build import build, load
from volterra_cg.clock import Clock
from volterra_cg.driver import generate
from volterra_cg.emit.sources import Sources
from volterra_cg.options import Options
from volterra_cg.runtime import Model

from .harness import Candidate, compiled

Rows = NDArray[np.float64]
STATES = 64
HEADERS = sorted((Path(__file__).parents[2] / "volterra_cg" / "headers").glob("vcg_*.h"))
GLUE = """
#include "{name}.h"
static const double p[] = {{{parameters}}}, g[] = {{{momenta}}}, signals[] = {{{signals}}};
static double w[{prepared}], scratch[{scratch}];
void study_setup(void);
void study_call(const double *in, double *out);
void study_setup(void) {{ int where; vcg_model_{name}.prepare(p, w, &where); }}
void study_call(const double *in, double *out)
{{
    int where;
    vcg_model_{name}.rhs(in[{states}], in, out, w, g, signals, scratch, &where);
}}
"""


@dataclass(frozen=True)
class Level:
    """One model at one level."""

    level: int
    operations: int
    seconds: float
    c_bytes: int
    order: str
    loop: Candidate


@dataclass(frozen=True)
class Subject:
    """A model with the states that all candidates are measured at, along its own motion."""

    name: str
    model: Model
    states: Rows
    times: Rows
    momenta: tuple[float, ...]
    levels: tuple[Level, ...] = ()

    @property
    def speeds(self) -> slice:
        """Where the speeds are in a state."""
        m = len(self.model.coordinates)
        return slice(m, m + len(self.model.quasi_velocities))

    @property
    def rows(self) -> Rows:
        """What a candidate reads: a state and its time."""
        return np.column_stack([self.states, self.times])

    @cached_property
    def rates(self) -> Rows:
        """dz/dt at the states."""
        return np.array([self.model.default.rhs(t, z) for t, z in zip(self.times, self.states, strict=True)])


def subject(spec: Path, folder: Path, levels: Sequence[int]) -> Subject:
    """Derive a spec at each level, compile each, and find states."""
    made = {level: _derived(spec, level) for level in levels}
    top = Options(optimise=max(levels))
    model = load(build(spec, top, None, lambda: made[top.optimise][0], Clock()).folder).model
    span = min(float(model.description.simulation.get("t_end", 2.0)), 2.0)
    run = model.simulate(span, dt=span / (STATES - 1))
    subject = Subject(spec.stem, model, run.z[:STATES], run.t[:STATES], tuple(model.default.momenta))
    found = [_level(subject, made[level], level, folder / f"level{level}") for level in levels]
    return replace(subject, levels=tuple(found))


def _derived(spec: Path, level: int) -> tuple[Sources, float]:
    begin = time.perf_counter()
    sources = generate(spec, Options(optimise=level), Clock())
    return sources, time.perf_counter() - begin


def _level(subject: Subject, made: tuple[Sources, float], level: int, folder: Path) -> Level:
    sources, seconds = made
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sources.files.items():
        (folder / name).write_text(text)
    for header in HEADERS:
        (folder / header.name).write_text(header.read_text())
    texts = sorted(folder / name for name in sources.files if name.endswith(".c"))
    glue = folder / "glue.c"
    glue.write_text(_glue(subject.model, sources))
    loop = compiled(f"level {level}", folder, [*texts, glue], subject.rows, subject.states.shape[1])
    report = sources.report
    return Level(
        level,
        report["operations"]["total"],
        seconds,
        sum(text.stat().st_size for text in texts),
        report["optimise"]["order"],
        loop,
    )


def _glue(model: Model, sources: Sources) -> str:
    start = model.default

    def numbers(values: Sequence[float]) -> str:
        return ", ".join(map(repr, map(float, values))) or "0.0"

    return GLUE.format(
        name=sources.name,
        parameters=numbers(list(start.parameters.values())),
        momenta=numbers(list(start.momenta)),
        signals=numbers(list(model.description.signals.values())),
        prepared=1_000_000,
        scratch=1_000_000,
        states=len(model.z0),
    )
