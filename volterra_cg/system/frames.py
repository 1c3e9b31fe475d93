"""Frames by their chains of parents: what turns between two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr, Integer, atan2

from volterra_cg.spec.entities import Frame, Turn
from volterra_cg.system.vectors import Angle, Axis, Cross, Dot

Frames = Mapping[str, Frame[Expr]]


@dataclass(frozen=True)
class Release(Turn[Expr]):
    """A turn by which a frame is released; it does not occur, but says which torque passes there."""


def between(first: str, second: str, frames: Frames) -> tuple[list[str], list[str]]:
    """The frames from each of two down to what carries both, which is left out."""
    ours, theirs = _chain(first, frames), _chain(second, frames)
    while ours and theirs and ours[-1] == theirs[-1]:
        ours.pop()
        theirs.pop()
    return ours, theirs


def _chain(name: str, frames: Frames) -> list[str]:
    """A frame and its parents, without N."""
    chain = []
    while name in frames:
        chain.append(name)
        name = frames[name].parent
    return chain


def with_angles(expression: Expr, frames: Frames) -> Expr:
    """An expression with its angles between frames in terms of coordinates."""
    return expression.xreplace({angle: _angle(angle, frames) for angle in expression.atoms(Angle)})


def _angle(angle: Angle, frames: Frames) -> Expr:
    """The sum of the turns where all are about the axis, which counts full turns.

    Else it is taken from the direction of the second frame's next axis, between -pi and pi.
    """
    first, second, index = angle.args[0].name, angle.args[1].name, int(angle.args[2])
    ours, theirs = between(first, second, frames)
    down, up = (_sum(chain, index, frames) for chain in (theirs, ours))
    if down is not None and up is not None:
        return down - up
    axis, own, other = Axis(first, index), Axis(first, (index + 1) % 3), Axis(second, (index + 1) % 3)
    return atan2(Dot(Cross(own, other), axis), Dot(own, other))


def _sum(chain: list[str], index: int, frames: Frames) -> Expr | None:
    """The sum of the turns of a chain of frames, if all are about one axis; what releases a frame adds nothing."""
    unit = tuple(Integer(int(k == index)) for k in range(3))
    total: Expr = Integer(0)
    for rotation in (rotation for name in chain for rotation in frames[name].rotations):
        if isinstance(rotation, Turn) and rotation.axis == unit:
            total += rotation.angle
        elif not isinstance(rotation, Release):
            return None
    return total
