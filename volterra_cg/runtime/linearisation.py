"""Derivatives of a model at a state: by parameters, momenta and signals, and the linear equations near the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError, OptionError
from volterra_cg.extras import extra

from . import shown
from .arguments import chosen, numbers

if TYPE_CHECKING:
    from .start import Start

SMALL = 1e-10  # pivots below this, beside the largest, belong to rows that depend on others
STEP = 1e-6  # of differences, beside the size of a coordinate
WIDE = 1e-3  # of those of order 4
ROUNDING = 1e-15  # of an output, below which its differences are nothing
AGREE = 1e-8  # of a slope: what two steps may differ by
LOUD = 1e3  # times the rounding of an output that they may differ by, too
ROUGH = 1e-3  # of a slope: if no two steps agree better, there is none
HALVINGS = 30


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
    """The linear equations y' = A y + B s of small deviations from the motion through a state, and w = C y + D s of its outputs.

    `states` names y, `signals` names s, `outputs` names w. With holonomic constraints y are deviations of independent states
    only, and those of all states are `basis` @ y. `rate` is dz/dt at the state: unless it is zero, or A does not change along
    the motion, the equations are those of an instant and their eigenvalues no modes.
    """

    A: Vector
    B: Vector
    eigenvalues: NDArray[np.complex128]
    states: tuple[str, ...]
    signals: tuple[str, ...]
    basis: Vector
    rate: Vector
    C: Vector
    D: Vector
    outputs: tuple[str, ...]

    def __repr__(self) -> str:
        roots = ", ".join(f"{root if root.imag else root.real + 0.0:.4g}" for root in self.eigenvalues)
        head = f"<Linearisation in [{', '.join(self.states)}]: eigenvalues {roots}"
        if len(self.states) + len(self.signals) > shown.MOST:
            return f"{head}>"
        tables = [np.hstack([self.A, self.B]), np.hstack([self.C, self.D])]
        names = ([f"d/dt {name}" for name in self.states], self.outputs)
        columns = (*self.states, *self.signals)
        return (
            "\n".join([head, *(shown.text(r, columns, table) for r, table in zip(names, tables, strict=True) if r)])
            + ">"
        )

    def to_control(self) -> Any:
        """The same equations as a StateSpace of python-control, with all names; without outputs, the states are its outputs."""
        control = extra("control")
        C, D, outputs = self.C, self.D, self.outputs
        if not outputs:
            C, D, outputs = np.eye(len(self.states)), np.zeros((len(self.states), len(self.signals))), self.states
        if not self.signals:
            raise OptionError("python-control has no systems without inputs: write a signal in [signals]")
        names = {"states": list(self.states), "inputs": list(self.signals), "outputs": list(outputs)}
        return control.StateSpace(self.A, self.B, C, D, **names)

    def _repr_html_(self) -> str:
        facts = {"eigenvalues": ", ".join(f"{root:.5g}" for root in self.eigenvalues)}
        names = self.states
        parts = [shown.matrix(names, names, self.A), shown.matrix(names, self.signals, self.B) if self.signals else ""]
        parts.append(shown.matrix(self.outputs, (*names, *self.signals), np.hstack([self.C, self.D])))
        return shown.page("Linearisation", facts, *parts)


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


def linearise(start: Start, t: float, z: ArrayLike, full: bool, outputs: Iterable[str] | None = None) -> Linearisation:
    """The linear equations of a start near a state; with `full` the momenta are states too."""
    state = numbers("z", z)
    named = _output_places(start, outputs)
    jacobian, (_, by_momenta, by_signals) = start.jacobian(t, state), _columns(start, t, state)
    if not (np.isfinite(jacobian).all() and np.isfinite(by_momenta).all()):
        raise IntegrationError(f"the derivatives are not finite at t = {t:.9g}", t)
    chart = tangent(start, t, state)
    free, basis = chart.independent, chart.basis
    # The turning of the tangent space along a motion does not show in deviations of independent states.
    matrix, inputs = jacobian[free] @ basis, by_signals[free]
    by_states, by_g, by_s = _output_slopes(start, t, state, basis, named)
    names = tuple(start.model.states[i] for i in free)
    if full:
        s = len(start.momenta)
        matrix = np.block([[matrix, by_momenta[free]], [np.zeros((s, len(names) + s))]])
        inputs = np.vstack([inputs, np.zeros((s, inputs.shape[1]))])
        basis = np.block([[basis, np.zeros((len(basis), s))], [np.zeros((s, len(names))), np.eye(s)]])
        names += tuple(f"momentum {name}" for name in _momenta(start))
        by_states = np.hstack([by_states, by_g])
    signals = tuple(start.model.description.signals)
    roots, rate = _eigenvalues(matrix), start.rhs(t, state)
    return Linearisation(matrix, inputs, roots, names, signals, basis, rate, by_states, by_s, tuple(named))


def _output_places(start: Start, outputs: Iterable[str] | None) -> dict[str, int]:
    """The places in y of columns by name, unless given those of the outputs of the spec."""
    description = start.model.description
    if outputs is None:
        return {name: description.places[name] for name in description.user_columns}
    return {name: description.places[name] for name in chosen("outputs", "output", outputs, description.places)}


def _slope(along: Callable[[float], Vector], step: float) -> Vector:
    """The slopes of a curve by differences of order 4, with the steps, each half the one before, whose two agree best.

    NaN for those that no two agree about.
    """
    slope, noise = _difference(along, step)
    best, quiet, gap = slope, noise, np.full_like(slope, np.inf)
    for _ in range(HALVINGS):
        step = step / 2
        finer, louder = _difference(along, step)
        change = np.abs(finer - slope)
        best, quiet = np.where(change < gap, slope, best), np.where(change < gap, noise, quiet)
        gap = np.fmin(gap, change)
        if (gap <= AGREE * np.abs(best) + LOUD * quiet).all():
            break
        slope, noise = finer, louder
    return np.where(gap <= ROUGH * (1 + np.abs(best)), np.where(np.abs(best) <= quiet, 0.0, best), np.nan)


def _difference(along: Callable[[float], Vector], step: float) -> tuple[Vector, Vector]:
    """The slopes of a curve by differences, and how much of them may be rounding."""
    slope, noise = np.zeros(()), np.zeros(())
    for far, weight in ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12)):
        part = weight / step * along(far * step)
        slope, noise = slope + part, noise + ROUNDING * np.abs(part)
    return slope, noise


def _output_slopes(
    start: Start, t: float, z: Vector, basis: Vector, named: Mapping[str, int]
) -> tuple[Vector, Vector, Vector]:
    """The derivatives of outputs by independent states, momenta and signals: central differences of order 4."""
    signals = np.array(start.signals_at(t, z) or start.inputs.constants, dtype=np.float64)
    here, cuts = np.concatenate([z, start.momenta, signals]), [len(z), len(z) + len(start.momenta)]
    others, parameters = np.eye(len(here) - len(z)), list(start.parameters.values())

    def outputs(there: Vector) -> Vector:
        state, momenta, given = np.split(there, cuts)
        same = np.array_equal(momenta, start.momenta)
        handle = start.handle if same else start.model.handle(parameters, given, momenta)
        return handle.outputs(t, state, given)[list(named.values())]

    slopes = np.zeros((len(named), basis.shape[1] + len(others)))
    directions = np.block([[basis, np.zeros((len(z), len(others)))], [np.zeros((len(others), basis.shape[1])), others]])
    for column, direction in enumerate(directions.T if named else ()):
        step = WIDE * (1 + float(np.abs(here[direction != 0]).max())) / float(np.abs(direction).max())
        slopes[:, column] = _slope(lambda far, d=direction: outputs(here + far * d), step)  # type: ignore[misc]
    for name, row in zip(named, slopes, strict=True):
        if not np.isfinite(row).all():
            raise IntegrationError(f"the derivatives of the output {name} are not found at t = {t:.9g}", t)
    count = basis.shape[1]
    by_states, by_momenta, by_signals = np.split(slopes, [count, count + len(start.momenta)], axis=1)
    return by_states, by_momenta, by_signals


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


@dataclass(frozen=True)
class Tangent:
    """Deviations of a state that keep to the constraints: basis @ those of the `independent` states."""

    independent: list[int]
    basis: Vector


def tangent(start: Start, t: float, z: Vector) -> Tangent:
    """The deviations that the constraints allow at a state: all of them, where none holds for positions.

    Quasi-velocities are independent of each other, but where rates are states, as in Lagrange's equations, the
    constraints hold for them too.
    """
    count, size, speeds = len(start.model.coordinates), len(z), len(start.model.quasi_velocities)
    _, slopes = start.handle.gaps(t, z)
    rows = np.hstack([slopes, np.zeros((len(slopes), size - count))])
    dependent = _pivots(slopes)
    if speeds > count - start.model.report["r"] - len(start.momenta):
        rates = _rate_rows(start, t, z)
        rows = np.vstack([rows, rates])
        dependent += [count + column for column in _pivots(rates[:, count : count + speeds])]
    independent = [i for i in range(size) if i not in dependent]
    basis = np.zeros((size, len(independent)))
    basis[independent] = np.eye(len(independent))
    if dependent:
        basis[dependent] = -np.linalg.lstsq(rows[:, dependent], rows[:, independent], rcond=None)[0]
    return Tangent(independent, basis)


def _rate_rows(start: Start, t: float, z: Vector) -> Vector:
    """The derivatives by z of the constraints on rates, which the model gives as residuals; central differences."""
    output = start.model.description.output("constraints")
    columns = []
    for i in range(len(z)):
        step = np.zeros(len(z))
        step[i] = STEP * (1 + abs(z[i])) if i < len(start.model.coordinates) else 1.0  # they are linear in the rates
        above, below = (start.measured(t, z + sign * step)[output.where] for sign in (1, -1))
        columns.append((above - below) / (2 * step[i]))
    return np.array(columns).T.reshape(output.size, len(z))


def _pivots(rows: Vector) -> list[int]:
    """The columns that elimination with full pivoting solves for, one for each independent row."""
    rest, chosen = rows.copy(), list[int]()
    largest = np.abs(rest).max(initial=0.0)
    while rest.size and np.abs(rest).max() > SMALL * largest:
        row, column = np.unravel_index(int(np.abs(rest).argmax()), rest.shape)
        chosen.append(int(column))
        rest = rest - np.outer(rest[:, column] / rest[row, column], rest[row])
        rest[row], rest[:, column] = 0.0, 0.0
    return sorted(chosen)
