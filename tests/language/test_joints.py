"""Forces and torques that pass in joints."""

import math

import pytest

from volterra_cg.errors import SpecError
from volterra_cg.spec import parse

PENDULUM = """\
schema = 1
name = "beam"
[parameters]
m = 2
l = 0.7
k = 5
[signals]
pull = 3
[coordinates]
a = { initial = 0.4, rate = 2 }
[frames]
A = { rotate = [["z", "a"]] }
[points]
Pin = {}
G = { from = "Pin", in = "A", at = ["l", 0, 0] }
Tip = { from = "G", in = "A", at = ["l", 0, 0] }
[bodies]
beam = { mass = "m", center = "G", frame = "A", shape = { rod = "2*l" } }
weight = { mass = 1, center = "Tip" }
[gravity]
N = [0, -9.81, 0]
[springs]
coil = { coordinate = "a", stiffness = "k" }
[forces]
rope = { at = "Tip", vector = ["pull", 0, 0] }
[outputs]
x = "reaction(Pin.x)"
y = "reaction(Pin.y)"
along = "reaction(Tip.x)"
across = "reaction(Tip.y)"
bend = "reaction(A.z)"
"""

# The same linkage, its loop cut at the far end or at the crank's pin.
LINKAGE = """\
schema = 1
name = "{name}"
[coordinates]
q1 = {{ initial = 1.1, rate = 3 }}
q2 = {{ initial = 0.5 }}
q3 = {{ initial = 1.4 }}
[frames]
F1 = {{ rotate = [["z", "q1"]] }}
F2 = {{ rotate = [["z", "q2"]] }}
F3 = {{ rotate = [["z", "q3"]] }}
[points]
P1 = {{ in = "F1", at = [0.3, 0, 0] }}
D = {{ at = [0.8, 0, 0] }}
P3 = {{ from = "D", in = "F3", at = [0.6, 0, 0] }}
{points}
[bodies]
crank = {{ mass = 1, center = "P1" }}
rod = {{ mass = 2, center = "G2", frame = "F2", shape = {{ rod = 0.8 }} }}
rocker = {{ mass = 3, center = "P3" }}
[gravity]
N = [0, -9.81, 0]
[constraints]
loop = {{ coincide = {loop} }}
[start]
project = ["q2", "q3"]
[outputs]
{outputs}
"""


FAR = """\
Pin = { from = "P1" }
P2 = { from = "Pin", in = "F2", at = [0.8, 0, 0] }
G2 = { from = "Pin", in = "F2", at = [0.4, 0, 0] }
"""
NEAR = """\
P2 = { from = "P3", in = "F2", at = [-0.8, 0, 0] }
G2 = { from = "P3", in = "F2", at = [-0.4, 0, 0] }
"""
JOINT = """\
fx = "reaction(Pin.x)"
fy = "reaction(Pin.y)"
"""


@pytest.mark.compiles
def test_forces_in_the_pin_of_a_beam(compiled):
    model = compiled(PENDULUM)
    out = model.outputs(0.0, model.z0)
    (angular,) = model.accelerations(0.0, model.z0)
    m, l, g, c, s = 2, 0.7, 9.81, math.cos(0.4), math.sin(0.4)  # noqa: E741
    moment = m * l + 1 * 2 * l  # Σ m r: mass by distance
    ax, ay = (-s * angular - 4 * c) * moment, (c * angular - 4 * s) * moment
    assert out["x"] == pytest.approx(ax - 3, rel=1e-12)
    assert out["y"] == pytest.approx(ay + 3 * g, rel=1e-12)
    assert out["along"] == pytest.approx(-4 * 2 * l + g * s - 3 * c, rel=1e-12)
    assert out["across"] == pytest.approx(2 * l * angular + g * c + 3 * s, rel=1e-12)
    assert out["bend"] == pytest.approx(-5 * 0.4, rel=1e-12)  # that of the coil


@pytest.mark.compiles
def test_a_pin_in_a_loop_has_the_force_of_the_constraint_that_could_replace_it(compiled):
    far = LINKAGE.format(name="far", points=FAR, loop='["P2", "P3"]', outputs=JOINT)
    near = LINKAGE.format(name="near", points=NEAR, loop='["P2", "P1"]', outputs=JOINT.replace("Pin", "loop"))
    far, near = compiled(far), compiled(near)
    assert far.z0 == pytest.approx(near.z0, abs=1e-13)
    assert far.accelerations(0, far.z0) == pytest.approx(near.accelerations(0, near.z0), rel=1e-11)
    first, second = far.outputs(0, far.z0), near.outputs(0, near.z0)
    assert [first["fx"], first["fy"]] == pytest.approx([second["fx"], second["fy"]], rel=1e-10)


def test_the_force_of_a_joint_needs_a_direction():
    with pytest.raises(SpecError) as caught:
        parse(PENDULUM + 'bad = "reaction(Pin)"\n')
    assert caught.value.problems[0].message == "'Pin' is a joint, and its force has a direction"
