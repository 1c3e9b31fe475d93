"""check, derive and build."""

import json
import subprocess
import sys

import volterra_cg
from volterra_cg.cli.main import main

SPEC = "oscillator.toml"


def test_build_prints_the_module(here, capsys):
    assert main(["build", SPEC]) == 0
    told = capsys.readouterr()
    assert told.out == f"{here / 'generated' / 'oscillator'}\n"
    assert "3 coordinates, 1 constraints, ignorable: y" in told.err
    assert "6 operations" in told.err


def test_build_prints_one_object(here, capsys):
    assert main(["build", SPEC, "-o", "models", "--name", "spring", "--formulation", "reduced-volterra", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {
        "name", "formulation", "m", "r", "p", "s", "equations", "states", "coordinates", "ignorable", "quasi_velocities",
        "operations", "seconds", "cached", "module",
    } <= set(told)  # fmt: skip
    assert told["name"] == "spring"
    assert told["module"] == str(here / "models" / "spring")
    assert (here / "models" / "spring" / "spring.c").is_file()
    main(["build", SPEC, "-o", "models", "--name", "spring", "--json"])
    assert json.loads(capsys.readouterr().out)["cached"] is True


def test_derivatives_are_built_on_request(here, monkeypatch, capsys):
    asked = []
    known = volterra_cg.driver.generate
    monkeypatch.setattr(
        volterra_cg.driver,
        "generate",
        lambda path, options, clock: asked.append(options) or known(path, options, clock),
    )
    (here / SPEC).write_text("made by hand, with derivatives")
    assert main(["build", SPEC, "--jacobian"]) == 0
    assert main(["build", SPEC]) == 0
    assert [options.jacobian for options in asked] == [True, False]  # the cache keeps them apart
    capsys.readouterr()


def test_a_built_module_is_importable_as_in_the_readme(here):
    main(["build", SPEC])
    program = "from generated import oscillator as o; s = o.start(params={'l': 0.3}); print(o.rhs(0.0, o.z0), s.z0[0])"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=here)
    assert answer.stdout.split() == ["[", "0.", "1.", "0.", "-4.]", "0.3"]


def test_check_and_derive(here, capsys):
    assert main(["check", SPEC]) == 0
    assert main(["check", SPEC, "--json"]) == 0
    assert main(["derive", SPEC]) == 0
    assert main(["derive", SPEC, "--to", "latex"]) == 0
    assert main(["derive", SPEC, "--choices"]) == 0
    assert capsys.readouterr().out == "3 coordinates\n{\n  \"m\": 3\n}\nx'' = -k/m*x\n\\ddot x\n4 operations\n"


def test_a_failed_compilation_exits_with_4(here, monkeypatch, capsys):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["build", SPEC]) == 4
    assert "install gcc or clang" in capsys.readouterr().err
