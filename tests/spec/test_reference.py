"""The examples of the reference page are specs, and the schema beside it is that of the language."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from volterra_cg import derivation
from volterra_cg.spec import json_schema, read, schema
from volterra_cg.spec.include import TABLES
from volterra_cg.spec.schema import Document

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "spec.md").read_text(encoding="utf-8")
BASE, *MORE = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def name(example: str) -> str:
    return example.split("\n", 1)[0].strip("[]")


@pytest.fixture
def crane(tmp_path):
    path = tmp_path / "crane.toml"
    path.write_text(BASE, encoding="utf-8")
    return path


def test_the_first_example_is_a_whole_spec(crane):
    assert derivation.check(crane).name == "crane"


@pytest.mark.parametrize("example", MORE, ids=name)
def test_the_others_can_be_added_to_it(example, crane):
    path = crane.with_name("more.toml")
    path.write_text(BASE + example, encoding="utf-8")
    assert read(path).warnings == ()
    assert derivation.check(path).name == "crane"


CUT = re.findall(r"^\| `(\w+)`(.*?) \| `(\w+ = .*)` \|$", PAGE.split("**Closed loops.**")[1], re.MULTILINE)
FREEDOMS = {"revolute": 1, "prismatic": 1, "spherical": 3, "universal": 2}
PAIR = """\
schema = 1
name = "pair"
[bodies]
first = {{ mass = 1, inertia = [1, 2, 3] }}
second = {{ mass = 2, inertia = [3, 4, 5] }}
[joints]
turn = {{ type = "revolute", child = "first", initial = 0.3, center = [0.2, 0, 0] }}
loose = {{ type = "{kind}", child = "second", center = [0.4, 0, 0] }}
[points]
P = {{ from = "first", in = "first", at = [0.5, 0, 0] }}
Q = {{ from = "second", in = "second", at = [0.1, 0, 0] }}
[start]
project = true
[constraints]
{rows}
"""


@pytest.mark.parametrize(("joint", "where", "rows"), CUT, ids=[" ".join(row[:2]) for row in CUT])
def test_a_constraint_in_place_of_a_joint_leaves_the_freedoms_of_the_joint(joint, where, rows, tmp_path):
    path = tmp_path / "pair.toml"
    kind = "planar" if "in a plane" in where else "free"
    path.write_text(PAIR.format(kind=kind, rows=rows.replace("`, `", "\n")), encoding="utf-8")
    assert derivation.check(path).p == 1 + FREEDOMS[joint]


def test_every_cut_is_tried():
    assert [row[0] for row in CUT] == ["revolute", "spherical", "revolute", "universal", "prismatic"]


def test_every_table_of_the_page_is_read(crane):
    seen = set()
    for example in ("", *MORE):
        path = crane.with_name("more.toml")
        path.write_text(BASE + example, encoding="utf-8")
        mechanism = read(path).mechanism
        tables = tomllib.loads(BASE + example).keys() & vars(mechanism).keys()
        assert [table for table in sorted(tables) if not getattr(mechanism, table)] == []
        seen |= tables
    assert seen >= {*TABLES, "gravity", "quasi_velocities"}


def test_every_table_is_on_the_page():
    names = [field.alias or name for name, field in Document.model_fields.items()]
    assert [name for name in names if f"`{name}`" not in PAGE and f"`[{name}]`" not in PAGE] == []


def test_every_key_is_on_the_page():
    tables = [one for one in vars(schema).values() if isinstance(one, type) and issubclass(one, schema.Table)]
    keys = {field.alias or name for table in tables for name, field in table.model_fields.items()}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", PAGE)] == []


def test_the_published_schema_is_that_of_the_language(request):
    path = DOCS / "spec.schema.json"
    text = json.dumps(json_schema(), indent=2) + "\n"
    if request.config.getoption("--update-goldens", default=False):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run pytest --update-goldens"
