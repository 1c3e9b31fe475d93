"""Loads in the terms of the system: springs become energies, all else forces, torques and forces along coordinates."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, sqrt, tanh

from volterra_cg.spec.types import DamperEntry, FrictionEntry, LinkEntry, Spec, SpringEntry
from volterra_cg.system.translate import Translator
from volterra_cg.system.types import CoordinateForce, Force, Load, Potential, Torque
from volterra_cg.system.vectors import Angle, AngularVelocity, Axis, Dot, Position, Scaled, Vector, Velocity


def loads(spec: Spec, translator: Translator) -> tuple[Load, ...]:
    """Every load of a spec but gravity."""
    expr, vector = translator.expr, translator.vector_in
    tables: dict[str, list[Load]] = {
        "potentials": [Potential(entry.name, expr(entry.value)) for entry in spec.potentials],
        "springs": [Potential(entry.name, _spring(entry, translator)) for entry in spec.springs],
        "dampers": [_damper(entry, translator) for entry in spec.dampers],
        "actuators": [_along(entry.name, entry.link, expr(entry.force)) for entry in spec.actuators],
        "frictions": [_friction(entry, translator) for entry in spec.frictions],
        "forces": [Force(e.name, e.on, vector(e.frame, e.vector), e.reaction) for e in spec.forces],
        "torques": [Torque(e.name, e.on, vector(e.frame, e.vector), e.reaction) for e in spec.torques],
        "generalized_forces": [CoordinateForce(e.name, e.name, expr(e.value)) for e in spec.generalized_forces],
    }
    return tuple(replace(load, table=table) for table, found in tables.items() for load in found)


def _spring(entry: SpringEntry, translator: Translator) -> Expr:
    stretch = _length(entry.link, translator) - translator.expr(entry.length)
    return translator.expr(entry.stiffness) * stretch**2 / 2


def _damper(entry: DamperEntry, translator: Translator) -> Load:
    damping = translator.expr(entry.damping)
    if entry.link.kind == "points":  # along the line between the ends, without a root
        first, second = entry.link.ends
        line = Position(first, second)
        speed = Dot(Velocity(first) - Velocity(second), line)
        return Force(entry.name, first, Scaled(-damping * speed / Dot(line, line), line), second)
    if entry.link.kind == "frames" and entry.link.axis is None:
        first, second = entry.link.ends
        spin = AngularVelocity(second) - AngularVelocity(first)
        return Torque(entry.name, second, Scaled(-damping, spin), first)
    return _along(entry.name, entry.link, -damping * _speed(entry.link, translator))


def _friction(entry: FrictionEntry, translator: Translator) -> Load:
    speed = _speed(entry.link, translator)
    force = translator.expr(entry.viscous) * speed
    if entry.speed is not None:
        force += translator.expr(entry.dry) * tanh(speed / translator.expr(entry.speed))
    return _along(entry.name, entry.link, -force)


def _along(name: str, link: LinkEntry, force: Expr) -> Load:
    """A force that makes a link longer."""
    if link.kind == "coordinate":
        return CoordinateForce(name, link.ends[0], force)
    first, second = link.ends
    if link.kind == "frames":
        return Torque(name, second, Scaled(force, _axis(link)), first)
    line = Position(first, second)
    return Force(name, first, Scaled(force / sqrt(Dot(line, line)), line), second)


def _speed(link: LinkEntry, translator: Translator) -> Expr:
    """How fast a link grows."""
    if link.kind == "coordinate":
        return translator.rate(translator.scalars[link.ends[0]])
    first, second = link.ends
    if link.kind == "frames":
        return Dot(AngularVelocity(second) - AngularVelocity(first), _axis(link))
    line = Position(first, second)
    return Dot(Velocity(first) - Velocity(second), line) / sqrt(Dot(line, line))


def _length(link: LinkEntry, translator: Translator) -> Expr:
    if link.kind == "coordinate":
        return translator.scalars[link.ends[0]]
    first, second = link.ends
    if link.kind == "frames":
        return Angle(first, second, 2 if link.axis is None else link.axis)
    line = Position(first, second)
    return sqrt(Dot(line, line))


def _axis(link: LinkEntry) -> Vector:
    return Axis(link.ends[0], 2 if link.axis is None else link.axis)
