"""Malformed specs, one for each kind of mistake, and what they are told; `pytest --update-goldens` writes it anew."""

import json
from pathlib import Path

import pytest

from volterra_cg import derivation
from volterra_cg.cli.main import main
from volterra_cg.errors import SpecError

WRONG = Path(__file__).parent / "wrong"
NAMES = sorted(path.stem for path in WRONG.glob("*.toml"))


def told(name: str) -> str:
    with pytest.raises(SpecError) as caught:
        derivation.check(Path(f"{name}.toml"), [WRONG.parent])  # part.toml is there
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


@pytest.mark.parametrize("name", ["several_at_once", "body_without_inertia", "initial_values_inconsistent"])
def test_build_tells_the_same(name, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(WRONG)
    assert main(["build", f"{name}.toml", "-o", str(tmp_path)]) == 3
    assert capsys.readouterr().err == f"error: {Path(f'{name}.txt').read_text(encoding='utf-8')}"


def test_json_tells_the_same(monkeypatch, capsys):
    monkeypatch.chdir(WRONG)
    shown = Path("several_at_once.txt").read_text(encoding="utf-8")
    assert main(["check", "--json", "several_at_once.toml"]) == 3
    errors = json.loads(capsys.readouterr().out)["errors"]
    assert [error["line"] for error in errors] == sorted(error["line"] for error in errors)
    assert all(error["message"] in shown and error["source"] in shown for error in errors)
