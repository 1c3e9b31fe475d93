"""Wheels, discs and balls that roll by a word, against the contact written by hand."""

import numpy as np
import pytest

from volterra_cg import derivation
from volterra_cg.errors import ModelError
from volterra_cg.options import Options
from volterra_cg.spec import parse
from volterra_cg.system.from_spec import from_spec

COIN = """\
schema = 1
name = "coin"
[parameters]
r = 0.5
m = 2
[bodies]
coin = { mass = "m", shape = { disc = { radius = "r", axis = "y" } } }
[joints.flight]
type = "free"
child = "coin"
orientation = "zxy"
coordinates = ["x", "y", "z", "yaw", "lean", "spin"]
initial = [0, 0, "r*cos(0.3)", 0.2, 0.3, 0.4]
rate = [0, 0, 0, 0.5, 0.6, 7]
[gravity]
N = [0, 0, -9.81]
[constraints]
rim = { roll = "coin", radius = "r", axis = "y" }
[start]
project = ["x", "y", "z"]
"""
BY_HAND = """\
schema = 1
name = "coin"
[parameters]
r = 0.5
m = 2
[coordinates]
x = {}
y = {}
yaw = { initial = 0.2, rate = 0.5 }
lean = { initial = 0.3, rate = 0.6 }
spin = { initial = 0.4, rate = 7 }
[frames]
Lean = { rotate = [["z", "yaw"], ["x", "lean"]] }
Coin = { parent = "Lean", rotate = [["y", "spin"]] }
[points]
C = { at = ["x", "y", 0] }
G = { from = "C", in = "Lean", at = [0, 0, "r"] }
[bodies]
coin = { mass = "m", center = "G", frame = "Coin", inertia = ["m*r**2/4", "m*r**2/2", "m*r**2/4"] }
[gravity]
N = [0, 0, -9.81]
[constraints]
rim = { roll = "coin", at = "C" }
[start]
project = ["x", "y"]
"""


TURNTABLE = """\
schema = 1
name = "turntable"
[bodies]
ball = { mass = 2, shape = { sphere = 0.1 } }
table = { mass = 1, center = "O", frame = "T", shape = { disc = 3 } }
[frames]
T = { rotate = [["z", "1.4*t"]] }
[joints.flight]
type = "free"
child = "ball"
orientation = "quaternion"
initial = [0.5, 0, 0.1]
rate = [0, 0.2, 0]
[constraints]
roll = { roll = "ball", radius = 0.1, on = "table" }
[start]
project = true
[outputs]
v = "velocity(ball)"
"""


@pytest.mark.compiles
def test_a_coin_rolls_as_with_its_contact_written_by_hand(compiled):
    word, hand = compiled(COIN), compiled(BY_HAND)
    names = ("yaw", "lean", "spin")
    ends = []
    for model in (word, hand):
        run = model.simulate(1.0, dt=0.5, rtol=1e-11, atol=1e-12)
        ends.append([run[name][-1] for name in names])
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-8)
    run = word.simulate(1.0, dt=0.5, rtol=1e-11, atol=1e-12)
    assert run["z"] == pytest.approx(0.5 * np.cos(run["lean"]), abs=1e-9)
    assert abs(run.drift()["energy"]).max() < 1e-8


def test_a_coin_above_the_ground_is_refused():
    floating = COIN.replace('"r*cos(0.3)"', "0.6").partition("[start]")[0]
    with pytest.raises(ModelError, match=r"rim\.z"):
        derivation.pose(from_spec(parse(floating)), Options())


@pytest.mark.compiles
def test_a_ball_of_a_free_joint_rolls_on_a_turntable(compiled):
    """In space, the center of a ball on a table that turns at W goes round at 2/7 W."""
    run = compiled(TURNTABLE).simulate(4.0, dt=0.01, rtol=1e-12, atol=1e-13)
    turned = np.unwrap(np.arctan2(run["v"][:, 1], run["v"][:, 0]))
    assert np.diff(turned) / 0.01 == pytest.approx(np.full(400, 1.4 * 2 / 7), rel=1e-6)
    assert np.linalg.norm(run["v"], axis=1) == pytest.approx(np.full(401, np.linalg.norm(run["v"][0])), rel=1e-7)
