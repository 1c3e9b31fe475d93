"""Trajectories of a model with charts or redundant constraints: each changes charts for itself, so they are solved one by one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import ImpossibleParameters, SingularConfiguration

from .batch import Batch, Outcome, chunks, finish
from .bound import stop
from .integrate import integrate
from .signals import Signals
from .start import Start, at_start, surplus_rank
from .status import Status

if TYPE_CHECKING:
    from .model import Model


def solve_each(model: Model, batch: Batch, threads: int, outcome: Outcome) -> Outcome:
    """Start and integrate all rows of a batch as single runs, with the rates at every result."""
    outcome.status[:] = batch.status
    halt = threading.Event()
    with ThreadPoolExecutor(max(1, threads), initializer=stop.set, initargs=(halt,)) as pool:
        parts = [pool.submit(_solve, model, batch, outcome, *rows) for rows in chunks(len(batch), threads)]
        finish(parts, lambda part: part.result(), halt.set)
    for row in np.flatnonzero(outcome.status):
        for values in (outcome.z, outcome.rates):
            values[row, outcome.reached[row] :] = np.nan
    return outcome


def _solve(model: Model, batch: Batch, outcome: Outcome, first: int, last: int) -> None:
    for row in range(first, last):
        if outcome.status[row] == Status.DONE:
            _solve_row(model, batch, outcome, row)


def _solve_row(model: Model, batch: Batch, outcome: Outcome, row: int) -> None:
    """One trajectory, or why it cannot start."""
    parameters = dict(zip(model.description.parameters, map(float, batch.parameters[row]), strict=True))
    inputs = Signals(dict(zip(model.description.signals, map(float, batch.signals[row]), strict=True)))
    named = list(model.description.signals)
    samples = {named[number]: (times, values) for number, times, values in batch.samples}
    inputs = inputs.replaced(samples, model.description)
    t = float(batch.times[0])
    try:
        free = model.handle(batch.parameters[row], inputs.constants)
        pairs = zip(batch.given, (batch.q[row], batch.qd[row]), free.initial(), strict=True)
        q, qd = (np.where(flags, given, own) for flags, given, own in pairs)
        z, momenta = free.start(t, q, qd)
        start = model.bound(parameters, inputs, momenta, z, t, qd)
        missed = _missed(start, batch, q, qd)
    except ImpossibleParameters as error:
        told = [limit.broken(parameters) for limit in model.description.limits]
        outcome.status[row], outcome.where[row] = Status.IMPOSSIBLE, told.index(str(error))
        return
    except SingularConfiguration:
        outcome.status[row] = Status.SINGULAR
        return
    if missed is not None:
        outcome.status[row], outcome.where[row], outcome.residual[row] = missed
        return
    outcome.momenta[row] = momenta
    _integrate(start, batch, outcome, row)


def _missed(start: Start, batch: Batch, q: Vector, qd: Vector) -> tuple[int, int, float] | None:
    """The status, place and size of what a start breaks, as lanes tell it."""
    y, count = at_start(start, qd), len(q)
    most = batch.layout.tolerance * max(1.0, float(np.abs([q, qd]).max(initial=0.0)))
    sets = [y[offset : offset + size] for offset, size in (batch.layout.velocities, batch.layout.positions)]
    residuals = np.concatenate([*sets, y[batch.layout.rates :][:count] - qd])
    if surplus_rank(start):
        return int(Status.INCONSISTENT), -1, float("nan")
    wrong = np.flatnonzero(~(np.abs(residuals) <= most))
    if not wrong.size:
        return None
    place, rows = int(wrong[0]), len(residuals) - count
    status = Status.NOT_FINITE if np.isnan(residuals[place]) else Status.INCONSISTENT
    return int(status), place + count if place < rows else place - rows, float(residuals[place])


def _integrate(start: Start, batch: Batch, outcome: Outcome, row: int) -> None:
    description = start.model.description
    rates = description.output("rates")
    t, z, y, _, _, _, told = integrate(
        start.handle,
        batch.integrator,
        start.z0,
        batch.times,
        rtol=batch.rtol,
        atol=batch.atol,
        max_step=batch.max_step,
        max_steps=batch.max_steps,
        kinks=batch.kinks,
        project=description.changes_rows and bool(start.handle.sizes["holonomic"]),
        rates=rates.offset,
        samples=start.inputs.samples,
        start_rates=start.qd0,
    )
    assert y is not None
    reached = int(np.sum(t == batch.times[: len(t)]))  # without a last row where it ended early
    outcome.z[row, :reached], outcome.rates[row, :reached] = z[:reached], y[:reached, rates.where]
    stray = told["status"] == Status.DONE and description.strays(y, batch.rtol)
    outcome.status[row] = Status.OFF_CONSTRAINTS if stray else told["status"]
    outcome.where[row], outcome.chart[row], outcome.reached[row] = told["where"], told["chart"], reached
    outcome.ended[row], outcome.changes[row] = told["t"], told["chart_changes"]
    outcome.counts[:, row] = told["steps"], told["rejections"], told["rhs_calls"]
