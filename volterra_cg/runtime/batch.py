"""Many trajectories as plain arrays: what they start from, how they are solved, what comes out.

A batch holds arrays only, one row for each trajectory, so that it can be cut into parts and sent to workers; the outcome of
a row is the same, bit for bit, in whatever part and on however many threads it is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from .ensemble import LANES, run_rows, start_rows

T = TypeVar("T")
Numbers = NDArray[Any]
Samples = tuple[int, Vector, Vector]  # the number of a signal, times, values

CHUNK = 512  # rows that a thread takes at once, at most


@dataclass(frozen=True)
class Layout:
    """Where the outputs of a model tell whether a start is on its constraints: offsets and sizes."""

    rates: int
    velocities: tuple[int, int]
    positions: tuple[int, int]
    tolerance: float


@dataclass(frozen=True)
class Batch:
    """What N trajectories start from: times, shape (T,), tolerances, and arrays with N rows.

    `given` flags the columns of q and qd that hold start values; the spec has the others. Rows whose `status` is not 0 are
    left alone.
    """

    times: Vector
    parameters: Vector
    signals: Vector
    samples: tuple[Samples, ...]
    given: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    q: Vector
    qd: Vector
    status: Numbers
    layout: Layout
    integrator: str
    rtol: float
    atol: Vector
    max_step: float
    max_steps: int
    kinks: bool  # whether the equations may have kinks or jumps

    def __len__(self) -> int:
        return len(self.parameters)

    def part(self, first: int, last: int) -> Batch:
        """The rows from `first` to before `last`."""
        rows = {name: getattr(self, name)[first:last] for name in ("parameters", "signals", "q", "qd", "status")}
        return replace(self, **rows)


@dataclass(frozen=True)
class Outcome:
    """What became of the rows of a batch.

    z has shape (N, T, states) and is NaN where nothing was reached; `where` is the check that failed; `residual` what a
    start that breaks a constraint misses it by; `counts`, shape (3, N), are steps, rejections and calls of rhs. Of a model with
    charts, `chart` is that of the check, `changes` counts changes of them, and `rates`, shape (N, T, coordinates), are q'.
    """

    z: Vector
    momenta: Vector
    status: Numbers
    where: Numbers
    residual: Vector
    reached: Numbers
    ended: Vector
    chart: Numbers
    changes: Numbers
    rates: Vector
    counts: Numbers

    def put(self, part: Outcome, first: int, last: int) -> None:
        """Fill the rows from `first` to before `last` with the outcome of a part."""
        for field in fields(self):
            target, values = getattr(self, field.name), getattr(part, field.name)
            if field.name == "counts":
                target[:, first:last] = values
            else:
                target[first:last] = values


def solve(
    table: object, sizes: tuple[int, int], batch: Batch, threads: int = 1, room: Outcome | None = None
) -> Outcome:
    """Start and integrate all rows of a batch; `sizes` are the numbers of states and of momenta, `room` is filled.

    On Ctrl-C the threads are told to stop before it is passed on.
    """
    rows = len(batch)
    outcome = blank(batch, sizes) if room is None else room
    outcome.status[:] = batch.status
    work = replace(batch, q=np.array(batch.q, order="C"), qd=np.array(batch.qd, order="C"))
    stop = np.zeros(1, dtype=np.intc)
    with ThreadPoolExecutor(max(1, threads)) as pool:
        parts = [
            pool.submit(_solve_rows, table, work, outcome, stop, first, last) for first, last in chunks(rows, threads)
        ]
        finish(parts, lambda part: part.result(), lambda: stop.fill(1))
    for row in np.flatnonzero(outcome.status):
        outcome.z[row, outcome.reached[row] :] = np.nan
    return outcome


def _solve_rows(table: object, batch: Batch, outcome: Outcome, stop: Numbers, first: int, last: int) -> None:
    """Fill the rows of an outcome from `first` to before `last`; others may be filled at the same time."""
    layout, out = batch.layout, outcome
    start_rows(
        table, float(batch.times[0]), batch.parameters, _at_start(batch), batch.given, batch.q, batch.qd, out.z,
        out.momenta, (layout.rates, *layout.velocities, *layout.positions), layout.tolerance, out.status, out.where,
        out.residual, first, last,
    )  # fmt: skip
    out.reached[first:last] = out.status[first:last] == 0
    run_rows(
        table, batch.integrator, (batch.rtol, batch.atol, batch.max_step, batch.max_steps, batch.kinks), batch.times,
        batch.samples, batch.parameters, batch.signals, out.momenta, out.z, out.status, out.where, out.reached,
        out.ended, out.counts, stop, first, last,
    )  # fmt: skip


def _at_start(batch: Batch) -> Vector:
    """The signals at the time of the start."""
    if not batch.samples:
        return batch.signals
    signals = batch.signals.copy()
    for number, times, values in batch.samples:
        signals[:, number] = np.interp(batch.times[0], times, values)
    return signals


def blank(batch: Batch, sizes: tuple[int, int], charted: bool = False) -> Outcome:
    """An outcome to be filled; `sizes` are the numbers of states and of momenta."""
    rows, (states, momenta) = len(batch), sizes
    return Outcome(
        z=_room(rows, len(batch.times), states),
        momenta=np.full((rows, momenta), np.nan),
        status=np.array(batch.status, dtype=np.intc),
        where=np.full(rows, -1, dtype=np.intc),
        residual=np.full(rows, np.nan),
        reached=np.zeros(rows, dtype=np.intc),
        ended=np.full(rows, float(batch.times[0])),
        chart=np.zeros(rows, dtype=np.intc),
        changes=np.zeros(rows, dtype=np.dtype("l")),
        rates=_room(rows, len(batch.times) if charted else 0, batch.q.shape[1]),
        counts=np.zeros((3, rows), dtype=np.dtype("l")),
    )


def _room(rows: int, times: int, states: int) -> Vector:
    """Memory for all results."""
    try:
        return np.empty((rows, times, states))
    except (MemoryError, ValueError):
        raise OptionError(
            f"{rows} trajectories with {times} results of {states} states need {8e-9 * rows * times * states:.3g} GB,"
            " more than there is: ask for fewer results, simulate in parts, or use a sweep"
        ) from None


def chunks(rows: int, threads: int) -> list[tuple[int, int]]:
    """Ranges of rows, small enough to share out evenly and large enough to keep the lanes busy."""
    even = -(-rows // (4 * max(1, threads)))
    size = min(CHUNK, max(4 * LANES, -(-even // LANES) * LANES))
    return [(first, min(first + size, rows)) for first in range(0, rows, size)]


def finish(
    parts: Iterable[Future[T]], take: Callable[[Future[T]], None], stop: Callable[[], None] | None = None
) -> None:
    """Wait for all parts and take each when it is done; what `take` raises, and Ctrl-C, ends the others.

    A signal that another thread gets does not end a wait, so none is long.
    """
    waiting = set(parts)
    try:
        while waiting:
            done, waiting = wait(waiting, timeout=0.1, return_when="FIRST_EXCEPTION")
            for part in done:
                take(part)
    except BaseException:
        if stop is not None:
            stop()
        for part in waiting:
            part.cancel()
        raise
