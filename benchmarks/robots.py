"""Specs of robots with joints: arms, a quadruped, a humanoid and a large tree, their bodies with general inertias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from volterra_cg import Mechanism

Numbers = Sequence[float]
Base = Literal["auto", "ground", "body"]


class Builder:
    """A mechanism whose joints are given by where they are in the body before, from that body's own joint."""

    def __init__(self, name: str, about: str, *, project: bool | Sequence[str] = False) -> None:
        self.made = Mechanism(name, about, project=project)
        self.made.gravity([0, 0, -9.81])
        self._centers: dict[str, Numbers] = {"N": (0, 0, 0)}

    def body(self, name: str, mass: float, size: Numbers, center: Numbers) -> str:
        """A body about as a box of this size, its axes not those of its inertia; `center` from its joint."""
        a, b, c = (mass * x * x / 12 for x in size)
        small = 0.1 * min(a, b, c)
        inertia = {"xx": b + c, "yy": a + c, "zz": a + b, "xy": small, "xz": -small / 2, "yz": small / 3}
        self._centers[name] = center
        return self.made.body(name, round(mass, 6), inertia={key: round(x, 9) for key, x in inertia.items()})

    def revolute(
        self, name: str, child: str, parent: str, place: Numbers, axis: str, start: Numbers = (0.2, 0.3)
    ) -> str:
        """A hinge at `place`, with an angle and a rate to begin with."""
        angle, rate = start
        given = {"axis": axis, "initial": angle, "rate": rate}
        return self.made.joint(
            name, "revolute", child, parent, at=self.at(parent, place), center=self.center(child), **given
        )

    def free(self, child: str, height: float = 1.0) -> None:
        """A body that moves in every way, told by a quaternion."""
        given = {"orientation": "quaternion", "attitude": {"angles": [0.1, -0.2, 0.3]}, "spin": [0.2, -0.1, 0.3]}
        place = {"initial": [0.1, 0.2, height], "rate": [0.3, -0.2, 0.1], "center": self.center(child)}
        self.made.joint("base", "free", child, **given, **place)

    def point(self, name: str, body: str, place: Numbers) -> str:
        """A point of a body, from its joint; of the ground with "N"."""
        carried = {"from_": f"{body}", "in_": body} if body != "N" else {}
        return self.made.point(name, self.at(body, place), **carried)

    def at(self, body: str, place: Numbers) -> list[float]:
        """From the center of a body, in its axes."""
        return [round(x - c, 9) for x, c in zip(place, self._centers[body], strict=True)]

    def center(self, body: str) -> list[float]:
        """From the joint of a body to its center."""
        return list(self._centers[body])

    def base_speeds(self, body: str, joints: Sequence[str], frame: str) -> None:
        """The velocity and the angular velocity of a free body in the axes of `frame`, and the rates of the joints."""
        for a in "xyz":
            self.made.quasi_velocity(f"v{a}", f"dot(velocity({body}), {frame}.{a})")
        for a in "xyz":
            self.made.quasi_velocity(f"w{a}", f"dot(omega({body}), {frame}.{a})")
        for joint in joints:
            self.made.quasi_velocity(f"u_{joint}", f"der({joint})")


def arm(axes: int, floating: int = 0) -> str:
    """An arm of six or seven axes, on the ground or on a free body."""
    kind = "floating" if floating else "fixed"
    built = Builder(f"arm_{axes}_{kind}", f"An arm of {axes} axes, its base {kind}.")
    parent, place = "N", (0.0, 0.0, 0.1)
    if floating:
        parent, place = built.body("base_body", 40, (0.6, 0.5, 0.4), (0.02, 0.01, -0.03)), (0.1, 0.0, 0.25)
        built.free("base_body")
    about = {6: "zyyzyz", 7: "zyzyzyz"}[axes]
    for k, axis in enumerate(about):
        length = 0.4 - 0.04 * k
        center = (0.02, round((-1) ** k * 0.03, 6), round(length / 2, 6))
        body = built.body(f"link{k + 1}", 6 - 0.7 * k, (0.12, 0.1, length), center)
        built.revolute(
            f"q{k + 1}", body, parent, place, axis, (round(0.3 - 0.25 * (-1) ** k, 6), round(0.4 - 0.1 * k, 6))
        )
        parent, place = body, (0.0, round((-1) ** k * 0.05, 6), length)
    return built.made.to_toml()


def quadruped() -> str:
    """A free trunk with four legs of three joints."""
    built = Builder("quadruped", "A trunk on four legs of three joints.")
    trunk = built.body("trunk", 12, (0.5, 0.25, 0.15), (0.01, 0.002, 0.02))
    built.free(trunk, 0.4)
    for leg, (x, y) in {"fl": (1, 1), "fr": (1, -1), "hl": (-1, 1), "hr": (-1, -1)}.items():
        hip = built.body(f"{leg}_hip", 0.7, (0.1, 0.08, 0.08), (-0.004 * x, 0.01 * y, 0.001))
        thigh = built.body(f"{leg}_thigh", 1.1, (0.06, 0.05, 0.22), (-0.003, -0.02 * y, -0.1))
        shank = built.body(f"{leg}_shank", 0.25, (0.03, 0.03, 0.22), (0.005, 0.001 * y, -0.12))
        built.revolute(f"{leg}_1", hip, trunk, (0.2 * x, 0.06 * y, 0), "x", (0.1 * y, 0.4))
        built.revolute(f"{leg}_2", thigh, hip, (0, 0.09 * y, 0), "y", (0.7 + 0.1 * x, -0.5))
        built.revolute(f"{leg}_3", shank, thigh, (0, 0, -0.21), "y", (-1.4, 0.8 * x))
    return built.made.to_toml()


LEG = (
    ("hip_pitch", "y", 0.12),
    ("hip_roll", "x", 0.1),
    ("hip_yaw", "z", 0.2),
    ("knee", "y", 0.3),
    ("ankle_pitch", "y", 0.05),
    ("ankle_roll", "x", 0.06),
)  # joint, axis and length of the body after it
ARM = (
    ("shoulder_pitch", "y", 0.06),
    ("shoulder_roll", "x", 0.1),
    ("shoulder_yaw", "z", 0.12),
    ("elbow", "y", 0.1),
    ("wrist_roll", "x", 0.08),
    ("wrist_pitch", "y", 0.05),
    ("wrist_yaw", "z", 0.08),
)
WAIST = (("waist_yaw", "z", 0.05), ("waist_roll", "x", 0.05), ("waist_pitch", "y", 0.3))


def humanoid(base: Base = "auto") -> str:
    """29 joints on a free pelvis, whose velocity is written in ground axes, in its own, or as the compiler chooses."""
    built = Builder(f"humanoid_{base}", f"A humanoid of 29 joints; velocity of the base: {base}.")
    pelvis = built.body("pelvis", 8, (0.2, 0.25, 0.15), (0.005, 0.001, -0.05))
    built.free(pelvis, 0.9)
    joints: list[str] = []

    def limb(
        name: str, parts: Sequence[tuple[str, str, float]], parent: str, place: Numbers, side: int, up: int
    ) -> str:
        for k, (part, axis, length) in enumerate(parts):
            mass, wide = round(12 * length + 0.3, 6), round(0.05 + 0.2 * length, 6)
            center = (round(0.01 * (-1) ** k, 6), round(0.006 * side, 6), round(0.45 * up * length, 6))
            body = built.body(f"{name}{part}_link", mass, (wide, 0.9 * wide, length), center)
            joints.append(f"{name}{part}")
            start = (round(0.15 + 0.1 * (-1) ** k, 6), round(0.3 * side - 0.05 * k, 6))
            built.revolute(joints[-1], body, parent, place, axis, start)
            parent, place = body, (0.0, 0.0, up * length)
        return parent

    for name, side in (("left_", 1), ("right_", -1)):
        limb(name, LEG, pelvis, (0.0, 0.08 * side, -0.1), side, -1)
    torso = limb("", WAIST, pelvis, (0.0, 0.0, 0.05), 1, 1)
    for name, side in (("left_", 1), ("right_", -1)):
        limb(name, ARM, torso, (0.0, 0.14 * side, 0.24), side, -1)
    if base != "auto":
        built.base_speeds(pelvis, joints, {"ground": "N", "body": "pelvis"}[base])
    return built.made.to_toml()


def tree(count: int = 60) -> str:
    """Bodies that carry two others each, on hinges about x, y and z in turn."""
    built = Builder(f"tree_{count}", f"A tree of {count} bodies, two on each.")
    for k in range(count):
        parent, side = ("N", 0) if k == 0 else (f"body{(k - 1) // 2}", (-1) ** k)
        body = built.body(f"body{k}", round(1 + 1 / (k + 1), 6), (0.1, 0.12, 0.4), (0.01, 0.02 * side, -0.2))
        place = (round(0.05 * side, 6), round(0.03 * side, 6), -0.4 if k else 0.0)
        built.revolute(
            f"q{k}", body, parent, place, "xyz"[k % 3], (round(0.3 - 0.04 * (k % 7), 6), round(0.4 - 0.1 * (k % 5), 6))
        )
    return built.made.to_toml()
