"""What a sweep is to compute, checked before anything is computed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.integrators import ATOL, DEFAULT, IMPLICIT, IN_LANES, RTOL
from volterra_cg.runtime.arguments import finite, mapping
from volterra_cg.runtime.description import ENERGIES, Description
from volterra_cg.runtime.integration import StepControl
from volterra_cg.runtime.simulation import sample_times
from volterra_cg.runtime.table import functions
from volterra_cg.runtime.tolerances import chosen_tolerances

from .grid import Grid, Quantity, quantity
from .reductions import Reduction, reductions

if TYPE_CHECKING:
    from volterra_cg.runtime import Model

T = TypeVar("T")
SMALLEST, LARGEST = 128, 1024  # runs of a chunk
STORED = 1 << 22  # numbers of a chunk, about


@dataclass(frozen=True, eq=False)
class Job:
    """A model, the grid, and the values of what does not vary; what is None comes from the spec.

    `values` are parameters and signals, `initial` coordinates and rates as der(NAME). With `reduce`, some words of
    `reductions` or functions of a run by name, those numbers are kept of each run, and not its results over time.
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
    max_steps: int | None = None
    reduce: Sequence[str] | Mapping[str, Reduction] = ()

    def __post_init__(self) -> None:
        mapping("values", self.values)
        mapping("initial", self.initial)
        for number, name in enumerate(self.grid.names):
            self._require(name)
            if any(
                quantity(name, self.description) == quantity(other, self.description)
                for other in self.grid.names[:number]
            ):
                raise OptionError(f"{name} varies twice")
        for name in self.values:
            if quantity(name, self.description).kind not in ("parameter", "signal"):
                raise OptionError(f"{name} is a start value: give it as --initial")
        for name in self.initial:
            if quantity(name, self.description).kind not in ("coordinate", "rate"):
                raise OptionError(f"{name} is no start value: give it as --set")
        self._require_numbers()
        self._require_method()
        for name in self.reductions:
            if not isinstance(name, str) or "/" in name or not name:
                raise OptionError(f"{name!r} cannot be the name of a result")

    def _require(self, name: str) -> None:
        found = quantity(name, self.description)
        if found.kind == "signal":
            raise OptionError(f"{found.name} is a signal and cannot vary in a sweep: make it a parameter of the spec")
        given = {quantity(name, self.description) for name in (*self.values, *self.initial)}
        if found in given:
            raise OptionError(f"{name} varies and cannot be set too")

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
        StepControl(self.integrator, rtol, atol, self.max_step, max_steps=self.max_steps)  # refuses what makes no sense
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
        told = self.description
        names = [*(name for name in ENERGIES if name in told.places), *told.user_columns]
        return {name: told.places[name] for name in dict.fromkeys(names) if name not in told.states}

    @property
    def tolerances(self) -> tuple[float, Vector]:
        """The relative tolerance and the absolute one."""
        return chosen_tolerances(self.description, self.rtol, self.atol)

    @cached_property
    def reductions(self) -> dict[str, Reduction]:
        """What is kept of each run instead of its results over time, by name; none if all are kept."""
        if isinstance(self.reduce, Mapping):
            return dict(self.reduce)
        columns = [*self.description.states, *self.outputs]
        return {name: made for word in self.reduce for name, made in reductions(word, columns).items()}

    @property
    def results(self) -> tuple[str, ...]:
        """The names of the results of a run."""
        return tuple(self.reductions) if self.reduce else (*self.description.states, *self.outputs)

    @property
    def together(self) -> bool:
        """Whether simulate_many can compute the runs: it follows no events and has no implicit integrator."""
        return self.integrator in IN_LANES and not self.description.events

    @property
    def chunk(self) -> int:
        """The runs that are computed and kept together; the same for any number of workers."""
        width = max(1, (1 if self.reduce else len(self.times)) * len(self.results))
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
            "sample": None if self.grid.sample is None else self.grid.sample.key,
            "reduce": sorted(self.reductions),
            "set": dict(self.values),
            "initial": dict(self.initial),
            "t_end": self.ends,
            "dt": self.step,
            "rtol": self.rtol,
            "atol": self.atol,
            "integrator": self.integrator,
            "max_step": self.max_step,
            "max_steps": None if self.max_steps is None else int(self.max_steps),
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
