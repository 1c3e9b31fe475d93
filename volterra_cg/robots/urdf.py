"""Robots from URDF files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import Place, Problem, SpecError

from . import markup
from .markup import Element
from .robot import Inertial, Joint, Link, Look, Mimic, Pose, Robot

T = TypeVar("T", Link, Joint)
TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_TAKEN = {
    "robot": {"link", "joint", "material"},
    "link": {"inertial", "visual"},
    "joint": {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
}


def read(path: Path) -> Robot:
    """The robot of a file; raises SpecError with everything that is wrong in it."""
    root = markup.read(path)
    if root.tag != "robot":
        raise SpecError([Problem(root.place, f"<{root.tag}> is no robot", "a URDF file begins with <robot name=...>")])
    reader = _Reader()
    robot = reader.robot(root)
    whole = not reader.problems
    reader.require_names(robot)
    if whole:
        reader.require_tree(robot, root.place)
    if reader.problems:
        raise SpecError(sorted(reader.problems, key=lambda problem: problem.place))
    return robot


class _Reader:
    """Takes a file apart; `problems` are found on the way, `others` counts what is not taken."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.left_out: list[str] = []
        self.others: Counter[str] = Counter()

    def wrong(self, place: Place, message: str, remedy: str = "") -> None:
        """Note a problem."""
        self.problems.append(Problem(place, message, remedy))

    def robot(self, root: Element) -> Robot:
        """The robot of the root."""
        self._others(root, "robot")
        links = {link.name: link for link in self._named(root, "link", self._link)}
        joints = tuple(self._named(root, "joint", self._joint))
        counted = [f"{count} x {what}" for what, count in self.others.items()]
        return Robot(root.given.get("name", "robot"), links, joints, (*self.left_out, *counted))

    def _named(self, root: Element, tag: str, made: Callable[[Element, str], T]) -> list[T]:
        found: dict[str, T] = {}
        for element in root.all(tag):
            name = self._text(element, "name")
            if name in found:
                self.wrong(element.place, f"there are two {tag}s called '{name}'", "give one of them another name")
            self._others(element, tag)
            found[name] = made(element, name)
        return list(found.values())

    def _others(self, element: Element, tag: str) -> None:
        self.others.update(f"<{child.tag}> in <{tag}>" for child in element.children if child.tag not in _TAKEN[tag])

    # --- values -----------------------------------------------------------------------------------------------------

    def _text(self, element: Element, key: str) -> str:
        if key not in element.given:
            self.wrong(element.place, f"<{element.tag}> has no {key}")
        return element.given.get(key, "")

    def _numbers(self, element: Element | None, key: str, count: int, default: tuple[float, ...]) -> Vector:
        if element is None or key not in element.given:
            return np.array(default, dtype=np.float64)
        text = element.given[key]
        try:
            found = np.array([float(word) for word in text.split()])
        except ValueError:
            found = np.array([np.nan])
        if len(found) != count or not np.isfinite(found).all():
            many = "a number is" if count == 1 else f"{count} numbers are"
            self.wrong(element.place, f"{key} of <{element.tag}> is '{text}', and {many} needed")
            return np.array(default, dtype=np.float64)
        return found

    def _number(self, element: Element | None, key: str, default: float = 0.0) -> float:
        return float(self._numbers(element, key, 1, (default,))[0])

    def _pose(self, element: Element | None) -> Pose:
        roll, pitch, yaw = self._numbers(element, "rpy", 3, (0, 0, 0))
        return Pose(self._numbers(element, "xyz", 3, (0, 0, 0)), _about(2, yaw) @ _about(1, pitch) @ _about(0, roll))

    # --- links ------------------------------------------------------------------------------------------------------

    def _link(self, element: Element, name: str) -> Link:
        given = element.first("inertial")
        inertial = self._inertial(given, name) if given is not None else None
        looks = [look for visual in element.all("visual") if (look := self._look(visual, name)) is not None]
        return Link(name, element.place, inertial, tuple(looks))

    def _inertial(self, element: Element, name: str) -> Inertial:
        pose, entries = self._pose(element.first("origin")), element.first("inertia")
        mass = self._number(element.first("mass"), "value")
        xx, yy, zz, xy, xz, yz = (self._number(entries, f"i{key}") for key in ("xx", "yy", "zz", "xy", "xz", "yz"))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if entries is None and mass > 0:
            self.left_out.append(f"{element.place}: link {name} has no inertia: it is taken as a particle")
        if mass < 0:
            self.wrong(element.place, f"the mass of link '{name}' is {mass:g}", "a mass is above zero")
        return Inertial(mass, np.zeros(3), tensor).seen_from(pose)

    def _look(self, element: Element, name: str) -> Look | None:
        pose, geometry = self._pose(element.first("origin")), element.first("geometry")
        shape = geometry.children[0] if geometry is not None and geometry.children else None
        if shape is None:
            self.left_out.append(f"{element.place}: a visual of link {name} without geometry")
            return None
        match shape.tag:
            case "box":
                return Look(pose, {"box": self._sizes(shape, "size", 3)})
            case "sphere":
                return Look(pose, {"sphere": self._sizes(shape, "radius")[0]})
            case "cylinder":
                sizes = {key: self._sizes(shape, key)[0] for key in ("radius", "length")}
                return Look(pose, {"cylinder": sizes})
            case "mesh":
                x, y, z = (float(part) for part in self._numbers(shape, "scale", 3, (1, 1, 1)))
                return Look(pose, mesh=self._text(shape, "filename"), scale=(x, y, z))
        self.left_out.append(f"{shape.place}: the {shape.tag} that is drawn of link {name}")
        return None

    def _sizes(self, shape: Element, key: str, count: int = 1) -> list[float]:
        """Numbers above zero."""
        found = self._numbers(shape, key, count, (1.0,) * count)
        if self._text(shape, key) and not (found > 0).all():
            self.wrong(shape.place, f"{key} of <{shape.tag}> is '{shape.given[key]}'", "sizes are above zero")
        return [float(size) for size in found]

    # --- joints -----------------------------------------------------------------------------------------------------

    def _joint(self, element: Element, name: str) -> Joint:
        kind = self._text(element, "type")
        if kind not in TYPES:
            self.wrong(element.place, f"joint '{name}' has the type '{kind}'", f"known are {', '.join(TYPES)}")
        ends = [self._end(element, end) for end in ("parent", "child")]
        axis = self._numbers(element.first("axis"), "xyz", 3, (1, 0, 0))
        if not axis.any() and kind in ("revolute", "continuous", "prismatic", "planar"):
            self.wrong(element.place, f"the axis of joint '{name}' has no length", 'e.g. xyz="0 0 1"')
        lower, upper = self._limits(element, name, kind)
        dynamics = element.first("dynamics")
        if self._number(dynamics, "friction") != 0:
            told = "give the joint friction = { dry = ..., speed = ... } with a speed below which it is smooth"
            self.left_out.append(f"{element.place}: dry friction of joint {name}; {told}")
        return Joint(
            name,
            element.place,
            kind,
            ends[0],
            ends[1],
            self._pose(element.first("origin")),
            _unit(axis),
            lower,
            upper,
            self._number(dynamics, "damping"),
            mimic=self._mimic(element),
        )

    def _end(self, element: Element, end: str) -> str:
        given = element.first(end)
        if given is None:
            self.wrong(element.place, f"joint '{element.given.get('name', '')}' has no <{end} link=...>")
            return ""
        return self._text(given, "link")

    def _limits(self, element: Element, name: str, kind: str) -> tuple[float | None, float | None]:
        limit = element.first("limit")
        if limit is None:
            return None, None
        self.others.update(f"{key} of <limit>" for key in ("effort", "velocity") if key in limit.given)
        if kind not in ("revolute", "prismatic") or not {"lower", "upper"} & limit.given.keys():
            return None, None
        lower, upper = self._number(limit, "lower"), self._number(limit, "upper")
        if lower > upper:
            self.wrong(limit.place, f"the lower limit of joint '{name}' is above the upper one")
        return lower, upper

    def _mimic(self, element: Element) -> Mimic | None:
        given = element.first("mimic")
        if given is None:
            return None
        return Mimic(self._text(given, "joint"), self._number(given, "multiplier", 1.0), self._number(given, "offset"))

    # --- the whole --------------------------------------------------------------------------------------------------

    def require_names(self, robot: Robot) -> None:
        """Note links and joints that are named and not there; names that are missing are told before."""
        known = {joint.name for joint in robot.joints}
        for joint in robot.joints:
            for end, link in (("parent", joint.parent), ("child", joint.child)):
                if link and link not in robot.links:
                    self.wrong(joint.place, f"the {end} of joint '{joint.name}' is '{link}', and there is no such link")
            if joint.mimic is not None and (joint.mimic.joint not in known or joint.mimic.joint == joint.name):
                self.wrong(joint.place, f"joint '{joint.name}' mimics '{joint.mimic.joint}', which is no other joint")

    def require_tree(self, robot: Robot, place: Place) -> None:
        """Note what keeps links and joints from being a tree."""
        above: dict[str, Joint] = {}
        for joint in robot.joints:
            if joint.child in above:
                first = above[joint.child].name
                message = f"link '{joint.child}' is the child of joint '{joint.name}' and of '{first}'"
                self.wrong(joint.place, message, "a URDF is a tree; close loops in the spec, by a constraint")
            above.setdefault(joint.child, joint)
        if not robot.links:
            self.wrong(place, "there are no links", "give the robot a <link name=...>")
            return
        roots = [name for name in robot.links if name not in above]
        if len(roots) == 1 and (apart := robot.links.keys() - robot.reached):
            self.wrong(place, f"no joint leads from the base '{roots[0]}' to {', '.join(sorted(apart))}")
        if len(roots) != 1:
            told = f"several links are no child of a joint: {', '.join(roots)}" if roots else "every link is a child"
            self.wrong(place, told, "one link is the base, and joints lead from it to all others")


def _unit(axis: Vector) -> Vector:
    """A direction of length one; squares of numbers that are very large or small are not taken."""
    axis = axis / (np.abs(axis).max() or 1.0)
    return np.asarray(axis / (np.linalg.norm(axis) or 1.0))


def _about(axis: int, angle: float) -> Vector:
    """A turn about x, y or z."""
    turn, (a, b) = np.eye(3), [k for k in range(3) if k != axis]
    sign = -1.0 if axis == 1 else 1.0
    turn[a, a] = turn[b, b] = np.cos(angle)
    turn[b, a], turn[a, b] = sign * np.sin(angle), -sign * np.sin(angle)
    return turn
