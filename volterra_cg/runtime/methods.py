"""What can be asked of a model: the one list of its methods, which starts, models and built modules have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.integrators import AUTO, DEFAULT

from . import equilibrium, inverse, linearisation
from .controller import Function
from .events import Event
from .linearisation import Linearisation, Sensitivities, StartSensitivities
from .run import Run
from .simulation import Settings, simulate, stepper
from .stepper import Stepper

if TYPE_CHECKING:
    from .start import Start


class Methods:
    """A start answers for itself, a model for the spec's own start."""

    @property
    def _start(self) -> Start:
        raise NotImplementedError

    def rates(self, t: float, z: ArrayLike) -> Vector:
        """All of dq/dt, shape (m,)."""
        return self._start.part("rates", t, z)

    def accelerations(self, t: float, z: ArrayLike) -> Vector:
        """All of d²q/dt², shape (m,)."""
        return self._start.part("accelerations", t, z)

    def outputs(self, t: float, z: ArrayLike) -> dict[str, float | Vector]:
        """Everything the model can tell about a state, by name; a user's outputs are numbers."""
        y = self._start.measured(t, z)
        return {
            name: float(y[output.offset]) if _is_scalar(name, output.user) else y[output.where].copy()
            for name, output in self._start.model.description.outputs.items()
        }

    def energies(self, t: float, z: ArrayLike) -> dict[str, float]:
        """Kinetic and potential energy and their sum."""
        y, of = self._start.measured(t, z), self._start.model.description.output
        kinetic, potential = float(y[of("kinetic_energy").offset]), float(y[of("potential_energy").offset])
        return {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}

    def invariants(self, t: float, z: ArrayLike) -> dict[str, float]:
        """What the motion conserves, by name."""
        y, description = self._start.measured(t, z), self._start.model.description
        return {name: float(y[description.index_of(name)]) for name in description.invariants}

    def constraints(self, t: float, z: ArrayLike) -> dict[str, float]:
        """The residual of every constraint, by name; a holonomic one also gives that of its position."""
        return self._start.residuals(self._start.measured(t, z))

    def mass_matrix(self, t: float, z: ArrayLike) -> Vector:
        """The matrix that multiplies du/dt, shape (equations, equations)."""
        return self._start.matrices(t, z)[0]

    def forcing(self, t: float, z: ArrayLike) -> Vector:
        """The right side of mass_matrix du/dt = forcing, shape (equations,)."""
        return self._start.matrices(t, z)[1]

    def jacobian(self, t: float, z: ArrayLike) -> Vector:
        """The derivatives of rhs by z at fixed parameters, momenta and signals, shape (states, states)."""
        return self._start.handle.jacobian(t, z, self._start.signals_at(t, z))

    def sensitivities(self, t: float, z: ArrayLike) -> Sensitivities:
        """The derivatives of rhs by parameters, momenta and signals."""
        return linearisation.sensitivities(self._start, t, z)

    def start_sensitivities(self) -> StartSensitivities:
        """The derivatives of z0 and the momenta by the start values and by the parameters."""
        start = self._start
        q, qd = start.z0[: len(start.model.coordinates)], start.rates(start.t0, start.z0)
        return linearisation.start_sensitivities(start, start.t0, q, qd)

    def linearise(
        self,
        t: float | None = None,
        z: ArrayLike | None = None,
        full: bool = False,
        outputs: Iterable[str] | None = None,
    ) -> Linearisation:
        """The linear equations near a state, by default that of the start, at fixed momenta; with `full` these are states too.

        `outputs` are columns by name, unless given those that the spec asks for.
        """
        start = self._start
        instant, state = start.t0 if t is None else t, start.z0 if z is None else z
        return linearisation.linearise(start, instant, state, full, outputs)

    def trim(
        self,
        q: Mapping[str, float] | None = None,
        inputs: Iterable[str] = (),
        qd: Mapping[str, float] | None = None,
    ) -> Start:
        """An equilibrium near the start, as a start: all accelerations vanish and all constraints hold.

        Coordinates in q are held at the values given; the other ones, and the signals named in `inputs`, are found. Rates are
        zero, or those of a steady motion in qd.
        """
        return equilibrium.trim(self._start, q, inputs, qd)

    def inverse_dynamics(
        self,
        t: float,
        z: ArrayLike,
        accelerations: Mapping[str, float] | ArrayLike,
        inputs: Iterable[str] | None = None,
    ) -> dict[str, float]:
        """The signals in `inputs`, by default all, with which the coordinates named, or all of them, have these accelerations."""
        return inverse.inverse_dynamics(self._start, t, z, accelerations, inputs)

    def simulate(
        self,
        t_end: float | None = None,
        dt: float | None = None,
        rtol: float | None = None,
        atol: ArrayLike | None = None,
        integrator: str = AUTO,
        *,
        t_eval: ArrayLike | None = None,
        max_step: float | None = None,
        first_step: float | None = None,
        max_steps: int | None = None,
        dense: bool = False,
        events: Mapping[str, Event | None] | None = None,
        project: bool = False,
        raises: bool = True,
        strict: bool = False,
        control: Function | None = None,
        period: float | None = None,
    ) -> Run:
        """Integrate from the start to t_end, with results every dt or at t_eval; what is not given comes from the spec.

        `integrator` is one of `volterra_cg.integrators`, or "auto"; `atol` may be one number for each state. `events` watches
        outputs by name beside the events of the spec. `project` moves q to the holonomic constraints after each step.
        A run that cannot go on raises IntegrationError, or with raises=False is returned with its status. With `strict`,
        one that has `warnings` raises DoubtfulRun. `control` is a function f(t, x) that sets signals: it returns a dict by name,
        or an array of all of them; x[name] is a state or another column. It is asked at each stage of a step, or, with a
        `period`, at the start and at each multiple of that, where steps end; its signals are held in between.
        """
        steps = max_step, first_step, max_steps
        settings = Settings(
            t_end, dt, rtol, atol, integrator, t_eval, *steps, dense, events, project, raises, strict, control, period
        )
        return simulate(self._start, settings)

    def stepper(
        self,
        integrator: str = DEFAULT,
        *,
        rtol: float | None = None,
        atol: ArrayLike | None = None,
        max_step: float | None = None,
        max_steps: int | None = None,
        events: Mapping[str, Event | None] | None = None,
        project: bool = False,
    ) -> Stepper:
        """A motion from the start that goes on by calls: `step(dt, inputs)`, `reset()`, `checkpoint()`, `restore(c)`.

        `max_steps` are those of the integrator in one call.
        """
        settings = Settings(
            None, None, rtol, atol, integrator, max_step=max_step, max_steps=max_steps, events=events, project=project
        )
        return stepper(self._start, settings)


def _is_scalar(name: str, user: bool) -> bool:
    return user or name in ("kinetic_energy", "potential_energy", "energy")


METHODS = ("z0", "momenta", "rhs", *(name for name in vars(Methods) if not name.startswith("_")))
