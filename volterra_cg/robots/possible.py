"""What keeps a robot from being a mechanism."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from volterra_cg.errors import Problem, SpecError

from .robot import Joint, Link, Robot
from .written import ALONG, TYPES, clean

DIGITS = "its numbers, or those of links that are fixed to it, are too large"


def require(robot: Robot, floating: bool) -> None:
    """Refuse numbers that are too large, links that can be no bodies, and joints that the language lacks."""
    problems = [*_overflowed(robot)]
    problems = problems or [*_wrong_bodies(robot, floating), *_wrong_joints(robot, floating), *_wrong_mimics(robot)]
    if problems:
        raise SpecError(problems)


def _overflowed(robot: Robot) -> Iterator[Problem]:
    """Links and joints whose numbers, each finite in the file, are not so together."""
    for link in robot.links.values():
        looks = [part for look in link.looks for part in (look.pose.at, look.pose.turn)]
        own = [] if link.inertial is None else [link.inertial.mass, link.inertial.center, link.inertial.tensor]
        if not _finite(*looks, *own):
            yield Problem(
                link.place, f"the mass, the center or the inertia of link '{link.name}' is not finite", DIGITS
            )
    for joint in robot.joints:
        if not _finite(joint.pose.at, joint.pose.turn, joint.axis):
            yield Problem(joint.place, f"the place of joint '{joint.name}' is not finite", DIGITS)


def _finite(*numbers: object) -> bool:
    return all(np.isfinite(np.asarray(part, dtype=np.float64)).all() for part in numbers)


def _wrong_bodies(robot: Robot, floating: bool) -> Iterator[Problem]:
    """What is wrong with links that move, and with a base at rest that is seen."""
    for link in robot.links.values():
        moves = link.name != robot.root or floating
        if moves and not link.has_mass:
            yield from _wrong_carrier(robot, link)
        elif link.has_mass and (moves or link.looks):
            yield from _wrong_inertia(link)


def _wrong_carrier(robot: Robot, link: Link) -> Iterator[Problem]:
    """A link without mass can only carry others."""
    carries = any(joint.parent == link.name for joint in robot.joints)
    turns = link.inertial is not None and link.inertial.tensor.any()
    if turns or not carries or link.name == robot.root:
        yield Problem(link.place, f"link '{link.name}' moves and has no mass", "give it one")


def _wrong_inertia(link: Link) -> Iterator[Problem]:
    assert link.inertial is not None  # it has mass
    moments = np.linalg.eigvalsh(clean(link.inertial.tensor))
    if 2 * moments.max() > moments.sum() * (1 + 1e-9):
        told = ", ".join(f"{moment:.4g}" for moment in moments)
        message = f"no body has the inertia of link '{link.name}', with principal moments {told}"
        yield Problem(link.place, message, "no moment is larger than the sum of the two others")


def _wrong_joints(robot: Robot, floating: bool) -> Iterator[Problem]:
    light = {link.name for link in robot.links.values() if not link.has_mass and (link.name != robot.root or floating)}
    for joint in robot.joints:
        if joint.type == "planar" and abs(joint.axis[2]) < 1:
            message = f"the planar joint '{joint.name}' has a normal other than z"
            yield Problem(joint.place, message, "turn its <origin>, and the links after it, so that it is z")
        elif TYPES[joint.type] not in ALONG and {joint.parent, joint.child} & light:
            message = f"the joint '{joint.name}' of type {joint.type} is at a link without mass"
            yield Problem(joint.place, message, "give that link a mass")


def _wrong_mimics(robot: Robot) -> Iterator[Problem]:
    """Joints of several coordinates in a mimic, and joints that follow each other in a circle."""
    known = {joint.name: joint for joint in robot.joints}
    for joint in robot.joints:
        if joint.mimic is None:
            continue
        ends = [joint, *([known[joint.mimic.joint]] if joint.mimic.joint in known else [])]
        for end in ends:
            if TYPES[end.type] not in ALONG:
                message = f"joint '{joint.name}' mimics '{joint.mimic.joint}'"
                message += f", and '{end.name}' of type {end.type} has several coordinates"
                yield Problem(joint.place, message, "write a constraint of the coordinates that you mean in the spec")
        if joint.name in _followed(joint, known):
            message = f"joint '{joint.name}' follows itself, by way of '{joint.mimic.joint}'"
            yield Problem(joint.place, message, "one joint of the circle mimics no other")


def _followed(joint: Joint, known: dict[str, Joint]) -> set[str]:
    """The joints that a joint follows, whether directly or by way of others."""
    found, mimic = set[str](), joint.mimic
    while mimic is not None and mimic.joint not in found:
        found.add(mimic.joint)
        mimic = known[mimic.joint].mimic if mimic.joint in known else None
    return found
