"""cache shows and empties what has been built."""

from volterra_cg.cli.main import main

SPEC = "oscillator.toml"


def test_cache_list_and_clear(here, monkeypatch, capsys):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(here / "own"))
    main(["build", SPEC])
    capsys.readouterr()
    assert main(["cache", "list"]) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == {"sources", "extensions"}
    assert main(["cache", "clear"]) == 0
    main(["cache", "list"])
    assert capsys.readouterr().out == ""
