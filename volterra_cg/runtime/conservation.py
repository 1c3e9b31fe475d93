"""Whether a run keeps what its model conserves as well as its tolerances allow.

A step of an adaptive integrator misses the state by about atol + rtol |z|, and nothing but that can change an invariant I. So it
drifts by about the number of steps times Σ |∂I/∂z| (atol + rtol |z|) at most, however long the run and however chaotic the
motion. The median of this over the run counts: near a singular configuration ∂I/∂z is huge, and a few such rows would excuse
whatever comes of them. What drifts by more than MARGIN times that shows that the model does not conserve what it says, or that
its steps are not as good as they seem. Constraints are invariants too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from volterra_cg.arrays import Vector

if TYPE_CHECKING:
    from .description import Description
    from .events import Occurrence
    from .handle import Handle
    from .run import Run
    from .start import Start

MARGIN = 5.0  # docs/runtime.md tells how much of it sound models take
NOISE = 64.0  # times what rounding alone makes of an invariant
PLACES = 16  # along a run where invariants are differentiated, beside those where they are farthest away
STEP = 1e-6  # of differences, beside the size of a state
KEPT = 1e-12  # beside the size of coordinates and rates: a constraint that is kept
EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = 4 * EPSILON  # of a state, by a step


@dataclass(frozen=True, eq=False)
class Judge:
    """Where a run set off, and the tolerances that its steps kept, absolute ones for each state.

    `whole` is the run with the rows that were not asked for, such as the start, if there are any.
    """

    start: Start
    rtol: float
    atol: Vector
    whole: Run | None = None

    def warnings(self, run: Run) -> tuple[str, ...]:
        """A sentence for each invariant that drifts by more than the tolerances allow, where it is worst."""
        run = run if self.whole is None else self.whole
        kept, worst = _kept(run.description), dict[str, tuple[float, str]]()
        for stretch in _stretches(run, self.start):
            found = [
                drift for drift in _drifts(run, stretch, kept) if drift.size > max(drift.least, self.rtol * drift.scale)
            ]
            for drift, allowed in zip(found, self._allowed(run, stretch, found) if found else (), strict=True):
                ratio = drift.size / allowed
                if ratio > worst.get(drift.name, (1.0,))[0]:
                    worst[drift.name] = ratio, drift.told(run, stretch, allowed)
        return tuple(words for _, words in worst.values())

    def _allowed(self, run: Run, stretch: _Stretch, drifts: Sequence[_Drift]) -> Vector:
        """How far each invariant may drift on a stretch."""
        within, places, count = slice(stretch.first, stretch.last), [drift.place for drift in drifts], len(self.atol)
        even = np.linspace(stretch.first, stretch.last - 1, PLACES).astype(int)
        rows = np.unique([*even, *(drift.row for drift in drifts)])
        sizes = np.maximum(np.abs(run.z[within]).max(axis=0), self.atol)
        far, near = STEP * np.where(sizes > 0, sizes, 1.0), ROUNDING * sizes
        moves = np.vstack([np.diag(far), np.diag(near)])
        changes = self._changes(run, stretch, rows, moves)[:, :, places]
        slopes = changes[:, :count] / (2 * far[:, np.newaxis])
        tolerances = self.atol + (self.rtol + ROUNDING) * np.abs(run.z[rows])
        misses = np.median(np.einsum("ri,rip->rp", tolerances, slopes), axis=0)
        noise = np.maximum(changes[:, count:].max(axis=(0, 1)), EPSILON * np.abs(run.y[within][:, places]).max(axis=0))
        allowed: Vector = MARGIN * run.statistics.steps * misses + NOISE * noise
        return allowed

    def _changes(self, run: Run, stretch: _Stretch, rows: Vector, moves: Vector) -> Vector:
        """|y(z + move) - y(z - move)| at rows, shape (rows, moves, outputs); 0 where there is no such state."""
        t, z = run.t[rows], run.z[rows]
        moved = z[:, np.newaxis, np.newaxis, :] + np.stack([moves, -moves])
        each = 2 * len(moves)
        given = None
        if self.start.inputs.vary:
            given = np.repeat(np.column_stack([run.signals[name][rows] for name in self.start.signals]), each, axis=0)
        values = stretch.handle.outputs_along(np.repeat(t, each), moved.reshape(-1, z.shape[1]), given)
        pairs = values.reshape(len(t), 2, len(moves), -1)
        changes: Vector = np.abs(pairs[:, 0] - pairs[:, 1])
        return np.where(np.isfinite(changes), changes, 0.0)


@dataclass(frozen=True)
class _Drift:
    """How far the invariant at a place in y moves from its first value on a stretch, and at which row.

    It need not be looked at closely if it is below `least`, or below rtol beside `scale`, its size times the number of steps.
    """

    name: str
    place: int
    row: int
    size: float
    scale: float
    least: float

    def told(self, run: Run, stretch: _Stretch, allowed: float) -> str:
        first, last = run.t[stretch.first], run.t[stretch.last - 1]
        return (
            f"{self.name} drifts by {self.size:.3g} from {run.y[stretch.first, self.place]:.6g} between t = {first:g} and"
            f" t = {last:g}, where the tolerances allow {allowed:.3g}"
        )


def _kept(description: Description) -> dict[str, int]:
    """The places in y of what a motion conserves, by name."""
    places = {name: description.index_of(name) for name in description.invariants}
    for part, pattern in (("constraints", "constraint {}"), ("positions", "constraint {} (position)")):
        output = description.outputs.get(part)
        if output is not None:
            places |= {pattern.format(label): output.offset + k for k, label in enumerate(output.labels)}
    return places


def _drifts(run: Run, stretch: _Stretch, kept: Mapping[str, int]) -> Iterator[_Drift]:
    """What moves on a stretch; energies are measured by the kinetic one, momenta by themselves, constraints by the motion."""
    rows, of = slice(stretch.first, stretch.last), run.description.output
    kinetic = float(run.y[rows, of("kinetic_energy").offset].max())
    motion = max(1.0, float(np.abs(run.q[rows]).max()), float(np.abs(run.y[rows, of("rates").where]).max()))
    for name, place in kept.items():
        values = run.y[rows, place]
        away = np.abs(values - values[0])
        row, kind = int(np.argmax(away)), name.partition(" ")[0]
        size = {"energy": kinetic, "momentum": abs(float(values[0]))}.get(kind, 0.0)
        least = KEPT * motion if kind == "constraint" else 0.0
        yield _Drift(name, place, stretch.first + row, float(away[row]), run.statistics.steps * size, least)


@dataclass(frozen=True, eq=False)
class _Stretch:
    """The rows from `first` to before `last`, with no event among them that changes anything.

    `parameters` and `momenta` are bound there.
    """

    start: Start
    first: int
    last: int
    parameters: Vector
    momenta: Vector

    @cached_property
    def handle(self) -> Handle:
        return self.start.model.handle(self.parameters, self.start.inputs.constants, self.momenta)


def _stretches(run: Run, start: Start) -> Iterator[_Stretch]:
    """The parts of a run of more than one row between events that change coordinates, rates or parameters."""
    parameters, momenta = np.array(list(start.parameters.values())), start.momenta
    where, first = run.description.output("momenta").where, 0
    changing = {event.name: k for k, event in enumerate(run.description.events) if event.changes}
    for event in [*(event for event in run.events if event.name in changing), None]:
        last = len(run.t) if event is None else int(np.searchsorted(run.t, event.t))
        if last > first and momenta.size:
            momenta = run.y[first, where]  # those after the last event
        stretch = _Stretch(start, first, last, parameters, momenta)
        if last > first + 1:
            yield stretch
        if event is not None:
            parameters, first = _after(stretch, event, changing[event.name]), last


def _after(stretch: _Stretch, event: Occurrence, number: int) -> Vector:
    """The parameters after an event."""
    count = len(stretch.parameters)
    if not count:
        return stretch.parameters
    t, z, inputs = event.t, event.before, stretch.start.inputs
    signals = inputs.at(t, z, lambda values: stretch.handle.outputs(t, z, values)) if inputs.vary else None
    return stretch.handle.changes(t, z, signals)[number, -count:]
