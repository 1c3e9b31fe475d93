"""URDF files that are read, and what is wrong with others."""

import os
import re

import pytest

from volterra_cg.cli.main import main
from volterra_cg.errors import OptionError, SpecError
from volterra_cg.robots.urdf import read

WRONG = """<robot name="r">
<link name="a"/>
<link name="b"><inertial><origin xyz="1 2"/><mass value="-1"/></inertial></link>
<link name="b"/>
<joint name="j" type="hinge"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="revolute"><parent link="a"/><axis xyz="0 0 0"/><limit lower="2" upper="one"/></joint>
<joint type="fixed"><parent link="a"/><child/></joint>
</robot>"""
LOOSE = """<robot name="r">
<link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><mimic joint="j"/></joint>
<joint name="k" type="continuous"><parent link="c"/><child link="b"/></joint>
<joint name="l" type="continuous"><parent link="a"/><child link="d"/></joint>
</robot>"""


def told(tmp_path, text):
    path = tmp_path / "r.urdf"
    path.write_text(text)
    with pytest.raises(SpecError) as caught:
        read(path)
    return re.sub(r"\S*r\.urdf:", "", str(caught.value)).split("\n")


def test_all_mistakes_are_told_with_their_places(tmp_path):
    assert told(tmp_path, WRONG) == [
        "3:16: the mass of link 'b' is -1 (a mass is above zero)",
        "3:26: xyz of <origin> is '1 2', and 3 numbers are needed",
        "4:1: there are two links called 'b' (give one of them another name)",
        "5:1: joint 'j' has the type 'hinge' (known are revolute, continuous, prismatic, fixed, floating, planar)",
        "6:1: joint 'k' has no <child link=...>",
        "6:1: the axis of joint 'k' has no length (e.g. xyz=\"0 0 1\")",
        "6:70: upper of <limit> is 'one', and a number is needed",
        "6:70: the lower limit of joint 'k' is above the upper one",
        "7:1: <joint> has no name",
        "7:39: <child> has no link",
    ]


def test_a_wrong_number_hides_no_unknown_link(tmp_path):
    joint = '<joint name="j" type="continuous"><parent link="aa"/><child link="b"/><axis xyz="0 1"/></joint>'
    assert told(tmp_path, f'<robot name="r"><link name="a"/><link name="b"/>\n{joint}</robot>') == [
        "2:1: the parent of joint 'j' is 'aa', and there is no such link",
        "2:71: xyz of <axis> is '0 1', and 3 numbers are needed",
    ]


def test_shapes_have_sizes_above_zero(tmp_path):
    shapes = ('<box size="0 -1 1"/>', "<sphere/>", '<cylinder radius="1" length="0"/>')
    looks = "\n".join(f"<visual><geometry>{shape}</geometry></visual>" for shape in shapes)
    assert told(tmp_path, f'<robot name="r"><link name="a">\n{looks}</link></robot>') == [
        "2:19: size of <box> is '0 -1 1' (sizes are above zero)",
        "3:19: <sphere> has no radius",
        "4:19: length of <cylinder> is '0' (sizes are above zero)",
    ]


def test_what_is_no_tree_is_told(tmp_path):
    assert told(tmp_path, LOOSE) == [
        "1:1: several links are no child of a joint: a, c (one link is the base, and joints lead from it to all others)",
        "3:1: joint 'j' mimics 'j', which is no other joint",
        "4:1: link 'b' is the child of joint 'k' and of 'j' (a URDF is a tree; close loops in the spec, by a constraint)",
        "5:1: the child of joint 'l' is 'd', and there is no such link",
    ]
    circle = '<joint name="j" type="continuous"><parent link="b"/><child link="c"/></joint>'
    circle += '<joint name="k" type="continuous"><parent link="c"/><child link="b"/></joint>'
    text = f'<robot name="r"><link name="a"/><link name="b"/><link name="c"/>{circle}</robot>'
    assert told(tmp_path, text) == ["1:1: no joint leads from the base 'a' to b, c"]


def test_what_is_no_robot_is_refused(tmp_path):
    assert told(tmp_path, "<mujoco/>") == ["1:1: <mujoco> is no robot (a URDF file begins with <robot name=...>)"]
    assert told(tmp_path, "<robot>\n<link></robot>") == ["2:9: this is not XML: mismatched tag"]
    assert told(tmp_path, '<!DOCTYPE r [<!ENTITY a "b">]>\n<robot/>') == [
        "1:13: a robot declares no document type (take the DOCTYPE out)"
    ]
    assert told(tmp_path, '<robot name="r"/>') == ["1:1: there are no links (give the robot a <link name=...>)"]
    for name, why in (("gb2312", "multi-byte encodings are not supported"), ("foo", "unknown encoding: foo")):
        text = f'<?xml version="1.0" encoding="{name}"?><robot name="r"/>'
        assert told(tmp_path, text)[0].endswith(f": its encoding cannot be read: {why} (write it in UTF-8)")
    with pytest.raises(OptionError, match="cannot read"):
        read(tmp_path / "none.urdf")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="does not apply: named pipes are of POSIX")
def test_only_regular_files_of_bounded_size_are_read(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.urdf")
    with pytest.raises(OptionError, match="this is not a regular file"):
        read(tmp_path / "pipe.urdf")
    monkeypatch.setenv("VOLTERRA_CG_LIMITS", "megabytes=1")
    (tmp_path / "large.urdf").write_text('<robot name="r"/>' + " " * 2**20)
    with pytest.raises(OptionError, match="larger than 1 megabytes"):
        read(tmp_path / "large.urdf")


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/></inertial><collision/></link>'
        '<joint name="j" type="prismatic"><parent link="a"/><child link="b"/></joint></robot>'
    )
    assert main(["import", "r.urdf", "--torques"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "r.toml\n"
    lines = ["not taken: r.urdf:1:48: link b has no inertia: it is taken as a particle"]
    lines += ["not taken: 1 x <collision> in <link>"]
    assert shown.err.splitlines()[:2] == lines
    assert (tmp_path / "r.toml").read_text().startswith(f"# {lines[0]}\n# {lines[1]}\nschema = 1\n")
    assert main(["check", "r.toml"]) == 0
    mimics = ("", '<mimic joint="j0" offset="1e300"/>', '<mimic joint="j1" multiplier="1e300"/>')  # starts at 1e600
    parts = [
        f'<link name="a{k}"><inertial><mass value="1"/></inertial></link><joint name="j{k}" type="prismatic">'
        f'<parent link="a"/><child link="a{k}"/>{mimic}</joint>'
        for k, mimic in enumerate(mimics)
    ]
    (tmp_path / "far.urdf").write_text(f'<robot name="far"><link name="a"/>{"".join(parts)}</robot>')
    assert main(["import", "far.urdf"]) == 3
    assert "far.urdf: the spec that it makes is refused: " in capsys.readouterr().err
    assert not (tmp_path / "far.toml").exists()
    assert main(["import", "r.urdf"]) == 2
    assert "r.toml is there already" in capsys.readouterr().err
