"""Turns are found in the matrices that sympy makes of them."""

import pytest
import sympy as sm
import sympy.physics.mechanics as me

from volterra_cg.spec.entities import Cosines, Quaternion, Turn
from volterra_cg.sympy_objects.rotations import rotations
from volterra_cg.system.inertia import rotation_matrix

A, B, C, S = sm.symbols("a b c s", real=True)
N = me.ReferenceFrame("N")


def matrix(orient):
    frame = me.ReferenceFrame("F")
    orient(frame)
    return N.dcm(frame)


def product(found):
    total = sm.eye(3)
    for rotation in found:
        total = total * rotation_matrix(rotation)
    return total


WAYS = {
    "axis": (lambda f: f.orient_axis(N, A, N.y), 1),
    "against an axis": (lambda f: f.orient_axis(N, A, -N.x), 1),
    "from the child": (lambda f: N.orient_axis(f, A - B, f.z), 1),
    "sum": (lambda f: f.orient_axis(N, A + 2 * B + S, N.z), 1),
    "skew axis": (lambda f: f.orient_axis(N, A, N.x + 2 * N.y - 2 * N.z), 1),
    "body": (lambda f: f.orient_body_fixed(N, (A, B, C), "321"), 3),
    "body, twice one axis": (lambda f: f.orient_body_fixed(N, (A, -B, C), "ZXZ"), 3),
    "space": (lambda f: f.orient_space_fixed(N, (A, B, C), "123"), 3),
    "two turns": (lambda f: f.orient_body_fixed(N, (A, 0, C), "xyz"), 2),
    "none": (lambda f: f.orient_axis(N, 0, N.z), 0),
}


@pytest.mark.parametrize("way", WAYS)
def test_turns_are_found_again(way):
    orient, count = WAYS[way]
    cosines = matrix(orient)
    found = rotations(cosines)
    assert len(found) == count
    assert all(isinstance(rotation, Turn) for rotation in found)
    assert (product(found) - cosines).applyfunc(sm.expand) == sm.zeros(3)


@pytest.mark.parametrize(
    ("orient", "parts"),
    [
        (lambda f: f.orient_quaternion(N, (A, B, C, S)), (A, B, C, S)),
        (lambda f: N.orient_quaternion(f, (S, C, B, A)), (S, -C, -B, -A)),
    ],
)
def test_quaternions_are_found_again(orient, parts):
    assert rotations(matrix(orient)) == (Quaternion(parts),)


def test_what_is_no_product_of_turns_stays_a_matrix():
    cosines = sm.Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    [found] = rotations(cosines)
    assert isinstance(found, Cosines)
    assert sm.Matrix(found.rows) == cosines
