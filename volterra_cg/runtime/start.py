"""A model bound to parameters, momenta and signals, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError, SingularConfiguration, StartError
from volterra_cg.projection import Constraints, project

from . import shown
from .arguments import finite, mapping, numbers
from .controller import Controller
from .description import ReadOnly, unknown
from .handle import Handle
from .methods import Methods
from .signals import Signal, Signals

if TYPE_CHECKING:
    from .model import Model

DEPENDENT = 1e-6  # singular value of rows of length 1, or volume that they span, that counts as zero
TOLERANCE = 1e-8  # of residuals at the start, relative to the size of the coordinates and rates


class Start(Methods):
    """Start values and everything a model computes with the parameters and momenta that belong to them.

    `qd0` are the rates, where z0 may not determine them: in a model with charts, if they are known. `moved` are the
    coordinates and rates that were changed to satisfy the constraints, before and after.
    `rhs(t, z, out=None)` is the compiled function itself. Threads may share a start, which cannot be changed.
    """

    model: Model
    handle: Handle
    parameters: ReadOnly[float]
    signals: ReadOnly[Signal]
    inputs: Signals
    z0: Vector
    t0: float
    qd0: Vector | None
    momenta: Vector
    moved: Mapping[str, tuple[float, float]]
    rhs: Callable[..., Vector]

    def __init__(
        self,
        model: Model,
        handle: Handle,
        parameters: ReadOnly[float],
        signals: Signals,
        z0: Vector,
        t0: float,
        qd0: Vector | None = None,
        moved: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        vars(self).update(
            model=model,
            handle=handle,
            parameters=parameters,
            signals=signals.values,
            inputs=signals,
            z0=frozen(z0),
            t0=t0,
            qd0=None if qd0 is None else frozen(qd0),
            momenta=frozen(handle.momenta),
            moved=ReadOnly(moved or {}),
            rhs=self._driven if signals.vary else handle.rhs,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a start cannot be changed, so {name} cannot be set: the model's start(q, qd, params, signals, t) makes"
            " another, and bind(params, momenta, signals) one of the same state"
        )

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    @property
    def _start(self) -> Start:
        return self

    def _driven(self, t: float, z: ArrayLike, out: Vector | None = None) -> Vector:
        """The derivative with signals that change."""
        return self.handle.rhs(t, z, out, self.signals_at(t, z))

    def measured(self, t: float, z: ArrayLike) -> Vector:
        """The whole vector of outputs at a state."""
        return self.handle.outputs(t, z, self.signals_at(t, z))

    def signals_at(self, t: float, z: ArrayLike) -> list[float] | None:
        """The signals that stand in for the bound ones, if any changes."""
        if not self.inputs.vary:
            return None
        return self.inputs.at(t, z, lambda values: self.handle.outputs(t, z, values))

    def controlled(self, controller: Controller) -> Start:
        """The same start with a controller that sets some of its signals."""
        inputs = Signals(self.signals, controller)
        return Start(self.model, self.handle, self.parameters, inputs, self.z0, self.t0, self.qd0, self.moved)

    def __repr__(self) -> str:
        state = ", ".join(f"{name} = {value:.4g}" for name, value in zip(self.model.states, self.z0, strict=True))
        return f"<Start of {self.model.name} at t = {self.t0:g}: {state}>"

    def _repr_html_(self) -> str:
        unit = self.model.description.unit_of
        states = [(name, value, unit(name)) for name, value in zip(self.model.states, self.z0, strict=True)]
        momenta = [
            (name, value, unit(f"momentum {name}"))
            for name, value in zip(self.model.momenta_names, self.momenta, strict=False)
        ]
        parameters = [(name, value, unit(name)) for name, value in self.parameters.items()]
        return shown.page(
            f"Start of {self.model.name} at t = {self.t0:g}",
            {"moved onto the constraints": ", ".join(self.moved)},
            shown.table(("state", "value", "unit"), states),
            shown.table(("momentum", "value", "unit"), momenta),
            shown.table(("parameter", "value", "unit"), parameters),
        )

    def bind(
        self,
        params: Mapping[str, float] | None = None,
        momenta: ArrayLike | None = None,
        signals: Mapping[str, Signal] | None = None,
    ) -> Start:
        """The same start with other parameters and the momenta that belong to them, or with other signals."""
        mapping("params", params)
        if params and momenta is None and self.momenta.size:
            raise OptionError(
                "momenta depend on the parameters: give bind() the momenta too, or use start(q, qd, params),"
                " which computes them"
            )
        parameters = merged("parameter", self.parameters, params)
        inputs = self.inputs.replaced(signals, self.model.description)
        chosen = self.momenta if momenta is None else momenta
        rates = None if params or momenta is not None else self.qd0
        return self.model.bound(parameters, inputs, chosen, self.z0, self.t0, rates)

    def matrices(self, t: float, z: ArrayLike) -> tuple[Vector, Vector]:
        """The mass matrix and the forcing."""
        if not self.model.description.report.get("matrices", True):
            mass = self._polarised(t, numbers("z", z))
            speeds = slice(len(self.model.coordinates), len(self.model.coordinates) + len(mass))
            return mass, mass @ self.rhs(t, z)[speeds]
        return self.handle.matrices(t, z, self.signals_at(t, z))

    def _polarised(self, t: float, z: Vector) -> Vector:
        """The mass matrix of a large model, from its kinetic energy, which is quadratic in the speeds."""
        count, first = len(self.model.quasi_velocities), len(self.model.coordinates)
        place = self.model.description.output("kinetic_energy").offset

        def energy(*moving: int) -> float:
            state = z.copy()
            state[first : first + count] = 0.0
            for k in moving:
                state[first + k] += 1.0
            return float(self.measured(t, state)[place])

        still, single = energy(), [energy(k) for k in range(count)]
        mass = np.empty((count, count))
        for i in range(count):
            for j in range(i + 1):
                mass[i, j] = mass[j, i] = energy(i, j) - single[i] - single[j] + still
        return mass

    def part(self, name: str, t: float, z: ArrayLike) -> Vector:
        """One output at a state."""
        output = self.model.description.output(name)
        return self.measured(t, z)[output.where].copy()

    def residuals(self, y: Vector) -> dict[str, float]:
        """What the constraints are off by, from a vector of outputs."""
        outputs = self.model.description.outputs
        velocity, position = outputs.get("constraints"), outputs.get("positions")
        residuals: dict[str, float] = {}
        if velocity is not None:
            residuals.update(zip(velocity.labels, map(float, y[velocity.where]), strict=True))
        if position is not None:
            names = (name if name not in residuals else f"{name} (position)" for name in position.labels)
            residuals.update(zip(names, map(float, y[position.where]), strict=True))
        return residuals


def check(start: Start, q: Vector, qd: Vector) -> None:
    """Refuse start values that contradict the constraints.

    The states keep no more of qd than the constraints allow, so the rates that the model gives back
    must be those given.
    """
    scale = max(1.0, float(np.max(np.abs(q), initial=0.0)), float(np.max(np.abs(qd), initial=0.0)))
    y = at_start(start, qd)
    for name, residual in start.residuals(y).items():
        if not abs(residual) <= TOLERANCE * scale:
            raise StartError(f"the start values violate the constraint {name}: its residual is {residual:.6g}, not 0")
    description = start.model.description
    excess = surplus_rank(start)
    if excess:
        raise StartError(
            f"with these parameters, the constraints {', '.join(description.redundant)} do not follow from the others, as they"
            " do with those of the spec: the mechanism cannot move as a model of it says"
        )
    rates = y[description.output("rates").where]
    worst = int(np.argmax(np.abs(rates - qd))) if qd.size else 0
    if qd.size and not abs(rates[worst] - qd[worst]) <= TOLERANCE * scale:
        names = ", ".join(description.constraints)
        blame = f"violate the constraints ({names})" if names else "do not fit the quasi-velocities"
        raise StartError(
            f"the start rates {blame}: with the same quasi-velocities and momenta, the rate of"
            f" {description.coordinates[worst]} is {rates[worst]:.9g}, not {qd[worst]:.9g}"
        )


def surplus_rank(start: Start) -> int:
    """How many constraints on positions that follow from the others in the spec do not with the parameters of a start."""
    redundant = start.handle.sizes["redundant"]
    if not redundant:
        return 0
    _, slopes = start.handle.gaps(start.t0, start.z0)
    sizes = np.linalg.norm(slopes, axis=1, keepdims=True)
    singular = np.linalg.svd(slopes / np.where(sizes > 0, sizes, 1.0), compute_uv=False)
    return max(0, int((singular > DEPENDENT).sum()) - (len(slopes) - redundant))


def at_start(start: Start, qd: Vector) -> Vector:
    """The outputs at a start, in the chart that is most regular there; a start at which none is regular is refused."""
    charts = start.model.description.charts
    if charts and start.handle.best_chart(start.t0, start.z0).volume(start.t0, start.z0) <= DEPENDENT:
        sets = [start.model.description.quasi_velocities, *(chart.quasi_velocities for chart in charts)]
        block = f"the constraints and none of the charts {'; '.join(', '.join(names) for names in sets)} determine the rates"
        message = f"singular configuration at t = {start.t0:.9g}: {block} (start elsewhere)"
        raise SingularConfiguration(message, block, start.t0)
    return start.handle.outputs_of_rates(start.t0, start.z0, qd, start.signals_at(start.t0, start.z0))


def projected(model: Model, parameters: Mapping[str, float], q: Vector, qd: Vector, t: float) -> tuple[Vector, Vector]:
    """Coordinates and rates on the constraints; only those that the spec lets change do."""
    description = model.description
    if not description.project:
        raise OptionError("this model was built without projection: write [start] project = true in its spec")
    values, signals = list(parameters.values()), list(description.signals.values())
    free = model.handle(values, signals)
    holonomic = [description.constraints.index(name) for name in description.output("positions").labels]

    def at(point: Vector) -> Constraints:
        z, momenta = free.start(t, point, qd)
        handle = model.handle(values, signals, momenta)
        y = handle.outputs_of_rates(t, z, qd)
        slopes, drift, gaps = (y[description.output(name).where] for name in ("jacobian", "drift", "positions"))
        return Constraints(slopes.reshape(len(drift), len(point)), drift, gaps, holonomic)

    chosen = [description.coordinates.index(name) for name in description.project]
    return project(q, qd, chosen, at)


def merged(kind: str, base: Mapping[str, float], given: Mapping[str, float] | None) -> dict[str, float]:
    """The base values with the given ones in their place; unknown names are refused."""
    mapping(f"{kind}s", given)
    result = dict(base)
    for name, value in (given or {}).items():
        if name not in result:
            raise unknown(kind, name, result)
        result[name] = finite(f"the {kind} {name}", value)
    return result


def frozen(values: Vector) -> Vector:
    """A read-only copy."""
    copy = np.array(values, dtype=np.float64)
    copy.flags.writeable = False
    return copy
