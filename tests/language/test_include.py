"""Specs as parts of others."""

import os
from pathlib import Path

import pytest

from volterra_cg import derivation
from volterra_cg.build.keys import spec_key
from volterra_cg.cli.main import main
from volterra_cg.errors import OptionError, SpecError
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


@pytest.fixture
def outside(tmp_path):
    """A spec that includes a file which is not below its folder."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "part.toml").write_text(PART)
    path = tmp_path / "inside" / "whole.toml"
    path.write_text(WHOLE.replace("parts/again.toml", "../part.toml").replace("right_inner", "right"))
    path.with_name("part.toml").write_text(PART)
    return path


def test_what_lies_elsewhere_has_to_be_allowed(outside, capsys):
    assert main(["check", str(outside)]) == 3
    assert "'../part.toml' is not below the folder of the spec (move it there, or allow" in capsys.readouterr().err
    assert main(["check", str(outside), "--allow-include", str(outside.parents[1])]) == 0
    read(outside, [outside.parents[1]])
    with pytest.raises(OptionError, match="there is no folder"):
        read(outside, [outside.parents[1] / "none"])


def test_a_link_leads_to_where_it_leads(outside):
    outside.with_name("linked.toml").symlink_to(outside.parents[1] / "part.toml")
    outside.write_text(outside.read_text().replace("../part.toml", "linked.toml"))
    with pytest.raises(SpecError, match="is not below the folder"):
        read(outside)
    read(outside, [outside.parents[1]])


def test_the_key_of_a_build_covers_what_is_allowed(outside):
    allowed = [outside.parents[1]]
    refused, before = spec_key(outside), spec_key(outside, allowed)
    (outside.parents[1] / "part.toml").write_text(PART + "# changed\n")
    assert spec_key(outside) == refused
    assert spec_key(outside, allowed) not in (before, refused)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX")
def test_only_regular_files_are_read(whole):
    part = whole.with_name("part.toml")
    part.unlink()
    os.mkfifo(part)
    spec_key(whole)
    with pytest.raises(SpecError, match="this is not a regular file"):
        read(whole)
    with pytest.raises(OptionError, match="this is not a regular file"):
        read(part)
    part.unlink()
    part.mkdir()
    with pytest.raises(SpecError, match=r"there is no spec 'part\.toml'"):
        read(whole)


def test_the_size_of_all_files_is_limited(whole, monkeypatch):
    monkeypatch.setenv("VOLTERRA_CG_LIMITS", "megabytes=1")
    whole.with_name("part.toml").write_text(PART + "#" * 2**20)
    with pytest.raises(SpecError, match=r"specs are larger than 1 megabytes.*VOLTERRA_CG_LIMITS=megabytes=N"):
        read(whole)
    spec_key(whole)


def test_nothing_of_a_file_that_is_no_toml_is_told(whole):
    for secret in ("root:secret:0", "secret = 1\nsecret = 2", "a = 'secret", "\x00secret", "secret = secret"):
        whole.with_name("part.toml").write_text(secret)
        with pytest.raises(SpecError) as caught:
            read(whole)
        assert "secret" not in str(caught.value)
        assert "'part.toml' is not valid TOML in line" in str(caught.value)
