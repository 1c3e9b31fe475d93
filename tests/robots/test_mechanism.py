"""Robots as mechanisms."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.mechanics import Motion
from volterra_cg.errors import SpecError
from volterra_cg.robots import imported
from volterra_cg.spec import parse

PAGE = Path(__file__).parents[2] / "docs" / "from_urdf.md"
BY_HAND = """
schema = 1
name = "arm"
[bodies]
upper = { mass = 1.5, inertia = [0.02, 0.02, 0.002] }
lower = { mass = 0.8, inertia = [0.0004, 0.006, 0.006] }
left = { mass = 0.05, inertia = [1e-5, 1e-5, 1e-5] }
right = { mass = 0.05, inertia = [1e-5, 1e-5, 1e-5] }
[joints]
shoulder = { type = "revolute", child = "upper", axis = "y", at = [0, 0, 0.1], center = [0, 0, 0.2], damper = 0.3 }
elbow = { type = "revolute", parent = "upper", child = "lower", axis = "y", at = [0, 0, 0.2], rotate = [["y", "pi/2"]], \
center = [0.15, 0, 0], damper = 0.2 }
grip = { type = "prismatic", parent = "lower", child = "left", axis = "y", at = [0.18, 0.02, 0], damper = 2 }
follow = { type = "prismatic", parent = "lower", child = "right", axis = [0, -1, 0], at = [0.18, -0.02, 0] }
[constraints]
follow_follows = { position = "follow - grip" }
[gravity]
N = [0, 0, -9.81]
"""
BODY = '<inertial><mass value="2"/><inertia ixx="2" iyy="3" izz="4" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>'


@pytest.fixture
def arm(tmp_path):
    """The robot of the page."""
    [text] = re.findall("```xml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "arm.urdf").write_text(text)
    return tmp_path / "arm.urdf"


def robot(tmp_path, text):
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="robot">{text}</robot>')
    return path


def link(name, inner=BODY):
    return f'<link name="{name}">{inner}</link>'


def joint(name, kind, parent, child, inner=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inner}</joint>'


def test_an_arm_is_what_one_would_write_by_hand(arm):
    found = imported(arm)
    state = {"shoulder": (0.4, 1.0), "elbow": (-0.7, 2.0), "grip": (0.01, 0.1), "follow": (0.01, 0.1)}
    ours, theirs = (Motion(text, "kane").accelerations(state) for text in (found.mechanism.to_toml(), BY_HAND))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    mechanism = parse(found.to_toml()).mechanism
    outputs = [str(each.name) for each in mechanism.outputs]
    assert outputs == [f"{j}_{side}" for j in ("shoulder", "grip", "follow") for side in ("over_lower", "under_upper")]
    assert [point.name for point in mechanism.points if point.name == "tool"]
    assert [body.drawn.what.kind for body in mechanism.bodies] == ["cylinder", "box", "box", "box"]


def test_what_is_not_taken_is_told(arm):
    left_out = imported(arm).left_out
    assert [line.partition("arm.urdf:")[2] or line for line in left_out] == [
        "28:3: dry friction of joint shoulder; give the joint friction = { dry = ..., speed = ... } with a speed below"
        " which it is smooth",
        "3 x effort of <limit>",
        "3 x velocity of <limit>",
    ]


def test_links_that_are_fixed_become_one(tmp_path):
    """Beside the same by welds, which keep both bodies."""
    turned = '<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>'
    text = link("base", "") + link("a") + link("b") + link("c") + joint("j", "continuous", "base", "a")
    text += joint("w", "fixed", "a", "b", turned) + joint("k", "continuous", "b", "c", turned)
    ours = imported(robot(tmp_path, text)).mechanism
    inertia = "{ xx = 2, yy = 3, zz = 4, xy = 0.1, xz = 0.2, yz = 0.3 }"
    placed = 'at = [0.1, 0.2, 0.3], rotate = [["z", 0.6], ["y", 0.5], ["x", 0.4]]'
    theirs = "\n".join(
        [
            'schema = 1\nname = "robot"\n[bodies]',
            *(f"{name} = {{ mass = 2, inertia = {inertia} }}" for name in "abc"),
            '[joints]\nj = { type = "revolute", child = "a", axis = "x" }',
            f'w = {{ type = "weld", parent = "a", child = "b", {placed} }}',
            f'k = {{ type = "revolute", parent = "b", child = "c", axis = "x", {placed} }}',
            "[gravity]\nN = [0, 0, -9.81]\n",
        ]
    )
    state = {"j": (0.3, 1.0), "k": (0.5, -2.0)}
    found, expected = (Motion(spec, "kane").accelerations(state) for spec in (ours.to_toml(), theirs))
    np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_a_floating_base_has_a_quaternion(tmp_path):
    text = link("base") + link("a") + joint("a", "prismatic", "base", "a")
    found = imported(robot(tmp_path, text), floating=True, torques=True)
    mechanism = parse(found.to_toml()).mechanism
    assert [str(c.name) for c in mechanism.coordinates] == [
        *(f"base_2_{part}" for part in ("x", "y", "z", "q0", "q1", "q2", "q3")),
        "a_joint",
    ]
    assert found.names == {"joint a": "a_joint"}
    assert [signal.name for signal in mechanism.signals] == ["a_joint_torque"]


def test_names_of_all_kinds(tmp_path):
    text = link("a link/1") + link("2") + link("sin") + joint("t", "continuous", "a link/1", "2")
    text += joint("lambda", "continuous", "2", "sin", '<axis xyz="0 3 4"/>')
    found = imported(robot(tmp_path, text))
    assert dict(found.names) == {
        "link a link/1": "a_link_1",
        "link 2": "n2",
        "link sin": "sin_",
        "joint t": "t_",
        "joint lambda": "lambda_",
    }
    assert '# "joint t" is called t_' in found.to_toml()
    parse(found.to_toml())


def test_meshes_below_the_folder_are_drawn(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.STL").write_text("solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n")
    looks = [
        f'<visual><origin xyz="1 0 0"/><geometry><mesh filename="{name}" scale="2 2 2"/></geometry></visual>'
        for name in ("package://other/b.dae", "package://parts/a.STL", "c.stl")
    ]
    text = link("base", "") + link("a", BODY + "".join(looks)) + joint("j", "continuous", "base", "a")
    found = imported(robot(tmp_path, text), folder=tmp_path)
    drawn = parse(found.to_toml(), str(tmp_path / "robot.toml")).mechanism.bodies[0].drawn
    assert drawn.what.file == "parts/a.STL"
    assert [line.partition("urdf:")[2] for line in found.left_out] == [
        "1:46: the mesh package://other/b.dae of link a: it is no STL file below the folder of the spec",
        "1:46: another look of link a c.stl",
    ]


def test_what_moves_must_have_mass_and_a_possible_inertia(tmp_path):
    flat = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = "\n".join([link("base", ""), link("a", ""), link("b", flat), joint("j", "continuous", "base", "a")])
    with pytest.raises(SpecError) as caught:
        imported(robot(tmp_path, text + joint("k", "planar", "base", "b")))
    assert re.sub(r"\S*robot.urdf", "robot.urdf", str(caught.value)).split("\n") == [
        "robot.urdf:2:1: link 'a' moves and has no mass (give it one)",
        "robot.urdf:3:1: no body has the inertia of link 'b', with principal moments 1, 1, 3"
        " (no moment is larger than the sum of the two others)",
        "robot.urdf:4:81: the planar joint 'k' has a normal other than z"
        " (turn its <origin>, and the links after it, so that it is z)",
    ]


def test_a_link_without_mass_carries_others(tmp_path):
    """Beside one body with both joints, by MuJoCo's way to say it."""
    text = link("base", "") + link("a", "") + link("b") + joint("j", "prismatic", "base", "a", '<axis xyz="0 0 1"/>')
    found = imported(robot(tmp_path, text + joint("k", "continuous", "a", "b")), torques=True)
    mechanism = parse(found.to_toml()).mechanism
    assert [body.name for body in mechanism.bodies] == ["b"]
    assert [actuator.name for actuator in mechanism.actuators] == ["j", "k"]
    np.testing.assert_allclose(Motion(found.mechanism.to_toml(), "kane").accelerations({}), [-9.81, 0], atol=1e-12)
    with pytest.raises(SpecError, match="the joint 'k' of type floating is at a link without mass"):
        imported(robot(tmp_path, text + joint("k", "floating", "a", "b")))


def refused(path):
    with pytest.raises(SpecError) as caught:
        imported(path)
    return re.sub(r"\S*robot.urdf:?", "", str(caught.value)).split("\n")


def test_what_acts_on_several_coordinates_and_what_is_seen_of_links_without_mass_is_told(tmp_path):
    seen = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    text = "\n".join([link("base", seen), link("a"), link("b"), link("c", seen), link("d")])
    text += "\n" + joint("j", "planar", "base", "a", '<axis xyz="0 0 1"/><dynamics damping="3"/>')
    text += "\n" + joint("k", "floating", "base", "b") + joint("j_x", "prismatic", "base", "c")
    text += "\n" + joint("l", "continuous", "c", "d", '<mimic joint="j_x"/>')
    found = imported(robot(tmp_path, text), torques=True)
    assert [line.partition("urdf:")[2] for line in found.left_out] == [
        "1:21: what is drawn of link base, which has no mass",
        "6:1: damping of the planar joint j",
        "6:1: a torque of the planar joint j, which has several coordinates",
        "7:1: a torque of the floating joint k, which has several coordinates",
        "4:1: what is drawn of link c, which has no mass",
        "8:1: a torque of the continuous joint l, which follows another",
    ]
    assert dict(found.names) == {"joint j_x": "j_x_2"}


def test_mimics_are_of_single_coordinates_and_in_no_circle(tmp_path):
    text = link("base", "") + link("a") + link("b") + link("c") + joint("j", "floating", "base", "a")
    text += "\n" + joint("k", "continuous", "a", "b", '<mimic joint="j"/>')
    assert refused(robot(tmp_path, text + joint("l", "continuous", "b", "c"))) == [
        "2:1: joint 'k' mimics 'j', and 'j' of type floating has several coordinates"
        " (write a constraint of the coordinates that you mean in the spec)",
    ]
    text = link("base", "") + link("a") + link("b") + joint("j", "continuous", "base", "a", '<mimic joint="k"/>')
    text += "\n" + joint("k", "continuous", "a", "b", '<mimic joint="j" offset="1"/>')
    assert [line.partition(": ")[2] for line in refused(robot(tmp_path, text))] == [
        "joint 'j' follows itself, by way of 'k' (one joint of the circle mimics no other)",
        "joint 'k' follows itself, by way of 'j' (one joint of the circle mimics no other)",
    ]


def test_numbers_that_overflow_and_a_base_that_is_no_body_are_refused(tmp_path):
    huge = BODY.replace('"2"', '"1e300"').replace("<inertial>", '<inertial><origin xyz="1e200 0 0"/>')
    text = link("base", "") + link("a", huge) + link("c") + joint("j", "continuous", "base", "a")
    assert refused(robot(tmp_path, text + joint("f", "fixed", "a", "c"))) == [
        "1:46: the mass, the center or the inertia of link 'a' is not finite"
        " (its numbers, or those of links that are fixed to it, are too large)"
    ]
    seen = BODY.replace('izz="4"', 'izz="9"') + '<visual><geometry><sphere radius="1"/></geometry></visual>'
    [line] = refused(robot(tmp_path, link("base", seen) + link("a") + joint("j", "continuous", "base", "a")))
    assert line.startswith("1:21: no body has the inertia of link 'base', with principal moments")
