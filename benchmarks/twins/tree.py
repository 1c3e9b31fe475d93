"""The joints of a spec as others see them: where each is in the body before, and how its coordinates move it.

The spec has numbers alone where a joint, a body or a point is described. Particles at three coordinates are joints, too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Parts = tuple[Array, Array, Array]  # values, rates and second derivatives of coordinates
ZERO = np.zeros(3)
UNITS = dict(zip("xyz", np.eye(3), strict=True))


@dataclass(frozen=True)
class Link:
    """A body on its joint; `place` is from the joint of the parent (-1: the ground), in the parent's axes.

    Where joints begin turned, all is told in axes that are those of the ground when all coordinates are zero; `turn` leads
    there from the axes of the spec.
    """

    name: str
    parent: int
    kind: str  # free, revolute, prismatic, universal, cylindrical, spherical or particle
    coordinates: tuple[str, ...]
    axes: tuple[Array, ...]  # of single coordinates in their order, or of the angles of an orientation
    place: Array
    center: Array
    mass: float
    inertia: Array  # about the center, 3 by 3
    springs: tuple[tuple[float, float], ...] = ()  # stiffness and length, for each coordinate
    turn: Array = field(default_factory=lambda: np.eye(3))


@dataclass(frozen=True)
class Closure:
    """Points of two links, from their joints: `coincide`, `distance` of a length, or a `roll` of the first on the ground.

    Of what rolls, `first` is where the center is, `size` the radius and `axis` its axle.
    """

    kind: str
    links: tuple[int, int]
    places: tuple[Array, Array]
    size: float = 0.0
    axis: Array | None = None


@dataclass(frozen=True)
class Tree:
    """A mechanism of joints, with what closes its loops."""

    links: tuple[Link, ...]
    closures: tuple[Closure, ...]
    gravity: Array

    def forces(self, link: Link, q: Mapping[str, float]) -> list[float]:
        """Of the springs along the coordinates of a link."""
        if not link.springs:
            return [0.0] * (
                3 if link.kind in ("spherical", "particle") else 6 if link.kind == "free" else len(link.coordinates)
            )
        return [-k * (q[name] - rest) for name, (k, rest) in zip(link.coordinates, link.springs, strict=True)]


def read(text: str) -> Tree:
    """The tree of a spec."""
    document = tomllib.loads(text)
    spec = _valued(document, document.get("parameters", {}))
    links: list[Link] = []
    for name, joint in spec.get("joints", {}).items():
        links.append(_link(name, joint, spec["bodies"][joint["child"]], links))
    points = spec.get("points", {})
    links += [_particle(name, body, points) for name, body in spec["bodies"].items() if "center" in body]
    closures = [_closure(form, points, links) for form in spec.get("constraints", {}).values()]
    return Tree(tuple(links), tuple(closures), np.array(spec["gravity"]["N"], dtype=float))


def _link(name: str, joint: Mapping[str, Any], body: Mapping[str, Any], links: Sequence[Link]) -> Link:
    if set(joint) & {"damper", "friction", "actuator", "armature"}:
        raise ValueError(f"joint {name} has what others are not told")
    parent = next((k for k, link in enumerate(links) if link.name == joint.get("parent")), -1)
    before = links[parent].turn if parent >= 0 else np.eye(3)
    turn = before @ _turn(joint.get("rotate", []))
    place = (links[parent].center if parent >= 0 else ZERO) + before @ joint.get("at", ZERO)
    kind = joint["type"]
    axes, names = _axes(name, kind, joint)
    if kind in ("free", "spherical") and not np.array_equal(turn, np.eye(3)):
        raise ValueError(f"joint {name} begins turned")
    given, springs = tuple(joint.get("coordinates", names)), _springs(joint.get("spring"), len(names))
    center, inertia = turn @ joint.get("center", ZERO), turn @ _inertia(body) @ turn.T
    turned = tuple(turn @ axis for axis in axes)
    return Link(joint["child"], parent, kind, given, turned, place, center, body["mass"], inertia, springs, turn)


def _turn(rotations: Sequence[tuple[str, float]]) -> Array:
    """The matrix of rotations by numbers."""
    found = np.eye(3)
    for name, angle in rotations:
        half = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * UNITS[name])])
        found = found @ np.array([rotated(half, unit) for unit in np.eye(3)])
    return found


def _axes(name: str, kind: str, joint: Mapping[str, Any]) -> tuple[tuple[Array, ...], list[str]]:
    axis = _vector(joint.get("axis", "z"))
    if kind in ("free", "spherical"):
        how = joint.get("orientation", "xyz")
        turns = [f"q{k}" for k in range(4)] if how == "quaternion" else ["a1", "a2", "a3"]
        parts = [*"xyz", *turns] if kind == "free" else turns
        return () if how == "quaternion" else tuple(UNITS[a] for a in how), [f"{name}_{part}" for part in parts]
    if kind == "universal":
        return tuple(_vector(a) for a in joint.get("axes", "xy")), [f"{name}_first", f"{name}_second"]
    if kind == "cylindrical":
        return (axis, axis), [f"{name}_slide", f"{name}_angle"]
    if kind in ("revolute", "prismatic"):
        return (axis,), [name]
    raise ValueError(f"others have no joint {kind}")


def _vector(axis: str | Sequence[float]) -> Array:
    found = UNITS[axis] if isinstance(axis, str) else np.array(axis, dtype=float)
    return found / np.linalg.norm(found)


def _springs(given: Any, count: int) -> tuple[tuple[float, float], ...]:
    if given is None:
        return ()
    listed = given if isinstance(given, list) else [given]
    found = [(one["stiffness"], one.get("length", 0.0)) if isinstance(one, dict) else (one, 0.0) for one in listed]
    if len(found) != count:
        raise ValueError("a spring for each coordinate is needed")
    return tuple(found)


def _inertia(body: Mapping[str, Any]) -> Array:
    given = body.get("inertia", [0.0] * 3)
    if isinstance(given, list):
        return np.diag(np.array(given, dtype=float))
    return np.array([[given.get("".join(sorted(a + b)), 0.0) for a in "xyz"] for b in "xyz"], dtype=float)


def _particle(name: str, body: Mapping[str, Any], points: Mapping[str, Any]) -> Link:
    at = points[body["center"]]["at"]
    if not all(isinstance(x, str) for x in at):
        raise ValueError(f"{name} is no particle at three coordinates")
    return Link(name, -1, "particle", tuple(at), (), ZERO, ZERO, body["mass"], np.zeros((3, 3)))


def _closure(form: Mapping[str, Any], points: Mapping[str, Any], links: Sequence[Link]) -> Closure:
    if "roll" in form:
        number = next(k for k, link in enumerate(links) if link.name == form["roll"])
        axle = _vector(form["axis"])
        return Closure("roll", (number, -1), (links[number].center, ZERO), form["radius"], axle)
    kind = "coincide" if "coincide" in form else "distance"
    (one, here), (other, there) = (_point(points[name], links) for name in form[kind])
    return Closure(kind, (one, other), (here, there), form.get("equals", 0.0))


def _point(point: Mapping[str, Any], links: Sequence[Link]) -> tuple[int, Array]:
    """The link that a point moves with, and where it is from that link's joint."""
    for k, link in enumerate(links):
        if tuple(point["at"]) == link.coordinates:
            return k, ZERO
        if point.get("in") == link.name == point.get("from"):
            return k, link.center + link.turn @ point["at"]
    if point.get("from", "O") != "O" or point.get("in", "N") != "N":
        raise ValueError(f"{point} moves with no body")
    return -1, np.array(point["at"], dtype=float)


def _valued(part: Any, values: Mapping[str, float]) -> Any:
    """What a spec says, with expressions of parameters and numbers replaced by their values."""
    if isinstance(part, dict):
        return {key: _valued(one, values) for key, one in part.items()}
    if isinstance(part, list):
        return [_valued(one, values) for one in part]
    try:
        return float(eval(part, {"__builtins__": {}}, {"pi": pi, "cos": cos, "sin": sin, **values}))
    except (NameError, SyntaxError, TypeError):  # a name of something else, text, or a number
        return part


# --- how coordinates move a link ------------------------------------------------------------------------------------------


def orientation(link: Link, motion: Parts) -> Parts:
    """The quaternion (scalar first) of a free or spherical joint, its angular velocity and the rate of that, in its own axes."""
    values, rates, seconds = (part[-4:] if not link.axes else part[-3:] for part in motion)
    if not link.axes:
        back = values * [1, -1, -1, -1]
        return values, 2 * product(back, rates)[1:], 2 * product(back, seconds)[1:]
    turn, spin, slope = np.array([1.0, 0, 0, 0]), ZERO, ZERO
    for axis, angle, rate, second in zip(link.axes, values, rates, seconds, strict=True):
        half = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
        turn, spin, slope = product(turn, half), rotated(half, spin), rotated(half, slope)
        slope = slope + second * axis + np.cross(spin, rate * axis)
        spin = spin + rate * axis
    return turn, spin, slope


def product(a: Array, b: Array) -> Array:
    """Of quaternions, the scalar part first."""
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def rotated(turn: Array, vector: Array) -> Array:
    """A vector in the axes that a quaternion turns to."""
    back = turn * [1, -1, -1, -1]
    return product(product(back, np.array([0.0, *vector])), turn)[1:]
