"""The examples of the reference page are specs."""

import re
from pathlib import Path

import pytest

from volterra_cg.spec import parse
from volterra_cg.spec.schema import Document
from volterra_cg.system.from_spec import from_spec

PAGE = (Path(__file__).parents[2] / "docs" / "spec.md").read_text(encoding="utf-8")
BASE, *MORE = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_first_example_is_a_whole_spec():
    assert from_spec(parse(BASE)).name == "crane"


@pytest.mark.parametrize("example", MORE)
def test_the_others_can_be_added_to_it(example):
    spec = parse(BASE + example)
    assert spec.warnings == ()
    assert from_spec(spec)


def test_every_table_is_on_the_page():
    names = [field.alias or name for name, field in Document.model_fields.items()]
    assert [name for name in names if f"`{name}`" not in PAGE and f"`[{name}]`" not in PAGE] == []
