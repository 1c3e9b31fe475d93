"""The long run: a row that fails does not stop the others, and what was cut off goes on."""

import json
import sys
from types import SimpleNamespace

from tests.trust import torture
from tests.trust.tally import Tally


def test_a_run_goes_on_where_it_was_cut_off(tmp_path, monkeypatch, capsys):
    ran = []

    def row(name, error=None):
        def run(seed, count):
            ran.append((name, seed, count))
            if error is not None and len(ran) < 4:
                raise error
            tally = Tally()
            tally.add("done", count)
            return tally

        return SimpleNamespace(about=name, long=10, run=run)

    rows = {"first": row("first"), "broken": row("broken", ValueError("oh")), "cut": row("cut", KeyboardInterrupt())}
    kept = tmp_path / "kept.json"
    monkeypatch.setattr(torture, "ROWS", rows)
    monkeypatch.setattr(torture, "code", lambda: "the same")
    monkeypatch.setattr(sys, "argv", ["torture", "--seed", "5", "--scale", "0.5", "--kept", str(kept)])
    assert torture.main() == 1
    assert [*json.loads(kept.read_text())["rows"]] == ["first", "broken"]
    assert "| all | | 6 | 1 failed |" in capsys.readouterr().out
    assert torture.main() == 1
    assert ran == [("first", 5, 5), ("broken", 5, 5), ("cut", 5, 5), ("cut", 5, 5)]
    assert "| cut | cut | 5 | 5 done, none failed |" in capsys.readouterr().out
    monkeypatch.setattr(torture, "code", lambda: "changed")
    torture.main()
    assert ran[4:] == [("first", 5, 5), ("broken", 5, 5), ("cut", 5, 5)]
