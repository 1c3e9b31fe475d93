"""The result of a simulation: columns by name, files, a figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import OptionError, SingularConfiguration

from .description import Description, unknown

if TYPE_CHECKING:
    from .start import Start

Vector = NDArray[np.float64]
ENERGIES = ("kinetic_energy", "potential_energy", "energy")


@dataclass(frozen=True)
class Statistics:
    """What a run cost."""

    rhs_calls: int
    steps: int
    seconds: float
    method: str
    failures: int = 0  # steps tried again with a smaller one


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated motion; row k of z, shape (times, states), and of y, shape (times, outputs), belongs to t[k]."""

    t: Vector
    z: Vector
    y: Vector
    description: Description
    parameters: dict[str, float]
    statistics: Statistics

    @classmethod
    def of(cls, start: Start, t: Vector, z: Vector, statistics: Statistics) -> Run:
        """Evaluate the outputs along a motion; where they do not exist they are NaN."""
        description = start.model.description
        count = start.handle.sizes["outputs"]
        y = np.full((len(t), count), np.nan)
        for row, (time, state) in enumerate(zip(t, z, strict=True)):
            try:
                y[row] = start.measured(time, state)
            except SingularConfiguration:
                continue
        return cls(t, z, y, description, dict(start.parameters), statistics)

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
        columns = self._columns()
        if target.suffix == ".csv":
            header = ",".join(_quoted(name) for name in columns)
            table = np.column_stack(list(columns.values()))
            np.savetxt(target, table, fmt="%.17g", delimiter=",", header=header, comments="")
        elif target.suffix == ".npz":
            with target.open("wb") as stream:
                np.savez(stream, allow_pickle=False, **columns)
        else:
            raise OptionError(f"results are written as .csv or .npz, which {target} is not")
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
