"""Constraints as rows: closures and rolling spelled out in the vectors of the system."""

from __future__ import annotations

from collections.abc import Iterator

from volterra_cg.spec.types import (
    AlignEntry,
    AnyConstraint,
    CoincideEntry,
    ConstraintEntry,
    DistanceEntry,
    RollEntry,
)
from volterra_cg.system.translate import Translator
from volterra_cg.system.types import Constraint
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, Vector, Velocity

_LETTERS = "xyz"


def constraint_rows(entry: AnyConstraint, translator: Translator) -> Iterator[Constraint]:
    """The rows of a constraint; where it has several they are called loop.x, loop.y, loop.z."""
    match entry:
        case ConstraintEntry():
            yield Constraint(entry.name, translator.expr(entry.value), entry.holonomic)
        case DistanceEntry():
            yield _distance(entry, translator)
        case CoincideEntry():
            gap = Position(*entry.ends)
            yield from _components(entry.name, gap, entry.frame, entry.along, holonomic=True)
        case AlignEntry():
            (first, second), other = entry.frames, entry.axes[1]
            yield from _components(entry.name, Axis(second, other), first, entry.along, holonomic=True)
        case RollEntry():
            yield from _components(entry.name, _slip(entry, translator), entry.axes_frame, entry.along, holonomic=False)


def _components(
    name: str, vector: Vector, frame: str, along: tuple[int, ...], *, holonomic: bool
) -> Iterator[Constraint]:
    for index in along:
        yield Constraint(f"{name}.{_LETTERS[index]}", Dot(vector, Axis(frame, index)), holonomic)


def _distance(entry: DistanceEntry, translator: Translator) -> Constraint:
    """(r.r - l^2)/(2 l), whose slope on the mechanism is that of the distance, without a root."""
    line, length = Position(*entry.ends), translator.expr(entry.equals)
    return Constraint(entry.name, (Dot(line, line) - length**2) / (2 * length), holonomic=True)


def _slip(entry: RollEntry, translator: Translator) -> Vector:
    """The velocity of the body less that of the surface, both where they touch."""
    if entry.contact is not None:
        arm: Vector = Position(entry.contact, entry.origin)
        surface_arm: Vector = Position(entry.contact, entry.surface_origin)
    else:
        assert entry.radius is not None
        arm = Scaled(-translator.expr(entry.radius), Axis(entry.upright, entry.normal))
        surface_arm = Position(entry.origin, entry.surface_origin) + arm
    own = Velocity(entry.origin) + Cross(AngularVelocity(entry.frame), arm)
    if entry.surface_frame == "N":
        return own
    return own - (Velocity(entry.surface_origin) + Cross(AngularVelocity(entry.surface_frame), surface_arm))
