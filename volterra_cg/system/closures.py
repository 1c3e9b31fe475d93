"""Constraints as rows: closures and rolling spelled out in the vectors of the system."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr, sqrt

from volterra_cg.spec.entities import INERTIAL_FRAME, Align, AnyConstraint, Coincide, Constraint, Distance, Roll
from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.tree import Ref
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, Vector, Velocity


def rows(constraint: AnyConstraint[Expr]) -> Iterator[Constraint[Expr]]:
    """The rows of a constraint; where it has several they are called loop.x, loop.y, loop.z."""
    name = constraint.name
    match constraint:
        case Constraint():
            yield constraint
        case Distance():
            yield _distance(constraint)
        case Coincide(ends=ends, frame=frame, along=along):
            yield from _components(name, Position(*ends), frame, along, holonomic=True)
        case Align(frames=(first, second), axes=(_, other), along=along):
            yield from _components(name, Axis(second, other), first, along, holonomic=True)
        case Roll(axes_frame=frame, along=along):
            touching = _touching(constraint)
            for row in _components(name, _slip(constraint), frame, along, holonomic=False):
                yield touching if touching is not None and touching.name == row.name else row


def _components(
    name: str, vector: Vector, frame: str, along: tuple[int, ...], *, holonomic: bool
) -> Iterator[Constraint[Expr]]:
    for index in along:
        yield Constraint(Ref(f"{name}.{AXES[index]}"), Dot(vector, Axis(frame, index)), holonomic)


def _distance(constraint: Distance[Expr]) -> Constraint[Expr]:
    """(r.r - l^2)/(2 l), whose slope on the mechanism is that of the distance, without a root."""
    line, length = Position(*constraint.ends), constraint.equals
    return Constraint(constraint.name, (Dot(line, line) - length**2) / (2 * length), holonomic=True)


def _touching(roll: Roll[Expr]) -> Constraint[Expr] | None:
    """A disc on the ground stays as high as its rim reaches down: in place of the row of velocities across the ground."""
    if roll.axis is None or roll.surface_frame != INERTIAL_FRAME or roll.axes_frame != roll.upright:
        return None
    height = Dot(Position(roll.origin), Axis(roll.upright, roll.normal))
    reach = Dot(_rim(roll), Axis(roll.upright, roll.normal))
    return Constraint(Ref(f"{roll.name}.{AXES[roll.normal]}"), height + reach, holonomic=True)


def _rim(roll: Roll[Expr]) -> Vector:
    """From the center of a disc to the lowest point of its rim; it has none where the disc lies flat."""
    assert roll.radius is not None
    assert roll.axis is not None
    up, axis = Axis(roll.upright, roll.normal), Axis(roll.frame, roll.axis)
    lean = Dot(up, axis)
    return Scaled(-roll.radius / sqrt(1 - lean**2), up - Scaled(lean, axis))


def _slip(roll: Roll[Expr]) -> Vector:
    """The velocity of the body less that of the surface, both where they touch."""
    if roll.contact is not None:
        arm: Vector = Position(roll.contact, roll.origin)
        surface_arm: Vector = Position(roll.contact, roll.surface_origin)
    else:
        assert roll.radius is not None
        arm = Scaled(-roll.radius, Axis(roll.upright, roll.normal)) if roll.axis is None else _rim(roll)
        surface_arm = Position(roll.origin, roll.surface_origin) + arm
    own = Velocity(roll.origin) + Cross(AngularVelocity(roll.frame), arm)
    if roll.surface_frame == INERTIAL_FRAME:
        return own
    return own - (Velocity(roll.surface_origin) + Cross(AngularVelocity(roll.surface_frame), surface_arm))
