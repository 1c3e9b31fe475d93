"""Triangles of STL files."""

import numpy as np
import pytest

from volterra_cg import stl


def sphere(count):
    """A sphere of radius 1 as 2 count**2 triangles."""
    a, b = np.meshgrid(np.linspace(0, np.pi, count + 1), np.linspace(0, 2 * np.pi, count + 1), indexing="ij")
    grid = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=2)
    p, q, r, s = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.stack([p, q, r, p, r, s], axis=2).reshape(-1, 3)


def volume(corners):
    a, b, c = (corners[k::3] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def test_fewer_triangles_keep_the_form():
    given = sphere(80)
    found = stl.simpler(given, 2000)
    assert 500 < len(found) / 3 <= 2000
    assert volume(found) == pytest.approx(volume(given), rel=0.06)  # all look outward still
    assert np.linalg.norm(found, axis=1).min() > 0.9
    np.testing.assert_array_equal(stl.simpler(given, len(given)), given)


def test_corners_come_back_from_text():
    given = sphere(4)
    np.testing.assert_allclose(stl.unpacked(stl.packed(given)), given, atol=1e-7)


@pytest.mark.parametrize(
    "data", [b"", b"solid a\nvertex 1 2\n", b"solid\nvertex 1 2 x", b"solid\nvertex 1 2 nan\n" * 3]
)
def test_what_is_no_stl_is_refused(data):
    with pytest.raises(ValueError, match=r"triangles|convert|reshape|inhomogeneous"):
        stl.corners(data)
