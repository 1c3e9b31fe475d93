"""Inverse dynamics: the inputs that give wanted accelerations at a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError, OptionError

from .arguments import chosen as chosen_names
from .arguments import finite, vector
from .description import unknown

if TYPE_CHECKING:
    from .start import Start

SMALL = 1e-10  # singular values below this, beside the largest, belong to inputs that change nothing of their own
CLOSE = 1e-10  # of an acceleration, beside what it is made of
MOST = 50


def inverse_dynamics(
    start: Start, t: float, z: ArrayLike, accelerations: Mapping[str, float] | ArrayLike, inputs: Iterable[str] | None
) -> dict[str, float]:
    """The inputs with which some coordinates have the accelerations given, the other signals being as they are."""
    t, state, known = finite("t", t), vector("z", z, start.model.states), list(start.signals)
    chosen, wanted = _wanted(start, accelerations)
    names = known if inputs is None else chosen_names("inputs", "signal", inputs, known)
    places = [known.index(name) for name in names]
    signals = np.array(start.signals_at(t, state) or start.inputs.constants, dtype=np.float64)
    first = start.model.description.output("accelerations").offset

    def found(values: Vector) -> Vector:
        given = signals.copy()
        given[places] = values
        return start.handle.outputs(t, state, given)[[first + k for k in chosen]]

    values = signals[places]
    for _ in range(MOST):  # one round, and a second to see that it was right, where the inputs enter linearly
        with np.errstate(over="ignore", invalid="ignore"):
            now, slopes = found(values), _slopes(found, values)
            scale = np.abs(slopes) @ np.abs(values) + np.abs(now) + np.abs(wanted) + np.abs(now - slopes @ values)
        _refuse_infinite(start, t, chosen, scale)
        _refuse_dependent(slopes, names, [start.model.coordinates[k] for k in chosen])
        step = np.linalg.lstsq(slopes, wanted - now, rcond=None)[0]
        if (np.abs(slopes @ step) <= CLOSE * scale).all():
            _refuse_unreached(start, chosen, names, now, wanted, scale)
            return dict(zip(names, map(float, values), strict=True))
        values = values + step
    raise IntegrationError(f"the inputs {', '.join(names)} for these accelerations are not found at t = {t:.9g}", t)


def _wanted(start: Start, accelerations: Mapping[str, float] | ArrayLike) -> tuple[list[int], Vector]:
    """The numbers of coordinates, and their accelerations."""
    known = start.model.coordinates
    if not isinstance(accelerations, Mapping):
        values = vector("accelerations", accelerations, known, otherwise="a dict by coordinate, or ")
        accelerations = dict(zip(known, values, strict=True))
    for name in accelerations:
        if name not in known:
            raise unknown("coordinate", name, known)
    wanted = [finite(f"the acceleration of {name}", value) for name, value in accelerations.items()]
    return [known.index(name) for name in accelerations], np.array(wanted)


def _slopes(found: Callable[[Vector], Vector], values: Vector) -> Vector:
    """The derivatives of the accelerations by the inputs; exact but for rounding where these enter linearly."""
    slopes = np.zeros((len(found(values)), len(values)))
    for i in range(len(values)):
        step = np.zeros(len(values))
        step[i] = 1e-3 * (1 + abs(values[i]))
        slopes[:, i] = (found(values + step) - found(values - step)) / (2 * step[i])
    return slopes


def _refuse_infinite(start: Start, t: float, chosen: list[int], scale: Vector) -> None:
    """Refuse a place at which an acceleration, or what it is made of, is no number."""
    for k, size in zip(chosen, scale, strict=True):
        if not np.isfinite(size):
            name = start.model.coordinates[k]
            raise IntegrationError(
                f"the acceleration of {name} is not finite at t = {t:.9g}, in this state and with these inputs: give others",
                t,
            )


def _refuse_dependent(slopes: Vector, names: list[str], coordinates: list[str]) -> None:
    sizes = np.linalg.norm(slopes, axis=0)
    scaled = slopes / np.where(sizes > 0, sizes, 1.0)
    rank = int((np.linalg.svd(scaled, compute_uv=False) > SMALL).sum()) if slopes.size else 0
    if rank < len(names):
        raise OptionError(
            f"the accelerations of {', '.join(coordinates) or 'nothing'} do not determine the inputs {', '.join(names)}: choose"
            " fewer inputs, or give more accelerations"
        )


def _refuse_unreached(
    start: Start, chosen: list[int], names: list[str], now: Vector, wanted: Vector, scale: Vector
) -> None:
    off = np.abs(now - wanted) / np.where(scale > 0, scale, 1.0)
    if chosen and off.max() > 100 * CLOSE:
        worst = int(off.argmax())
        raise OptionError(
            f"the inputs {', '.join(names) or 'none'} cannot give these accelerations: that of"
            f" {start.model.coordinates[chosen[worst]]} is {now[worst]:.9g} at best, not {wanted[worst]:.9g}"
        )
