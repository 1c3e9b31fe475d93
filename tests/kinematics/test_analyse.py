"""What an analysis refuses or notes."""

from dataclasses import replace

import pytest
import sympy

from tests.fixtures.mechanics import kinematics_of, system_of
from tests.fixtures.specs import SKEW
from volterra_cg.errors import ModelError
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.system.types import TIME, Constraint, Gravity


def test_gravity_in_a_frame_that_turns_is_refused():
    zero = sympy.Integer(0)
    with pytest.raises(ModelError, match="gravity is given in F, which turns"):
        analyse(replace(system_of(SKEW), gravity=Gravity("F", (zero, zero, -sympy.Integer(1)))))


@pytest.mark.parametrize("speed", ["der(a)**2", "abs(der(a))", "sign(der(a))", "sqrt(1 + der(a)**2)"])
def test_a_speed_that_is_not_affine_in_the_rates_is_refused(speed):
    with pytest.raises(ModelError, match="w is not affine"):
        kinematics_of(SKEW + f'[quasi_velocities]\nw = "{speed}"\n')


def test_roots_do_not_hide_that_a_speed_is_affine():
    text = """
schema = 1
name = "skew_pair"
[coordinates]
a = {}
[frames]
F = { rotate = [[[-1, 0, 3], "a"]] }
G = { parent = "F", rotate = [[[-1, 0, 3], "pi/2"]] }
[points]
P = { in = "F", at = [0, 0.9, 0] }
Q = { from = "P", in = "G", at = [0, 0.4, 0.7] }
[bodies]
b = { mass = 1, center = "Q" }
[quasi_velocities]
w = "dot(velocity(Q), N.y)"
"""
    (row,) = kinematics_of(text).speeds
    assert set(row.columns) == {0}


def test_a_constraint_without_motion_is_refused_and_an_empty_one_noted():
    with pytest.raises(ModelError, match="no velocity in it"):
        analyse(replace(system_of(SKEW), constraints=(Constraint("odd", TIME - 1, holonomic=True),)))
    notes = kinematics_of(SKEW + '[constraints]\nnothing = "sin(a)**2 + cos(a)**2 - 1"\n').notes
    assert notes == ("constraint nothing holds by itself and is left out",)
