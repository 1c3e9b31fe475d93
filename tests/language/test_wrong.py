"""Malformed specs, one for each kind of mistake, and what they are told; `pytest --update-goldens` writes it anew."""

import json
from pathlib import Path

import pytest

from volterra_cg import driver
from volterra_cg.cli.main import main
from volterra_cg.errors import SpecError

WRONG = Path(__file__).parent / "wrong"
NAMES = sorted(path.stem for path in WRONG.glob("*.toml"))


def told(name: str) -> str:
    with pytest.raises(SpecError) as caught:
        driver.check(Path(f"{name}.toml"))
    return f"{caught.value}\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_message(name, request, monkeypatch):
    monkeypatch.chdir(WRONG)
    golden = Path(f"{name}.txt")
    message = told(name)
    if request.config.getoption("--update-goldens"):
        golden.write_text(message, encoding="utf-8")
    assert message == golden.read_text(encoding="utf-8")


def test_there_are_enough_and_none_is_left_over():
    assert len(NAMES) >= 40
    assert sorted(path.stem for path in WRONG.glob("*.txt")) == NAMES


def test_build_and_json_tell_the_same(monkeypatch, capsys):
    monkeypatch.chdir(WRONG)
    assert main(["build", "several_at_once.toml"]) == 3
    shown = capsys.readouterr().err
    assert shown == f"error: {Path('several_at_once.txt').read_text(encoding='utf-8')}"
    assert main(["check", "--json", "several_at_once.toml"]) == 3
    errors = json.loads(capsys.readouterr().out)["errors"]
    assert [error["line"] for error in errors] == sorted(error["line"] for error in errors)
    assert all(error["message"] in shown and error["source"] in shown for error in errors)
