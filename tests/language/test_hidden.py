"""A wrong value in an entry hides no unknown name beside it: every pair of keys of every kind of entry."""

import itertools

import pytest

from volterra_cg.errors import SpecError
from volterra_cg.spec import parse

BASE = """\
schema = 1
name = "all"
[coordinates]
x = {}
a = {}
[frames]
A = { rotate = [["z", "a"]] }
[points]
P = { at = ["x", 0, 0] }
Q = { from = "P", in = "A", at = [0, 1, 0] }
[bodies]
b = { mass = 1, center = "Q", frame = "A", inertia = [1, 1, 1] }
d = { mass = 1, center = "P", frame = "A", inertia = [1, 1, 1] }
"""
WRONG = "[[[1]]]"  # whatever is needed
CHILD = "c = { mass = 1, inertia = [1, 1, 1] }\n"
NUMBER, TRIPLE = ("1", '"nobody + 1"'), ("[1, 2, 3]", '[1, 2, "nobody"]')
FRAME, POINT, BODY, UNIT = ('"A"', '"nobody"'), ('"P"', '"nobody"'), ('"b"', '"nobody"'), ('"m"', '"nounit"')
POINTS = ('["P", "Q"]', '["P", "nobody"]')
# by table: entries with an honest value of each key, and one with an unknown name in it
ENTRIES = {
    "parameters": [{"value": NUMBER, "unit": UNIT}],
    "signals": [{"value": NUMBER, "unit": UNIT}],
    "coordinates": [{"initial": NUMBER, "rate": NUMBER, "unit": UNIT}],
    "frames": [
        {"parent": FRAME, "rotate": ('[["z", "a"]]', '[["z", "nobody"]]')},
        {"parent": FRAME, "quaternion": ("[1, 0, 0, 0]", '["nobody", 0, 0, 0]')},
    ],
    "points": [{"from": POINT, "in": FRAME, "at": TRIPLE}],
    "bodies": [
        {"mass": NUMBER, "center": POINT, "frame": FRAME, "inertia": ('{ xx = 1, in = "A" }', '{ xx = 1, in = "B" }')},
        {"mass": NUMBER, "center": POINT, "frame": FRAME, "shape": ("{ sphere = 1 }", '{ sphere = "nobody" }')},
    ],
    "joints": [
        {"type": ('"revolute"', '"nobody"'), "parent": BODY, "child": ('"c"', '"nobody"'), "at": TRIPLE, "axis": TRIPLE,
         "rotate": ('[["x", 1]]', '[["x", "nobody"]]'), "center": TRIPLE, "initial": NUMBER, "spring": NUMBER, "friction": NUMBER,
         "actuator": NUMBER},
        {"type": ('"free"', '"nobody"'), "parent": BODY, "child": ('"c"', '"nobody"'), "at": POINT, "spin": TRIPLE,
         "attitude": ("[1, 0, 0, 0]", '[1, 0, 0, "nobody"]'), "orientation": ('"quaternion"', '"nobody"'), "initial": TRIPLE},
    ],
    "springs": [{"between": POINTS, "stiffness": NUMBER, "length": NUMBER}],
    "dampers": [{"turn": ('["A", "N"]', '["A", "nobody"]'), "axis": ('"z"', '"nobody"'), "damping": NUMBER}],
    "actuators": [{"coordinate": ('"x"', '"nobody"'), "force": NUMBER}],
    "frictions": [{"between": POINTS, "dry": NUMBER, "viscous": NUMBER, "speed": NUMBER}],
    "forces": [{"at": POINT, "in": FRAME, "vector": TRIPLE, "reaction": ('"Q"', '"nobody"')}],
    "torques": [{"on": FRAME, "in": FRAME, "vector": TRIPLE, "reaction": ('"N"', '"nobody"')}],
    "constraints": [
        {"coincide": POINTS, "in": FRAME, "along": ('["x"]', '["nobody"]')},
        {"distance": POINTS, "equals": NUMBER},
        {"align": ('["N.x", "A.x"]', '["N.x", "nobody.x"]'), "along": ('["y"]', '["nobody"]')},
        {"roll": BODY, "on": ('"d"', '"nobody"'), "radius": NUMBER, "normal": ('"N.z"', '"nobody.z"'), "in": FRAME},
        {"roll": BODY, "on": ('"d"', '"nobody"'), "at": POINT, "in": FRAME},
    ],
    "outputs": [
        {"vector": ('"N.x"', '"nobody.x"'), "in": FRAME, "unit": UNIT},
        {"orientation": BODY, "in": FRAME, "as": ('"angles"', '"nobody"'), "sequence": ('"xyz"', '"nobody"')},
    ],
    "events": [{"when": ('"x"', '"nobody"'), "set": ("{ x = 1 }", '{ x = "nobody" }'), "restitution": NUMBER}],
}  # fmt: skip


def told(table, values):
    """The keys of an entry with these values in whose lines something is wrong, each as often as it is told."""
    head = BASE + (CHILD if table == "joints" else "") + f"[{table}.one]"
    lines = [*head.splitlines(), *(f"{key} = {value}" for key, value in values.items())]
    with pytest.raises(SpecError) as caught:
        parse("\n".join(lines))
    return [lines[problem.place.line - 1].split(" = ")[0] for problem in caught.value.problems]


@pytest.mark.parametrize("table", ENTRIES)
def test_no_key_hides_another(table):
    for entry in ENTRIES[table]:
        honest = {key: value for key, (value, _) in entry.items()}
        for key in entry:
            assert told(table, honest | {key: WRONG}) == [key]
        for first, second in itertools.permutations(entry, 2):
            found = told(table, honest | {first: WRONG, second: entry[second][1]})
            assert {first, second} <= set(found), f"{first} hides {second}"


def test_an_unknown_key_of_a_load_is_told_once():
    honest = {key: value for key, (value, _) in ENTRIES["joints"][0].items()}
    assert told("joints", honest | {"friction": "{ rdy = 0.1 }"}) == ["friction"]
