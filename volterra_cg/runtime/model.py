"""A compiled model: names, parameters, and the ways to start it."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.integrators import DEFAULT
from volterra_cg.projection import moves

from . import shown
from .arguments import finite, numbers
from .controller import Function
from .description import Chart, Description, ReadOnly, describe
from .handle import Handle
from .many import ManySignals, ManyValues, refuse_controller, simulate_many
from .methods import Methods
from .runs import Runs
from .signals import Signal, Signals
from .start import Start, check, merged, projected

Values = ArrayLike | Mapping[str, float]


class Model(Methods):
    """A generated model; what it computes belongs to a start, by default the spec's own.

    `table` is the capsule and `address` the memory address of the same C table; `description` is the model's report;
    `folder`, where it has one, holds its sources.
    """

    def __init__(
        self, table: object, address: int, description: Mapping[str, Any], folder: str | Path | None = None
    ) -> None:
        self.table = table
        self.address = address
        self.description = describe(description)
        self.folder = None if folder is None else Path(folder)

    def __repr__(self) -> str:
        return (
            f"<Model {self.name}: q = [{', '.join(self.coordinates)}], u = [{', '.join(self.quasi_velocities)}],"
            f" {len(self.parameters)} parameters, {self.report.get('formulation', '')}>"
        )

    def _repr_html_(self) -> str:
        told = self.description
        facts = {
            "formulation": self.report.get("formulation", ""),
            "quasi-velocities": ", ".join(self.quasi_velocities),
            "ignorable": ", ".join(told.ignorable),
            "constraints": ", ".join(told.constraints),
            "outputs": ", ".join(name for name, output in told.outputs.items() if output.user),
            "events": ", ".join(event.name for event in told.events),
            "signals": ", ".join([*told.signals, *told.computed_signals]),
        }
        coordinates = [(name, told.unit_of(name)) for name in self.coordinates]
        parameters = [(name, value, told.unit_of(name)) for name, value in self.parameters.items()]
        return shown.page(
            f"Model {self.name}",
            facts,
            shown.table(("coordinate", "unit"), coordinates),
            shown.table(("parameter", "value", "unit"), parameters),
        )

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.description.name

    @property
    def report(self) -> Mapping[str, Any]:
        """All that the compiler says about the model, as report.json has it."""
        return self.description.report

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q."""
        return self.description.coordinates

    @property
    def quasi_velocities(self) -> tuple[str, ...]:
        """The names of u."""
        return self.description.quasi_velocities

    @property
    def states(self) -> tuple[str, ...]:
        """The names of z."""
        return self.description.states

    @property
    def parameters(self) -> Mapping[str, float]:
        """The spec's values; `start(params=...)` binds others."""
        return self.description.parameters

    @property
    def momenta_names(self) -> tuple[str, ...]:
        """The names of the conserved momenta."""
        return self.description.output("momenta").labels

    @cached_property
    def default(self) -> Start:
        """The spec's own start, made when first needed."""
        return self.start()

    def start(
        self,
        q: Values | None = None,
        qd: Values | None = None,
        params: Mapping[str, float] | None = None,
        signals: Mapping[str, Signal] | None = None,
        t: float = 0.0,
        project: bool | None = None,
    ) -> Start:
        """Bind parameters and signals, and the momenta that belong to coordinates q and rates qd at time t.

        q and qd are arrays in the order of `coordinates`, or dicts that replace some of the spec's start values.
        A signal is a number, a pair (times, samples) or a function of (t, z). `project` moves the start onto the
        constraints; unless given, the spec says whether.
        """
        t = finite("t", t)
        parameters = merged("parameter", self.description.parameters, params)
        inputs = Signals(self.description.signals).replaced(signals, self.description)
        free = self.handle(list(parameters.values()), inputs.constants)
        initial_q, initial_qd = free.initial()
        coordinates = self._values("q", initial_q, q)
        rates = self._values("qd", initial_qd, qd)
        given = coordinates, rates
        if bool(self.description.project) if project is None else project:
            coordinates, rates = projected(self, parameters, coordinates, rates, t)
        z0, momenta = free.start(t, coordinates, rates)
        moved = moves(self.coordinates, given, (coordinates, rates))
        start = self.bound(parameters, inputs, momenta, z0, t, rates if self.description.charts else None, moved)
        check(start, coordinates, rates)
        return start

    def bound(
        self,
        parameters: Mapping[str, float],
        signals: Signals,
        momenta: ArrayLike,
        z0: Vector,
        t: float,
        qd0: Vector | None = None,
        moved: Mapping[str, tuple[float, float]] | None = None,
    ) -> Start:
        """A start of known momenta; nothing is checked."""
        handle = self.handle(list(parameters.values()), signals.constants, momenta)
        return Start(self, handle, ReadOnly(parameters), signals, z0, t, qd0, moved)

    def handle(self, parameters: ArrayLike, signals: ArrayLike, momenta: ArrayLike | None = None) -> Handle:
        """The compiled functions with values bound to them; parameters that no body has are refused."""
        names, known = self.description.parameters, self.description.limits
        limits = [lambda given, limit=limit: limit.broken(dict(zip(names, given, strict=True))) for limit in known]
        charts = [[self.description.check(k, c) for k in range(len(one.checks))] for c, one in self._charts]
        return Handle(self.table, charts[0], parameters, signals, momenta, limits, charts[1:])

    @property
    def _charts(self) -> list[tuple[int, Description | Chart]]:
        return list(enumerate((self.description, *self.description.charts)))

    def _values(self, name: str, initial: Vector, given: Values | None) -> Vector:
        if given is None:
            return initial
        if isinstance(given, Mapping):
            merged_values = merged("coordinate", dict(zip(self.coordinates, initial, strict=True)), given)
            return np.array(list(merged_values.values()), dtype=np.float64)
        values = numbers(name, given)
        if values.shape != initial.shape:
            raise ValueError(f"{name} must have shape {initial.shape}, not {values.shape}")
        for coordinate, value in zip(self.coordinates, values, strict=True):
            finite(f"{name} of {coordinate}", value)
        return values

    @property
    def _start(self) -> Start:
        return self.default

    @property
    def z0(self) -> Vector:
        """The state at the spec's own start, shape (states,)."""
        return self.default.z0

    @property
    def momenta(self) -> Vector:
        """The conserved momenta of the spec's own start."""
        return self.default.momenta

    def rhs(self, t: float, z: ArrayLike, out: Vector | None = None) -> Vector:
        """The derivative of the state z, shape (states,), for the spec's own start; written to `out` where it is given."""
        return self.default.rhs(t, z, out)

    def simulate_many(
        self,
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
        control: Function | None = None,
        period: float | None = None,
    ) -> Runs:
        """Integrate N trajectories at once, from arrays of start values, parameters and signals.

        q and qd have shape (N, m) or map names to numbers or arrays (N,), as do params and signals; what is not given is
        the spec's. A signal may be a pair (times, samples) that all share; `atol` a number or one for each state. Each
        trajectory has a status of its own. `workers` is a number of threads, by default all that there are, or an
        executor whose processes, on this machine or others, build the model from its sources; results do not depend on it.
        Controllers, which `simulate` takes, are refused with what to do instead.
        """
        refuse_controller(control, period)
        return simulate_many(
            self, t_end, dt, rtol, atol, integrator, q=q, qd=qd, params=params, signals=signals, t_eval=t_eval,
            max_step=max_step, max_steps=max_steps, workers=workers,
        )  # fmt: skip
