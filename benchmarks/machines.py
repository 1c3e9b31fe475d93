"""Specs of machines with closed loops, told with joints: a Stewart platform, a delta robot, an excavator and a car."""

from __future__ import annotations

from math import cos, radians, sin

from benchmarks.robots import Builder
from volterra_cg import Mechanism


def stewart_joints() -> str:
    """The platform of loops.stewart, with the same coordinates."""
    made = Mechanism("stewart_joints", "A platform on six legs.", project=[f"{a}{k}" for k in range(6) for a in "abs"])
    made.gravity([0, 0, -9.81])
    plate = made.body("plate", 5, inertia=[0.4, 0.4, 0.8])
    start = {"coordinates": ["X", "Y", "Z", "psi", "theta", "phi"], "initial": [0, 0, 1.2, 0.05, 0.02, 0.03]}
    made.joint("base", "free", plate, orientation="zyx", **start)
    for k in range(6):
        base, top = radians(60 * (k // 2) * 2 + (-1) ** k * 50), radians(60 * (k // 2) * 2 + (-1) ** k * 15)
        lower = made.body(f"lower{k}", 1, inertia=[0.05, 0.05, 0.002])
        upper = made.body(f"upper{k}", 0.5, inertia=[0.03, 0.03, 0.001])
        foot, names = [round(cos(base), 6), round(sin(base), 6), 0], [f"a{k}", f"b{k}"]
        made.joint(f"foot{k}", "universal", lower, at=foot, center=[0, 0, 0.4], coordinates=names)
        given = {"axis": "z", "at": [0, 0, -0.4], "center": [0, 0, -0.4], "coordinates": [f"s{k}"], "initial": 1.3}
        made.joint(f"slide{k}", "prismatic", upper, lower, **given)
        end = made.point(f"T{k}", [0, 0, 0.4], from_=upper, in_=upper)
        eye = made.point(f"B{k}", [round(0.6 * cos(top), 6), round(0.6 * sin(top), 6), 0], from_=plate, in_=plate)
        made.constraint(f"top{k}", coincide=[end, eye])
    for a in "XYZ":
        made.quasi_velocity(f"v{a}", f"der({a})")
    for a in "xyz":
        made.quasi_velocity(f"w{a}", f"dot(omega(plate), plate.{a})")
    return made.to_toml()


def delta_joints() -> str:
    """The robot of loops.delta, with rods on universal joints at the arms; there they turn as seen from the ground."""
    rods = [(f"{k}{side}", k, y) for k in range(3) for side, y in (("l", 0.1), ("r", -0.1))]
    moved = [*(f"{a}{name}" for name, *_ in rods for a in "ab"), "X", "Y", "Z", "psi", "theta", "phi"]
    made = Mechanism("delta_joints", "A delta robot: three arms, six rods, one plate.", project=moved)
    made.gravity([0, 0, -9.81])
    for k in range(3):
        arm, third = made.body(f"arm{k}", 0.6, inertia=[0, 0.008, 0.008]), f"2*pi*{k}/3"
        at = [f"0.2*cos({third})", f"0.2*sin({third})", 0]
        given = {"axis": "y", "center": [0.2, 0, 0], "coordinates": [f"q{k}"], "initial": 0.3}
        made.joint(f"motor{k}", "revolute", arm, at=at, rotate=[("z", third)], **given)
    for name, k, y in rods:
        made.body(f"rod{name}", 0.15, inertia=[0.01012875, 0.01012875, 0.0000075])
        names = {"coordinates": [f"a{name}", f"b{name}"], "initial": [0, 0.3]}
        made.joint(f"elbow{name}", "universal", f"rod{name}", f"arm{k}", at=[0.2, y, 0], center=[0, 0, -0.45], **names)
    made.body("plate", 0.5, inertia=[0.002, 0.002, 0.004])
    start = {"coordinates": ["X", "Y", "Z", "psi", "theta", "phi"], "initial": [0, 0, -0.9, 0, 0, 0]}
    made.joint("base", "free", "plate", orientation="zyx", **start)
    for name, k, y in rods:
        c, s = f"cos(2*pi*{k}/3)", f"sin(2*pi*{k}/3)"
        end = made.point(f"T{name}", [0, 0, -0.45], from_=f"rod{name}", in_=f"rod{name}")
        eye = made.point(f"B{name}", [f"0.1*{c} - {y}*{s}", f"0.1*{s} + {y}*{c}", 0], from_="plate", in_="plate")
        made.constraint(f"tip{name}", coincide=[end, eye])
    for k in range(3):
        made.quasi_velocity(f"u{k}", f"der(q{k})")
    return made.to_toml()


def excavator() -> str:
    """A house that slews, with boom, stick and bucket: two cylinders and a linkage of rocker and coupler close loops."""
    passive = ["boom_barrel", "boom_rod", "stick_barrel", "stick_rod", "rocker", "coupler"]
    built = Builder("excavator", "An excavator with three closed loops.", project=passive)
    house = built.body("house", 9000, (3, 2.5, 1.5), (-0.8, 0.1, 0.7))
    built.revolute("slew", house, "N", (0, 0, 1), "z", (0.3, 0.2))
    boom = built.body("boom_body", 1800, (5.2, 0.5, 0.7), (2.5, 0.0, 0.4))
    built.revolute("boom", boom, house, (0.3, 0.0, 0.8), "y", (-0.6, 0.1))
    stick = built.body("stick_body", 900, (2.6, 0.4, 0.5), (0.9, 0.0, 0.1))
    built.revolute("stick", stick, boom, (5.2, 0.0, 0.0), "y", (1.9, -0.2))
    bucket = built.body("bucket_body", 700, (1.2, 1.0, 0.9), (0.6, 0.0, -0.3))
    built.revolute("bucket", bucket, stick, (2.4, 0.0, 0.0), "y", (0.5, 0.3))
    _cylinder(built, "boom", house, (0.9, 0.0, 0.3), boom, (2.2, 0.0, 0.3), (-1.1, 1.0))
    _cylinder(built, "stick", boom, (2.4, 0.0, 0.9), stick, (-0.6, 0.0, 0.5), (0.1, 1.2))
    rocker = built.body("rocker_body", 60, (0.5, 0.3, 0.1), (0.25, 0.0, 0.0))
    built.revolute("rocker", rocker, stick, (2.0, 0.0, 0.1), "y", (-1.0, 0))
    coupler = built.body("coupler_body", 50, (0.5, 0.2, 0.1), (0.25, 0.0, 0.0))
    built.revolute("coupler", coupler, rocker, (0.5, 0.0, 0.0), "y", (1.4, 0))
    _pinned(built, "bucket_pin", coupler, (0.5, 0.0, 0.0), bucket, (0.15, 0.0, 0.35))
    return built.made.to_toml()


def _cylinder(
    built: Builder,
    name: str,
    base: str,
    foot: tuple[float, ...],
    to: str,
    eye: tuple[float, ...],
    start: tuple[float, float],
) -> None:
    """A barrel on `base` at `foot`, and a rod that slides in it and is pinned to `to` at `eye`."""
    barrel = built.body(f"{name}_barrel_body", 120, (1.0, 0.15, 0.15), (0.5, 0.0, 0.0))
    built.revolute(f"{name}_barrel", barrel, base, foot, "y", (start[0], 0))
    rod = built.body(f"{name}_rod_body", 80, (1.0, 0.08, 0.08), (0.0, 0.0, 0.0))
    at = built.at(barrel, (0.5, 0.0, 0.0))
    built.made.joint(
        f"{name}_rod", "prismatic", rod, barrel, axis="x", at=at, center=built.center(rod), initial=start[1]
    )
    _pinned(built, f"{name}_pin", rod, (0.5, 0.0, 0.0), to, eye)


def _pinned(built: Builder, name: str, one: str, here: tuple[float, ...], other: str, there: tuple[float, ...]) -> None:
    """A pin across the plane of the boom."""
    ends = [built.point(f"{name}_1", one, here), built.point(f"{name}_2", other, there)]
    built.made.constraint(name, coincide=ends, in_="house", along=["x", "z"])


def car() -> str:
    """A chassis on four double wishbones, with a rack that steers; wheels roll, and give sideways on springs."""
    corners = {f"{a}{b}": (x, y) for a, x in (("f", 1), ("r", -1)) for b, y in (("l", 1), ("r", -1))}
    built = Builder("suspended_car", "A car on double wishbones whose wheels roll.", project=True)
    chassis = built.body("chassis", 1200, (4, 1.4, 0.6), (0.1, 0.0, 0.25))
    given = {
        "orientation": "zyx",
        "initial": [0, 0, 0.31, 0, 0, 0],
        "rate": [8, 0, 0, 0, 0, 0],
        "center": built.center(chassis),
    }
    built.made.joint("base", "free", chassis, **given)
    rack = built.body("rack", 5, (0.05, 0.8, 0.05), (0.0, 0.0, 0.0))
    at = built.at(chassis, (1.15, 0.0, 0.05))
    spring = {"spring": {"stiffness": 4000}, "initial": 0.01}
    built.made.joint("steer", "prismatic", rack, chassis, axis="y", at=at, center=built.center(rack), **spring)
    for name, (x, y) in corners.items():
        _corner(built, name, x, y, rack if x > 0 else chassis)
    return built.made.to_toml()


def _corner(built: Builder, name: str, x: int, y: int, steered: str) -> None:
    """Two arms on the chassis, an upright between them, a rod that steers it, and a wheel; y is the side."""
    made, axle, load = built.made, 1.3 * x, 14000 if x > 0 else 15000
    lower = built.body(f"{name}_lower_arm", 4, (0.3, 0.35, 0.05), (0.01, 0.18 * y, 0.0))
    spring = {"spring": {"stiffness": load, "length": -0.08 * y}}
    at = built.at("chassis", (axle, 0.38 * y, -0.1))
    made.joint(f"{name}_lower", "revolute", lower, "chassis", axis="x", at=at, center=built.center(lower), **spring)
    upright = built.body(f"{name}_upright", 12, (0.1, 0.1, 0.3), (0.0, 0.02 * y, 0.12))
    at, center = built.at(lower, (0.0, 0.36 * y, 0.0)), built.center(upright)
    names = [f"{name}_a{k}" for k in (1, 2, 3)]
    made.joint(f"{name}_ball", "spherical", upright, lower, at=at, center=center, orientation="xyz", coordinates=names)
    upper = built.body(f"{name}_upper_arm", 3, (0.25, 0.28, 0.04), (-0.01, 0.13 * y, 0.0))
    at = built.at("chassis", (axle - 0.02, 0.45 * y, 0.13))
    made.joint(f"{name}_upper", "revolute", upper, "chassis", axis="x", at=at, center=built.center(upper))
    inner = (0.0, 0.4 * y, 0.0) if steered == "rack" else (axle + 0.15, 0.4 * y, 0.05)
    tie = built.body(f"{name}_tie_rod", 1, (0.03, 0.35, 0.03), (0.0, 0.17 * y, 0.0))
    at = built.at(steered, inner)
    made.joint(f"{name}_tie", "universal", tie, steered, axes=["x", "z"], at=at, center=built.center(tie))
    hold = {
        "upper": (upper, (0.0, 0.26 * y, 0.0), (-0.02, -0.03 * y, 0.23)),
        "tie": (tie, (0.0, 0.34 * y, 0.0), (-0.15 * x, 0.0, 0.15)),
    }
    for part, (body, end, place) in hold.items():
        ends = [built.point(f"{name}_{part}_end", body, end), built.point(f"{name}_{part}_eye", upright, place)]
        made.constraint(f"{name}_{part}_hold", coincide=ends, in_="chassis")
    wheel = built.body(f"{name}_wheel", 18, (0.5, 0.2, 0.5), (0.0, 0.0, 0.0))
    at = built.at(upright, (0.0, 0.08 * y, 0.1))
    give = {"spring": [200000, 0], "rate": [0, 8 / 0.31], "axis": "y"}
    made.joint(f"{name}_axle", "cylindrical", wheel, upright, at=at, center=built.center(wheel), **give)
    made.constraint(f"{name}_tyre", roll=wheel, radius=0.31, axis="y")
