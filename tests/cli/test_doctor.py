"""doctor says whether this machine can build."""

from volterra_cg.cli.main import main


def test_doctor(here, monkeypatch, capsys):
    assert main(["doctor"]) == 0
    told = capsys.readouterr()
    assert "FAIL" not in told.out
    assert "all is well" in told.err
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["doctor"]) == 4
    assert "FAIL  C compiler: no C compiler: no-such-compiler is not found; install" in capsys.readouterr().out
