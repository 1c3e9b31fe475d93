"""What pictures show of a mechanism besides its bodies: lines between points, and forces."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr

from volterra_cg.spec.entities import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Actuator,
    Coincide,
    Damper,
    Distance,
    Mechanism,
    PointLink,
    Spring,
)
from volterra_cg.spec.tree import PointRef
from volterra_cg.system.types import TIME, Arrow, Line, Scene, symbol


def scene_of(mechanism: Mechanism[Expr]) -> Scene:
    """The scene of a mechanism."""
    joints = [point for c in mechanism.constraints if isinstance(c, Coincide) for point in c.ends]
    arrows = tuple(Arrow(str(force.name), force.at, force.frame, force.vector) for force in mechanism.forces)
    return Scene((*_links(mechanism), *_arms(mechanism)), tuple(dict.fromkeys(joints)), arrows)


def _links(mechanism: Mechanism[Expr]) -> Iterator[Line]:
    loads: tuple[Spring[Expr] | Damper[Expr] | Actuator[Expr], ...] = (
        *mechanism.springs,
        *mechanism.dampers,
        *mechanism.actuators,
    )
    for load in loads:
        if isinstance(load.link, PointLink):
            yield Line(type(load).__name__.lower(), str(load.name), load.link.first, load.link.second)
    for constraint in mechanism.constraints:
        if isinstance(constraint, Distance):
            yield Line("rod", str(constraint.name), *constraint.ends)


def _arms(mechanism: Mechanism[Expr]) -> Iterator[Line]:
    """Points that keep their place in a frame that moves, and where they are placed from."""
    moving = {symbol(coordinate.name) for coordinate in mechanism.coordinates} | {TIME}
    for point in mechanism.points:
        if point.frame == INERTIAL_FRAME and point.origin == FIXED_POINT:
            continue
        fixed = not any(component.free_symbols & moving for component in point.offset)
        if fixed and any(component != 0 for component in point.offset):
            yield Line("arm", str(point.name), point.origin, PointRef(point.name), point.frame)
