"""The command line: usage, exit codes, errors of every kind, pipes that close."""

import json
import os
import subprocess
import sys

import pytest

import volterra_cg
from volterra_cg.cli.main import main
from volterra_cg.errors import InternalError, Place, Problem, SpecError

SPEC = "oscillator.toml"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["build", "nothing.toml"], 2, "there is no spec nothing.toml"),
        (["simulate", SPEC, "--set", "mm=1"], 2, "did you mean m?"),
        (["simulate", SPEC, "-o", "run.xlsx"], 2, "written as .nc, .csv, .npz, .mat or .parquet"),
        (["simulate", SPEC, "--initial", "w=9"], 3, "constraint wheel"),
        (["simulate", "."], 4, "holds no generated model"),
        (["simulate", SPEC, "--project"], 2, "no holonomic constraints"),
        (["simulate", SPEC, "--integrator", "radau"], 2, "build with --jacobian"),
        (["simulate", SPEC, "--max-steps", "2"], 5, "give max_steps"),
        (["simulate", SPEC, "--set", "m=0"], 5, "the mass m"),
        (["simulate", SPEC, "--set", "l=5.5"], 5, "the block of x"),
    ],
)
def test_what_goes_wrong_is_told_with_its_exit_code(here, capsys, arguments, code, words):
    assert main(arguments) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert words in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["bake"],
        ["build"],
        ["build", SPEC, "--formulation", "magic"],
        ["simulate", SPEC, "--set", "l"],
        ["simulate", SPEC, "--set", "l=a"],
    ],
)
def test_wrong_usage_exits_with_2(here, capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def raising(error):
    def check(path, allow_include):
        raise error

    return check


def test_errors_of_every_kind(here, monkeypatch, capsys):
    problem = Problem(Place("a.toml", 2, 5), "unknown name zz", "declare it")
    for error, code, words in (
        (SpecError([problem]), 3, "a.toml:2:5: unknown name zz (declare it)"),
        (InternalError("oh"), 1, "oh"),
        (ZeroDivisionError("what"), 1, "ZeroDivisionError: what (run again with --traceback"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ):
        monkeypatch.setattr(volterra_cg.derivation, "check", raising(error))
        assert main(["check", SPEC]) == code
        assert words in capsys.readouterr().err
    monkeypatch.setattr(volterra_cg.derivation, "check", raising(ZeroDivisionError("what")))
    with pytest.raises(ZeroDivisionError):
        main(["check", SPEC, "--traceback"])
    monkeypatch.setattr("volterra_cg.cli.main.parser", lambda: raising(KeyboardInterrupt())("", ()))
    assert main(["check", SPEC]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"volterra-cg {volterra_cg.__version__}\n"


def test_compile_loads_from_the_cache(here):
    model = volterra_cg.compile(SPEC)
    assert model.name == "oscillator"
    assert model.simulate(1.0, dt=0.5).z.shape == (3, 4)
    assert not (here / "generated").exists()
    assert volterra_cg.compile(SPEC).table is model.table
    with pytest.raises(volterra_cg.OptionError, match="no formulation is called"):
        volterra_cg.compile(SPEC, formulation="magic")


def test_a_second_build_imports_nothing_heavy(here):
    main(["build", SPEC])
    heavy = "numpy scipy sympy pydantic jinja2 Cython setuptools tree_sitter volterra_cg.derivation volterra_cg.runtime"
    program = (
        "import sys; from volterra_cg.cli.main import main; code = main(['build', 'oscillator.toml', '--json'])\n"
        f"sys.exit(code or str(sorted(set({heavy.split()!r}) & set(sys.modules))))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=here, env=dict(os.environ)
    )
    assert answer.stderr.strip() == "[]"
    assert json.loads(answer.stdout)["cached"] is True


def test_a_closed_pipe_is_no_defect(here):
    main(["build", SPEC])
    command = f"{sys.executable} -m volterra_cg build oscillator.toml --json | true"
    answer = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=here)
    assert "defect" not in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("arguments", [["build", "oscillator.toml", "--json"], ["check", "nowhere.toml"]])
def test_it_ends_quietly_where_nobody_reads_on(here, arguments):
    main(["build", SPEC])
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "volterra_cg", *arguments]
    with os.fdopen(writer, "w") as closed:
        answer = subprocess.run(command, stdout=closed, stderr=closed, check=False, cwd=here)
    assert answer.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="does not apply: there is no such device")  # noqa: PTH110
@pytest.mark.parametrize("both", [False, True])
def test_output_that_has_no_space_is_no_defect(here, both):
    command = [sys.executable, "-m", "volterra_cg", "new", f"fresh_{both}".lower()]
    with open("/dev/full", "w") as full:  # noqa: PTH123
        error = full if both else subprocess.PIPE
        answer = subprocess.run(command, stdout=full, stderr=error, text=True, check=False, cwd=here)
    assert answer.returncode == 4
    assert both or "error: the output cannot be written: No space left on device; free some space" in answer.stderr


def test_any_script_can_be_shown_anywhere(here):
    path = here / "mü.toml"
    path.write_text(
        'schema = 1\nname = "slider"\n[parameters]\nk = 3 # é\n[coordinates]\nx = {}\n[points]\nP = { at = ["x", 0, 0] }\n'
        '[bodies]\nball = { mass = 1, center = "P" }\n',
        encoding="utf-8",
    )
    for locale in ({"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        command = [sys.executable, "-m", "volterra_cg", "check", os.fsencode(path)]
        done = subprocess.run(command, env=os.environ | locale, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert b"'k' is never used" in done.stdout
