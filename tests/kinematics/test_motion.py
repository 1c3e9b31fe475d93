"""Frames turn and vectors meet as they should."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.fixtures.mechanics import State, kinematics_of
from tests.fixtures.specs import SKEW, TWINS


def matrix(state, number):
    axes, graph = state.kinematics.axes, state.kinematics.graph
    columns = [axes.express(((number, tuple(graph.const(int(i == k)) for i in range(3))),), 0) for k in range(3)]
    return np.array([state.values(column) for column in columns]).T


def test_successive_turns_are_intrinsic():
    state = State(TWINS)
    expected = Rotation.from_euler("ZYX", state.q).as_matrix()
    assert matrix(state, 1) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("number", [2, 3])
def test_cosines_and_quaternion_turn_as_the_angles_do(number):
    state = State(TWINS)
    assert matrix(state, number) == pytest.approx(matrix(state, 1), abs=1e-14)
    first, other = state.kinematics.bodies[0], state.kinematics.bodies[number - 1]
    for left, right in ((first.frame.spin, other.frame.spin), (first.frame.bias, other.frame.bias)):
        assert state.values(left) == pytest.approx(state.values(right), abs=1e-13)


def test_equal_motions_are_equal_by_meaning():
    first, second, third = kinematics_of(TWINS).bodies
    assert first.kinetic.fingerprint == second.kinetic.fingerprint == third.kinetic.fingerprint


def test_a_turn_about_any_axis():
    state = State(SKEW)
    axis = np.array([1, -2, 0.5]) / np.linalg.norm([1, -2, 0.5])
    assert matrix(state, 1) == pytest.approx(Rotation.from_rotvec(axis * state.q[0]).as_matrix(), abs=1e-14)
    assert state.values(state.kinematics.bodies[0].frame.spin) == pytest.approx(axis * state.rates[0], abs=1e-14)


def test_vectors_meet_in_any_frame():
    state = State(TWINS)
    axes = state.kinematics.axes
    left = tuple(state.kinematics.graph.const(n) for n in (1, 2, 3))
    right = tuple(state.kinematics.graph.const(n) for n in (-2, 0, 5))
    dot = axes.dot(((1, left),), ((3, right),))
    cross = axes.express(axes.cross(((1, left),), ((3, right),)), 0)
    a, b = matrix(state, 1) @ [1, 2, 3], matrix(state, 3) @ [-2, 0, 5]
    assert state.values([dot])[0] == pytest.approx(a @ b)
    assert state.values(cross) == pytest.approx(np.cross(a, b))


def test_gravity_in_a_tilted_frame_at_rest():
    tilted = SKEW.replace("[frames]", '[frames]\nTilted = { rotate = [["x", "pi/6"]] }')
    tilted += '[points]\nG = { in = "F", at = [0, 1, 0] }\n[gravity]\nTilted = [0, 0, -2]\n'
    state = State(tilted.replace('center = "O"', 'center = "G"'))
    world = matrix(state, 1) @ np.array([0, 0, -2.0])
    (potential,) = state.values([state.kinematics.potential])
    assert potential == pytest.approx(-world @ matrix(state, 2)[:, 1])
