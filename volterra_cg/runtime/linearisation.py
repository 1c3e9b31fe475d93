"""Derivatives of a model at a state: by parameters, momenta and signals, and the linear equations near the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError

from .arguments import numbers
from .tangent import tangent

if TYPE_CHECKING:
    from .start import Start


@dataclass(frozen=True)
class Sensitivities:
    """The derivatives of dz/dt at a state, one column for each name.

    `by_parameters` holds z and the momenta; `by_parameters_at_rates` holds q and q' instead, so that speeds and momenta
    follow the parameters.
    """

    by_parameters: Vector
    by_momenta: Vector
    by_signals: Vector
    by_parameters_at_rates: Vector
    parameters: tuple[str, ...]
    momenta: tuple[str, ...]
    signals: tuple[str, ...]


@dataclass(frozen=True)
class StartSensitivities:
    """The derivatives of the states z0 and the momenta by the start values q, q' and by the parameters."""

    states_by_q: Vector
    states_by_qd: Vector
    states_by_parameters: Vector
    momenta_by_q: Vector
    momenta_by_qd: Vector
    momenta_by_parameters: Vector


@dataclass(frozen=True)
class Linearisation:
    """The linear equations y' = A y + B s of small deviations from the motion through a state.

    `states` names y, `signals` names s. With holonomic constraints y are deviations of independent states only, and those
    of all states are `basis` @ y. `rate` is dz/dt at the state: unless it is zero, or A does not change along the motion, the
    equations are those of an instant and their eigenvalues no modes.
    """

    A: Vector
    B: Vector
    eigenvalues: NDArray[np.complex128]
    states: tuple[str, ...]
    signals: tuple[str, ...]
    basis: Vector
    rate: Vector


def sensitivities(start: Start, t: float, z: ArrayLike) -> Sensitivities:
    """All sensitivities of a start at a state."""
    description, state = start.model.description, numbers("z", z)
    by_parameters, by_momenta, by_signals = _columns(start, t, state)
    follow = start_sensitivities(start, t, state[: len(description.coordinates)], start.rates(t, state))
    states = start.jacobian(t, state) @ follow.states_by_parameters
    return Sensitivities(
        by_parameters,
        by_momenta,
        by_signals,
        states + by_parameters + by_momenta @ follow.momenta_by_parameters,
        tuple(description.parameters),
        _momenta(start),
        tuple(description.signals),
    )


def start_sensitivities(start: Start, t: float, q: ArrayLike, qd: ArrayLike) -> StartSensitivities:
    """What states and momenta owe to start values and parameters."""
    slopes, n, m = start.handle.start_sensitivity(t, q, qd), len(start.z0), len(start.model.coordinates)
    parts = (slice(0, m), slice(m, 2 * m), slice(2 * m, None))
    of_states, of_momenta = ([rows[:, part] for part in parts] for rows in (slopes[:n], slopes[n:]))
    return StartSensitivities(*of_states, *of_momenta)


def linearise(start: Start, t: float, z: ArrayLike, full: bool) -> Linearisation:
    """The linear equations of a start near a state; with `full` the momenta are states too."""
    state = numbers("z", z)
    jacobian, (_, by_momenta, by_signals) = start.jacobian(t, state), _columns(start, t, state)
    if not (np.isfinite(jacobian).all() and np.isfinite(by_momenta).all()):
        raise IntegrationError(f"the derivatives are not finite at t = {t:.9g}", t)
    chart = tangent(start, t, state)
    free, basis = chart.independent, chart.basis
    # The turning of the tangent space along a motion does not show in deviations of independent states.
    matrix, inputs = jacobian[free] @ basis, by_signals[free]
    names = tuple(start.model.states[i] for i in free)
    if full:
        s = len(start.momenta)
        matrix = np.block([[matrix, by_momenta[free]], [np.zeros((s, len(names) + s))]])
        inputs = np.vstack([inputs, np.zeros((s, inputs.shape[1]))])
        basis = np.block([[basis, np.zeros((len(basis), s))], [np.zeros((s, len(names))), np.eye(s)]])
        names += tuple(f"momentum {name}" for name in _momenta(start))
    signals = tuple(start.model.description.signals)
    return Linearisation(matrix, inputs, _eigenvalues(matrix), names, signals, basis, start.rhs(t, state))


def _columns(start: Start, t: float, z: ArrayLike) -> tuple[Vector, Vector, Vector]:
    """The derivatives of rhs by parameters, momenta and signals."""
    slopes = start.handle.sensitivity(t, z, start.signals_at(t, z))
    p, s = len(start.parameters), len(start.momenta)
    return slopes[:, :p], slopes[:, p : p + s], slopes[:, p + s :]


def _momenta(start: Start) -> tuple[str, ...]:
    """The names of the embedded momenta."""
    return tuple(start.model.report.get("embedded", ()))


def _eigenvalues(matrix: Vector) -> NDArray[np.complex128]:
    """By size of the imaginary part, then by the real part; partners stand together."""
    values = np.linalg.eigvals(matrix).astype(np.complex128)
    return values[np.lexsort((values.imag, values.real.round(12), np.abs(values.imag).round(12)))]
