"""Which points of a picture are behind solids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from volterra_cg.arrays import Vector

AT_ONCE = 500_000  # pairs of a point and a triangle
EDGE = 1e-9  # of a triangle: a point under the edge of two is behind both, whatever rounding says


def hidden(points: Vector, triangles: Vector, near: float) -> NDArray[np.bool_]:
    """Whether a triangle is in front of a point by more than `near`, for each point.

    Points, shape (n, 3), and the corners of triangles, shape (m, 3, 3), are told as right, up and nearness.
    """
    found = np.zeros(len(points), dtype=np.bool_)
    a, b, c = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = _cross(b, c)
    faced = np.abs(area) > 1e-12 * np.abs(area).max(initial=0.0)  # the others are seen from the side
    a, b, c, area = a[faced], b[faced], c[faced], area[faced]
    step = max(1, AT_ONCE // max(1, len(a)))
    for first in range(0, len(points), step):
        away = points[first : first + step, np.newaxis] - a
        s, t = _cross(away, c) / area, _cross(b, away) / area
        before = s * b[:, 2] + t * c[:, 2] - away[..., 2] > near
        within = (s >= -EDGE) & (t >= -EDGE) & (s + t <= 1 + EDGE)
        found[first : first + step] = (within & before).any(axis=1)
    return found


def stretches(seen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first and last number of each row of neighbours that are seen, of two or more."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], seen, [False]]).astype(np.int8)))
    return [(int(first), int(last) - 1) for first, last in edges.reshape(-1, 2) if last - first > 1]


def _cross(a: Vector, b: Vector) -> Vector:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
