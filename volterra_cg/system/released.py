"""Internal forces: that at a point, or the torque at a frame, is found by releasing it, by a displacement that does not occur."""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Integer

from volterra_cg.spec.entities import Coordinate, Frame, Point
from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.tree import Ref
from volterra_cg.system.frames import Release
from volterra_cg.system.types import System, reaction_symbol, symbol
from volterra_cg.system.walk import symbols


def internal_forces(system: System) -> tuple[str, ...]:
    """The forces and torques, as "P.x", that the outputs ask for, beside the reactions of constraints."""
    known = {reaction_symbol(row.name).name for row in system.constraints}
    asked = {s.name for output in system.measured for s in symbols(output.value) if s.name.startswith("reaction(")}
    return tuple(sorted(name.removeprefix("reaction(").removesuffix(")") for name in asked - known))


def released(system: System, where: str) -> System:
    """The system with one more coordinate, the last: a point moves along an axis, or a frame turns about one."""
    name, _, axis = where.partition(".")
    index = AXES.index(axis)
    slack = Coordinate[Expr](Ref(f"slack of {where}"), Integer(0), Integer(0))
    more = replace(
        system,
        coordinates=(*system.coordinates, slack),
        quasi_velocities=(),
        outputs=(),
        computed_signals=(),
        events=(),
        limits=(),
        project=(),
    )
    if any(point.name == name for point in system.points):
        points = (_moved(point, index, slack) if point.name == name else point for point in system.points)
        return replace(more, points=tuple(points))
    frames = (_turned(frame, index, slack) if frame.name == name else frame for frame in system.frames)
    return replace(more, frames=tuple(frames))


def _moved(point: Point[Expr], index: int, slack: Coordinate[Expr]) -> Point[Expr]:
    way = symbol(slack.name)
    x, y, z = (part + way if number == index else part for number, part in enumerate(point.offset))
    return replace(point, offset=(x, y, z))


def _turned(frame: Frame[Expr], index: int, slack: Coordinate[Expr]) -> Frame[Expr]:
    x, y, z = (Integer(int(number == index)) for number in range(3))
    return replace(frame, rotations=(*frame.rotations, Release((x, y, z), symbol(slack.name))))
