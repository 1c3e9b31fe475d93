"""Closures of loops, distances, aligned axes and rolling, against the same said otherwise; and reactions."""

import math

import numpy as np
import pytest

from volterra_cg import spec
from volterra_cg.derivation import pose
from volterra_cg.options import Options
from volterra_cg.system.from_spec import from_spec

PENDULUM = """\
schema = 1
name = "rope_pendulum"
[parameters]
l = 0.7
m = 2
[coordinates]
x = { initial = "l*sin(0.4)", rate = "2*l*cos(0.4)" }
y = { initial = "-l*cos(0.4)", rate = "2*l*sin(0.4)" }
[points]
P = { at = ["x", "y", 0] }
[bodies]
bob = { mass = "m", center = "P" }
[gravity]
N = [0, -9.81, 0]
[constraints]
rope = { distance = ["P", "O"], equals = "l" }
[outputs]
force = "reaction(rope)"
"""

DISC = """\
[constraints]
ground = { roll = "disc", at = "C" }
"""

GEARS = """\
schema = 1
name = "gears"
[parameters]
r = 0.2
R = 0.5
[coordinates]
arm = { rate = 2 }
planet = { rate = "2*(R + r)/r - 3*R/r" }
sun = { rate = 3 }
[frames]
Arm = { rotate = [["z", "arm"]] }
Planet = { rotate = [["z", "planet"]] }
Sun = { rotate = [["z", "sun"]] }
[points]
Hub = { in = "Arm", at = ["R + r", 0, 0] }
Tooth = { in = "Arm", at = ["R", 0, 0] }
[bodies]
planet = { mass = 1, center = "Hub", frame = "Planet", shape = { cylinder = { radius = "r", length = 0.1 } } }
sun = { mass = 3, center = "O", frame = "Sun", shape = { cylinder = { radius = "R", length = 0.1 } } }
[constraints]
mesh = { roll = "planet", on = "sun", at = "Tooth", in = "Arm" }
"""


def rows(text):
    problem = pose(from_spec(spec.parse(text)), Options())
    return {row.name: row for row in problem.kinematics.constraints}, problem.notes


@pytest.mark.compiles
def test_the_reaction_of_a_rope_is_its_tension(compiled):
    model = compiled(PENDULUM)
    # m v^2/l + m g cos(angle) pulls the points together
    tension = 2 * (2 * 2 * 0.7 + 9.81 * math.cos(0.4))
    assert model.outputs(0.0, model.z0)["force"] == pytest.approx(-tension, rel=1e-12)
    swing = model.accelerations(0.0, model.z0)
    angular = -9.81 / 0.7 * math.sin(0.4)
    along = np.array([math.cos(0.4), math.sin(0.4)])
    toward = np.array([-math.sin(0.4), math.cos(0.4)])
    assert swing == pytest.approx(0.7 * angular * along + 4 * 0.7 * toward, rel=1e-12)


@pytest.mark.compiles
def test_rolling_in_a_word_is_no_slip_spelled_out(compiled):
    from tests.conftest import MODELS

    text = (MODELS / "rolling_disc.toml").read_text(encoding="utf-8")
    before, _, rest = text.partition("[constraints]")
    word = compiled(before + DISC + "\n[quasi" + rest.partition("[quasi")[2])
    plain = compiled("rolling_disc")
    assert word.report["notes"] == ["constraint ground.z holds by itself and is left out"]
    assert word.rhs(0.0, word.z0) == pytest.approx(plain.rhs(0.0, plain.z0), rel=1e-13)


def test_gears_mesh():
    found, notes = rows(GEARS)
    assert list(found) == ["mesh.y"]
    assert notes[:2] == (
        "constraint mesh.x holds by itself and is left out",
        "constraint mesh.z holds by itself and is left out",
    )


def test_aligned_axes_leave_one_turn():
    text = """\
schema = 1
name = "box"
[coordinates]
a = {}
b = {}
c = { rate = 1 }
[frames]
B = { rotate = [["x", "a"], ["y", "b"], ["z", "c"]] }
[bodies]
box = { mass = 1, center = "O", frame = "B", inertia = [1, 2, 2.5] }
[constraints]
hinge = { align = ["N.z", "B.z"] }
"""
    found, _ = rows(text)
    assert list(found) == ["hinge.x", "hinge.y"]


def test_rows_can_be_chosen():
    text = GEARS.replace('in = "Arm" }', 'in = "Arm", along = ["y"] }')
    found, notes = rows(text)
    assert list(found) == ["mesh.y"]
    assert len(notes) == 1
