"""Loads across points, frames and coordinates, by the generalized forces and energies they give."""

import math

import pytest

from volterra_cg.errors import ModelError
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.program.interpret import interpret
from volterra_cg.spec import parse
from volterra_cg.system.from_spec import from_spec

ARMS = """\
schema = 1
name = "arms"
[parameters]
k = 7
c = 3
[signals]
push = 2
gust = "4*t + der(a)"
[coordinates]
a = {}
b = {}
s = {}
[frames]
A = { rotate = [["z", "a"]] }
B = { parent = "A", rotate = [["z", "b"]] }
T = { parent = "B", rotate = [["x", "a"]] }
[points]
P = { in = "A", at = [2, 0, 0] }
Q = { from = "P", in = "B", at = ["s", 0, 0] }
[bodies]
first = { mass = 1, center = "P", frame = "A", inertia = [1, 1, 1] }
second = { mass = 1, center = "Q", frame = "B", inertia = [1, 1, 1] }
"""
STATE = {"a": 0.4, "b": 0.7, "s": 1.5}
RATES = {"a": 0.3, "b": -0.8, "s": 0.25}


def forces(more: str, t: float = 0.5):
    """What acts on a, b and s, and the energy of all that has a potential."""
    system = from_spec(parse(ARMS + more))
    motion = analyse(system)
    inputs = motion.inputs
    values = dict(zip(inputs.coordinates, STATE.values(), strict=True))
    values |= dict(zip(inputs.rates, RATES.values(), strict=True)) | {inputs.time: t}
    values |= {node: float(p.value) for node, p in zip(inputs.parameters, system.parameters, strict=True)}
    values |= {node: signal.value for node, signal in zip(inputs.signals, system.signals, strict=True)}
    nodes = [q + v for q, v in zip(motion.forces, motion.conservative, strict=True)]
    energy = motion.graph.add(motion.graph.zero, *motion.potentials.values())
    *found, stored = (float(value) for value in interpret([*nodes, energy], values))
    return pytest.approx(found, abs=1e-12), stored


@pytest.mark.parametrize(
    ("load", "expected", "energy"),
    [
        ("[springs]\nx = { coordinate = 's', stiffness = 'k', length = 1 }", (0, 0, -3.5), 0.875),
        ("[springs]\nx = { between = ['P', 'Q'], stiffness = 'k', length = 1 }", (0, 0, -3.5), 0.875),
        ("[springs]\nx = { turn = ['A', 'B'], axis = 'z', stiffness = 'k', length = 0.2 }", (0, -3.5, 0), 0.875),
        ("[springs]\nx = { turn = ['first', 'second'], axis = 'z', stiffness = 'k' }", (0, -4.9, 0), 1.715),
        ("[springs]\nx = { turn = ['N', 'B'], axis = 'z', stiffness = 'k' }", (-7.7, -7.7, 0), 4.235),
        ("[springs]\nx = { turn = ['B', 'A'], axis = 'z', stiffness = 'k' }", (0, -4.9, 0), 1.715),
        ("[springs]\nx = { turn = ['B', 'T'], axis = 'x', stiffness = 'k' }", (-2.8, 0, 0), 0.56),
        ("[dampers]\nx = { coordinate = 's', damping = 'c' }", (0, 0, -0.75), 0),
        ("[dampers]\nx = { between = ['P', 'Q'], damping = 'c' }", (0, 0, -0.75), 0),
        ("[dampers]\nx = { turn = ['A', 'B'], axis = 'z', damping = 'c' }", (0, 2.4, 0), 0),
        ("[dampers]\nx = { turn = ['A', 'B'], damping = 'c' }", (0, 2.4, 0), 0),
        ("[dampers]\nx = { turn = ['N', 'A'], damping = 'c' }", (-0.9, 0, 0), 0),
        ("[actuators]\nx = { coordinate = 'b', force = '3*push + t' }", (0, 6.5, 0), 0),
        ("[actuators]\nx = { between = ['P', 'Q'], force = 'push' }", (0, 0, 2), 0),
        ("[actuators]\nx = { turn = ['N', 'B'], force = 'push' }", (2, 2, 0), 0),
        ("[actuators]\nx = { turn = ['B', 'T'], axis = 'x', force = 'gust' }", (2.3, 0, 0), 0),
        ("[forces]\nx = { at = 'Q', in = 'B', vector = ['push', 0, 0], reaction = 'P' }", (0, 0, 2), 0),
        ("[torques]\nx = { on = 'second', vector = [0, 0, 'push'], reaction = 'first' }", (0, 2, 0), 0),
        (
            "[frictions]\nx = { coordinate = 's', dry = 2, viscous = 3, speed = 0.1 }",
            (0, 0, -2 * math.tanh(2.5) - 0.75),
            0,
        ),
        ("[frictions]\nx = { turn = ['A', 'B'], dry = 2, speed = 0.4 }", (0, 2 * math.tanh(2), 0), 0),
        ("[frictions]\nx = { between = ['Q', 'P'], viscous = 4 }", (0, 0, -1), 0),
    ],
)
def test_a_load(load, expected, energy):
    found, stored = forces(load)
    assert found == list(expected)
    assert stored == pytest.approx(energy, abs=1e-12)


def test_a_spring_about_an_axis_that_other_turns_tilt_takes_the_angle_of_the_next_axis():
    _, stored = forces("[springs]\nx = { turn = ['A', 'T'], axis = 'z', stiffness = 2 }")
    assert stored == pytest.approx(STATE["b"] ** 2)  # T's x is B's x, turned by b about A's z


def test_a_signal_with_an_expression_is_no_input():
    system = from_spec(parse(ARMS + "[actuators]\nx = { coordinate = 'a', force = 'gust + push' }"))
    assert [signal.name for signal in system.signals] == ["push"]


def test_a_turn_about_an_axis_along_which_the_next_one_stays_is_refused():
    """The y axis of U is along x of N, whatever the angle."""
    more = "[springs]\nx = { turn = ['N', 'U'], axis = 'x', stiffness = 'k' }\n"
    more += "[frames.S]\nrotate = [['x', 'a']]\n[frames.U]\nparent = 'S'\nrotate = [['z', 'pi/2']]\n"
    with pytest.raises(ModelError, match="x takes the angle of a direction that is zero everywhere"):
        analyse(from_spec(parse(ARMS + more)))
