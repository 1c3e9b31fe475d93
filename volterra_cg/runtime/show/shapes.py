"""Solids as polygons, in the axes of their body about its centre; every face is convex and seen from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from volterra_cg import stl
from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

AROUND = 24  # corners of a circle
THIN = 0.03  # of what has no thickness, beside its largest size
TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Solid:
    """Corners, shape (n, 3), and faces as rings of their numbers; a `round` one is drawn without edges."""

    corners: Vector
    faces: tuple[tuple[int, ...], ...]
    round: bool = False

    @property
    def triangles(self) -> list[tuple[int, int, int]]:
        """The faces cut into triangles."""
        return [(ring[0], a, b) for ring in self.faces for a, b in pairwise(ring[1:])]

    @cached_property
    def normals(self) -> Vector:
        """The directions that the faces look to, shape (faces, 3); zero for one without an area."""
        found = np.zeros((len(self.faces), 3))
        for number, ring in enumerate(self.faces):  # a sum over the corners: some of them may be equal
            corners = self.corners[list(ring)]
            found[number] = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
        sizes = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.where(sizes > 0, sizes, 1.0))

    @property
    def reach(self) -> float:
        """How far the farthest corner is from the centre."""
        return float(np.linalg.norm(self.corners, axis=1).max(initial=0.0))

    @property
    def encloses(self) -> bool:
        """Whether the centre is inside: seen from there, the faces fill all directions, those of a ring do not."""
        a, b, c = (self.corners[np.array(self.triangles)[:, k]] for k in range(3))
        p, q, r = (np.linalg.norm(each, axis=1) for each in (a, b, c))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        rest = p * q * r + np.sum(a * b, axis=1) * r + np.sum(b * c, axis=1) * p + np.sum(c * a, axis=1) * q
        return bool(abs(2 * np.arctan2(volume, rest).sum()) > 3 * np.pi)


def box(a: float, b: float, c: float) -> Solid:
    """A box of these sides."""
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * (a / 2, b / 2, c / 2)
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return Solid(corners, faces)


def cylinder(radius: float, length: float, axis: int) -> Solid:
    """A cylinder along an axis."""
    angles = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(AROUND, -length / 2)])
    corners = np.vstack([ring, ring + np.array([0.0, 0.0, length])])
    sides = [(k, (k + 1) % AROUND, AROUND + (k + 1) % AROUND, AROUND + k) for k in range(AROUND)]
    caps = [tuple(reversed(range(AROUND))), tuple(range(AROUND, 2 * AROUND))]
    return Solid(np.roll(corners, axis - 2, axis=1), (*sides, *caps), round=True)


def sphere(radius: float) -> Solid:
    """A sphere."""
    return _lathe(np.array([(np.sin(a), -np.cos(a)) for a in np.linspace(0, np.pi, AROUND // 2 + 1)]) * radius)


def ring(radius: float, axis: int) -> Solid:
    """A thin ring about an axis."""
    thick = 2 * THIN * radius
    angles = np.linspace(0, 2 * np.pi, 9)
    profile = np.column_stack([radius + thick * np.cos(angles), thick * np.sin(angles)])
    made = _lathe(profile)
    return Solid(np.roll(made.corners, axis - 2, axis=1), made.faces, round=True)


def _lathe(profile: Vector) -> Solid:
    """A profile of (radius, height) turned about z."""
    angles = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    corners = np.array([(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles])
    faces = [
        (k * AROUND + j, k * AROUND + (j + 1) % AROUND, (k + 1) * AROUND + (j + 1) % AROUND, (k + 1) * AROUND + j)
        for k in range(len(profile) - 1)
        for j in range(AROUND)
    ]
    return Solid(corners, tuple(faces), round=True)


def solid(kind: str, sizes: Sequence[float], axis: int) -> Solid:
    """The solid of a shape of the spec."""
    match kind:
        case "box":
            return box(*sizes)
        case "plate":
            a, b = sizes
            thick = THIN * max(a, b)
            sides = [a, b]
            sides.insert(axis if axis in (0, 1, 2) else 2, thick)
            return box(*sides)
        case "rod":
            return cylinder(THIN * sizes[0], sizes[0], axis)
        case "cylinder":
            return cylinder(sizes[0], sizes[1], axis)
        case "disc":
            return cylinder(sizes[0], 2 * THIN * sizes[0], axis)
        case "ring":
            return ring(sizes[0], axis)
        case "sphere":
            return sphere(sizes[0])
    raise OptionError(f"there is no picture of the shape {kind}")


def of_inertia(mass: float, tensor: Vector, spin: int | None = None) -> Solid | None:
    """The box of the same mass and inertia; None where the tensor is that of no solid, such as of a plane mechanism.

    A body that spins about an axis, and is alike across it, is a cylinder.
    """
    moments, axes = np.linalg.eigh(tensor)
    if not mass > 0 or moments[-1] <= TINY:
        return None
    if spin is not None and (made := _rotor(mass, tensor, spin)) is not None:
        return made
    squares = 6 * (moments.sum() - 2 * moments) / mass
    largest = squares.max()
    if (squares < -1e-6 * largest).any():
        return None
    sides = np.maximum(np.sqrt(np.maximum(squares, 0.0)), THIN * np.sqrt(largest))
    order = np.argmax(np.abs(axes), axis=0)  # each side along the axis of the body that is nearest
    if len(set(order)) == 3 and np.abs(axes).max(axis=0).min() > 0.9:
        place = np.argsort(order)
        sides, axes = sides[place], axes[:, place]
    axes = axes * np.where(np.linalg.det(axes) < 0, -1.0, 1.0)
    made = box(*sides)
    return Solid(made.corners @ axes.T, made.faces)


def _rotor(mass: float, tensor: Vector, axis: int) -> Solid | None:
    """The cylinder of this inertia about an axis, if there is one."""
    along, across = tensor[axis, axis], np.delete(np.diag(tensor), axis)
    mixed = np.abs(tensor - np.diag(np.diag(tensor))).max()
    radius = np.sqrt(2 * along / mass)
    square = 12 * across[0] / mass - 3 * radius**2
    if along <= TINY or max(abs(across[0] - across[1]), mixed) > 1e-9 * along or square < -1e-6 * radius**2:
        return None
    return cylinder(float(radius), float(max(np.sqrt(max(square, 0.0)), 2 * THIN * radius)), axis)


def read_stl(path: str | Path, most: int = stl.MOST) -> Solid:
    """The triangles of an STL file, binary or text; at most about so many."""
    try:
        return of_triangles(stl.simpler(stl.corners(Path(path).read_bytes()), most))
    except OSError as error:
        raise OptionError(f"the shape cannot be read: {error}") from error
    except ValueError as error:
        raise OptionError(f"{path} is no STL file: {error}") from error


def of_triangles(corners: Vector) -> Solid:
    """The solid of triangles, shape (3 triangles, 3), in which each place is one corner."""
    places, which = np.unique(corners, axis=0, return_inverse=True)
    return Solid(places, tuple((a, b, c) for a, b, c in which.reshape(-1, 3).tolist()), round=True)
