"""Loads in the terms of the system: springs become energies, all else forces, torques and forces along coordinates."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, sqrt, tanh

from volterra_cg.spec.entities import CoordinateLink, Damper, FrameLink, Friction, Link, Mechanism, PointLink, Spring
from volterra_cg.spec.tree import CoordinateRef, Ref, Triple
from volterra_cg.system.types import (
    CoordinateForce,
    FrameTorque,
    Load,
    PointForce,
    Potential,
    rate_symbol,
    symbol,
)
from volterra_cg.system.vectors import (
    Angle,
    AngularVelocity,
    Axis,
    Dot,
    Position,
    Scaled,
    Vector,
    VectorSum,
    Velocity,
)


def loads(mechanism: Mechanism[Expr]) -> tuple[Load, ...]:
    """Every load of a mechanism but gravity."""
    tables: dict[str, list[Load]] = {
        "potentials": [Potential(each.name, each.value) for each in mechanism.potentials],
        "springs": [Potential(spring.name, _energy(spring)) for spring in mechanism.springs],
        "dampers": [_damping(damper) for damper in mechanism.dampers],
        "actuators": [_along(actuator.name, actuator.link, actuator.force) for actuator in mechanism.actuators],
        "frictions": [_friction(friction) for friction in mechanism.frictions],
        "forces": [PointForce(f.name, f.at, _vector(f.frame, f.vector), f.reaction) for f in mechanism.forces],
        "torques": [FrameTorque(t.name, t.on, _vector(t.frame, t.vector), t.reaction) for t in mechanism.torques],
        "generalized_forces": [
            CoordinateForce(each.name, CoordinateRef(each.name), each.value) for each in mechanism.generalized_forces
        ],
    }
    return tuple(replace(load, table=table) for table, found in tables.items() for load in found)


def _vector(frame: str, parts: Triple[Expr]) -> Vector:
    """The vector of given components along the axes of a frame."""
    terms = [Scaled(part, Axis(frame, n)) for n, part in enumerate(parts) if part != 0]
    return terms[0] if len(terms) == 1 else VectorSum(*terms)


def _energy(spring: Spring[Expr]) -> Expr:
    return spring.stiffness * (_length(spring.link) - spring.length) ** 2 / 2


def _damping(damper: Damper[Expr]) -> Load:
    match damper.link:
        case PointLink(first=first, second=second):  # without a root
            line = Position(first, second)
            speed = Dot(Velocity(first) - Velocity(second), line)
            return PointForce(damper.name, first, Scaled(-damper.damping * speed / Dot(line, line), line), second)
        case FrameLink(first=base, second=turned, axis=None):
            spin = AngularVelocity(turned) - AngularVelocity(base)
            return FrameTorque(damper.name, turned, Scaled(-damper.damping, spin), base)
    return _along(damper.name, damper.link, -damper.damping * _speed(damper.link))


def _friction(friction: Friction[Expr]) -> Load:
    speed = _speed(friction.link)
    force = friction.viscous * speed
    if friction.speed is not None:
        force += friction.dry * tanh(speed / friction.speed)
    return _along(friction.name, friction.link, -force)


def _along(name: Ref, link: Link, force: Expr) -> Load:
    """A force that makes a link longer."""
    match link:
        case PointLink(first=first, second=second):
            line = Position(first, second)
            return PointForce(name, first, Scaled(force / sqrt(Dot(line, line)), line), second)
        case FrameLink(first=base, second=turned):
            return FrameTorque(name, turned, Scaled(force, Axis(base, _about(link))), base)
        case CoordinateLink(coordinate=coordinate):
            return CoordinateForce(name, coordinate, force)


def _speed(link: Link) -> Expr:
    """How fast a link grows."""
    match link:
        case PointLink(first=first, second=second):
            line = Position(first, second)
            return Dot(Velocity(first) - Velocity(second), line) / sqrt(Dot(line, line))
        case FrameLink(first=base, second=turned):
            return Dot(AngularVelocity(turned) - AngularVelocity(base), Axis(base, _about(link)))
        case CoordinateLink(coordinate=coordinate):
            return rate_symbol(coordinate)


def _length(link: Link) -> Expr:
    match link:
        case PointLink(first=first, second=second):
            line = Position(first, second)
            return sqrt(Dot(line, line))
        case FrameLink(first=base, second=turned):
            return Angle(base, turned, _about(link))
        case CoordinateLink(coordinate=coordinate):
            return symbol(coordinate)


def _about(link: FrameLink) -> int:
    assert link.axis is not None  # all but dampers have one
    return link.axis
