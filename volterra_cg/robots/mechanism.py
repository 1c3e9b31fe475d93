"""From a robot to a mechanism in the words of a spec."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.builder import Mechanism, Scalar
from volterra_cg.errors import Problem, SpecError
from volterra_cg.spec.fields import RESERVED

from .robot import Inertial, Joint, Link, Look, Pose, Robot
from .welded import Welded, welded

GRAVITY = 9.81
LETTERS = "xyz"
NEAR = 1e-11  # by which an angle may differ from a quarter turn that it stands for
TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "planar": "planar",
    "floating": "free",
}


@dataclass(frozen=True)
class Imported:
    """A mechanism, the names of its parts by those of the file where they differ, and what was not taken."""

    mechanism: Mechanism
    names: Mapping[str, str]
    left_out: tuple[str, ...]

    def to_toml(self) -> str:
        """The spec, with a heading that tells what it lacks."""
        told = [f"# not taken: {' '.join(line.split())}" for line in self.left_out]
        told += [f"# {json.dumps(old)} is called {new}" for old, new in self.names.items()]
        return "\n".join([*told, self.mechanism.to_toml()])


def mechanism(robot: Robot, *, floating: bool, torques: bool, folder: Path) -> Imported:
    """The mechanism of a robot whose base is fixed, or moves freely; `torques` gives each joint a signal."""
    whole = welded(robot)
    _require_bodies(whole.robot, floating)
    writer = _Writer(whole, folder)
    writer.base(floating)
    for joint in whole.robot.joints:
        writer.joint(joint, torques)
    writer.mimics()
    writer.parts()
    writer.made.gravity([0, 0, -GRAVITY])
    return Imported(writer.made, writer.names.changed, (*robot.left_out, *writer.left_out))


def _require_bodies(robot: Robot, floating: bool) -> None:
    """Refuse links that move and can be no bodies, and joints that the language lacks."""
    problems = []
    for link in robot.links.values():
        if link.name == robot.root and not floating:
            continue
        if link.inertial is None or link.inertial.mass <= 0:
            problems.append(Problem(link.place, f"link '{link.name}' moves and has no mass", "give it an <inertial>"))
            continue
        moments = np.linalg.eigvalsh(_clean(link.inertial.tensor))
        if 2 * moments.max() > moments.sum() * (1 + 1e-9):
            told = ", ".join(f"{moment:.4g}" for moment in moments)
            message = f"no body has the inertia of link '{link.name}', with principal moments {told}"
            problems.append(Problem(link.place, message, "no moment is larger than the sum of the two others"))
    for joint in robot.joints:
        if joint.type == "planar" and abs(joint.axis[2]) < 1:
            message = f"the planar joint '{joint.name}' has a normal other than z"
            problems.append(Problem(joint.place, message, "turn its <origin>, and the links after it, so that it is z"))
    if problems:
        raise SpecError(problems)


class _Names:
    """Names of a file as names of a spec, each once."""

    def __init__(self) -> None:
        self.used = set(RESERVED)
        self.changed: dict[str, str] = {}

    def take(self, name: str, *others: str, what: str = "", wanted: str = "") -> str:
        """A name that is free, with all that is made of it, such as `{}_center`; it is like `wanted`, or like the file's."""
        plain = re.sub(r"[^A-Za-z0-9_]", "_", wanted or name)
        plain = plain if re.match(r"[A-Za-z]", plain) else f"n{plain}"
        plain, number = (f"{plain}_" if keyword.iskeyword(plain) else plain), 1
        found = plain
        while {found, *(other.format(found) for other in others)} & self.used:
            number += 1
            found = f"{plain}_{number}"
        self.used |= {found, *(other.format(found) for other in others)}
        if what and found != name:
            self.changed[f"{what} {name}"] = found
        return found


class _Writer:
    """A mechanism while it is made of a robot."""

    def __init__(self, whole: Welded, folder: Path) -> None:
        self.robot, self.fixed, self.folder = whole.robot, whole.parts, folder
        self.names = _Names()
        self.made = Mechanism(_Names().take(self.robot.name))
        self.links = {name: self.names.take(name, "{}_center", what="link") for name in self.robot.links}
        self.joints = {joint.name: self._joint_name(joint) for joint in self.robot.joints}
        self.left_out: list[str] = []
        self.is_fixed = True

    def _joint_name(self, joint: Joint) -> str:
        wanted = f"{joint.name}_joint" if joint.name in (*self.robot.links, *self.fixed) else joint.name
        made = ("{}_base", "{}_torque", "{}_over_lower", "{}_under_upper")
        return self.names.take(joint.name, *made, what="joint", wanted=wanted)

    # --- links ------------------------------------------------------------------------------------------------------

    def base(self, floating: bool) -> None:
        """The root, at rest or free."""
        link, self.is_fixed = self.robot.links[self.robot.root], not floating
        if floating:
            self._body(link)
            name = self.names.take("base", "{}_base")
            center = _list(_inertial(link).center)
            self.made.joint(name, "free", self.links[link.name], orientation="quaternion", center=center)
        elif link.inertial is not None and link.inertial.mass > 0 and link.looks:  # only to be seen
            point = self.made.point(f"{self.links[link.name]}_center", _list(link.inertial.center))
            self._body(link, point, "N")

    def _body(self, link: Link, center: str | None = None, frame: str | None = None) -> None:
        inertial = _inertial(link)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = _clean(inertial.tensor)
        entries = {"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}
        inertia = {key: _short(entry) for key, entry in entries.items() if entry != 0}
        self.made.body(
            self.links[link.name],
            _short(inertial.mass),
            center=center,
            frame=frame,
            inertia=inertia or None,
            drawn=self._drawn(link, inertial),
        )

    def _drawn(self, link: Link, inertial: Inertial) -> dict[str, Any] | None:
        """What the first of its looks that can be drawn makes of a link."""
        found: dict[str, Any] | None = None
        for look in link.looks:
            if found is not None:
                self.left_out.append(f"{link.place}: another look of link {link.name} {look.mesh}".rstrip())
            elif made := self._look(link, look):
                found = made | _placed(Pose(look.pose.at - inertial.center, look.pose.turn))
        return found

    def _look(self, link: Link, look: Look) -> dict[str, Any]:
        if not look.mesh:
            return dict(look.shape)
        file = self._file(look.mesh)
        if file is None or min(look.scale) != max(look.scale):
            why = "it is no STL file below the folder of the spec" if file is None else "it is scaled unevenly"
            self.left_out.append(f"{link.place}: the mesh {look.mesh} of link {link.name}: {why}")
            return {}
        return {"mesh": file} | ({"scale": _short(look.scale[0])} if look.scale[0] != 1 else {})

    def _file(self, name: str) -> str | None:
        """The path of a mesh from the folder of the spec, if it is below."""
        plain = re.sub(r"^(package|file)://", "", name)
        place = self.folder / plain
        if place.suffix.lower() != ".stl" or not place.is_file():
            return None
        inside = place.resolve().is_relative_to(self.folder.resolve())
        return place.resolve().relative_to(self.folder.resolve()).as_posix() if inside else None

    # --- joints -----------------------------------------------------------------------------------------------------

    def joint(self, joint: Joint, torques: bool) -> None:
        """A joint, its child, and its limits."""
        name, child = self.joints[joint.name], self.robot.links[joint.child]
        self._body(child)
        parent, origin = "N", np.zeros(3)
        if joint.parent != self.robot.root or not self.is_fixed:
            parent, origin = self.links[joint.parent], _inertial(self.robot.links[joint.parent]).center
        given: dict[str, Any] = {
            "at": _list(joint.pose.at - origin),
            "rotate": _turns(joint.pose.turn) or None,
            "center": _list(_inertial(child).center),
        }
        kind = TYPES[joint.type]
        if kind in ("revolute", "prismatic"):
            given |= {"axis": _axis(joint.axis), "damper": _short(joint.damping) if joint.damping else None}
            given["initial"] = self._initial(joint) or None
            if torques and joint.mimic is None:
                given["actuator"] = self.made.signal(f"{name}_torque", 0)
        elif kind == "free":
            given["orientation"] = "quaternion"
        self.made.joint(name, kind, self.links[joint.child], parent, **given)  # type: ignore[arg-type]
        if joint.lower is not None and joint.upper is not None:
            self.made.output(f"{name}_over_lower", f"{name} - ({_short(joint.lower)!r})")
            self.made.output(f"{name}_under_upper", f"{_short(joint.upper)!r} - {name}")

    def _initial(self, joint: Joint) -> float:
        """Zero, or for one that follows others, what it then is."""
        seen = set[str]()
        known = {each.name: each for each in self.robot.joints}

        def value(name: str) -> float:
            mimic = known[name].mimic if name in known and name not in seen else None
            seen.add(name)
            return 0.0 if mimic is None else mimic.multiplier * value(mimic.joint) + mimic.offset

        return _short(value(joint.name))

    def mimics(self) -> None:
        """Constraints of joints that follow others."""
        for joint in self.robot.joints:
            if joint.mimic is None:
                continue
            if joint.mimic.joint not in self.joints:  # of a fixed joint
                self.left_out.append(
                    f"{joint.place}: joint {joint.name} follows {joint.mimic.joint}, which does not move"
                )
                continue
            name, other = self.joints[joint.name], self.joints[joint.mimic.joint]
            factor, offset = _short(joint.mimic.multiplier), _short(joint.mimic.offset)
            row = f"{name} - ({factor!r})*{other} - ({offset!r})"
            self.made.constraint(self.names.take(f"{name}_follows"), position=row)

    def parts(self) -> None:
        """The links that are part of others, as points."""
        for name, (base, pose) in self.fixed.items():
            link = self.robot.links[base]
            at_rest = base == self.robot.root and self.is_fixed
            where = {} if at_rest else {"from_": f"{self.links[base]}_center", "in_": self.links[base]}
            offset = pose.at if at_rest else pose.at - _inertial(link).center
            self.made.point(self.names.take(name, what="link"), _list(offset), **where)


def _inertial(link: Link) -> Inertial:
    assert link.inertial is not None  # all that moves has one
    return link.inertial


def _short(value: float) -> float:
    """A number without the rounding of its last digit."""
    found = float(f"{value:.15g}")
    return found + 0.0  # no negative zero


def _clean(tensor: Vector) -> Vector:
    """A tensor without what is left of zeros by rounding."""
    largest = np.abs(tensor).max()
    return np.where(np.abs(tensor) > max(1e-14 * largest, 1e-30), tensor, 0.0)


def _list(values: Vector) -> list[float]:
    return [0 if abs(value) < 1e-15 else _short(value) for value in values]


def _axis(axis: Vector) -> Any:
    for k in range(3):
        if axis[k] == 1:
            return LETTERS[k]
    return _list(axis)


def _placed(pose: Pose) -> dict[str, Any]:
    """Where something is drawn, if not at the centre in its axes."""
    at, turns = _list(pose.at), _turns(pose.turn)
    return ({"at": at} if any(at) else {}) | ({"rotate": turns} if turns else {})


def _turns(turn: Vector) -> list[tuple[Any, Scalar]]:
    """A rotation as turns about z, y and x, those by zero left out."""
    level = np.hypot(turn[0, 0], turn[1, 0])
    pitch = np.arctan2(-turn[2, 0], level)
    if level > 1e-10:
        yaw, roll = np.arctan2(turn[1, 0], turn[0, 0]), np.arctan2(turn[2, 1], turn[2, 2])
    else:  # only one of the two counts
        yaw, roll = 0.0, np.arctan2(-turn[1, 2], turn[1, 1])
    found = [("z", _angle(yaw)), ("y", _angle(pitch)), ("x", _angle(roll))]
    return [(axis, angle) for axis, angle in found if angle != 0]


def _angle(angle: float) -> Scalar:
    """An angle, as a part of pi where it is a quarter turn, so that its sine and cosine are whole numbers."""
    quarters = round(angle / (np.pi / 2))
    if abs(angle - quarters * np.pi / 2) > NEAR:
        return _short(angle)
    parts: dict[int, Scalar] = {0: 0, 1: "pi/2", -1: "-pi/2", 2: "pi", -2: "pi"}
    return parts[quarters]
