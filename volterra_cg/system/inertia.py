"""Central inertia tensors: from given entries, in another frame, or of a uniform solid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy
from sympy import Expr, Integer, Matrix, eye

from volterra_cg.spec.entities import Body, Cosines, Frame, Inertia, Quaternion, Rotation, Shape, Turn
from volterra_cg.spec.tree import Triple
from volterra_cg.system.frames import between

Tensor = tuple[Triple[Expr], Triple[Expr], Triple[Expr]]


def central_tensor(body: Body[Expr]) -> Tensor | None:
    """The central tensor of a body, in its own axes; None for a particle."""
    match body.inertia:
        case Shape(kind=kind, sizes=sizes, axis=axis):
            return of_solid(kind, body.mass, sizes, axis)
        case Inertia(entries=entries):
            return tensor(entries)
    return None


def in_own_axes(body: Body[Expr], frames: Mapping[str, Frame[Expr]]) -> Body[Expr]:
    """A body with its inertia in its own axes; a particle loses its frame."""
    if body.inertia is None or body.frame is None:
        return replace(body, frame=None, inertia=None)
    if isinstance(body.inertia, Shape) or body.inertia.frame in (None, body.frame):
        return body
    xx, xy, xz, _, yy, yz, _, _, zz = turned(
        tensor(body.inertia.entries), relative_rotation(body.frame, body.inertia.frame, frames)
    )
    return replace(body, inertia=Inertia({"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}))


def tensor(entries: Mapping[str, Expr]) -> Tensor:
    """The symmetric tensor with these entries; missing ones are zero."""
    zero = Integer(0)
    xx, yy, zz, xy, xz, yz = (entries.get(key, zero) for key in ("xx", "yy", "zz", "xy", "xz", "yz"))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def turned(given: Tensor, rotation: Matrix) -> Matrix:
    """A tensor in new axes; column j of `rotation` holds the old axis j in the new axes."""
    return (rotation * Matrix(given) * rotation.T).applyfunc(sympy.expand)


def of_solid(kind: str, mass: Expr, sizes: tuple[Expr, ...], axis: int) -> Tensor:
    """The tensor of a uniform solid; `axis` is that of a rod, cylinder, ring or disc, and the normal of a plate."""
    match kind:
        case "box":
            a, b, c = sizes
            moments = [mass * (b**2 + c**2) / 12, mass * (a**2 + c**2) / 12, mass * (a**2 + b**2) / 12]
        case "plate":
            a, b = sizes
            moments = [mass * b**2 / 12, mass * a**2 / 12, mass * (a**2 + b**2) / 12]
        case "rod":
            moments = _round(Integer(0), mass * sizes[0] ** 2 / 12, axis)
        case "cylinder":
            radius, length = sizes
            moments = _round(mass * radius**2 / 2, mass * (3 * radius**2 + length**2) / 12, axis)
        case "ring":
            moments = _round(mass * sizes[0] ** 2, mass * sizes[0] ** 2 / 2, axis)
        case "disc":
            moments = _round(mass * sizes[0] ** 2 / 2, mass * sizes[0] ** 2 / 4, axis)
        case "sphere":
            moments = [2 * mass * sizes[0] ** 2 / 5] * 3
        case _:
            raise ValueError(f"unknown shape {kind}")
    return tensor(dict(zip(("xx", "yy", "zz"), moments, strict=True)))


def relative_rotation(start: str, end: str, frames: Mapping[str, Frame[Expr]]) -> Matrix:
    """The matrix whose column j holds axis j of `end` in the axes of `start`; only what turns between them enters."""
    ours, theirs = between(start, end, frames)
    return _product(ours, frames).T * _product(theirs, frames)


def _round(along: Expr, across: Expr, axis: int) -> list[Expr]:
    return [along if index == axis else across for index in range(3)]


def _product(chain: list[str], frames: Mapping[str, Frame[Expr]]) -> Matrix:
    result = eye(3)
    for name in reversed(chain):
        for rotation in frames[name].rotations:
            result = result * rotation_matrix(rotation)
    return result


def rotation_matrix(rotation: Rotation[Expr]) -> Matrix:
    """Column j holds the new axis j in the old axes."""
    match rotation:
        case Turn(axis=axis, angle=angle):
            unit = Matrix(axis)
            skew = Matrix([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
            cosine, sine = sympy.cos(angle), sympy.sin(angle)
            return cosine * eye(3) + sine * skew + (1 - cosine) * unit * unit.T
        case Cosines(rows=rows):
            return Matrix(rows)
        case Quaternion(parts=(w, x, y, z)):
            return Matrix(
                [
                    [1 - 2 * (y**2 + z**2), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                    [2 * (x * y + w * z), 1 - 2 * (x**2 + z**2), 2 * (y * z - w * x)],
                    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x**2 + y**2)],
                ]
            )
