"""Input signals: constants, samples over time, or functions of time and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from .arguments import mapping, number, numbers
from .controller import Controller, Measure
from .description import Description, ReadOnly

Samples = tuple[ArrayLike, ArrayLike]
Function = Callable[[float, Vector], float]
Signal = float | Samples | Function
Sampled = tuple[int, Vector, Vector]
Named = tuple[str, Function]


class Signals:
    """The signals of a start, in the order of the model; in a run a controller may set some of them."""

    def __init__(self, values: Mapping[str, Signal], controller: Controller | None = None) -> None:
        self.values = ReadOnly(values)
        self.controller = controller
        self.samples, self.functions = _sorted(self.values)
        self.constants = [0.0 if _varies(value) else _constant(name, value) for name, value in self.values.items()]

    @property
    def vary(self) -> bool:
        """Whether any changes in time."""
        return bool(self.samples or self.functions or self.controller)

    @property
    def varying(self) -> list[str]:
        """The names of those given by samples or functions."""
        names = list(self.values)
        return [names[place] for place in (*(place for place, _, _ in self.samples), *self.functions)]

    def at(self, t: float, z: ArrayLike, measure: Measure) -> list[float]:
        """The values of all signals at a time and state; `measure` gives the outputs there that a controller may read."""
        values = list(self.constants)
        state = numbers("z", z)
        for place, times, samples in self.samples:
            values[place] = float(np.interp(t, times, samples))
        for place, (name, function) in self.functions.items():
            values[place] = number(f"the signal {name}", function(t, state))
        if self.controller is not None:
            for place, value in self.controller.at(t, state, list(values), measure):
                values[place] = value
        return values

    def replaced(self, given: Mapping[str, Signal] | None, description: Description) -> Signals:
        """The same signals with some replaced; unknown names are refused."""
        mapping("signals", given)
        for name, value in (given or {}).items():
            if name not in self.values:
                raise description.no_signal(name)
            if not _varies(value) and not np.isfinite(_constant(name, value)):
                raise OptionError(f"the signal {name} must be a finite number, not {value}")
        return Signals({**self.values, **(given or {})})


def _varies(value: object) -> bool:
    return callable(value) or (isinstance(value, Sequence) and not isinstance(value, str))


def _constant(name: str, value: object) -> float:
    try:
        return number(name, value)
    except TypeError:
        raise TypeError(
            f"the signal {name} must be a number, a pair (times, samples) or a function of (t, z), not {value!r}"
        ) from None


def _sorted(values: Mapping[str, Signal]) -> tuple[tuple[Sampled, ...], dict[int, Named]]:
    """The signals that change, by their numbers: those given by samples, and functions."""
    samples: list[Sampled] = []
    functions: dict[int, Named] = {}
    for place, (name, value) in enumerate(values.items()):
        if callable(value):
            functions[place] = name, value
        elif _varies(value):
            samples.append((place, *sampled(name, value)))
    return tuple(samples), functions


def sampled(name: str, value: object) -> tuple[Vector, Vector]:
    """Times and values of a signal given by samples; straight lines join them, and outside they keep their ends."""
    try:
        times, samples = (numbers(name, part) for part in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(f"the samples of the signal {name} must be a pair (times, samples) of real numbers") from None
    if times.ndim != 1 or times.shape != samples.shape or times.size == 0:
        raise ValueError(f"the signal {name} has times of shape {times.shape} and samples of shape {samples.shape}")
    if not (np.isfinite(times).all() and np.isfinite(samples).all()):
        raise ValueError(f"the samples of the signal {name} and their times must be finite numbers")
    if not (np.diff(times) > 0).all():
        raise ValueError(f"the times of the signal {name} must increase")
    return times, samples
