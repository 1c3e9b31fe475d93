"""What a good spec gives."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from volterra_cg import spec
from volterra_cg.errors import OptionError, Place, SpecError
from volterra_cg.spec.expressions import Number

PENDULUM = """\
schema = 1
name = "pendulum"
[parameters]
m = { value = 2, unit = "kg", about = "bob" }
l = 0.1
half = "l/2"
[coordinates]
theta = { initial = "pi/4" }
[frames]
A = { rotate = [["z", "theta"]] }
[points]
G = { in = "rod", at = [0, "-half", 0] }
[bodies]
rod = { mass = "m", center = "G", frame = "A", inertia = { zz = "m*l**2/12" } }
[gravity]
N = [0, -9.81, 0]
"""


def test_a_spec_is_read_with_defaults_and_exact_numbers():
    whole = spec.parse(PENDULUM, "p.toml")
    read = whole.mechanism
    assert (read.name, read.about, read.ignorable, read.work) == ("pendulum", "", None, False)
    bob, length, half = read.parameters
    assert (bob.unit, bob.about, bob.derived) == ("kg", "bob", False)
    assert length.value == Number(Fraction(1, 10))
    assert half.derived
    assert read.coordinates[0].rate == Number(Fraction(0))
    assert read.gravity is not None
    assert read.gravity.acceleration[1] == Number(Fraction(-981, 100))
    assert read.simulation.t_end == 10.0
    assert whole.warnings == ()


def test_a_body_stands_for_its_frame():
    assert spec.parse(PENDULUM).mechanism.points[0].frame == "A"


def test_entries_can_be_found_in_the_file():
    read = spec.parse(PENDULUM, "p.toml").places
    assert read.find("bodies", "rod") == Place("p.toml", 14, 1)
    assert read.find("bodies", "unknown") == Place("p.toml", 13, 2)
    assert read.find("name") == Place("p.toml", 2, 1)
    assert read.find("outputs", "x") == Place("p.toml", 1, 1)
    problem = read.problem(("coordinates", "theta"), "it moves no mass")
    assert str(problem).startswith("p.toml:8:1: it moves no mass\n    theta = {")


def test_an_unused_parameter_is_a_warning():
    (warning,) = spec.parse(PENDULUM.replace("l = 0.1", "l = 0.1\nk = 3"), "p.toml").warnings
    assert warning.place == Place("p.toml", 6, 1)
    assert "'k' is never used" in warning.message


def test_ignorable_coordinates_can_be_named_or_switched_off():
    head, rest = PENDULUM.split("[parameters]")
    assert spec.parse(head + "ignorable = []\n[parameters]" + rest).mechanism.ignorable == ()
    assert spec.parse(head + 'ignorable = ["theta"]\n[parameters]' + rest).mechanism.ignorable == ("theta",)
    assert spec.parse(head + 'ignorable = "auto"\n[parameters]' + rest).mechanism.ignorable is None


def test_the_kind_of_a_constraint_shows_by_itself():
    text = (
        PENDULUM
        + """
[constraints]
a = "cos(theta) - 1"
b = "dot(position(G), N.x)"
c = "der(theta) - sin(t)"
d = { velocity = "dot(velocity(G), A.x)" }
e = { position = "norm(position(G, O)) - l" }
"""
    )
    kinds = {entry.name: entry.holonomic for entry in spec.parse(text).mechanism.constraints}
    assert kinds == {"a": True, "b": True, "c": False, "d": False, "e": True}


def test_a_file_is_read(tmp_path: Path):
    path = tmp_path / "p.toml"
    path.write_text(PENDULUM)
    assert spec.read(path) == spec.parse(PENDULUM, str(path))
    assert spec.read(str(path)).places.file == str(path)


def test_a_file_that_cannot_be_read_is_no_spec_error(tmp_path: Path):
    with pytest.raises(OptionError, match="cannot read"):
        spec.read(tmp_path / "none.toml")


def test_a_file_in_another_encoding_is_refused(tmp_path: Path):
    path = tmp_path / "latin.toml"
    path.write_bytes(b'schema = 1\nname = "\xe9"\n')
    with pytest.raises(SpecError, match=r"latin.toml:2:9: the file is not UTF-8"):
        spec.read(path)


def test_the_schema_for_editors_knows_every_table():
    schema = spec.json_schema()
    json.dumps(schema)
    assert {"schema", "name", "bodies", "quasi_velocities"} <= set(schema["properties"])
    assert "from" in schema["$defs"]["Point"]["properties"]
    assert schema["additionalProperties"] is False


def test_importing_and_reading_leave_heavy_libraries_alone():
    program = (
        "import sys, volterra_cg.spec as s; light = {'sympy', 'pydantic', 'tree_sitter'} & set(sys.modules);"
        f"s.parse({PENDULUM!r}); sys.exit(bool(light or 'sympy' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
