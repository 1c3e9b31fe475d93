"""simulate_many: start values, parameters and signals as arrays, broadcast to rows, solved in lanes on threads or an executor."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.integrators import ADAPTIVE, DEFAULT, IN_LANES

from .arguments import count, mapping, numbers
from .batch import Batch, Layout, Outcome, Samples
from .description import Description, ReadOnly, unknown
from .executor import solve_on, solve_rows
from .integration import MOST_STEPS, check_limit, check_step
from .runs import Runs
from .signals import sampled
from .simulation import asked_times, result_times
from .start import TOLERANCE
from .tolerances import TINIEST, check_tolerances, chosen_tolerances

if TYPE_CHECKING:
    from .model import Model

ManyValues = ArrayLike | Mapping[str, ArrayLike]
ManySignals = Mapping[str, ArrayLike | tuple[ArrayLike, ArrayLike]]


def simulate_many(
    model: Model,
    t_end: float | None = None,
    dt: float | None = None,
    rtol: float | None = None,
    atol: ArrayLike | None = None,
    integrator: str = DEFAULT,
    *,
    q: ManyValues | None = None,
    qd: ManyValues | None = None,
    params: Mapping[str, ArrayLike] | None = None,
    signals: ManySignals | None = None,
    t_eval: ArrayLike | None = None,
    max_step: float | None = None,
    max_steps: int | None = None,
    workers: int | Executor | None = None,
) -> Runs:
    """Integrate many trajectories; see Model.simulate_many."""
    begin = time.perf_counter()
    _refuse(model.description, integrator, max_step, max_steps)
    crew = workers if isinstance(workers, Executor) else _threads(workers)
    inputs = _Inputs(model.description, q, qd, params, signals)
    times, asked = _times(model.description, t_end, dt, t_eval)
    tolerances = _tolerances(model.description, rtol, atol)
    batch = inputs.batch(times, integrator, tolerances, max_step or 0.0, max_steps or MOST_STEPS)
    judged = integrator in ADAPTIVE or rtol is not None or atol is not None
    outcome = solve_on(crew, model, batch) if isinstance(crew, Executor) else solve_rows(model, batch, crew)
    steps, rejections, calls = outcome.counts
    return Runs(
        model, float(times[0]), outcome.z[:, 0], times[asked], outcome.z[:, asked], outcome.status, outcome.where,
        outcome.residual, _reached(outcome.reached, asked, len(times)), outcome.ended,
        ReadOnly(zip(model.description.parameters, batch.parameters.T, strict=True)), inputs.told(batch), outcome.momenta,
        steps, rejections, calls, integrator, time.perf_counter() - begin, *tolerances, judged,
        **_charted(model.description, outcome, asked),
    )  # fmt: skip


def refuse_controller(control: object, period: object) -> None:
    """Refuse what asks Python along the way, with what to do instead."""
    if control is not None or period is not None:
        raise OptionError(
            "simulate_many takes no controller, because its threads ask no Python: write the law as an expression of the"
            " signal in the spec, with its gains as parameters, or call simulate(control=...) for each start"
        )


def _charted(description: Description, outcome: Outcome, asked: slice) -> dict[str, Any]:
    """What the runs of a model with charts tell beside the others; the rates from the start on."""
    if not description.one_by_one:
        return {}
    first = slice(0, asked.stop)
    return {"rates": outcome.rates[:, first], "chart": outcome.chart, "chart_changes": outcome.changes}


def _reached(reached: NDArray[np.intc], asked: slice, count: int) -> NDArray[np.intc]:
    """How many of the times that are asked for were reached."""
    first, last, _ = asked.indices(count)
    return np.clip(reached, first, last) - np.intc(first)


def _refuse(description: Description, integrator: str, max_step: float | None, max_steps: int | None) -> None:
    if integrator not in IN_LANES:
        raise unknown("integrator", integrator, IN_LANES)
    check_step("max_step", "largest", max_step)
    check_limit(max_steps)
    if description.report.get("events"):
        raise OptionError("simulate_many does not follow events; simulate the trajectories of this model one by one")


def _threads(workers: int | None) -> int:
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        if not isinstance(workers, bool):
            return count("workers", workers)
    except (TypeError, OptionError):
        pass
    raise OptionError(f"workers must be a positive number of threads or an executor, not {workers!r}")


def _tolerances(description: Description, rtol: float | None, atol: ArrayLike | None) -> tuple[float, Vector]:
    """The relative tolerance, and the absolute one of every state."""
    relative, given = chosen_tolerances(description, rtol, atol)
    if given.shape not in ((), (len(description.states),)):
        raise ValueError(f"atol must be a number or have shape ({len(description.states)},), not {given.shape}")
    check_tolerances(relative, given)
    return relative, np.maximum(np.broadcast_to(given, len(description.states)), TINIEST)


def _times(
    description: Description, t_end: float | None, dt: float | None, t_eval: ArrayLike | None
) -> tuple[Vector, slice]:
    """The times from the start at 0 to the end, and which of them are asked for."""
    if t_eval is None:
        return result_times(description.simulation, 0.0, t_end, dt), slice(None)
    times, before, after = asked_times(0.0, t_end, dt, t_eval)
    return times, slice(int(before), len(times) - int(after))


class _Inputs:
    """What a user gave, as columns that are broadcast to the rows of all trajectories."""

    def __init__(
        self,
        description: Description,
        q: ManyValues | None,
        qd: ManyValues | None,
        params: Mapping[str, ArrayLike] | None,
        signals: ManySignals | None,
    ) -> None:
        self._description = description
        self._samples: list[Samples] = []
        self._q = self._columns("coordinate", "q", q)
        self._qd = self._columns("coordinate", "qd", qd)
        self._parameters = self._named("parameter", description.parameters, params)
        self._signals = self._named("signal", description.signals, self._constant(signals))
        self.rows = self._count()

    def _columns(self, kind: str, name: str, given: ManyValues | None) -> dict[str, Vector]:
        """Columns by the names of coordinates."""
        coordinates = self._description.coordinates
        if given is None or isinstance(given, Mapping):
            return self._named(kind, dict.fromkeys(coordinates, 0.0), given)
        table = numbers(name, given)
        if table.ndim not in (1, 2) or table.shape[-1] != len(coordinates):
            raise ValueError(f"{name} must have shape (N, {len(coordinates)}), not {table.shape}")
        columns = table.reshape(-1, len(coordinates)).T if table.ndim == 2 else table
        return dict(zip(coordinates, columns, strict=True))

    def _named(self, kind: str, known: Mapping[str, float], given: Mapping[str, ArrayLike] | None) -> dict[str, Vector]:
        mapping(f"{kind}s", given)
        columns = {}
        for name, value in (given or {}).items():
            if name not in known:
                raise unknown(kind, name, known)
            columns[name] = numbers(f"the values of the {kind} {name}", value)
            if columns[name].ndim > 1:
                raise ValueError(f"the {kind} {name} must be a number or have shape (N,), not {columns[name].shape}")
        return columns

    def _constant(self, signals: ManySignals | None) -> dict[str, ArrayLike]:
        """The signals that do not change in time; those given by samples are kept apart."""
        mapping("signals", signals)
        constant: dict[str, ArrayLike] = {}
        for name, value in (signals or {}).items():
            if callable(value):
                raise OptionError(
                    f"the signal {name} is a Python function, which simulate_many cannot take: give samples"
                )
            if not isinstance(value, tuple):
                constant[name] = value
                continue
            if name not in self._description.signals:
                raise self._description.no_signal(name)
            self._samples.append((list(self._description.signals).index(name), *sampled(name, value)))
        return constant

    def _count(self) -> int:
        given = (*self._q.values(), *self._qd.values(), *self._parameters.values(), *self._signals.values())
        sizes = {column.size for column in given if column.ndim}
        if len(sizes - {1}) > 1:
            raise ValueError(f"arrays of different lengths were given: {', '.join(map(str, sorted(sizes)))}")
        return max(sizes - {1}, default=1)

    def _table(self, names: Mapping[str, float], columns: Mapping[str, Vector]) -> Vector:
        """The columns side by side, shape (N, names), with the values of `names` where none is given."""
        table = np.empty((self.rows, len(names)))
        for place, (name, value) in enumerate(names.items()):
            table[:, place] = columns.get(name, value)
        return table

    def batch(
        self, times: Vector, integrator: str, tolerances: tuple[float, Vector], max_step: float, max_steps: int
    ) -> Batch:
        """The arrays of all trajectories."""
        description = self._description
        names = dict.fromkeys(description.coordinates, 0.0)
        given = tuple(np.array([name in columns for name in names], dtype=np.bool_) for columns in (self._q, self._qd))
        return Batch(
            times=times,
            parameters=self._table(description.parameters, self._parameters),
            signals=self._table(description.signals, self._signals),
            samples=tuple(self._samples),
            given=(given[0], given[1]),
            q=self._table(names, self._q),
            qd=self._table(names, self._qd),
            status=np.zeros(self.rows, dtype=np.intc),
            layout=_layout(description),
            integrator=integrator,
            rtol=tolerances[0],
            atol=tolerances[1],
            max_step=max_step,
            max_steps=max_steps,
            kinks=not description.smooth,
        )

    def told(self, batch: Batch) -> ReadOnly[Vector | tuple[Vector, Vector]]:
        """The signals by name: arrays, or times and samples."""
        signals: dict[str, Vector | tuple[Vector, Vector]] = dict(
            zip(self._description.signals, batch.signals.T, strict=True)
        )
        names = list(self._description.signals)
        return ReadOnly(signals | {names[number]: (times, values) for number, times, values in self._samples})


def _layout(description: Description) -> Layout:
    places = [
        (output.offset, output.size) if (output := description.outputs.get(name)) is not None else (0, 0)
        for name in ("constraints", "positions")
    ]
    return Layout(description.output("rates").offset, places[0], places[1], TOLERANCE)
