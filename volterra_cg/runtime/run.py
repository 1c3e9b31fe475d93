"""The result of a simulation: columns by name, files, a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.files import replacing

from .conservation import Judge
from .description import Description, unknown
from .events import Occurrence
from .integrate import Dense
from .status import Status

ENERGIES = ("kinetic_energy", "potential_energy", "energy")


@dataclass(frozen=True)
class Statistics:
    """What a run cost; seconds are processor time."""

    rhs_calls: int
    steps: int
    seconds: float
    integrator: str
    rejections: int = 0  # steps tried again with a smaller one
    jacobians: int = 0
    factorisations: int = 0
    projections: int = 0  # steps whose end had to be moved to the constraints
    largest_correction: float = 0.0  # of a coordinate by a projection
    chart_changes: int = 0  # steps after which the run went on in other quasi-velocities


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated motion; row k of z, shape (times, states), and of y, shape (times, outputs), belongs to t[k].

    A run that ended early has a last row at the time where it did.
    """

    t: Vector
    z: Vector
    y: Vector
    description: Description
    parameters: Mapping[str, float]
    statistics: Statistics
    status: Status
    message: str
    events: tuple[Occurrence, ...] = ()
    interpolant: Dense | None = None
    judge: Judge | None = None

    def __repr__(self) -> str:
        count = len(self.t)
        span = f"t = {self.t[0]:g} to {self.t[-1]:g}, {count} rows" if count else "no rows"
        events = f", {len(self.events)} events" if self.events else ""
        return f"<Run of {self.description.name}: {span}, {self.statistics.integrator}{events}, {self.status.words}>"

    def __getstate__(self) -> dict[str, Any]:
        """What travels: a judge cannot, but its words can."""
        return {**vars(self), "warnings": self.warnings, "judge": None}

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about invariants that drift by more than the tolerances allow, found when first asked for.

        None about steps of one size, which keep no tolerances, unless `simulate` was given some.
        """
        return self.judge.warnings(self) if self.judge is not None else ()

    def rows(self, which: slice) -> Run:
        """The run with these rows alone; its warnings are about all of them."""
        judge = None if self.judge is None else replace(self.judge, whole=self)
        return replace(self, t=self.t[which], z=self.z[which], y=self.y[which], judge=judge)

    @property
    def ok(self) -> bool:
        """Whether the run went as asked: to its end or to a terminal event."""
        return self.status.ok

    def dense(self, t: ArrayLike) -> Vector:
        """The states at a time, shape (states,), or at many, shape (times, states), between the run's first and last."""
        if self.interpolant is None:
            raise OptionError("the run kept no dense output: simulate with dense=True")
        try:
            return self.interpolant(t)
        except ValueError as error:
            raise OptionError(str(error)) from None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of `run[name]`: time, states, energies, rates, accelerations, invariants, user outputs."""
        return tuple(self._columns())

    @property
    def q(self) -> Vector:
        """The coordinates, shape (times, m)."""
        return self.z[:, : len(self.description.coordinates)]

    @property
    def u(self) -> Vector:
        """The quasi-velocities, shape (times, equations)."""
        first = len(self.description.coordinates)
        return self.z[:, first : first + len(self.description.quasi_velocities)]

    def __getitem__(self, name: str) -> Vector:
        columns = self._columns()
        if name not in columns:
            raise KeyError(str(unknown("column", name, columns)))
        return columns[name]

    def drift(self) -> dict[str, Vector]:
        """How far each invariant has moved from its first value, relative to the larger of that and 1."""
        result = {}
        for name in self.description.invariants:
            values = self.y[:, self.description.index_of(name)]
            result[name] = (values - values[0]) / max(1.0, abs(float(values[0])))
        return result

    def save(self, path: str | Path) -> Path:
        """Write every column to a .csv or .npz file."""
        target = Path(path)
        try:
            return self._save(target)
        except OSError as error:
            raise OptionError(f"the results cannot be written: {error}") from error

    def _save(self, target: Path) -> Path:
        if target.suffix not in (".csv", ".npz"):
            raise OptionError(f"results are written as .csv or .npz, which {target} is not")
        columns = self._columns()
        with replacing(target) as fresh, fresh.open("wb") as stream:
            if target.suffix == ".csv":
                header = ",".join(_quoted(name) for name in columns)
                table = np.column_stack(list(columns.values()))
                np.savetxt(stream, table, fmt="%.17g", delimiter=",", header=header, comments="")
            else:
                np.savez(stream, allow_pickle=False, **columns)
        return target

    def plot(self, path: str | Path) -> Path:
        """Draw coordinates, quasi-velocities, energy and the drift of the invariants; needs matplotlib."""
        from .figure import draw

        return draw(self, Path(path))

    def _columns(self) -> dict[str, Vector]:
        columns = {"t": self.t}
        columns.update(zip(self.description.states, self.z.T, strict=True))
        for name, output in self.description.outputs.items():
            if name in ENERGIES or output.user:
                columns.setdefault(name, self.y[:, output.offset])
        for part, pattern in (("rates", "der({})"), ("accelerations", "der(der({}))")):
            output = self.description.output(part)
            for number, coordinate in enumerate(self.description.coordinates):
                columns.setdefault(pattern.format(coordinate), self.y[:, output.offset + number])
        for name in self.description.invariants:
            columns.setdefault(name, self.y[:, self.description.index_of(name)])
        return columns


def _quoted(name: str) -> str:
    return f'"{name}"' if "," in name else name
