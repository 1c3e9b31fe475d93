"""Joints that give way: the force at a point, or torque at a frame, is found by a displacement that does not occur."""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Symbol

from volterra_cg.system.types import Coordinate, Event, Frame, Give, Output, Point, System, reaction_symbol


def joint_names(system: System) -> tuple[str, ...]:
    """The joints, as "P.x", whose reactions the outputs ask for, beside those of constraints."""
    known = {reaction_symbol(row.name).name for row in system.constraints}
    asked = {
        s.name for output in system.measured for s in output.expression.free_symbols if s.name.startswith("reaction(")
    }
    return tuple(sorted(name.removeprefix("reaction(").removesuffix(")") for name in asked - known))


def loosened(system: System, joint: str) -> System:
    """The system with one more coordinate, the last: a point moves along an axis, or a frame turns about one."""
    name, _, axis = joint.partition(".")
    index = "xyz".index(axis)
    slack = Coordinate(joint, _symbol(joint), _symbol(f"{joint}'"), Integer(0), Integer(0))
    more = replace(
        system,
        coordinates=(*system.coordinates, slack),
        quasi_velocities=(),
        outputs=tuple[Output, ...](),
        events=tuple[Event, ...](),
        project=(),
    )
    if any(point.name == name for point in system.points):
        return replace(more, points=tuple(_moved(point, name, index, slack.symbol) for point in system.points))
    return replace(more, frames=tuple(_turned(frame, name, index, slack.symbol) for frame in system.frames))


def _symbol(name: str) -> Symbol:
    return Symbol(f"slack of {name}", real=True)


def _moved(point: Point, name: str, index: int, slack: Symbol) -> Point:
    if point.name != name:
        return point
    x, y, z = (part + slack if number == index else part for number, part in enumerate(point.offset))
    return replace(point, offset=(x, y, z))


def _turned(frame: Frame, name: str, index: int, slack: Symbol) -> Frame:
    if frame.name != name:
        return frame
    x, y, z = (Integer(int(number == index)) for number in range(3))
    return replace(frame, rotations=(*frame.rotations, Give((x, y, z), slack)))
