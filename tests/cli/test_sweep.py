"""The command sweep."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from volterra_cg.cli.main import main
from volterra_cg.sweep import chunks
from volterra_cg.sweep import job as job_module

SPEC = "oscillator.toml"
COMMAND = [
    "sweep",
    SPEC,
    "--vary",
    "l=0.1:0.5:20",
    "--vary",
    "der(y)=0,1",
    "--t-end",
    "0.2",
    "--dt",
    "0.1",
    "-o",
    "out.nc",
]


def test_a_sweep_is_written_and_told(here, capsys):
    assert main([*COMMAND, "--workers", "2"]) == 0
    told = capsys.readouterr()
    assert told.out == "out.nc\n"
    assert "40 runs: 40 done" in told.err
    assert (here / "out.nc").is_file()
    assert main(COMMAND) == 0
    assert "40 runs, 40 of them before: 40 done" in capsys.readouterr().err


def test_an_interrupted_sweep_can_go_on(here, capsys, monkeypatch):
    monkeypatch.setattr(job_module, "SMALLEST", 16)
    assert main([*COMMAND[:-1], "whole.nc"]) == 0
    compute, calls = chunks.compute, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return compute(*arguments)

    monkeypatch.setattr(chunks, "compute", interrupted)
    assert main(COMMAND) == 130
    told = capsys.readouterr().err
    assert "finished runs are kept beside out.nc; the same command continues from there\ninterrupted\n" in told
    assert not (here / "out.nc").exists()
    assert main([*COMMAND, "--dt", "0.05"]) == 2
    assert "differs in dt: run the same command as before to finish it, --restart" in capsys.readouterr().err
    assert main(COMMAND) == 0
    assert "40 runs, 16 of them before: 40 done" in capsys.readouterr().err
    assert (here / "out.nc").read_bytes() == (here / "whole.nc").read_bytes()
    assert not (here / "out.nc.parts").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vary", "l=1:2"], "expected LOW:HIGH:COUNT"),
        (["--vary", "ll=1,2"], "did you mean l?"),
        (["--vary", "l=1,2", "--set", "l=3"], "l varies and cannot be set too"),
        (["--vary", "l=1,2", "--rtol", "-1"], "tolerances must be positive"),
        (["--vary", "l=1,2", "--integrator", "radau"], "build with --jacobian"),
        (["--vary", "l=1,2", "--max-step", "0"], "the largest step must be positive"),
        (["--vary", "l=1,2", "-o", "out.csv"], "written as .nc"),
        (["--vary", "l=1,2", "--workers", "0"], "workers must be positive"),
    ],
)
def test_bad_input_is_refused_and_leaves_nothing(here, capsys, arguments, words):
    assert main(["sweep", SPEC, "-o", "out.nc", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == [SPEC]


def test_runs_that_end_early_are_told(here, capsys):
    """Where some do, the exit code says so if it is to be strict; where all do, anyway."""
    arguments = ["sweep", SPEC, "--t-end", "5", "--dt", "0.1", "--vary"]
    some = [*arguments, "l=0.01,100", "--max-steps", "40"]
    assert main([*some, "-o", "some.nc"]) == 0
    assert "warning: 1 of them did not get as far as asked; the variable status says why" in capsys.readouterr().err
    assert main([*some, "-o", "some.nc", "--strict"]) == 5
    assert main([*arguments, "l=0.1,0.2", "--max-steps", "1", "-o", "none.nc"]) == 5
    assert "2 runs: 2 too many steps" in capsys.readouterr().err
    assert (here / "none.nc").is_file()


def test_a_sweep_needs_something_that_varies(here, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["sweep", SPEC, "-o", "out.nc"])
    assert stopped.value.code == 2
    assert "--vary" in capsys.readouterr().err


@pytest.mark.compiles
def test_the_implicit_method_gets_its_jacobian(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(tmp_path / "cache"))
    spec, out = Path(__file__).parents[2] / "benchmarks" / "models" / "cart_pendulum.toml", tmp_path / "out.nc"
    arguments = ["--vary", "m1=1,2", "--t-end", "0.1", "--integrator", "radau", "-o", str(out)]
    assert main(["sweep", str(spec), *arguments]) == 0
    assert "2 runs: 2 done" in capsys.readouterr().err


def test_an_interrupted_sweep_of_single_runs_ends_at_once(tmp_path):
    """Runs with events are computed one by one on threads, which signals do not reach."""
    spec = Path(__file__).parents[2] / "examples" / "bouncing_ball.toml"
    command = [sys.executable, "-m", "volterra_cg", "sweep", str(spec), "--vary", "y=1.4,1.6", "--workers", "2"]
    command += ["--t-end", "3", "--dt", "1", "--max-step", "1e-8", "-o", str(tmp_path / "out.nc")]
    subprocess.run([sys.executable, "-m", "volterra_cg", "build", str(spec), "-o", str(tmp_path)], check=True)
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        begun = time.monotonic()
        while not any("out.nc" in path.name for path in tmp_path.iterdir()) and time.monotonic() < begun + 20:
            time.sleep(0.1)  # until the sweep has its folder
        time.sleep(2.0)
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=20)
    finally:
        run.kill()
    assert run.returncode == 130
    assert "the same command continues from there" in told
