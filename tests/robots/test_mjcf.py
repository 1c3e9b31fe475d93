"""MJCF files, beside MuJoCo."""

import pytest

from tests.robots.mujoco_twin import difference
from volterra_cg.cli.main import main
from volterra_cg.errors import OptionError, SpecError
from volterra_cg.robots import imported
from volterra_cg.spec import parse

CRANE = """<mujoco model="crane">
<option gravity="0.1 0 -9"/>
<worldbody>
<geom type="plane" size="1 1 1"/>
<body name="cart" pos="0 0 1" euler="0 0 30">
  <joint name="slide" type="slide" axis="1 0 0" damping="0.5" armature="0.3"/>
  <joint name="yaw" type="hinge" axis="0 0 1" pos="0.1 0 0" stiffness="2" springref="20" armature="0.1"/>
  <joint name="tilt" type="hinge" axis="0 1 1" pos="0 0.2 0" damping="0.2" ref="10" frictionloss="0.1"/>
  <geom type="box" size="0.2 0.1 0.05" pos="0.02 0 0"/>
  <body name="mast" pos="0 0 0.1"><geom type="capsule" size="0.02 0.2" pos="0 0 0.2"/>
    <body name="jib" pos="0 0 0.4" quat="0.9 0.1 0 0.2">
      <joint name="jib" type="hinge" axis="0 1 0" pos="0 0 0.05" range="-60 60"/>
      <geom type="cylinder" size="0.03 0.3" fromto="0 0 0 0.6 0 0"/>
      <body name="load" pos="0.6 0 0">
        <joint name="swivel" type="ball" pos="0 0 0.02"/>
        <geom type="sphere" size="0.08" pos="0 0 -0.2"/><geom type="ellipsoid" size="0.05 0.06 0.07" pos="0.1 0 -0.2"/>
      </body></body></body>
</body>
<body name="bird" pos="1 2 3" euler="10 20 30"><freejoint name="flight"/>
  <inertial mass="2" pos="0.1 0 0" diaginertia="0.1 0.2 0.25"/>
  <body name="wing" pos="0 0.2 0"><joint name="flap" type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.2 0.01"/></body>
</body>
</worldbody>
<equality><joint joint1="flap" joint2="slide" polycoef="0.1 2 0 0 0"/></equality>
<actuator><motor joint="slide"/></actuator>
</mujoco>"""


@pytest.fixture(scope="module")
def crane(tmp_path_factory):
    """A cart with three joints, a mast that is fixed to it, a jib, a ball, and a bird that flies."""
    path = tmp_path_factory.mktemp("mjcf") / "crane.xml"
    path.write_text(CRANE)
    return path


def test_accelerations_are_those_of_mujoco(crane):
    """With the equality, kept exactly."""
    assert max(difference(crane, seed) for seed in range(2)) < 1e-11


def test_the_rest_of_a_file(crane):
    found = imported(crane)
    mechanism = parse(found.to_toml()).mechanism
    assert [str(body.name) for body in mechanism.bodies] == ["cart", "jib", "load", "bird", "wing"]
    assert [body.drawn and body.drawn.what.kind for body in mechanism.bodies] == [
        "box",
        "cylinder",
        "sphere",
        None,
        "box",
    ]
    assert [str(output.name) for output in mechanism.outputs] == ["jib_joint_over_lower", "jib_joint_under_upper"]
    assert [str(row.name) for row in mechanism.constraints] == ["flap_follows", "swivel", "flight"]
    starts = {str(c.name): c.initial for c in mechanism.coordinates}
    assert float(starts["flight_y"].value) == 2
    assert [line.partition("crane.xml: ")[2] or line for line in found.left_out] == [
        "dry friction of joint tilt",
        "the reference 0.174533 of joint tilt, which is counted from it here",
        "1 x geoms of other kinds, not drawn",
        "1 x actuators (--torques gives each joint of one coordinate a signal)",
        "1 x geoms of the world, not drawn",
        "7 x geoms that may touch",
        "another look of link cart",
    ]


def told(found):
    return [line.partition("m.xml: ")[2] or line for line in found.left_out]


def test_names_that_are_made_up_are_not_those_of_the_file(tmp_path):
    """Of the link between two joints, of a joint without a name, and of a body without one."""
    path = tmp_path / "m.xml"
    ball = '<geom type="sphere" size="0.1" mass="2"/>'
    inner = f'<body name="leg_1" pos="0 0 -1">{ball}</body><body name="leg_joint1"><joint name="c"/>{ball}</body>'
    inner += f'<body><joint name="body4"/>{ball}</body>'
    path.write_text(
        f'<mujoco><worldbody><body name="leg"><joint name="a"/><joint axis="0 1 0"/>{ball}{inner}</body>'
        "</worldbody></mujoco>"
    )
    mechanism = parse(imported(path).to_toml()).mechanism
    assert [str(body.name) for body in mechanism.bodies] == ["leg", "leg_joint1", "body4_2"]
    assert [str(each.name) for each in mechanism.coordinates] == ["a", "leg_joint1_2", "c", "body4"]
    assert {"leg_1", "leg_1_2"} <= {str(part.name) for part in (*mechanism.points, *mechanism.frames)}


def test_equalities_that_are_off_and_ranges_of_balls_are_not_taken(tmp_path):
    path = tmp_path / "m.xml"
    ball = '<geom type="sphere" size="0.1" pos="0 0 1" contype="0" conaffinity="0"/>'
    path.write_text(
        '<mujoco><option><flag equality="disable"/></option><worldbody>'
        f'<body><joint name="s" type="ball" range="0 1" limited="true"/>{ball}</body>'
        f'<body><joint name="p"/>{ball}</body><body><joint name="r"/>{ball}</body></worldbody>'
        '<equality><joint joint1="p" joint2="r"/></equality></mujoco>'
    )
    found = imported(path, torques=True)
    assert [str(row.name) for row in parse(found.to_toml()).mechanism.constraints] == ["s"]  # of its quaternion
    assert told(found) == [
        "the range of the ball joint s",
        "1 x equalities",
        "a torque of the ball joint s, which has several coordinates",
    ]


def test_what_mujoco_refuses_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bad.xml"
    path.write_text('<mujoco><worldbody><body><joint type="hing"/></body></worldbody></mujoco>')
    with pytest.raises(SpecError, match=r"bad\.xml: MuJoCo cannot read it: .*hing"):
        imported(path)
    path.write_text('<mujoco><compiler settotalmass="2"/></mujoco>')
    assert "bad.xml: MuJoCo warns: compiler attribute 'settotalmass' is deprecated" in imported(path).left_out[0]
    assert [file.name for file in tmp_path.iterdir()] == ["bad.xml"]  # no log of its own
    path.write_text("<mujoco/>")
    with pytest.raises(OptionError, match="says itself which bodies are free"):
        imported(path, floating=True)
    assert main(["import", "none.xml"]) == 2
    assert "cannot read none.xml" in capsys.readouterr().err
