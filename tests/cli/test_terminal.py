"""Progress is for terminals."""

import sys

from volterra_cg.cli.main import main

SPEC = "oscillator.toml"


def test_progress_is_for_terminals(here, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    main(["build", SPEC])
    assert "compile ..." in capsys.readouterr().err
