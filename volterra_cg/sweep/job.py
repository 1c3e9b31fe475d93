"""What a sweep is to compute, checked before anything is computed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.integrators import ATOL, DEFAULT, IMPLICIT, IN_LANES, RTOL
from volterra_cg.runtime.arguments import finite
from volterra_cg.runtime.integration import Control
from volterra_cg.runtime.simulation import sample_times
from volterra_cg.runtime.table import functions

from .grid import Axis, Grid, Quantity, quantity

if TYPE_CHECKING:
    from volterra_cg.runtime import Model
    from volterra_cg.runtime.description import Description

T = TypeVar("T")
ENERGIES = ("kinetic_energy", "potential_energy", "energy")
SMALLEST, LARGEST = 128, 1024  # runs of a chunk
STORED = 1 << 22  # numbers of a chunk, about
VARIABLE = (1 << 31) - 4  # bytes that a variable of a NetCDF 3 file may have


@dataclass(frozen=True, eq=False)
class Job:
    """A model, the grid, and the values of what does not vary; what is None comes from the spec.

    `values` are parameters and signals, `initial` coordinates and rates as der(NAME).
    """

    model: Model
    grid: Grid
    values: Mapping[str, float] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    t_end: float | None = None
    dt: float | None = None
    rtol: float | None = None
    atol: float | None = None
    integrator: str = DEFAULT
    max_step: float | None = None

    def __post_init__(self) -> None:
        for number, axis in enumerate(self.grid.axes):
            self._require(axis)
            if any(
                quantity(axis.name, self.description) == quantity(a.name, self.description)
                for a in self.grid.axes[:number]
            ):
                raise OptionError(f"{axis.name} varies twice")
        for name in self.values:
            if quantity(name, self.description).kind not in ("parameter", "signal"):
                raise OptionError(f"{name} is a start value: give it as --initial")
        for name in self.initial:
            if quantity(name, self.description).kind not in ("coordinate", "rate"):
                raise OptionError(f"{name} is no start value: give it as --set")
        self._require_numbers()
        self._require_method()
        if self.grid.size * len(self.times) * 8 > VARIABLE:
            message = f"{self.grid.size} runs of {len(self.times)} results do not fit into a NetCDF 3 file"
            raise OptionError(f"{message}: take a larger dt or fewer values")

    def _require(self, axis: Axis) -> None:
        found = quantity(axis.name, self.description)
        if found.kind == "signal":
            raise OptionError(f"{found.name} is a signal and cannot vary in a sweep: make it a parameter of the spec")
        given = {quantity(name, self.description) for name in (*self.values, *self.initial)}
        if found in given:
            raise OptionError(f"{axis.name} varies and cannot be set too")

    def _require_numbers(self) -> None:
        given = {**self.values, **self.initial}
        given |= {name: getattr(self, name) for name in ("t_end", "dt", "rtol", "atol", "max_step")}
        for name, value in given.items():
            if value is not None:
                finite(name, value)
        if not (self.ends > 0 and self.step > 0):
            raise OptionError(f"t_end and dt must be above zero, not {self.ends:g} and {self.step:g}")

    def _require_method(self) -> None:
        rtol, atol = RTOL if self.rtol is None else self.rtol, ATOL if self.atol is None else self.atol
        Control(self.integrator, rtol, atol, self.max_step)  # refuses what makes no sense
        if self.integrator in IMPLICIT and not functions(self.model.address).jacobian:
            raise OptionError(f"{self.integrator} needs the model's Jacobian: build with --jacobian")

    @property
    def description(self) -> Description:
        """What the model says about itself."""
        return self.model.description

    @property
    def ends(self) -> float:
        """The end time."""
        return float(self.description.simulation["t_end"] if self.t_end is None else self.t_end)

    @property
    def step(self) -> float:
        """The time between results."""
        return float(self.description.simulation["dt"] if self.dt is None else self.dt)

    @property
    def times(self) -> Vector:
        """The times of the results."""
        return sample_times(0.0, self.ends, self.step)

    @property
    def outputs(self) -> dict[str, int]:
        """The places in y of the scalar outputs, by name, but for those that share the name of a state."""
        found = {name: output for name, output in self.description.outputs.items() if name in ENERGIES or output.user}
        return {name: output.offset for name, output in found.items() if name not in self.description.states}

    @property
    def together(self) -> bool:
        """Whether simulate_many can compute the runs: it follows no events and has no implicit integrator."""
        return self.integrator in IN_LANES and not self.description.events

    @property
    def chunk(self) -> int:
        """The runs that are computed and kept together; the same for any number of workers."""
        width = len(self.times) * (len(self.description.states) + len(self.outputs))
        wanted = min(max(self.grid.size // 32, SMALLEST), LARGEST)
        return max(1, min(wanted, STORED // width))

    def columns(self, first: int, last: int) -> Start[Vector]:
        """What the runs from `first` to before `last` start with, an array for each name."""
        given = {name: np.full(last - first, value) for name, value in {**self.values, **self.initial}.items()}
        row = given | self.grid.rows(first, last)
        return Start.of(row, {name: quantity(name, self.description) for name in row})

    def starts(self, first: int, last: int) -> list[Start[float]]:
        """The same for each run by itself."""
        columns = self.columns(first, last)
        return [columns.at(k) for k in range(last - first)]

    def facts(self) -> dict[str, Any]:
        """All that the results depend on, as plain data."""
        report = json.dumps(self.description.report, sort_keys=True)
        return {
            "model": hashlib.sha256(report.encode()).hexdigest(),
            "vary": {axis.name: list(axis.values) for axis in self.grid.axes},
            "set": dict(self.values),
            "initial": dict(self.initial),
            "t_end": self.ends,
            "dt": self.step,
            "rtol": self.rtol,
            "atol": self.atol,
            "integrator": self.integrator,
            "max_step": self.max_step,
        }


@dataclass(frozen=True)
class Start(Generic[T]):
    """The values that one run or several start with, by name."""

    q: Mapping[str, T]
    qd: Mapping[str, T]
    params: Mapping[str, T]
    signals: Mapping[str, T]

    @classmethod
    def of(cls, row: Mapping[str, T], kinds: Mapping[str, Quantity]) -> Start[T]:
        """Sort values by what they are."""

        def those(kind: str) -> dict[str, T]:
            return {kinds[given].name: value for given, value in row.items() if kinds[given].kind == kind}

        return cls(those("coordinate"), those("rate"), those("parameter"), those("signal"))

    def at(self: Start[Vector], k: int) -> Start[float]:
        """The values of run k."""
        tables = (self.q, self.qd, self.params, self.signals)
        return Start(*({name: float(column[k]) for name, column in table.items()} for table in tables))
