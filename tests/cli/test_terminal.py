"""Progress is for terminals."""

import io
import sys
import time
from contextlib import redirect_stderr

from volterra_cg.cli import terminal
from volterra_cg.cli.main import main
from volterra_cg.clock import Clock

SPEC = "oscillator.toml"


def test_progress_is_for_terminals(here, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    main(["build", SPEC])
    assert "compile ..." in capsys.readouterr().err


def test_a_long_build_says_how_many_seconds_are_left(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(terminal, "PAUSE", 0.01)
    monkeypatch.setattr(terminal, "LONG", 0.05)
    with terminal.progress() as listener:
        clock = Clock(listener)
        with clock("derive"):
            time.sleep(0.02)
        with clock("optimise"):
            time.sleep(0.1)
    said = capsys.readouterr().err.split(terminal.ERASE)
    assert said[1] == "derive ..."
    assert sum(line.startswith("optimise ..., 0 s so far, about ") for line in said) > 1
    assert said[-1] == ""


def test_what_is_caught_of_others_holds_no_progress(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    caught = io.StringIO()
    with terminal.progress() as listener, redirect_stderr(caught):
        Clock(listener).tell("compile")
    assert caught.getvalue() == ""
    assert "compile ..." in capsys.readouterr().err
