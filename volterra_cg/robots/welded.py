"""Links that fixed joints hold together, as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .robot import Joint, Link, Look, Pose, Robot


@dataclass(frozen=True, eq=False)
class Welded:
    """A robot without fixed joints; `parts` are the links that became part of another, and their poses in it."""

    robot: Robot
    parts: Mapping[str, tuple[str, Pose]]


def welded(robot: Robot) -> Welded:
    """Every link that is fixed to another becomes part of it."""
    fixed = {joint.child: joint for joint in robot.joints if joint.type == "fixed"}
    links, parts = dict(robot.links), dict[str, tuple[str, Pose]]()
    for name in robot.reached:
        if name in fixed:
            base, pose = parts.get(fixed[name].parent, (fixed[name].parent, Pose()))
            parts[name] = (base, pose.then(fixed[name].pose))
            links[base] = _joined(links[base], links.pop(name), parts[name][1])
    joints = [_moved(joint, parts) for joint in robot.joints if joint.type != "fixed"]
    return Welded(replace(robot, links=links, joints=tuple(joints)), parts)


def _joined(base: Link, part: Link, pose: Pose) -> Link:
    own = part.inertial and part.inertial.seen_from(pose)
    inertial = base.inertial.plus(own) if base.inertial and own else base.inertial or own
    looks = [Look(pose.then(look.pose), look.shape, look.mesh, look.scale) for look in part.looks]
    return replace(base, inertial=inertial, looks=(*base.looks, *looks))


def _moved(joint: Joint, parts: Mapping[str, tuple[str, Pose]]) -> Joint:
    if joint.parent not in parts:
        return joint
    base, pose = parts[joint.parent]
    return replace(joint, parent=base, pose=pose.then(joint.pose))
