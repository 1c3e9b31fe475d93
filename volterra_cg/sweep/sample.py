"""Samples of distributions: points drawn once, from a seed, before anything is computed."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.runtime.description import unknown

# the distributions by name: what their numbers are called
LAWS = {
    "normal": ("mean", "deviation"),
    "uniform": ("low", "high"),
    "lognormal": ("median", "deviation of the logarithm"),
    "triangular": ("low", "mode", "high"),
}
LATIN = "latin"
DESIGNS = (LATIN, "sobol", "random")
MOST = 10_000_000


@dataclass(frozen=True)
class Distribution:
    """How a parameter or a start value is distributed: a law of LAWS and its numbers."""

    name: str
    law: str
    numbers: tuple[float, ...]

    def __post_init__(self) -> None:
        if self.law not in LAWS:
            raise unknown("distribution", self.law, LAWS)
        if len(self.numbers) != len(LAWS[self.law]):
            raise OptionError(
                f"{self.law} takes {' and '.join(LAWS[self.law])}, as NAME={self.law}:{_pattern(self.law)}"
            )
        first, last = self.numbers[0], self.numbers[-1]
        if self.law in ("uniform", "triangular"):
            if not first < last or not all(first <= each <= last for each in self.numbers):
                raise OptionError(f"the numbers of {self.law} for {self.name} must increase: {self.numbers}")
        elif not last > 0 or (self.law == "lognormal" and not first > 0):
            raise OptionError(f"the numbers of {self.law} for {self.name} must be above zero: {self.numbers}")

    def quantiles(self, shares: Vector) -> Vector:
        """The values below which these shares of the distribution lie."""
        from scipy import stats

        laws: dict[str, Any] = {
            "normal": stats.norm,
            "uniform": lambda low, high: stats.uniform(low, high - low),
            "lognormal": lambda median, deviation: stats.lognorm(deviation, scale=median),
            "triangular": lambda low, mode, high: stats.triang((mode - low) / (high - low), low, high - low),
        }
        found: Vector = laws[self.law](*self.numbers).ppf(shares)
        return found


@dataclass(frozen=True, eq=False)
class Sample:
    """Drawn values by name, all of one length."""

    columns: Mapping[str, Vector]

    @property
    def count(self) -> int:
        """How many points there are."""
        return len(next(iter(self.columns.values())))

    @property
    def key(self) -> dict[str, str]:
        """What tells it from other samples: names, and hashes of their values."""
        return {name: hashlib.sha256(values.tobytes()).hexdigest() for name, values in self.columns.items()}


def distribution(text: str) -> Distribution | None:
    """The distribution in NAME=LAW:X:Y; None if the text begins with a number and so is an axis."""
    name, _, given = (part.strip() for part in text.partition("="))
    law, *numbers = given.split(":")
    if not name or not law.strip().isidentifier() or not numbers:
        return None
    return Distribution(name, law.strip(), tuple(number(text, part) for part in numbers))


def draw(laws: Sequence[Distribution], count: int, design: str = LATIN, seed: int = 0) -> Sample:
    """Points of several distributions that fill the space evenly, or with the design "random" do not; all from the seed."""
    from scipy.stats import qmc

    if design not in DESIGNS:
        raise unknown("design", design, DESIGNS)
    if not 1 <= count <= MOST:
        raise OptionError(f"the size of a sample must lie between 1 and {MOST}, not {count}")
    if design == "sobol" and count & (count - 1):
        raise OptionError(f"a Sobol sample has a power of two points, such as {1 << count.bit_length()}, not {count}")
    random = np.random.default_rng(seed)
    if design == "random":
        shares = random.random((count, len(laws)))
    else:
        engine = qmc.LatinHypercube if design == LATIN else qmc.Sobol
        shares = engine(len(laws), rng=random).random(count)
    inside = np.clip(shares, 2.0**-54, 1 - 2.0**-53)  # a Sobol point may be 0, where a normal law has no value
    return Sample({law.name: law.quantiles(inside[:, k]) for k, law in enumerate(laws)})


def number(text: str, part: str) -> float:
    """A number in a text that a user gave."""
    try:
        value = float(part)
    except ValueError:
        raise OptionError(f"{part.strip()!r} in {text!r} is not a number") from None
    if not math.isfinite(value):
        raise OptionError(f"{part.strip()!r} in {text!r} is not finite")
    return value


def _pattern(law: str) -> str:
    return ":".join(name.split()[0].upper() for name in LAWS[law])
