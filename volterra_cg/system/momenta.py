"""Momenta, kinetic energy and center of mass of some bodies, in the vectors of the system."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from sympy import Expr, Rational

from volterra_cg.spec.entities import Body, Inertia
from volterra_cg.system.inertia import central_tensor
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, Vector, Velocity

Bodies = Sequence[Body[Expr]]


def momentum(bodies: Bodies) -> Vector:
    """The sum of m v."""
    return _sum([Scaled(body.mass, Velocity(body.center)) for body in bodies])


def angular_momentum(point: str, bodies: Bodies) -> Vector:
    """The sum of r x m v and I w; r is from the place where the point is now."""
    terms: list[Vector] = [
        Scaled(body.mass, Cross(Position(body.center, point), Velocity(body.center))) for body in bodies
    ]
    return _sum([*terms, *(spin for body in bodies for spin in _spin_momentum(body))])


def kinetic_energy(bodies: Bodies) -> Expr:
    """The sum of m v.v / 2 and w.I w / 2."""
    moving = [body.mass * Dot(Velocity(body.center), Velocity(body.center)) for body in bodies]
    turning = [Dot(AngularVelocity(body.frame), spin) for body in bodies for spin in _spin_momentum(body)]
    return Rational(1, 2) * sum((*moving, *turning), start=Rational(0))


def mass_center(bodies: Bodies) -> Vector:
    """The mean of the centers by mass, from O."""
    total = sum((body.mass for body in bodies), start=Rational(0))
    return _sum([Scaled(body.mass / total, Position(body.center)) for body in bodies])


def _sum(terms: Sequence[Vector]) -> Vector:
    """Two at a time, as a spec would have it."""
    return reduce(lambda left, right: left + right, terms)


def _spin_momentum(body: Body[Expr]) -> list[Vector]:
    """I w by its components along the axes in which the inertia is given; none of a particle."""
    tensor = central_tensor(body)
    if tensor is None or body.frame is None:
        return []
    frame = (body.inertia.frame if isinstance(body.inertia, Inertia) else None) or body.frame
    spin = AngularVelocity(body.frame)
    return [
        Scaled(
            sum((part * Dot(spin, Axis(frame, j)) for j, part in enumerate(row) if part != 0), start=Rational(0)),
            Axis(frame, i),
        )
        for i, row in enumerate(tensor)
        if any(part != 0 for part in row)
    ]
