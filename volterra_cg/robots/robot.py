"""A robot: links, joints between them, and what was not taken of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import Place


@dataclass(frozen=True, eq=False)
class Pose:
    """Where something is in the axes of something else: `turn`, shape (3, 3), has its axes as columns."""

    at: Vector = field(default_factory=lambda: np.zeros(3))
    turn: Vector = field(default_factory=lambda: np.eye(3))

    def then(self, other: Pose) -> Pose:
        """The pose of what has the pose `other` in this one."""
        return Pose(self.at + self.turn @ other.at, self.turn @ other.turn)


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass, which may be zero, centre, and the tensor about it, in the axes of a link."""

    mass: float
    center: Vector
    tensor: Vector

    def seen_from(self, pose: Pose) -> Inertial:
        """The same in the axes of another link, in which this one has a pose."""
        return Inertial(self.mass, pose.at + pose.turn @ self.center, pose.turn @ self.tensor @ pose.turn.T)

    def plus(self, other: Inertial) -> Inertial:
        """Both as one body."""
        mass = self.mass + other.mass
        center = (self.mass * self.center + other.mass * other.center) / (mass or 1.0)
        tensor = sum(each.tensor + each.mass * _spread(each.center - center) for each in (self, other))
        return Inertial(mass, center, np.asarray(tensor))


def _spread(offset: Vector) -> Vector:
    """The tensor of a unit mass at an offset."""
    return np.asarray(np.dot(offset, offset) * np.eye(3) - np.outer(offset, offset))


@dataclass(frozen=True, eq=False)
class Look:
    """What is drawn of a link: a shape of a spec with its sizes, or the file of a mesh."""

    pose: Pose
    shape: Mapping[str, Any] = field(default_factory=dict)
    mesh: str = ""
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body; without an inertial it has no mass."""

    name: str
    place: Place
    inertial: Inertial | None = None
    looks: tuple[Look, ...] = ()

    @property
    def has_mass(self) -> bool:
        """Whether it can be a body."""
        return self.inertial is not None and self.inertial.mass > 0


@dataclass(frozen=True)
class Mimic:
    """A coordinate that follows another: multiplier times it, plus the offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False)
class Joint:
    """How a link moves in another; None is a limit that is not there."""

    name: str
    place: Place
    type: str
    parent: str
    child: str
    pose: Pose
    axis: Vector
    lower: float | None = None
    upper: float | None = None
    damping: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0  # where the spring of this stiffness is relaxed
    start: Pose | None = None  # of what is free or a ball
    mimic: Mimic | None = None


@dataclass(frozen=True, eq=False)
class Robot:
    """A tree of links; `left_out` tells what of the file is not in it."""

    name: str
    links: Mapping[str, Link]
    joints: tuple[Joint, ...]
    left_out: tuple[str, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)

    @property
    def root(self) -> str:
        """The link that is no child."""
        children = {joint.child for joint in self.joints}
        return next(name for name in self.links if name not in children)

    @property
    def reached(self) -> dict[str, None]:
        """The links that joints lead to from the root, each after its parent."""
        found, waiting = dict[str, None](), [self.root]
        while waiting:
            name = waiting.pop(0)
            found[name] = None
            waiting += [joint.child for joint in self.joints if joint.parent == name and joint.child not in found]
        return found
