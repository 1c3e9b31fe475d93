"""What may be asked of a build, and what it leaves alone."""

import pytest

from volterra_cg.build.publish import publish
from volterra_cg.errors import OptionError
from volterra_cg.options import Options


@pytest.mark.parametrize("name", ["../evil", "a/b", "class", "a b", "", "1st", "_model", "Python"])
def test_a_name_that_is_no_module_is_refused(name):
    with pytest.raises(OptionError, match="cannot be called"):
        Options(name=name)


@pytest.mark.parametrize(
    "wrong",
    [
        {"formulation": "newton"},
        {"order": "high"},
        {"optimise": 4},
        {"formulation": "kane", "order": "dense"},
        {"arithmetic": "exact"},
    ],
)
def test_a_choice_that_means_nothing_is_refused(wrong):
    with pytest.raises(OptionError):
        Options(**wrong)


def test_a_new_build_keeps_what_others_put_into_its_folder(tmp_path):
    files = {"report.json": b'{"abi": 1, "name": "m"}', "m.c": b"int a;"}
    folder = publish(tmp_path, "m", files)
    (folder / "notes.md").write_text("mine")
    publish(tmp_path, "m", {**files, "m.c": b"int b;"})
    assert (folder / "notes.md").read_text() == "mine"
    assert (folder / "m.c").read_bytes() == b"int b;"
