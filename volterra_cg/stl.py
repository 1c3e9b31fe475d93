"""Triangles of STL files: read, made fewer, and kept as text."""

from __future__ import annotations

import base64
import struct
from functools import lru_cache

import numpy as np

from volterra_cg.arrays import Vector

MOST = 6_000  # triangles that a model keeps of one file
FINEST, COARSEST = 256, 2  # cells along the longest side of what is made simpler
_ROW = np.dtype([("normal", "<3f4"), ("corners", "<9f4"), ("rest", "<u2")])


def corners(data: bytes) -> Vector:
    """The corners of the triangles of an STL file, binary or text, shape (3 triangles, 3); raises ValueError."""
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, dtype=_ROW, count=count, offset=84)
        found = rows["corners"].reshape(-1, 3).astype(np.float64)
    else:
        lines = (line.split() for line in data.decode("ascii", "replace").splitlines())
        found = np.array([words[1:4] for words in lines if words[:1] == ["vertex"]], dtype=np.float64).reshape(-1, 3)
    if not len(found) or len(found) % 3 or not np.isfinite(found).all():
        raise ValueError("it has no triangles")
    return found


def simpler(given: Vector, most: int) -> Vector:
    """At most about so many triangles: corners that share a cell of a grid become one, on a grid that is coarse enough."""
    cells = FINEST
    while len(given) > 3 * most and cells >= COARSEST:
        low, side = given.min(axis=0), np.ptp(given, axis=0).max() / cells
        grid = np.floor((given - low) / (side or 1.0)).astype(np.int64)
        _, which = np.unique(grid, axis=0, return_inverse=True)
        which = which.reshape(-1)
        sums = np.stack([np.bincount(which, given[:, k]) for k in range(3)], axis=1)
        middles = sums / np.bincount(which)[:, np.newaxis]
        rings = which.reshape(-1, 3)
        whole = (rings[:, 0] != rings[:, 1]) & (rings[:, 1] != rings[:, 2]) & (rings[:, 2] != rings[:, 0])
        kept = np.unique(_from_the_least(rings[whole]), axis=0)
        if 0 < len(kept) <= most:
            return np.asarray(middles[kept].reshape(-1, 3))
        cells = 3 * cells // 4
    return given[: 3 * most]


def _from_the_least(rings: np.ndarray) -> np.ndarray:
    """Rings of three that begin with their least corner, in the same sense."""
    first = rings.argmin(axis=1)[:, np.newaxis]
    return np.asarray(np.take_along_axis(rings, (first + np.arange(3)) % 3, axis=1))


def packed(given: Vector) -> str:
    """Corners as text."""
    return base64.b64encode(given.astype("<f4").tobytes()).decode("ascii")


@lru_cache(maxsize=64)
def unpacked(text: str) -> Vector:
    """Corners from text."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(-1, 3).astype(np.float64)
