"""The result of a simulation: columns by name, files, a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from . import shown, tables
from .arguments import finite
from .conservation import Judge
from .description import Description, unknown
from .events import Occurrence
from .integrate import Dense
from .provenance import provenance
from .signals import Signals
from .status import Status

if TYPE_CHECKING:
    from .start import Start


@dataclass(frozen=True)
class Statistics:
    """What a run cost; seconds are processor time."""

    rhs_calls: int
    steps: int
    seconds: float
    integrator: str
    rejections: int = 0  # steps tried again with a smaller one
    iterations: int = 0  # of implicit integrators
    held: int = 0  # steps that are short only for the stages of gauss to be found, or dop853 to be stable
    jacobians: int = 0
    factorisations: int = 0
    projections: int = 0  # steps whose end had to be moved to the constraints
    largest_correction: float = 0.0  # of a coordinate by a projection
    chart_changes: int = 0  # steps after which the run went on in other quasi-velocities
    chosen: str = ""  # why "auto" took this integrator


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
    inputs: Signals | None = None
    source: Start | None = None
    tolerances: tuple[float, Vector] | None = None  # rtol, and atol of each state
    part_of: tuple[Run, slice] | None = None  # the run whose rows these are, and which

    def __repr__(self) -> str:
        count = len(self.t)
        span = f"t = {self.t[0]:g} to {self.t[-1]:g}, {count} rows" if count else "no rows"
        events = f", {len(self.events)} events" if self.events else ""
        return f"<Run of {self.description.name}: {span}, {self.statistics.integrator}{events}, {self.status.words}>"

    def _repr_html_(self) -> str:
        took, count = self.statistics, len(self.t)
        facts = {
            "rows": f"{count}, t = {self.t[0]:g} to {self.t[-1]:g}" if count else "none",
            "ended": self.message,
            "took": f"{took.steps} steps of {took.integrator}, {took.rhs_calls} evaluations, {took.seconds:.3g} s",
            "events": ", ".join(dict.fromkeys(event.name for event in self.events)),
            "warnings": "; ".join(self.warnings),
        }
        unit = self.description.unit_of
        rows = [
            (name, self[name][0], self[name][-1], self[name].min(), self[name].max(), unit(name))
            for name in self.names[1:]
            if count
        ]
        heads = ("column", "first", "last", "least", "largest", "unit")
        return shown.page(f"Run of {self.description.name}", facts, shown.table(heads, rows))

    def __getstate__(self) -> dict[str, Any]:
        """What travels: a judge and signals cannot, but their words and values can."""
        return {
            **vars(self),
            "warnings": self.warnings,
            "signals": self.signals,
            "judge": None,
            "inputs": None,
            "source": None,
            "part_of": None,
        }

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about invariants that drift by more than the tolerances allow, found when first asked for.

        None about steps of one size, which keep no tolerances, unless `simulate` was given some.
        """
        return self.judge.warnings(self) if self.judge is not None else ()

    @cached_property
    def signals(self) -> dict[str, Vector]:
        """The signals of the run by name, shape (times,) each, found when first asked for.

        Those that a controller sets have their effort too, the integral of their squares, as effort(name).
        """
        if self.part_of is not None:  # efforts are those from the start of the run on
            whole, which = self.part_of
            return {name: values[which] for name, values in whole.signals.items()}
        return self._set_signals() | self.description.signals_in(self.y)

    def _set_signals(self) -> dict[str, Vector]:
        """Those that the start or a controller sets."""
        if self.inputs is None or not self.inputs.values:
            return {}
        if not self.inputs.vary:
            return {name: np.full(len(self.t), value) for name, value in self.inputs.values.items()}
        rows = zip(self.t, self.z, self.y, strict=True)
        values = np.array([self.inputs.at(t, z, lambda _, y=y: y) for t, z, y in rows])  # type: ignore[misc]
        found = dict(zip(self.inputs.values, values.reshape(len(self.t), len(self.inputs.values)).T, strict=True))
        controller = self.inputs.controller
        return found if controller is None else found | controller.effort(self.t, found)

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the numbers come from: the spec, versions, formulation, integrator and tolerances."""
        rtol, atol = self.tolerances or (None, None)
        return provenance(self.description, self.statistics.integrator, rtol, atol)

    def rows(self, which: slice) -> Run:
        """The run with these rows alone; its warnings are about all of them."""
        if not isinstance(which, slice):
            raise TypeError(f"rows are told by a slice, not by {which!r}")
        judge = None if self.judge is None else replace(self.judge, whole=self)
        return replace(self, t=self.t[which], z=self.z[which], y=self.y[which], judge=judge, part_of=(self, which))

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
        """The columns of `run[name]`.

        Time, states, signals, efforts of a controller, energies, the outputs of the spec, rates, accelerations, invariants,
        residuals of constraints, and how often each event has taken place.
        """
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
        parts = [column for key, column in columns.items() if key.startswith(f"{name}.")]
        if name not in columns and parts:  # a vector or an orientation, shape (times, parts)
            return np.column_stack(parts)
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

    def to_pandas(self) -> Any:
        """The columns as a pandas DataFrame over t; units and provenance are in its `attrs`."""
        return tables.frame(self)

    def to_xarray(self) -> Any:
        """The columns as an xarray Dataset over t, with units and provenance as attributes."""
        return tables.dataset(self)

    def save(self, path: str | Path) -> Path:
        """Write the run to a .nc, .csv, .npz, .mat or .parquet file; `volterra_cg.load` reads all but .csv."""
        from . import archive

        return archive.save(self, path)

    def plot(self, *names: str | Path) -> Any:
        """A matplotlib Figure of columns by name, in panels by unit and scale; without names, of everything.

        "phase" draws phase portraits of all coordinates, "phase theta" that of one, "drift" how invariants drift. A path, such as
        plot("run.png"), draws everything to that file and returns the path.
        """
        from . import figure

        if len(names) == 1 and figure.is_path(self, names[0]):
            return figure.draw(self, Path(names[0]))
        return figure.figure(self, [str(name) for name in names])

    def snapshot(self, t: float, path: str | Path | None = None, meshes: Mapping[str, str | Path] | None = None) -> Any:
        """The mechanism at the row nearest to a time as a matplotlib Figure.

        It is written to a .png, .svg or .pdf file if a path is given. `meshes` are STL files that stand for bodies, by name.
        """
        from . import figure
        from .show import scene, stills

        asked = finite("the time of a snapshot", t)
        if not self.t[0] <= asked <= self.t[-1]:
            raise OptionError(f"t = {asked:g} is not within the run, from {self.t[0]:g} to {self.t[-1]:g}")
        row = int(np.argmin(np.abs(self.t - asked)))
        made = stills.snapshot(scene.scene_of(self, meshes), row)
        if path is not None:
            figure.saved(made, Path(path))
        return made

    def animate(
        self,
        path: str | Path,
        *names: str,
        speed: float = 1.0,
        meshes: Mapping[str, str | Path] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Path:
        """The motion as a page for any browser (.html), with plots of some columns, or as a .gif or .mp4 film.

        A page is one file and needs no network. A film is `speed` times as fast as the motion; `progress` is called with the
        frames done and all frames. `meshes` are STL files that stand for bodies, by name.
        """
        from .show import animation

        return animation.animate(self, Path(path), names, speed, meshes, progress)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    def _columns(self) -> dict[str, Vector]:
        columns = {"t": self.t}
        columns.update(zip(self.description.states, self.z.T, strict=True))
        for name, values in self.signals.items():
            columns.setdefault(name, values)
        for name, place in self.description.places.items() if self.y.size else ():
            columns.setdefault(name, self.y[:, place])
        for event in dict.fromkeys([*(e.name for e in self.description.events), *(e.name for e in self.events)]):
            times = [each.t for each in self.events if each.name == event]
            columns.setdefault(f"count({event})", np.searchsorted(times, self.t, side="right").astype(np.float64))
        return columns
