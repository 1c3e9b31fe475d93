"""The types of joints in one table: along and about what each moves, and how its coordinates are called.

Reading, messages, docs and tests are made from it. A direction is an axis of the joint, "x", "y" or "z", or the number of one
that the spec gives as `axis` or `axes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Direction = str | int
QUATERNION, ANGLES = "quaternion", "xyz"  # how an orientation can be given, and is if nothing is said


@dataclass(frozen=True)
class JointType:
    """Slides come before turns, and turns before a ball; `suffixes` name the coordinates of slides and turns, in this order."""

    about: str
    slides: tuple[Direction, ...] = ()
    turns: tuple[Direction, ...] = ()
    ball: bool = False
    suffixes: tuple[str, ...] = ()

    @property
    def axes(self) -> int:
        """How many axes the spec gives."""
        return 1 + max((way for way in (*self.slides, *self.turns) if isinstance(way, int)), default=-1)

    def all_suffixes(self, orientation: str) -> tuple[str, ...]:
        """What follows the joint's name in those of its coordinates; nothing where it has only one."""
        return (*self.suffixes, *(ball_suffixes(orientation) if self.ball else ()))

    def units(self, orientation: str) -> tuple[str, ...]:
        """Those of its coordinates; parts of a quaternion have none."""
        ball = ball_suffixes(orientation) if self.ball else ()
        own = ("",) * len(ball) if orientation == QUATERNION else ("rad",) * len(ball)
        return ("m",) * len(self.slides) + ("rad",) * len(self.turns) + own


def ball_suffixes(orientation: str) -> tuple[str, ...]:
    """Those of a ball, by how its orientation is given."""
    return ("q0", "q1", "q2", "q3") if orientation == QUATERNION else ("a1", "a2", "a3")


Name = Literal[
    "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free", "weld"
]  # for editors
TYPES: Mapping[str, JointType] = {
    "revolute": JointType("turns about `axis`", turns=(0,), suffixes=("",)),
    "prismatic": JointType("slides along `axis`", slides=(0,), suffixes=("",)),
    "cylindrical": JointType(
        "slides along `axis` and turns about it", slides=(0,), turns=(0,), suffixes=("slide", "angle")
    ),
    "universal": JointType(
        "turns about the first of `axes`, then about the second", turns=(0, 1), suffixes=("first", "second")
    ),
    "spherical": JointType("turns in every way, see `orientation`", ball=True),
    "planar": JointType(
        "slides along x and y of the joint, then turns about z",
        slides=("x", "y"),
        turns=("z",),
        suffixes=("x", "y", "angle"),
    ),
    "free": JointType(
        "slides along x, y and z of the joint and turns in every way",
        slides=("x", "y", "z"),
        ball=True,
        suffixes=("x", "y", "z"),
    ),
    "weld": JointType("does not move"),
}


def coordinate_names(joint: str, kind: JointType, orientation: str) -> tuple[str, ...]:
    """The coordinates of a joint that does not name them."""
    return tuple(f"{joint}_{suffix}" if suffix else joint for suffix in kind.all_suffixes(orientation))


@dataclass(frozen=True)
class Made:
    """The names of what a joint makes: coordinates; frames, the child's last; points, the joint's and the center's last."""

    joint: str
    coordinates: tuple[str, ...]
    frames: tuple[str, ...]
    points: tuple[str, ...]

    def tables(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """All names by the tables of a mechanism; loads have those of the coordinates."""
        yield from {"frames": self.frames, "points": self.points, "constraints": (self.joint,)}.items()
        for table in ("coordinates", "springs", "dampers", "actuators", "frictions", "armatures"):
            yield table, self.coordinates

    @property
    def frame(self) -> str:
        """The child's frame."""
        return self.frames[-1]

    @property
    def point(self) -> str:
        """The joint's point, which moves with the child."""
        return self.points[-2]

    @property
    def center(self) -> str:
        """The center of the child."""
        return self.points[-1]


def made(joint: str, given: Mapping[str, Any]) -> Made:
    """What a joint makes, by its keys in the spec."""
    kind, child = TYPES[given["type"]], given["child"]
    orientation = given.get("orientation") or ANGLES
    base = f"{joint}_base"
    return Made(
        joint,
        tuple(given.get("coordinates") or coordinate_names(joint, kind, orientation)),
        (*((base,) if given.get("rotate") else ()), given.get("frame") or child),
        (*((base,) if kind.slides else ()), given.get("point") or joint, f"{child}_center"),
    )


def possible(joint: str, given: Mapping[str, Any]) -> tuple[set[str], set[str], set[str]]:
    """The coordinates, frames and points that a joint with mistakes in it may be meant to make."""
    named = given.get("coordinates")
    coordinates = {str(name) for name in named} if isinstance(named, list) else set()
    for kind in TYPES.values():
        for orientation in (ANGLES, QUATERNION):
            coordinates |= set(coordinate_names(joint, kind, orientation))
    child = str(given.get("child", ""))
    return (
        coordinates,
        {f"{joint}_base", str(given.get("frame", child))},
        {f"{joint}_base", str(given.get("point", joint)), f"{child}_center"},
    )


def markdown() -> str:
    """The table of the docs."""
    lines = ["| type | the child | coordinates of a joint `j` |", "|---|---|---|"]
    for name, kind in TYPES.items():
        told = ", ".join(f"`{each}`" for each in coordinate_names("j", kind, ANGLES)) or "none"
        told += " or " + ", ".join(f"`j_{each}`" for each in ball_suffixes(QUATERNION)) if kind.ball else ""
        lines.append(f"| `{name}` | {kind.about} | {told} |")
    return "\n".join(lines)
