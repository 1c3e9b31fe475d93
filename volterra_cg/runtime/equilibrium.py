"""Trim: the coordinates and inputs with which a mechanism stays at rest, or in a steady motion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError, OptionError, SingularConfiguration

from .arguments import chosen, finite, mapping, number
from .description import unknown

if TYPE_CHECKING:
    from .start import Start

STEP = 1e-5  # of differences, beside the size of an unknown
SMALL = 1e-10  # singular values below this, beside the largest, belong to directions that change nothing
CLOSE = 1e-9  # of an unknown beside its size: a solution
FLOOR = 1e-12  # of a residual: rounding
STEADY = 1e-6  # of what an acceleration changes by along the rates, beside what all changes make of it
KEPT = 1e-14  # of a constraint on positions
MOST, HALVINGS, CORRECTIONS = 100, 30, 20


class _Unknowns:
    """The coordinates and inputs to be found, and what vanishes where they are right."""

    def __init__(self, start: Start, q: Mapping[str, float], inputs: tuple[str, ...], qd: Mapping[str, float]) -> None:
        self.start, self.inputs = start, inputs
        held = dict(zip(start.model.coordinates, start.z0, strict=False)) | dict(q)
        self.free = tuple(name for name in start.model.coordinates if name not in q)
        self.q, self.signals = held, {name: number(name, value) for name, value in start.signals.items()}
        self.qd = np.array([qd.get(name, 0.0) for name in start.model.coordinates])

    @property
    def first(self) -> Vector:
        return np.array([*(self.q[name] for name in self.free), *(self.signals[name] for name in self.inputs)])

    def values(self, x: Vector) -> tuple[Vector, dict[str, float]]:
        """All coordinates, and all signals by name."""
        q = self.q | dict(zip(self.free, x, strict=False))
        signals = self.signals | dict(zip(self.inputs, map(float, x[len(self.free) :]), strict=True))
        return np.array(list(q.values())), signals

    def residual(self, x: Vector) -> Vector:
        """The accelerations of all coordinates, the gaps of constraints, and what the rates are off those given."""
        model, (q, signals) = self.start.model, self.values(x)
        parameters, given = list(self.start.parameters.values()), list(signals.values())
        z, momenta = model.handle(parameters, given).start(self.start.t0, q, self.qd)
        handle, of = model.handle(parameters, given, momenta), model.description.output
        y = handle.outputs_of_rates(self.start.t0, z, self.qd)
        rates = y[of("rates").where] - self.qd
        return np.concatenate([y[of("accelerations").where], handle.gaps(self.start.t0, z)[0], rates])

    def gaps(self, x: Vector) -> tuple[Vector, Vector]:
        """What constraints on positions miss zero by, and their derivatives by the unknowns."""
        model, (q, signals) = self.start.model, self.values(x)
        still = np.concatenate([q, np.zeros(len(self.start.z0) - len(q))])
        handle = model.handle(
            list(self.start.parameters.values()), list(signals.values()), np.zeros_like(self.start.momenta)
        )
        gap, by_q = handle.gaps(self.start.t0, still)
        columns = [model.coordinates.index(name) for name in self.free]
        return gap, np.hstack([by_q[:, columns], np.zeros((len(gap), len(self.inputs)))])

    def onto(self, x: Vector) -> Vector:
        """The nearest unknowns with which constraints on positions hold, as far as Newton's method finds them."""
        for _ in range(CORRECTIONS):
            gap, slopes = self.gaps(x)
            if not (np.isfinite(gap).all() and np.isfinite(slopes).all()):
                break
            if not x.size or np.abs(gap).max(initial=0.0) <= KEPT * (1 + np.abs(x).max()):
                break
            x = x - np.linalg.lstsq(slopes, gap, rcond=SMALL)[0]
        return x

    def tangent(self, x: Vector) -> Vector:
        """The directions, as columns, in which these constraints go on to hold."""
        _, sizes, rows = np.linalg.svd(self.gaps(x)[1])
        rank = int((sizes > SMALL * sizes.max(initial=0.0)).sum())
        return np.asarray(rows[rank:].T, dtype=np.float64)

    def slopes(self, x: Vector) -> Vector:
        """The derivatives of the residual, by central differences."""
        slopes = np.zeros((len(self.residual(x)), len(x)))
        for i in range(len(x)):
            step = np.zeros(len(x))
            step[i] = STEP * (1 + abs(x[i]))
            slopes[:, i] = (self.residual(x + step) - self.residual(x - step)) / (2 * step[i])
        return slopes

    def whole(self, x: Vector) -> _Unknowns:
        """The same place with all coordinates unknown."""
        q, signals = self.values(x)
        whole = _Unknowns(self.start, {}, self.inputs, dict(zip(self.start.model.coordinates, self.qd, strict=True)))
        whole.q, whole.signals = dict(zip(self.start.model.coordinates, q, strict=True)), signals
        return whole

    def told(self, residual: Vector, word: str = "is") -> str:
        """What is farthest from zero, and how far."""
        coordinates, positions = self.start.model.coordinates, self.start.model.description.outputs.get("positions")
        names = [f"der(der({name}))" for name in coordinates]
        names += [f"what the constraint {label} is off by" for label in (positions.labels if positions else ())]
        names += [f"what the rate of {name} is off by" for name in coordinates]
        worst = int(np.abs(residual).argmax())
        return f"{names[worst]} {word} {residual[worst]:.6g}"


def trim(start: Start, q: Mapping[str, float] | None, inputs: Iterable[str], qd: Mapping[str, float] | None) -> Start:
    """The start at an equilibrium near another; coordinates given are held, inputs named are found."""
    unknowns = _checked(start, q, inputs, qd)
    with np.errstate(over="ignore", invalid="ignore"):  # of places that are tried; what is found is finite
        x = _solved(unknowns)
    values, signals = unknowns.values(x)
    given = {name: signals[name] for name in start.signals}
    return start.model.start(values, unknowns.qd, start.parameters, given, start.t0, project=False)


def _checked(
    start: Start, q: Mapping[str, float] | None, inputs: Iterable[str], qd: Mapping[str, float] | None
) -> _Unknowns:
    names = tuple(chosen("inputs", "signal", inputs, start.signals))
    if start.inputs.varying:
        raise OptionError(
            f"an equilibrium needs signals that are numbers: bind one to {', '.join(start.inputs.varying)}"
        )
    return _Unknowns(start, _by_coordinate(start, "q", q), names, _by_coordinate(start, "qd", qd))


def _by_coordinate(start: Start, argument: str, given: Mapping[str, float] | None) -> dict[str, float]:
    """Finite numbers by the names of coordinates."""
    mapping(argument, given)
    found = {}
    for name, value in (given or {}).items():
        if name not in start.model.coordinates:
            raise unknown("coordinate", name, start.model.coordinates)
        found[name] = finite(f"{argument} of {name}", value)
    return found


def _solved(unknowns: _Unknowns) -> Vector:
    """Newton's method with steps of least norm, so that what changes nothing stays as it is; shortened where that helps."""
    x = unknowns.onto(unknowns.first)
    residual = unknowns.residual(x)
    if not np.isfinite(residual).all():
        t = unknowns.start.t0
        raise IntegrationError(f"{unknowns.told(residual)} at the start, t = {t:.9g}: start elsewhere", t)
    for _ in range(MOST if x.size else 0):
        slopes, tangent = unknowns.slopes(x), unknowns.tangent(x)
        if not np.isfinite(slopes).all():
            break
        step = tangent @ np.linalg.lstsq(slopes @ tangent, -residual, rcond=SMALL)[0]
        if np.abs(step).max() <= 1e-12 * (1 + np.abs(x).max()):
            break
        moved, residual = _shortened(unknowns, x, step, residual)
        if moved is None:
            break
        x = moved
    return _accepted(unknowns, x, residual)


def _shortened(unknowns: _Unknowns, x: Vector, step: Vector, residual: Vector) -> tuple[Vector | None, Vector]:
    """Where a step leads, halved until the residual is smaller; None if it never is."""
    for _ in range(HALVINGS):
        there = unknowns.onto(x + step)
        try:
            after = unknowns.residual(there)
        except SingularConfiguration:
            after = np.full_like(residual, np.inf)
        if np.linalg.norm(after) < np.linalg.norm(residual):
            return there, after
        step = 0.5 * step
    return None, residual


def _accepted(unknowns: _Unknowns, x: Vector, residual: Vector) -> Vector:
    """A solution is as close as unknowns can be, row by row, measured by what changes of coordinates and inputs make there."""
    whole = unknowns.whole(x)
    slopes = whole.slopes(whole.first)
    sizes = np.abs(slopes) @ (1 + np.abs(whole.first))
    if (np.abs(residual) <= CLOSE * sizes + FLOOR).all():
        _refuse_passing(unknowns, slopes[:, : len(unknowns.qd)] @ unknowns.qd, sizes)
        return x
    free = ", ".join((*unknowns.free, *unknowns.inputs)) or "nothing"
    left = unknowns.told(residual, "is still")
    raise IntegrationError(
        f"no equilibrium is found near the start by changing {free}: {left}; hold fewer coordinates, find more"
        " inputs, or start closer to it",
        unknowns.start.t0,
    )


def _refuse_passing(unknowns: _Unknowns, change: Vector, sizes: Vector) -> None:
    """Refuse a place that a motion passes: the accelerations vanish there, and not where the rates lead."""
    qd = unknowns.qd
    if (np.abs(change) <= STEADY * (1 + sizes) * np.abs(qd).max(initial=0.0)).all():
        return
    moving = ", ".join(name for name, rate in zip(unknowns.start.model.coordinates, qd, strict=True) if rate)
    raise IntegrationError(
        f"no steady motion is found near the start: along the rates of {moving}, {unknowns.told(change, 'changes by')} in a"
        " unit of time; give rates in qd only to coordinates that change nothing",
        unknowns.start.t0,
    )
