"""How a quaternion starts, as a joint tells it: by its parts, by angles, by an axis or by a matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from volterra_cg.spec import attitudes, names, schema
from volterra_cg.spec.attitudes import ONE, ZERO, Four
from volterra_cg.spec.expressions import evaluate
from volterra_cg.spec.joint_types import ANGLES
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import BROKEN, Reading

IDENTITY: Four = (ONE, ZERO, ZERO, ZERO)


def start_of(reading: Reading, path: KeyPath, given: schema.Attitude | None) -> Four:
    """The quaternion at which an attitude starts; the identity if nothing is said, or something wrong."""
    if given is None:
        return IDENTITY
    ways = [way for way in _MAKERS if getattr(given, way) is not None]
    if len(ways) != 1:
        reading.wrong(path, "an attitude is exactly one of angles, axis, matrix and a list of four parts")
        return IDENTITY
    for key, way in (("sequence", "angles"), ("angle", "axis")):
        if getattr(given, key) is not None and ways != [way]:
            reading.wrong((*path, key), f"'{key}' belongs to {way}", key=True)
    return _MAKERS[ways[0]](reading, path, given)


def _parts(reading: Reading, path: KeyPath, given: schema.Attitude) -> Four:
    a, b, c, d = (reading.expression((*path, n), part, names.INITIAL) for n, part in enumerate(given.quaternion or ()))
    return a, b, c, d


def _angles(reading: Reading, path: KeyPath, given: schema.Attitude) -> Four:
    angles = reading.triple((*path, "angles"), given.angles or (), names.INITIAL)
    return attitudes.from_angles(given.sequence or ANGLES, angles)


def _axis(reading: Reading, path: KeyPath, given: schema.Attitude) -> Four:
    axis = reading.triple((*path, "axis"), given.axis, names.INITIAL)
    if all(part == ZERO for part in axis):
        reading.wrong((*path, "axis"), "an axis needs a direction, and this one has length zero")
    if given.angle is None:
        reading.wrong((*path, "axis"), "the angle about this axis is missing", "e.g. angle = 0.3", key=True)
        return IDENTITY
    return attitudes.from_axis(axis, reading.expression((*path, "angle"), given.angle, names.INITIAL))


def _matrix(reading: Reading, path: KeyPath, given: schema.Attitude) -> Four:
    rows = [reading.triple((*path, "matrix", n), row, names.INITIAL) for n, row in enumerate(given.matrix or ())]
    if any(part is BROKEN for row in rows for part in row):
        return IDENTITY
    try:
        numbers = [[evaluate(part, {}) for part in row] for row in rows]
    except KeyError:
        reading.wrong(
            (*path, "matrix"),
            "the matrix of an attitude is given in numbers",
            "angles and axis may hold parameters",
        )
        return IDENTITY
    if not attitudes.is_rotation(numbers):
        reading.wrong(
            (*path, "matrix"), "this matrix is no rotation", "its rows have length one and right angles, x, y, z"
        )
    return attitudes.from_matrix(numbers)


_MAKERS: Mapping[str, Callable[[Reading, KeyPath, schema.Attitude], Four]] = {
    "quaternion": _parts,
    "angles": _angles,
    "axis": _axis,
    "matrix": _matrix,
}
