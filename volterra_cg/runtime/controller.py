"""Controllers: functions of time and state that set several signals, at each stage of a step or at multiples of a period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from .arguments import finite, number, numbers
from .description import Description, unknown

Given = Mapping[str, float] | ArrayLike
Function = Callable[[float, "State"], Given]
Measure = Callable[[list[float]], Vector]  # the outputs at a state for given values of all signals

MOST = 1e8  # switching times of one run
SAME = 1e-9  # of a period: what is closer to a multiple of it is that multiple


class State:
    """What a controller sees: `z`, its parts `q` and `u`, and every column of the model by name, as x["theta"].

    numpy takes it for z, so that K @ x is a sum over the states.
    """

    __slots__ = ("_description", "_measured", "_y", "read", "t", "z")

    def __init__(self, description: Description, t: float, z: Vector, measured: Callable[[], Vector]) -> None:
        self.t, self.z, self.read = t, z, set[int]()
        self._description, self._measured, self._y = description, measured, None  # type: Description, Any, Vector | None

    def __repr__(self) -> str:
        values = ", ".join(
            f"{name} = {value:.4g}" for name, value in zip(self._description.states, self.z, strict=True)
        )
        return f"<State at t = {self.t:.9g}: {values}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Vector:
        return np.array(self.z, dtype=dtype, copy=copy)

    @property
    def q(self) -> Vector:
        """The coordinates, shape (m,)."""
        return self.z[: len(self._description.coordinates)]

    @property
    def u(self) -> Vector:
        """The quasi-velocities, shape (equations,)."""
        first = len(self._description.coordinates)
        return self.z[first : first + len(self._description.quasi_velocities)]

    def __getitem__(self, name: str) -> Any:
        """A state or another column as a number; a vector or an orientation as an array."""
        states, places = self._description.states, self._description.places
        if name in states:
            return float(self.z[states.index(name)])
        if name in places:
            return float(self._output([places[name]])[0])
        parts = [place for key, place in places.items() if key.startswith(f"{name}.")]
        if not parts:
            raise unknown("state or output", name, [*states, *places])
        return self._output(parts)

    def _output(self, places: list[int]) -> Vector:
        if self._y is None:
            self._y = self._measured()
        self.read.update(places)
        return self._y[places]

    def close(self) -> None:
        """Refuse outputs that were not read yet: the run goes on, and they would be those of another state."""
        self._measured = _too_late

    def is_off(self, y: Vector) -> int | None:
        """The first place that was read and that other outputs contradict."""
        return next((place for place in sorted(self.read) if self._y is not None and y[place] != self._y[place]), None)


@dataclass
class Controller:
    """A function f(t, x) of a user, for one run; what it set is kept, if it is asked at multiples of a period.

    `varying` are the signals that something else changes already.
    """

    function: Function
    description: Description
    varying: tuple[str, ...]
    period: float | None = None
    names: tuple[str, ...] | None = None  # of the signals that it sets, once it is known
    history: list[list[float]] = field(default_factory=list)
    switches: Vector | None = None  # the times at which it is asked, if it is sampled

    def __call__(self, t: float, z: Vector, signals: list[float], measure: Measure) -> Iterable[tuple[int, float]]:
        """What it sets at a time and state, as pairs (number of the signal, value)."""
        state = State(self.description, t, z, lambda: measure(signals))
        given = self._checked(self.function(t, state))
        result = list(zip(self.places, given, strict=True))
        if self.period is not None:
            self.history.append(given)
        elif state.read:
            self._refuse_loop(state, signals, dict(result), measure)
        state.close()
        return result

    @property
    def places(self) -> list[int]:
        """The numbers of the signals that it sets."""
        known = list(self.description.signals)
        return [known.index(name) for name in self.names or ()]

    def at(self, t: float, z: Vector, signals: list[float], measure: Measure) -> Iterable[tuple[int, float]]:
        """What it sets, or has set in the run, at a time and state."""
        if self.switches is None:
            return self(t, z, signals, measure)
        row = int(np.searchsorted(self.switches[: len(self.history)], t, side="right")) - 1
        return zip(self.places, self.history[row], strict=True) if row >= 0 else ()

    def effort(self, t: Vector, values: Mapping[str, Vector]) -> dict[str, Vector]:
        """∫ s² dt of each signal s that it sets: exact for what is held, by the trapezoidal rule over the rows for the rest."""
        found = {}
        for place, name in enumerate(self.names or ()):
            squares = values[name] ** 2
            if self.switches is None:
                grown = np.concatenate([[0.0], np.cumsum(np.diff(t) * (squares[1:] + squares[:-1]) / 2)])[: len(t)]
            else:
                grown = self._held_effort(t, place)
            found[f"effort({name})"] = grown
        return found

    def _held_effort(self, t: Vector, which: int) -> Vector:
        assert self.switches is not None
        times = self.switches[: len(self.history)]
        squares = np.array([row[which] ** 2 for row in self.history])
        before = np.concatenate([[0.0], np.cumsum(np.diff(times) * squares[:-1])])
        row = np.searchsorted(times, t, side="right") - 1
        grown: Vector = before[row] + squares[row] * (t - times[row])
        return grown

    def _checked(self, given: object) -> list[float]:
        """The values in the order of the names, which stay those of the first call."""
        known = tuple(self.description.signals)
        if isinstance(given, Mapping):
            for name in given:
                if name not in known:
                    raise self.description.no_signal(name)
            names = tuple(name for name in known if name in given)
            values = [given[name] for name in names]
        else:
            names, values = known, list(self._vector(given, known))
        if self.names is None:
            self._take(names)
        if names != self.names:
            raise OptionError(
                f"the controller set {_listed(self.names or ())} before, and now {_listed(names)}: it must set the same"
            )
        return [
            finite(f"the signal {name} that the controller sets", value)
            for name, value in zip(names, values, strict=True)
        ]

    def _vector(self, given: object, known: tuple[str, ...]) -> Vector:
        try:
            values = np.atleast_1d(numbers("the controller's signals", given))
        except TypeError:
            raise TypeError(
                f"a controller returns a dict of signals by name, or an array of all of them ({_listed(known)}), not {given!r}"
            ) from None
        if values.shape != (len(known),):
            raise OptionError(
                f"the controller returned an array of shape {values.shape}, not one number for each of {_listed(known)}"
            )
        return values

    def _take(self, names: tuple[str, ...]) -> None:
        """Keep the names of the first call, unless something else sets one of them."""
        for name in names:
            if name in self.varying:
                raise OptionError(
                    f"the controller sets {name}, which the start gives as samples or as a function: bind a number to it"
                )
        self.names = names

    def _refuse_loop(self, state: State, signals: list[float], given: dict[int, float], measure: Measure) -> None:
        """Refuse outputs that are others with what the controller makes of them."""
        place = state.is_off(measure([given.get(k, value) for k, value in enumerate(signals)]))
        if place is not None:
            raise OptionError(
                f"the controller reads {self.description.label_of(place)}, which depends on the signals that it sets"
                f" ({_listed(self.names or ())}); a sampled one (period=...) reads it as it is before they change"
            )


def controller_of(
    function: object, period: float | None, description: Description, varying: Iterable[str]
) -> Controller | None:
    """The controller of a run, or None; refuses what is none."""
    if function is None and period is not None:
        raise OptionError("a period belongs to a controller: give control=f too")
    if function is None:
        return None
    if not callable(function):
        raise TypeError(f"control must be a function of (t, x), not {function!r}")
    if not description.signals:
        raise OptionError(
            f"the model {description.name} has no signal that a controller could set: write one in [signals]"
        )
    if period is not None and not 0 < number("period", period) < np.inf:
        raise OptionError(f"the period of a controller must be positive and finite, not {period:g}")
    return Controller(function, description, tuple(varying), None if period is None else float(period))


def switching_times(times: Vector, period: float) -> Vector:
    """The start and the multiples of the period between it and the end; one that a result is asked for at is that time."""
    first, last = float(times[0]), float(times[-1])
    if (last - first) / period > MOST:
        raise OptionError(f"period = {period:g} up to t = {last:g} makes more than {MOST:g} switching times")
    same = max(SAME, 4 * float(np.spacing(max(abs(first), abs(last)))) / period)  # late times are rounded by more
    found: Vector = np.arange(np.floor(first / period + same) + 1, np.ceil(last / period - same)) * period
    near = (
        np.clip(np.searchsorted(times, found), 1, len(times) - 1) if len(times) > 1 else np.zeros(len(found), dtype=int)
    )
    for neighbour in (near - 1, near):
        found = np.where(np.abs(times[neighbour] - found) <= same * period, times[neighbour], found)
    return np.concatenate([[first], found])


def _too_late() -> NoReturn:
    raise OptionError("outputs are read while the controller is asked: keep the numbers, not x")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"
