"""A tree in Pinocchio: rows of numbers for pinocchio.cpp, and its states."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .tree import ZERO, Array, Link, Tree, orientation, rotated

KINDS = {"free": 0, "revolute": 1, "prismatic": 2, "spherical": 3, "particle": 4}


def rows(tree: Tree) -> tuple[Array, Array] | None:
    """Links and closures as pinocchio.cpp reads them, joints of two coordinates as two; None where it has no such closure."""
    if any(closure.kind != "coincide" for closure in tree.closures):
        return None
    found: list[list[float]] = []
    numbers: list[int] = []
    for link in tree.links:
        parent = -1 if link.parent < 0 else numbers[link.parent]
        kinds = {"universal": ("revolute",) * 2, "cylindrical": ("prismatic", "revolute")}.get(link.kind, (link.kind,))
        place = link.place
        for k, kind in enumerate(kinds):
            axis = link.axes[k] if kind in ("revolute", "prismatic") else ZERO
            heavy = [*link.center, link.mass, *link.inertia.ravel()] if k + 1 == len(kinds) else [0.0] * 13
            found.append([parent, KINDS[kind], *axis, *place, *heavy])
            parent, place = len(found) - 1, ZERO
        numbers.append(parent)
    held = []
    for closure in tree.closures:
        ends = sorted(zip(closure.links, closure.places, strict=True), key=lambda end: end[0] < 0)
        held.append([x for link, place in ends for x in (numbers[link] if link >= 0 else -1, *place)])
    return np.array(found), np.array(held).reshape(len(held), 8)


def state(tree: Tree, q: Mapping[str, tuple[float, float, float]]) -> tuple[Array, Array, Array, Array]:
    """Positions, velocities, forces and accelerations of Pinocchio from values, rates and second derivatives by name."""
    parts: list[tuple[list[float], ...]] = []
    for link in tree.links:
        values, rates, seconds = motion = tuple(np.array([q[name][d] for name in link.coordinates]) for d in range(3))
        force = tree.forces(link, {name: q[name][0] for name in link.coordinates})
        if link.kind in ("free", "spherical"):
            place, speed, rate = _turning(link, motion)
            parts.append((place, speed, force, rate))
        else:
            parts.append((list(values), list(rates), force, list(seconds)))
    place, speed, force, rate = (np.array([x for part in parts for x in part[k]]) for k in range(4))
    return place, speed, force, rate


def _turning(link: Link, motion: tuple[Array, ...]) -> tuple[list[float], list[float], list[float]]:
    """Quaternions have their scalar part last; the velocity of a free body is in its own axes."""
    turn, spin, slope = orientation(link, motion)
    place, speed, rate = [*turn[1:], turn[0]], list(spin), list(slope)
    if link.kind == "free":
        velocity, second = rotated(turn, motion[1][:3]), rotated(turn, motion[2][:3])
        place, speed = [*motion[0][:3], *place], [*velocity, *speed]
        rate = [*(second - np.cross(spin, velocity)), *rate]
    return place, speed, rate
