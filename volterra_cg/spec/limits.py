"""What masses, sizes and inertias a body can have: one set of rules for the numbers of a spec and for those of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from volterra_cg.spec.entities import Body, Inertia, Shape
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.tree import S

DIAGONAL, OTHERS = ("xx", "yy", "zz"), ("xy", "xz", "yz")
ROUNDING = Fraction(1, 10**9)  # of a tensor's half trace, by which a flat or slender body may seem impossible
RESTITUTION = "it lies between 0 and 1"
_TRIANGLE = "no principal moment is above the sum of the other two; xy, xz, yz are the tensor's entries with their sign"
_DEFINITE = "entries that are left out are zero, and with these some turning would have a negative energy"


@dataclass(frozen=True)
class Limit:
    """All of `least`, numbers or expressions, are above zero, or with `reached` at least zero; `rule` says why.

    `what` must keep it; where `least` is one number, that is its size.
    """

    path: KeyPath
    what: str
    rule: str
    least: tuple[Any, ...]
    reached: bool = False


def limits(body: Body[S], value: Callable[[KeyPath, S], Any]) -> Iterator[Limit]:
    """The limits of a body in the order in which they are to be looked at; `value` is None for what has none."""
    path: KeyPath = ("bodies", body.name)
    mass = value((*path, "mass"), body.mass)
    if mass is not None:
        yield Limit((*path, "mass"), f"the mass of '{body.name}'", "a mass is above zero", (mass,))
    if body.drawn is not None:
        sizes = body.drawn.what.sizes if isinstance(body.drawn.what, Shape) else (body.drawn.scale,)
        yield from _sizes((*path, "drawn"), body.name, sizes, value)
    if isinstance(body.inertia, Shape):
        yield from _sizes((*path, "shape"), body.name, body.inertia.sizes, value)
    elif isinstance(body.inertia, Inertia):
        given = {key: value((*path, "inertia", key), part) for key, part in body.inertia.entries.items()}
        if all(part is not None for part in given.values()):
            yield from _tensor((*path, "inertia"), body.name, given)


def _sizes(path: KeyPath, name: str, sizes: Sequence[S], value: Callable[[KeyPath, S], Any]) -> Iterator[Limit]:
    for size in sizes:
        number = value(path, size)
        if number is not None:
            yield Limit(path, f"a size of '{name}'", "a size is above zero", (number,))


def _tensor(path: KeyPath, name: str, given: Mapping[str, Any]) -> Iterator[Limit]:
    for key in DIAGONAL:
        if key in given:
            what, rule = f"the moment of inertia {key} of '{name}'", "a moment of inertia is not below zero"
            yield Limit((*path, key), what, rule, (given[key],), reached=True)
    what, skew = f"the inertia of '{name}'", any(key in given for key in OTHERS)
    half = sum((given.get(key, 0) for key in DIAGONAL), start=Fraction(0)) * Fraction(1, 2)
    others = [given.get(key, 0) for key in OTHERS]
    if all(
        key in given for key in DIAGONAL
    ):  # a distribution of mass has it if half the trace minus it is semidefinite
        rest = [half - given[key] for key in DIAGONAL]
        least = [part + ROUNDING * half for part in rest]
        least += _minors(rest, [-part for part in others], half) if skew else []
        yield Limit(path, what, _TRIANGLE, tuple(least), reached=True)
    elif skew:  # entries left out do not matter in the plane, but no turning may have a negative energy
        moments = [given.get(key, 0) for key in DIAGONAL]
        yield Limit(path, what, _DEFINITE, tuple(_minors(moments, others, half)), reached=True)


def _minors(diagonal: Sequence[Any], others: Sequence[Any], size: Any) -> list[Any]:
    """The minors of order two and three, which are not below zero where a matrix is positive semidefinite."""
    (a, b, c), (d, e, f), little = diagonal, others, ROUNDING * size
    pairs = [pair + little * size for pair in (a * b - d * d, a * c - e * e, b * c - f * f)]
    return [*pairs, a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e) + little * size * size]
