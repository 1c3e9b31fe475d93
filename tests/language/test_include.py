"""Specs as parts of others."""

from pathlib import Path

import pytest

from volterra_cg import derivation
from volterra_cg.build.keys import spec_key
from volterra_cg.errors import SpecError
from volterra_cg.spec import read
from volterra_cg.spec.expressions import evaluate

PART = (Path(__file__).parent / "part.toml").read_text(encoding="utf-8")
WHOLE = """\
schema = 1
name = "whole"
[parameters]
g = 9.81
heavy = 3
[coordinates]
turn = { initial = 0.1 }
[frames]
Beam = { rotate = [["z", "turn"]] }
[points]
Tip = { in = "Beam", at = [1, 0, 0] }
[bodies]
beam = { mass = 5, center = "Tip", frame = "Beam", inertia = { zz = 2 } }
[gravity]
N = [0, "-g", 0]
[include.left]
spec = "part.toml"
frame = "beam"
point = "beam"
set = { mass = "2*heavy" }
initial = { stretch = 0.05 }
rate = { stretch = "heavy" }
[include.right]
spec = "parts/again.toml"
[outputs]
gap = "norm(position(left_End, right_inner_weight))"
"""
AGAIN = """\
schema = 1
name = "again"
[include]
inner = "../part.toml"
"""


@pytest.fixture
def whole(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "part.toml").write_text(PART)
    (tmp_path / "parts" / "again.toml").write_text(AGAIN)
    path = tmp_path / "whole.toml"
    path.write_text(WHOLE)
    return path


def test_names_get_the_prefix_and_what_is_set_is_set(whole):
    spec = read(whole)
    told = spec.mechanism
    assert [c.name for c in told.coordinates] == ["turn", "left_stretch", "right_inner_stretch"]
    assert [p.name for p in told.parameters][2:5] == ["left_mass", "left_length", "left_k"]
    values = {p.name: p.value for p in told.parameters}
    assert evaluate(values["left_mass"], values) == 6
    assert evaluate(told.coordinates[1].initial, values) == 0.05
    assert evaluate(told.coordinates[1].rate, values) == 3
    end = next(point for point in told.points if point.name == "left_End")
    assert (end.origin, end.frame) == ("Tip", "Beam")
    assert [output.name for output in told.outputs] == ["gap", "left_pull", "right_inner_pull"]
    assert spec.warnings == ()


def test_an_entry_of_a_part_has_its_place_in_the_part(whole):
    place = read(whole).places.find("bodies", "left_weight")
    assert Path(place.file).name == "part.toml"
    assert PART.split("\n")[place.line - 1].startswith("weight")


def test_the_whole_is_a_mechanism(whole):
    summary = derivation.check(whole)
    assert (summary.m, summary.r) == (3, 0)


def test_mistakes_of_a_part_are_told_with_its_name(whole):
    part = whole.with_name("part.toml")
    part.write_text(PART.replace("mass = 0.2", "mass = -0.2"))
    with pytest.raises(SpecError) as caught:
        read(whole)
    files = [Path(problem.place.file).name for problem in caught.value.problems]
    assert files.count("part.toml") == 2
    assert {"whole.toml", "again.toml"} <= set(files)


def test_the_key_of_a_build_covers_the_parts(whole):
    before = spec_key(whole)
    part = whole.with_name("part.toml")
    part.write_text(PART + "# changed\n")
    assert spec_key(whole) != before
    assert spec_key(part) == part.read_bytes()


def test_a_broken_spec_still_has_a_key(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text("[include\n")
    assert spec_key(path) == b"[include\n"
    path.write_text("include = 3\n")
    assert spec_key(path) == b"include = 3\n"
