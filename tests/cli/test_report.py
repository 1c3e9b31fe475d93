"""report and new."""

import re

import pytest

from volterra_cg.cli.main import main
from volterra_cg.options import ARITHMETIC


@pytest.mark.compiles
def test_a_new_spec_has_a_report(tmp_path, monkeypatch, workshop, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    assert main(["new", "walker"]) == 0
    assert capsys.readouterr().out == "walker.toml\n"
    assert main(["check", "walker.toml"]) == 0
    assert "s = 1 ignorable" in capsys.readouterr().out
    starter = (tmp_path / "walker.toml").read_text(encoding="utf-8")
    (tmp_path / "tried.toml").write_text(re.sub("^#(?=[^ ])", "", starter, flags=re.MULTILINE), encoding="utf-8")
    assert main(["check", "tried.toml"]) == 0
    assert "a generalized force acts on it, from hinge, drive" in capsys.readouterr().out
    assert main(["report", "walker.toml", "--no-compare", "--t-end", "2", "--set", "l=0.6"]) == 0
    assert capsys.readouterr().out == "walker.html\n"
    text = (tmp_path / "walker.html").read_text(encoding="utf-8")
    command = (
        f"volterra-cg report walker.toml --formulation reduced-volterra --arithmetic {ARITHMETIC} --integrator auto"
    )
    assert f"{command} --t-end 2.0 --set l=0.6" in text
    (tmp_path / "walker.html").unlink()
    assert main(["report", "walker.toml", "--no-compare", "--t-end", "2", "--max-steps", "4"]) == 5
    told = capsys.readouterr()
    assert told.out == "walker.html\n"
    assert "warning: the simulation stopped" in told.err
    assert (tmp_path / "walker.html").is_file()
    assert main(["new", "walker"]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["new", "my robot"], "cannot be the name of a model"),
        (["new", "../robot"], "cannot be the name of a model"),
        (["report", "oscillator.toml", "-o", "page.pdf"], "a report is written as .html"),
        (["report", "none.toml"], "none.toml"),
    ],
)
def test_what_cannot_be_is_refused(here, capsys, arguments, words):
    assert main(arguments) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == ["oscillator.toml"]
