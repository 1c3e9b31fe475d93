"""The grid of a sweep: what varies, and over which values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.runtime.arguments import finite
from volterra_cg.runtime.description import Description, unknown

from .sample import LATIN, Sample, distribution, draw
from .sample import number as _number

MOST = 10_000_000  # runs of one sweep


@dataclass(frozen=True)
class Axis:
    """A parameter or a start value, a coordinate or a rate as der(NAME), and the values that it takes."""

    name: str
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise OptionError(f"{self.name} varies over no values")
        for value in self.values:
            finite(f"each value of {self.name}", value)


@dataclass(frozen=True)
class Grid:
    """All combinations of the values of its axes, each with all of a sample, if there is one; the last axis changes fastest."""

    axes: tuple[Axis, ...] = ()
    sample: Sample | None = None

    def __post_init__(self) -> None:
        if not self.names:
            raise OptionError("nothing varies: say what does, as --vary l=0.1:0.5:100")
        for name in self.names:
            if self.names.count(name) > 1:
                raise OptionError(f"{name} varies twice")
        if self.size > MOST:
            raise OptionError(f"the grid has {self.size} points, and more than {MOST} are not computed in one sweep")

    @property
    def names(self) -> list[str]:
        """What varies."""
        return [*(self.sample.columns if self.sample else ()), *(axis.name for axis in self.axes)]

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of the sample, if there is one, and the numbers of values along the axes."""
        return (*((self.sample.count,) if self.sample else ()), *(len(axis.values) for axis in self.axes))

    @property
    def size(self) -> int:
        """The number of points."""
        return math.prod(self.shape)

    def rows(self, first: int, last: int) -> dict[str, Vector]:
        """The values at the points from `first` to before `last`, by name."""
        places = list(np.unravel_index(np.arange(first, last), self.shape))
        drawn = places.pop(0) if self.sample else None
        columns = self.sample.columns if self.sample else {}
        return {name: values[drawn] for name, values in columns.items()} | {
            axis.name: np.asarray(axis.values, dtype=np.float64)[place]
            for axis, place in zip(self.axes, places, strict=True)
        }


def grid(given: Sequence[str], count: int | None = None, design: str = LATIN, seed: int = 0) -> Grid:
    """The grid of some texts: axes, and distributions of which a sample of `count` points is drawn."""
    laws = [law for text in given if (law := distribution(text)) is not None]
    axes = tuple(axis(text) for text in given if distribution(text) is None)
    if laws and count is None:
        raise OptionError(f"{laws[0].name} has a distribution: say how many are drawn, as --samples 100")
    if not laws and count is not None:
        raise OptionError("samples are drawn of distributions, and there is none: give one, as --vary m=normal:1:0.1")
    return Grid(axes, draw(laws, count, design, seed) if laws and count is not None else None)


def axis(text: str) -> Axis:
    """An axis from NAME=LOW:HIGH:COUNT, evenly spaced, or NAME=A,B,C."""
    name, sign, given = (part.strip() for part in text.partition("=")) if isinstance(text, str) else ("", "", "")
    if not sign or not name:
        raise OptionError(f"expected NAME=LOW:HIGH:COUNT or NAME=A,B,C, not {text!r}")
    if ":" not in given:
        return Axis(name, tuple(_number(text, part) for part in given.split(",")))
    parts = given.split(":")
    if len(parts) != 3:
        raise OptionError(f"expected LOW:HIGH:COUNT in {text!r}, which has {len(parts)} parts")
    low, high = _number(text, parts[0]), _number(text, parts[1])
    count = int(parts[2]) if parts[2].strip().isascii() and parts[2].strip().isdigit() else 0
    if not 1 <= count <= MOST:
        raise OptionError(f"expected a number of values from 1 to {MOST} in {text!r}, not {parts[2].strip()!r}")
    if count == 1 and low != high:
        raise OptionError(f"one value in {text!r} cannot be {low:g} and {high:g}: give more, or name it alone")
    return Axis(name, tuple(map(float, np.linspace(low, high, count))))


@dataclass(frozen=True)
class Quantity:
    """What a name stands for: a "parameter", a "coordinate", a "rate" or a "signal"."""

    kind: str
    name: str

    @property
    def text(self) -> str:
        """The name as it is written."""
        return f"der({self.name})" if self.kind == "rate" else self.name

    @property
    def start(self) -> str:
        """The name of a start value, beside the state of the same name."""
        return f"initial_{self.text}"


def quantity(given: str, description: Description) -> Quantity:
    """The parameter, signal or start value of a name; der(q) is the rate of q."""
    name = given.strip() if isinstance(given, str) else given
    if isinstance(name, str) and name.startswith("der(") and name.endswith(")"):
        inner = name[4:-1].strip()
        if inner not in description.coordinates:
            raise unknown("coordinate", inner, description.coordinates)
        return Quantity("rate", inner)
    tables = {
        "parameter": description.parameters,
        "coordinate": description.coordinates,
        "signal": description.signals,
    }
    for kind, names in tables.items():
        if name in names:
            return Quantity(kind, name)
    rates = [f"der({coordinate})" for coordinate in description.coordinates]
    raise unknown("parameter or start value", name, [*description.parameters, *description.coordinates, *rates])
