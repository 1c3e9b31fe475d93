import json
import os
import subprocess
import sys

import numpy as np
import pytest

import volterra_cg
from volterra_cg.cli.main import main
from volterra_cg.errors import InternalError, Place, Problem, SpecError
from volterra_cg.integrators import EXPLICIT

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
    assert capsys.readouterr().out == "3 coordinates\n{\n  \"m\": 3\n}\nx'' = -k/m*x\n\\ddot x\n"


def test_simulate_a_spec(here, capsys):
    values = ["--set", "l=0.5", "--set", "force=0", "--initial", "y=1", "--initial", "der(y)=2"]
    assert main(["simulate", SPEC, "--t-end", "1", "--dt", "0.5", *values, "-o", "run.csv", "--plot", "run.png"]) == 0
    told = capsys.readouterr()
    assert told.out.split() == ["run.csv", "run.png"]
    assert "largest drift" in told.err
    rows = np.loadtxt("run.csv", delimiter=",", skiprows=1)
    np.testing.assert_allclose(rows[:, 1], 0.5 * np.cos(2.0 * rows[:, 0]), atol=1e-8)
    np.testing.assert_allclose(rows[:, 2], 1.0 + 2.0 * rows[:, 0], atol=1e-8)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_simulate_by_any_integrator(here, capsys, integrator):
    arguments = ["--integrator", integrator, "--max-step", "0.01", "--first-step", "0.01", "--json"]
    assert main(["simulate", SPEC, "--t-end", "1", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["integrator"], told["status"], told["steps"]) == (integrator, "done", 100)
    assert told["final"]["x"] == pytest.approx(np.cos(2.0), abs=1e-6)


def test_simulate_a_module(here, capsys):
    main(["build", SPEC])
    capsys.readouterr()
    assert main(["simulate", "generated/oscillator", "--json", "--rtol", "1e-6", "--atol", "1e-6"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["t_end"] == 2.0
    assert set(told["final"]) == {"x", "y", "w", "u"}
    assert told["out"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["build", "nothing.toml"], 2, "there is no spec nothing.toml"),
        (["simulate", SPEC, "--set", "mm=1"], 2, "did you mean m?"),
        (["simulate", SPEC, "-o", "run.xlsx"], 2, ".csv or .npz"),
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


def test_a_stopped_simulation_keeps_its_results(here, capsys):
    push = ["--set", "force=1000", "--set", "k=0", "--max-step", "0.001"]
    assert main(["simulate", SPEC, *push, "--dt", "0.01", "-o", "run.csv"]) == 5
    told = capsys.readouterr()
    assert "the results until then are in run.csv" in told.err
    assert len((here / "run.csv").read_text().splitlines()) > 2


def raising(error):
    def check(path):
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


def test_a_failed_compilation_exits_with_4(here, monkeypatch, capsys):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["build", SPEC]) == 4
    assert "install gcc or clang" in capsys.readouterr().err


def test_doctor(here, monkeypatch, capsys):
    assert main(["doctor"]) == 0
    told = capsys.readouterr()
    assert "FAIL" not in told.out
    assert "all is well" in told.err
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["doctor"]) == 4
    assert "FAIL  C compiler: no C compiler: no-such-compiler is not found; install" in capsys.readouterr().out


def test_cache_list_and_clear(here, monkeypatch, capsys):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(here / "own"))
    main(["build", SPEC])
    capsys.readouterr()
    assert main(["cache", "list"]) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == {"sources", "extensions"}
    assert main(["cache", "clear"]) == 0
    main(["cache", "list"])
    assert capsys.readouterr().out == ""


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"volterra-cg {volterra_cg.__version__}\n"


def test_progress_is_for_terminals(here, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    main(["build", SPEC])
    assert "compile ..." in capsys.readouterr().err


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
