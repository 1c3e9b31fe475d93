"""Solids for pictures."""

import struct

import numpy as np
import pytest

from volterra_cg.errors import OptionError
from volterra_cg.runtime.show import shapes

SOLIDS = {
    "box": (shapes.solid("box", (1, 2, 3), 2), 6.0),
    "plate": (shapes.solid("plate", (1, 2), 2), 2 * 0.06),
    "rod": (shapes.solid("rod", (2.0,), 0), np.pi * 0.06**2 * 2),
    "cylinder": (shapes.solid("cylinder", (1.0, 3.0), 1), 3 * np.pi),
    "disc": (shapes.solid("disc", (1.0,), 1), 0.06 * np.pi),
    "sphere": (shapes.solid("sphere", (2.0,), 2), 4 / 3 * np.pi * 8),
    "ring": (shapes.solid("ring", (1.0,), 2), 2 * np.pi**2 * 0.06**2),
}


def volume(solid):
    a, b, c = (solid.corners[np.array(solid.triangles)[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_solid_has_its_volume_and_looks_outward(kind):
    solid, expected = SOLIDS[kind]
    assert volume(solid) == pytest.approx(expected, rel=0.12)
    np.testing.assert_allclose((solid.corners.max(axis=0) + solid.corners.min(axis=0)), 0, atol=1e-12)


@pytest.mark.parametrize("kind", SOLIDS)
def test_all_but_a_ring_enclose_their_centre(kind):
    assert SOLIDS[kind][0].encloses is (kind != "ring")


def test_axes_are_heeded():
    np.testing.assert_allclose(np.ptp(shapes.cylinder(1, 5, 0).corners, axis=0), [5, 2, 2], atol=0.05)
    np.testing.assert_allclose(np.ptp(shapes.cylinder(1, 5, 1).corners, axis=0), [2, 5, 2], atol=0.05)
    np.testing.assert_allclose(np.ptp(shapes.solid("plate", (3, 4), 2).corners, axis=0), [3, 4, 0.12])


def test_a_box_is_found_from_its_inertia():
    mass, (a, b, c) = 3.0, (1.0, 2.0, 4.0)
    moments = mass / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    np.testing.assert_allclose(np.ptp(shapes.of_inertia(mass, np.diag(moments)).corners, axis=0), [a, b, c])
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    found = shapes.of_inertia(mass, turn @ np.diag(moments) @ turn.T)
    np.testing.assert_allclose(np.sort(np.ptp(found.corners @ turn, axis=0)), [a, b, c])
    assert volume(found) == pytest.approx(8.0)
    assert shapes.of_inertia(1.0, np.diag([0.0, 0.0, 1.0])) is None  # of a plane mechanism
    assert shapes.of_inertia(1.0, np.zeros((3, 3))) is None


def test_what_spins_and_is_alike_across_is_a_cylinder():
    mass, radius, length = 2.0, 0.5, 0.3
    along, across = mass * radius**2 / 2, mass * (3 * radius**2 + length**2) / 12
    found = shapes.of_inertia(mass, np.diag([across, along, across]), 1)
    np.testing.assert_allclose(np.ptp(found.corners, axis=0), [1.0, 0.3, 1.0], atol=0.01)
    assert found.round
    assert not shapes.of_inertia(mass, np.diag([across, along, across]), 0).round
    assert not shapes.of_inertia(mass, np.diag([across, along, across])).round


def test_stl_files_are_read(tmp_path):
    box = shapes.box(1, 2, 3)
    triangles = box.corners[np.array(box.triangles)]
    binary, text = tmp_path / "binary.stl", tmp_path / "text.stl"
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *triangle.ravel(), 0) for triangle in triangles)
    binary.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + rows)
    lines = [f"vertex {x} {y} {z}" for triangle in triangles for x, y, z in triangle]
    text.write_text("solid box\n" + "\n".join(lines) + "\nendsolid\n")
    for path in (binary, text):
        assert volume(shapes.read_stl(path)) == pytest.approx(6.0)
    text.write_text("solid nothing")
    with pytest.raises(OptionError, match="no STL file"):
        shapes.read_stl(text)
    with pytest.raises(OptionError, match="cannot be read"):
        shapes.read_stl(tmp_path / "none.stl")
