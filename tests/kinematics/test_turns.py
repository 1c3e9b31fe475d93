from dataclasses import replace

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

from tests.fixtures.mechanics import State, kinematics_of, system_of
from tests.fixtures.specs import TWINS
from volterra_cg.errors import ModelError
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.system.types import TIME, Constraint, Gravity

SKEW = """
schema = 1
name = "skew"
[coordinates]
a = { initial = 0.3 }
[frames]
F = { rotate = [[[1, -2, 0.5], "a"]] }
[bodies]
box = { mass = 1, center = "O", frame = "F", inertia = { xx = 1, yy = 2, zz = 3 } }
"""


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


def test_gravity_in_a_frame_that_turns_is_refused():
    zero = sympy.Integer(0)
    with pytest.raises(ModelError, match="gravity is given in F, which turns"):
        analyse(replace(system_of(SKEW), gravity=Gravity("F", (zero, zero, -sympy.Integer(1)))))


def test_gravity_in_a_tilted_frame_at_rest():
    tilted = SKEW.replace("[frames]", '[frames]\nTilted = { rotate = [["x", "pi/6"]] }')
    tilted += '[points]\nG = { in = "F", at = [0, 1, 0] }\n[gravity]\nTilted = [0, 0, -2]\n'
    state = State(tilted.replace('center = "O"', 'center = "G"'))
    world = matrix(state, 1) @ np.array([0, 0, -2.0])
    (potential,) = state.values([state.kinematics.potential])
    assert potential == pytest.approx(-world @ matrix(state, 2)[:, 1])


def test_a_speed_that_is_not_affine_in_the_rates_is_refused():
    text = SKEW + '[quasi_velocities]\nw = "der(a)**2"\n'
    with pytest.raises(ModelError, match="w is not affine"):
        kinematics_of(text)


def test_a_constraint_without_motion_is_refused_and_an_empty_one_noted():
    with pytest.raises(ModelError, match="no velocity in it"):
        analyse(replace(system_of(SKEW), constraints=(Constraint("odd", TIME - 1, holonomic=True),)))
    notes = kinematics_of(SKEW + '[constraints]\nnothing = "sin(a)**2 + cos(a)**2 - 1"\n').notes
    assert notes == ("constraint nothing holds by itself and is left out",)
