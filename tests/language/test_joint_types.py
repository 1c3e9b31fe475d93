"""Joints make the coordinates, frames, points and loads that one would write by hand."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from volterra_cg import derivation
from volterra_cg.errors import SpecError
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.options import Options
from volterra_cg.program.interpret import interpret
from volterra_cg.spec import parse
from volterra_cg.spec.joint_types import TYPES, Name
from volterra_cg.system.from_spec import from_spec

HEAD = """\
schema = 1
name = "pair"
[parameters]
a = 0.4
[bodies.base]
mass = 2
center = "B"
frame = "F"
shape = { box = [1, 2, 3] }
[points]
B = { at = [0.1, 0, 0] }
"""
FRAMES = '[frames]\nF = { rotate = [["x", 0.2]] }\n'
JOINT = """
[bodies.arm]
mass = 1
inertia = [1, 2, 3]
[joints.j]
type = "{kind}"
parent = "base"
child = "arm"
at = ["a", 0.2, 0]
center = [0, 0, 0.3]
"""
BY_HAND = """
j_base = {{ from = "B", in = "F", at = ["a", 0.2, 0] }}
j = {{ from = {at}, in = "F", at = {slide} }}
arm_center = {{ from = "j", in = "arm", at = [0, 0, 0.3] }}
[bodies.arm]
mass = 1
center = "arm_center"
frame = "arm"
inertia = [1, 2, 3]
[frames]
F = {{ rotate = [["x", 0.2]] }}
arm = {{ parent = "F", {turn} }}
[coordinates]
"""
STILL = '["a", 0.2, 0]'
QUATERNION = '[constraints]\nj = "(j_q0**2 + j_q1**2 + j_q2**2 + j_q3**2 - 1)/2"\n'
RAD, M = "unit = 'rad'", "unit = 'm'"
# by type: what the joint says; coordinates, slide and turn by hand; what follows
TWINS = {
    "revolute": (
        'axis = "y"\ninitial = "a"\nrate = 2',
        f"j = {{ initial = 'a', rate = 2, {RAD} }}",
        "",
        'rotate = [["y", "j"]]',
    ),
    "prismatic": ("axis = [3, 0, 4]", f"j = {{ {M} }}", '["3/5*j", 0, "4/5*j"]', "rotate = []"),
    "cylindrical": (
        "",
        f"j_slide = {{ {M} }}\nj_angle = {{ {RAD} }}",
        '[0, 0, "j_slide"]',
        'rotate = [["z", "j_angle"]]',
    ),
    "universal": (
        "",
        f"j_first = {{ {RAD} }}\nj_second = {{ {RAD} }}",
        "",
        'rotate = [["x", "j_first"], ["y", "j_second"]]',
    ),
    "spherical": (
        'orientation = "zxz"',
        f"j_a1 = {{ {RAD} }}\nj_a2 = {{ {RAD} }}\nj_a3 = {{ {RAD} }}",
        "",
        'rotate = [["z", "j_a1"], ["x", "j_a2"], ["z", "j_a3"]]',
    ),
    "planar": (
        "initial = [1, 2, 3]",
        f"j_x = {{ initial = 1, {M} }}\nj_y = {{ initial = 2, {M} }}\nj_angle = {{ initial = 3, {RAD} }}",
        '["j_x", "j_y", 0]',
        'rotate = [["z", "j_angle"]]',
    ),
    "free": (
        'orientation = "quaternion"\nspin = [2, 4, 6]',
        f"j_x = {{ {M} }}\nj_y = {{ {M} }}\nj_z = {{ {M} }}\n"
        "j_q0 = { initial = 1 }\nj_q1 = { rate = 1 }\nj_q2 = { rate = 2 }\nj_q3 = { rate = 3 }",
        '["j_x", "j_y", "j_z"]',
        'quaternion = ["j_q0", "j_q1", "j_q2", "j_q3"]',
    ),
    "weld": ("", "", "", "rotate = []"),
}


def twin(kind):
    _, coordinates, slide, turn = TWINS[kind]
    at = '"j_base"' if slide else '"B"'
    text = HEAD + BY_HAND.format(at=at, slide=slide or STILL, turn=turn) + coordinates + "\n"
    text = text if slide else "\n".join(line for line in text.split("\n") if not line.startswith("j_base"))
    return text + (QUATERNION if "quaternion" in turn else "")


def same(system):
    """A system in an order of its own, without what tells where its words came from."""
    return replace(
        system, bodies=sorted(system.bodies, key=lambda body: body.name), points=sorted(system.points, key=str)
    )


def test_every_type_has_a_twin_and_is_known_to_editors():
    assert TWINS.keys() == TYPES.keys() == set(get_args(Name))


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "weld"])
def test_a_joint_is_what_one_would_write_by_hand(kind):
    told = HEAD + FRAMES + JOINT.format(kind=kind) + TWINS[kind][0]
    assert same(from_spec(parse(told))) == same(from_spec(parse(twin(kind))))


def test_a_weld_carries_its_child_along():
    swing = '[joints.swing]\ntype = "revolute"\nchild = "base"\n'
    head = HEAD.replace('center = "B"\nframe = "F"\n', "").replace("[points]\nB = { at = [0.1, 0, 0] }\n", "")
    system = from_spec(parse(head + swing + JOINT.format(kind="weld") + 'rotate = [["x", "pi/2"]]'))
    frames = {frame.name: frame for frame in system.frames}
    assert (frames["arm"].parent, frames["arm"].rotations) == ("j_base", ())
    assert frames["j_base"].parent == "base"


ARM = """\
schema = 1
name = "arm"
[parameters]
k = 3
[signals]
push = 0
[bodies]
upper = { mass = 2, shape = { rod = 1 } }
lower = { mass = 1, shape = { rod = 1 } }
[joints.shoulder]
type = "cylindrical"
child = "upper"
center = [0.5, 0, 0]
spring = [{ stiffness = "k", length = 0.2 }, 0]
damper = [0.1, 0.2]
[joints.elbow]
type = "revolute"
parent = "upper"
child = "lower"
coordinates = ["bend"]
frame = "Lower"
point = "Elbow"
at = [0.5, 0, 0]
center = [0.5, 0, 0]
initial = 0.4
rate = 1
friction = { dry = 0.3, speed = 0.01, viscous = 0.2 }
actuator = "push - bend"
armature = 0.7
[outputs]
fx = "reaction(Elbow.x)"
force = "reaction(shoulder.z)"
twist = "moment(elbow.z)"
drive = "moment(shoulder.x)"
"""


def test_names_and_loads():
    mechanism = parse(ARM).mechanism
    assert [coordinate.name for coordinate in mechanism.coordinates] == ["shoulder_slide", "shoulder_angle", "bend"]
    assert [frame.name for frame in mechanism.frames] == ["upper", "Lower"]
    assert [point.name for point in mechanism.points] == [
        "shoulder_base", "shoulder", "upper_center", "Elbow", "lower_center",
    ]  # fmt: skip
    assert [spring.name for spring in mechanism.springs] == ["shoulder_slide"]
    assert [damper.name for damper in mechanism.dampers] == ["shoulder_slide", "shoulder_angle"]
    assert [each.link.coordinate for each in (*mechanism.frictions, *mechanism.actuators)] == ["bend", "bend"]
    assert [each.name for each in mechanism.armatures] == ["bend"]


def kinetic(text):
    kinematics = analyse(from_spec(parse(text)))
    values = dict(kinematics.given) | dict.fromkeys(kinematics.inputs.coordinates, 0.3)
    return interpret([kinematics.kinetic], values | dict.fromkeys(kinematics.inputs.rates, 2.0))[0]


def test_an_armature_adds_half_of_it_times_the_rate_squared():
    assert kinetic(ARM) - kinetic(ARM.replace("armature = 0.7", "")) == pytest.approx(0.7 * 2**2 / 2)


def test_an_armature_changes_the_acceleration_as_that_much_inertia_does():
    """A bar on a motor: (I + a) q'' = torque, and the bar's center does not feel the rotor."""
    text = (
        'schema = 1\nname = "bar"\n[bodies]\nbar = { mass = 2, inertia = { zz = 0.5 } }\n[gravity]\nN = [0, -9.81, 0]\n'
    )
    text += '[joints.motor]\ntype = "revolute"\nchild = "bar"\nactuator = 3\narmature = "rotor"\n[parameters]\nrotor = 0.25\n'
    problem = derivation.pose(from_spec(parse(text)), Options())
    for solution in derivation.solved(problem, from_spec(parse(text)), Options()).values():
        assert interpret(solution.accelerations, dict(problem.kinematics.given))[0] == pytest.approx(3 / 0.75)


def quaternion_of(start):
    text = 'schema = 1\nname = "top"\n[parameters]\na = 0.3\n[bodies]\ntop = { mass = 1, inertia = [1, 2, 3] }\n'
    text += f'[joints.ball]\ntype = "spherical"\nchild = "top"\norientation = "quaternion"\n{start}\n'
    kinematics = analyse(from_spec(parse(text)))
    return [np.array(interpret(part, dict(kinematics.given)), dtype=float) for part in kinematics.start]


def turn(axis, angle):
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


def matrix_of(quaternion):
    w, v = quaternion[0], quaternion[1:]
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


def rows(matrix):
    return str([[float(entry) for entry in row] for row in matrix])


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("", np.eye(3)),
        ("attitude = [0.6, 0, -0.8, 0]", turn([0, -1, 0], 2 * np.arctan2(0.8, 0.6))),
        ("attitude = { axis = [1, 2, 0], angle = 'a' }", turn([1, 2, 0], 0.3)),
        ("attitude = { angles = [0.1, 'a', 0.5] }", turn([1, 0, 0], 0.1) @ turn([0, 1, 0], 0.3) @ turn([0, 0, 1], 0.5)),
        (
            'attitude = { angles = [0.1, 0.2, 0.5], sequence = "zxz" }',
            turn([0, 0, 1], 0.1) @ turn([1, 0, 0], 0.2) @ turn([0, 0, 1], 0.5),
        ),
        *(
            (f"attitude = {{ matrix = {rows(turn(axis, angle))} }}", turn(axis, angle))
            for axis, angle in [
                ([1, 2, 3], 0.4),
                ([1, 2, 3], np.pi),
                ([0, 0, 1], np.pi),
                ([0, 1, 1], -3.0),
                ([1, 0, 0], 0),
            ]
        ),
    ],
)
def test_starts_of_a_quaternion(start, expected):
    quaternion, rates = quaternion_of(f"{start}\nspin = [0.1, -0.2, 0.7]")
    np.testing.assert_allclose(matrix_of(quaternion), expected, atol=1e-14)
    step = 1e-6
    moved = matrix_of(quaternion + step * rates)
    spin = expected.T @ (moved - expected) / step  # in the axes of the child
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], [0.1, -0.2, 0.7], atol=1e-5)


def test_a_joint_with_a_mistake_hides_no_other():
    wrong = ARM.replace('type = "cylindrical"', 'type = "slippery"').replace(
        'actuator = "push - bend"', 'actuator = "psh"'
    )
    with pytest.raises(SpecError) as caught:
        parse(wrong)
    assert [problem.message for problem in caught.value.problems] == [
        "there is no type of joint 'slippery'", "unknown name 'psh'",
    ]  # fmt: skip


def test_a_part_with_joints(tmp_path):
    (tmp_path / "arm.toml").write_text(ARM)
    whole = 'schema = 1\nname = "two"\n[include]\nleft = "arm.toml"\n[outputs]\nbend = "left_bend + reaction(left_Elbow.x)"\n'
    (tmp_path / "two.toml").write_text(whole)
    assert derivation.check(Path(tmp_path / "two.toml")).name == "two"
