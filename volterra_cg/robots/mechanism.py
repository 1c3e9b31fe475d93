"""From a robot to a mechanism in the words of a spec."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.builder import Mechanism
from volterra_cg.errors import Place, Problem, SpecError
from volterra_cg.spec import parse
from volterra_cg.spec.joint_types import QUATERNION, coordinate_names
from volterra_cg.spec.joint_types import TYPES as JOINTS

from .possible import require
from .robot import Inertial, Joint, Link, Look, Pose, Robot
from .welded import Welded, welded
from .written import ALONG, TYPES, Names, axis, clean, listed, moved, placed, short, turns


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

    def checked(self, robot: Path, out: Path) -> str:
        """The spec, read back as the file it shall be; its mistakes are told of the robot's file, by their lines in the spec."""
        text = self.to_toml()
        with _told_of(robot):
            parse(text, str(out))
        return text


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    """Mistakes of the spec that is made, told of the robot's file."""
    try:
        yield
    except SpecError as error:
        told = [(f"the spec that it makes is refused: {each.message}", each) for each in error.problems]
        raise SpecError([Problem(Place(str(path)), said, x.remedy, x.source) for said, x in told]) from error


def mechanism(robot: Robot, path: Path, *, floating: bool, torques: bool, folder: Path) -> Imported:
    """The mechanism of a robot of a file; its base is fixed, or moves freely.

    `torques` gives each joint of one coordinate a signal.
    """
    whole = welded(robot)
    require(whole.robot, floating)
    writer = _Writer(whole, folder)
    with _told_of(path):
        writer.base(floating)
        for joint in whole.robot.joints:
            writer.joint(joint, torques)
        writer.mimics()
        writer.parts()
        if any(robot.gravity):
            writer.made.gravity(listed(robot.gravity))
    return Imported(writer.made, writer.names.changed, (*robot.left_out, *writer.left_out))


class _Writer:
    """A mechanism while it is made of a robot."""

    def __init__(self, whole: Welded, folder: Path) -> None:
        self.robot, self.fixed, self.folder = whole.robot, whole.parts, folder
        self.names = Names()
        self.made = Mechanism(Names().take(self.robot.name))
        self.links = {name: self.names.take(name, "{}_center", what="link") for name in self.robot.links}
        self.joints = {joint.name: self._joint_name(joint) for joint in self.robot.joints}
        self.left_out: list[str] = []
        self.is_fixed = True
        self.origins = {self.robot.root: "O"}  # the points where the axes of links are

    def _joint_name(self, joint: Joint) -> str:
        wanted = f"{joint.name}_joint" if joint.name in (*self.robot.links, *self.fixed) else joint.name
        made = ("{}_base", "{}_torque", "{}_over_lower", "{}_under_upper", *_coordinates(TYPES[joint.type]))
        return self.names.take(joint.name, *made, what="joint", wanted=wanted)

    # --- links ------------------------------------------------------------------------------------------------------

    def base(self, floating: bool) -> None:
        """The root, at rest or free."""
        link, self.is_fixed = self.robot.links[self.robot.root], not floating
        if floating:
            self._body(link)
            name = self.names.take("base", "{}_base", *_coordinates("free"))
            center = listed(_inertial(link).center)
            self.origins[link.name] = name
            self.made.joint(name, "free", self.links[link.name], orientation="quaternion", center=center)
        elif link.has_mass and link.looks:  # only to be seen
            point = self.made.point(f"{self.links[link.name]}_center", listed(_inertial(link).center))
            self._body(link, point, "N")
        else:
            self._unseen(link)

    def _unseen(self, link: Link) -> None:
        if link.looks:
            self.left_out.append(f"{link.place}: what is drawn of link {link.name}, which has no mass")

    def _body(self, link: Link, center: str | None = None, frame: str | None = None) -> None:
        inertial = _inertial(link)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = clean(inertial.tensor)
        entries = {"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}
        inertia = {key: short(entry) for key, entry in entries.items() if entry != 0}
        self.made.body(
            self.links[link.name],
            short(inertial.mass),
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
                found = made | placed(Pose(look.pose.at - inertial.center, look.pose.turn))
        return found

    def _look(self, link: Link, look: Look) -> dict[str, Any]:
        if not look.mesh:
            return dict(look.shape)
        file = self._file(look.mesh)
        if file is None or min(look.scale) != max(look.scale):
            why = "it is no STL file below the folder of the spec" if file is None else "it is scaled unevenly"
            self.left_out.append(f"{link.place}: the mesh {look.mesh} of link {link.name}: {why}")
            return {}
        return {"mesh": file} | ({"scale": short(look.scale[0])} if look.scale[0] != 1 else {})

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
        name, loads = self.joints[joint.name], self._loads(joint, torques)
        self.origins[joint.child] = name
        ends = [self.robot.links[end] for end in (joint.parent, joint.child)]
        if all(link.has_mass or self._at_rest(link.name) for link in ends):
            self._in_words(joint, loads)
        else:
            self._by_hand(joint, loads)
        if joint.lower is not None and joint.upper is not None:
            self.made.output(f"{name}_over_lower", f"{name} - ({short(joint.lower)!r})")
            self.made.output(f"{name}_under_upper", f"{short(joint.upper)!r} - {name}")

    def _at_rest(self, link: str) -> bool:
        return link == self.robot.root and self.is_fixed

    def _frame(self, link: str) -> str:
        return "N" if self._at_rest(link) else self.links[link]

    def _loads(self, joint: Joint, torques: bool) -> dict[str, Any]:
        """What acts along the coordinate of a joint, by the words of the spec."""
        self._list_loads(joint, torques)
        if TYPES[joint.type] not in ALONG:
            return {}
        loads: dict[str, Any] = {}
        if joint.damping:
            loads["damper"] = short(joint.damping)
        if joint.armature:
            loads["armature"] = short(joint.armature)
        if joint.stiffness:
            loads["spring"] = {"stiffness": short(joint.stiffness), "length": short(joint.rest)}
        if torques and joint.mimic is None:
            loads["actuator"] = self.made.signal(f"{self.joints[joint.name]}_torque", 0)
        return loads

    def _list_loads(self, joint: Joint, torques: bool) -> None:
        """Note what does not act on a joint of several coordinates, and on one that follows another."""
        several = TYPES[joint.type] not in ALONG
        if several and joint.damping:
            self.left_out.append(f"{joint.place}: damping of the {joint.type} joint {joint.name}")
        if torques and (several or joint.mimic is not None):
            why = "has several coordinates" if several else "follows another"
            self.left_out.append(f"{joint.place}: a torque of the {joint.type} joint {joint.name}, which {why}")

    def _in_words(self, joint: Joint, loads: Mapping[str, Any]) -> None:
        """A joint of the spec between bodies."""
        kind, child, start = TYPES[joint.type], self.robot.links[joint.child], joint.start
        self._body(child)
        origin = np.zeros(3) if self._at_rest(joint.parent) else _inertial(self.robot.links[joint.parent]).center
        given: dict[str, Any] = {
            "at": listed(joint.pose.at - origin),
            "rotate": turns(joint.pose.turn) or None,
            "center": listed(_inertial(child).center),
        }
        if kind in ALONG:
            given |= {"axis": axis(joint.axis), "initial": self._initial(joint) or None, **loads}
        elif kind in ("free", "spherical"):
            given["orientation"] = "quaternion"
        if start is not None:
            given |= {"initial": listed(start.at), "attitude": {"matrix": [listed(row) for row in start.turn]}}
        name, parent = self.joints[joint.name], self._frame(joint.parent)
        self.made.joint(name, kind, self.links[joint.child], parent, **given)  # type: ignore[arg-type]

    def _by_hand(self, joint: Joint, loads: Mapping[str, Any]) -> None:
        """The coordinate, the frame and the points that a joint makes, where a link without mass is at it."""
        name, frame, base = self.joints[joint.name], self.links[joint.child], self._frame(joint.parent)
        is_turn, link = TYPES[joint.type] == "revolute", self.robot.links[joint.child]
        self.made.coordinate(name, self._initial(joint), unit="rad" if is_turn else "m")
        at, along = listed(joint.pose.at), listed(joint.pose.turn @ joint.axis)
        place = at if is_turn else [moved(a, b, name) for a, b in zip(at, along, strict=True)]
        turned = [*turns(joint.pose.turn), *([(axis(joint.axis), name)] if is_turn else [])]
        self.made.frame(frame, base, rotate=turned or None)
        self.made.point(name, place, from_=self.origins[joint.parent], in_=base)
        if link.has_mass:
            center = self.made.point(f"{frame}_center", listed(_inertial(link).center), from_=name, in_=frame)
            self._body(link, center, frame)
        else:
            self._unseen(link)
        for word, load in loads.items():
            if word == "armature":
                self.made.armature(name, load)
            elif word == "spring":
                self.made.spring(name, **load, coordinate=name)
            elif word == "damper":
                self.made.damper(name, load, coordinate=name)
            else:
                self.made.actuator(name, load, coordinate=name)

    def _initial(self, joint: Joint) -> float:
        """Zero, or for one that follows others, what it then is."""
        known = {each.name: each for each in self.robot.joints}

        def value(name: str) -> float:
            mimic = known[name].mimic if name in known else None
            return 0.0 if mimic is None else mimic.multiplier * value(mimic.joint) + mimic.offset

        return short(value(joint.name))

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
            factor, offset = short(joint.mimic.multiplier), short(joint.mimic.offset)
            row = f"{name} - ({factor!r})*{other} - ({offset!r})"
            self.made.constraint(self.names.take(f"{name}_follows"), position=row)

    def parts(self) -> None:
        """The links that are part of others, as points."""
        for name, (base, pose) in self.fixed.items():
            where = {"from_": self.origins[base], "in_": self._frame(base)}
            self.made.point(self.names.take(name, what="link"), listed(pose.at), **where)


def _coordinates(kind: str) -> tuple[str, ...]:
    """What the coordinates of a joint are called, with a gap for its name."""
    return coordinate_names("{}", JOINTS[kind], QUATERNION)


def _inertial(link: Link) -> Inertial:
    assert link.inertial is not None  # all that moves has one
    return link.inertial
