"""Names and numbers of a robot in the words of a spec."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.builder import Scalar
from volterra_cg.spec.fields import free, plain

from .robot import Pose

LETTERS = "xyz"
TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "planar": "planar",
    "floating": "free",
    "ball": "spherical",
}
ALONG = ("revolute", "prismatic")  # with one coordinate
NEAR = 1e-11  # by which an angle may differ from a quarter turn that it stands for


class Names:
    """Names of a file as names of a spec, each once."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.changed: dict[str, str] = {}

    def take(self, name: str, *others: str, what: str = "", wanted: str = "") -> str:
        """A name that is free, with all that is made of it, such as `{}_center`; it is like `wanted`, or like the file's."""
        found = free(
            plain(wanted or name), lambda name: bool({name, *(other.format(name) for other in others)} & self.used)
        )
        self.used |= {found, *(other.format(found) for other in others)}
        if what and found != name:
            self.changed[f"{what} {name}"] = found
        return found


def short(value: float) -> float:
    """A number without the rounding of its last digit."""
    found = float(f"{value:.15g}")
    return found + 0.0  # no negative zero


def clean(tensor: Vector) -> Vector:
    """A tensor without what is left of zeros by rounding."""
    largest = np.abs(tensor).max()
    return np.where(np.abs(tensor) > max(1e-14 * largest, 1e-30), tensor, 0.0)


def listed(values: Iterable[float]) -> list[float]:
    """Numbers, those that are zero but for rounding as such."""
    return [0 if abs(value) < 1e-15 else short(value) for value in values]


def axis(direction: Vector) -> Any:
    """A direction, by its letter where it has one."""
    for k in range(3):
        if direction[k] == 1:
            return LETTERS[k]
    return listed(direction)


def moved(start: float, slope: float, coordinate: str) -> Scalar:
    """What begins somewhere and grows with a coordinate."""
    if slope == 0:
        return start
    step = coordinate if slope == 1 else f"({slope!r})*{coordinate}"
    return f"{start!r} + {step}" if start else step


def placed(pose: Pose) -> dict[str, Any]:
    """Where something is drawn, if not at the centre in its axes."""
    at, turned = listed(pose.at), turns(pose.turn)
    return ({"at": at} if any(at) else {}) | ({"rotate": turned} if turned else {})


def turns(turn: Vector) -> list[tuple[Any, Scalar]]:
    """A rotation as turns about z, y and x, those by zero left out."""
    level = np.hypot(turn[0, 0], turn[1, 0])
    pitch = np.arctan2(-turn[2, 0], level)
    if level > 1e-10:
        yaw, roll = np.arctan2(turn[1, 0], turn[0, 0]), np.arctan2(turn[2, 1], turn[2, 2])
    else:  # only one of the two counts
        yaw, roll = 0.0, np.arctan2(-turn[1, 2], turn[1, 1])
    found = [("z", angle(yaw)), ("y", angle(pitch)), ("x", angle(roll))]
    return [(axis, angle) for axis, angle in found if angle != 0]


def angle(angle: float) -> Scalar:
    """An angle, as a part of pi where it is a quarter turn, so that its sine and cosine are whole numbers."""
    quarters = round(angle / (np.pi / 2))
    if abs(angle - quarters * np.pi / 2) > NEAR:
        return short(angle)
    parts: dict[int, Scalar] = {0: 0, 1: "pi/2", -1: "-pi/2", 2: "pi", -2: "pi"}
    return parts[quarters]
