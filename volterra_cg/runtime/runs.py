"""The results of many trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from . import tables
from .conservation import Judge
from .description import ReadOnly
from .provenance import provenance
from .run import Run, Statistics
from .signals import Signal, Signals
from .status import REASONS as FAILURES
from .status import Status, vanishing

if TYPE_CHECKING:
    from .model import Model
    from .start import Start


REASONS = FAILURES | {
    Status.DONE: "it reached the end",
    Status.NOT_FINITE: "the state or its derivative is not finite",
    Status.TOO_MANY_STEPS: "it takes too many steps",
    Status.OFF_CONSTRAINTS: "a constraint that follows from the others in the spec does not here, or projection fails",
}


@dataclass(frozen=True, eq=False)
class Runs:
    """N simulated motions; z[i, k], shape (N, times, states), is the state of trajectory i at t[k], or NaN.

    It sets off from z0[i] at t0. `reached[i]` counts the states of trajectory i, `ended[i]` is the time of its last step,
    `parameters` and `momenta` are its own; steps, rejections and rhs_calls are what it took.
    """

    model: Model
    t0: float
    z0: Vector
    t: Vector
    z: Vector
    status: NDArray[np.intc]
    where: NDArray[np.intc]
    residual: Vector
    reached: NDArray[np.intc]
    ended: Vector
    parameters: Mapping[str, Vector]
    signals: Mapping[str, Vector | tuple[Vector, Vector]]
    momenta: Vector
    steps: NDArray[np.int_]
    rejections: NDArray[np.int_]
    rhs_calls: NDArray[np.int_]
    integrator: str
    seconds: float
    rtol: float
    atol: Vector
    judged: bool
    rates: Vector | None = None  # of a model with charts, shape (N, times, coordinates)
    chart: NDArray[np.intc] | None = None  # the one in which a trajectory ended
    chart_changes: NDArray[np.int_] | None = None

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"<Runs of {self.model.name}: {len(self)}, of which {int(self.ok.sum())} reached t = {self.t[-1]:g}>"

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which trajectories reached the end."""
        return np.asarray(self.status == Status.DONE)

    def message(self, i: int) -> str:
        """How trajectory i ended, in words."""
        status = Status(int(self.status[i]))
        if status == Status.DONE:
            return f"trajectory {i}: {REASONS[status]}"
        if not self.rhs_calls[i]:
            return f"trajectory {i} did not start: {self._reason(i)}"
        return f"trajectory {i} stopped at t = {self.ended[i]:.9g}: {self._reason(i)}"

    def _reason(self, i: int) -> str:
        status, where, description = Status(int(self.status[i])), int(self.where[i]), self.model.description
        if status in (Status.SINGULAR, Status.TOO_SMALL):
            return vanishing(status, description, where, 0 if self.chart is None else int(self.chart[i]))
        if status == Status.IMPOSSIBLE:
            return description.limits[where].broken({name: values[i] for name, values in self.parameters.items()})
        if status != Status.INCONSISTENT:
            return REASONS[status]
        if where < 0:
            return "no start values on the constraints were found"
        if where < len(description.coordinates):
            name = description.coordinates[where]
            return f"the start rates break the constraints: that of {name} misses by {self.residual[i]:.6g}"
        labels = [
            label
            for name in ("constraints", "positions")
            if name in description.outputs
            for label in description.outputs[name].labels
        ]
        name = labels[where - len(description.coordinates)]
        return f"the start values violate the constraint {name}: its residual is {self.residual[i]:.6g}, not 0"

    def run(self, i: int) -> Run:
        """Trajectory i with its outputs, as far as it went."""
        reached, row = int(self.reached[i]), range(len(self))[i]
        if not reached:
            raise OptionError(self.message(row))
        parameters = ReadOnly({name: float(values[row]) for name, values in self.parameters.items()})
        signals: dict[str, Signal] = {
            name: value if isinstance(value, tuple) else float(value[row]) for name, value in self.signals.items()
        }
        t, z = self.t[:reached], self.z[row, :reached].copy()
        late = bool(t[0] > self.t0)  # the start was not asked for
        if late:
            t, z = np.concatenate([[self.t0], t]), np.vstack([self.z0[row], z])
        rates = None if self.rates is None else self.rates[row, : len(t)]
        inputs = Signals(signals)
        start = self.model.bound(
            parameters, inputs, self.momenta[row], z[0], self.t0, None if rates is None else rates[0]
        )
        driven = (
            [start.signals_at(time, state) or [] for time, state in zip(t, z, strict=True)] if inputs.vary else None
        )
        statistics = Statistics(
            int(self.rhs_calls[row]), int(self.steps[row]), float("nan"), self.integrator, int(self.rejections[row]),
            chart_changes=0 if self.chart_changes is None else int(self.chart_changes[row]),
        )  # fmt: skip
        run = Run(
            t,
            z,
            start.handle.outputs_along(t, z, driven) if rates is None else _outputs(start, t, z, rates, driven),
            self.model.description,
            parameters,
            statistics,
            Status(int(self.status[row])),
            self.message(row),
            judge=Judge(start, self.rtol, self.atol) if self.judged else None,
            inputs=inputs,
            source=start,
            tolerances=(self.rtol, self.atol),
        )
        return run.rows(slice(1, None)) if late else run

    @cached_property
    def doubtful(self) -> NDArray[np.bool_]:
        """Which trajectories have warnings, as `run(i).warnings` tells them; found when first asked for."""
        return np.array([bool(self.reached[i] and self.run(i).warnings) for i in range(len(self))], dtype=np.bool_)

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the numbers come from: the spec, versions, formulation, integrator and tolerances."""
        return provenance(self.model.description, self.integrator, self.rtol, self.atol)

    def to_pandas(self, names: Sequence[str] | None = None) -> Any:
        """The states, or the columns of these names, as a pandas DataFrame over sample and t, with the parameters."""
        return tables.frame_of_many(self, names)

    def to_xarray(self, names: Sequence[str] | None = None) -> Any:
        """The states, or the columns of these names, as an xarray Dataset over sample and t, with the parameters."""
        return tables.dataset_of_many(self, names)

    def save(self, path: str | Path) -> Path:
        """Write times, states, statuses and parameters to a .nc, .csv, .npz, .mat or .parquet file."""
        from . import archive

        return archive.save_many(self, path)

    def arrays(self) -> dict[str, Any]:
        """What is written as arrays: times, states, endings, parameters and momenta."""
        return {
            "t": self.t,
            "z": self.z,
            "states": np.array(self.model.states, dtype=np.str_),
            "status": self.status,
            "doubtful": self.doubtful,
            "ended": self.ended,
            "momenta": self.momenta,
            "parameter_names": np.array(list(self.parameters), dtype=np.str_),
            "parameters": np.array(list(self.parameters.values())).reshape(len(self.parameters), len(self)).T,
        }


def _outputs(start: Start, t: Vector, z: Vector, rates: Vector, signals: list[list[float]] | None) -> Vector:
    """The outputs along a trajectory whose states may not determine its rates."""
    given = [None] * len(t) if signals is None else signals
    rows = zip(t, z, rates, given, strict=True)
    return np.array([start.handle.outputs_of_rates(time, state, rate, values) for time, state, rate, values in rows])
