"""simulate: a spec or a module, by any integrator."""

import json
from argparse import Namespace

import numpy as np
import pytest

from tests.language.test_start import CRANK, FREE
from volterra_cg.cli.main import main
from volterra_cg.cli.simulate import start_of
from volterra_cg.integrators import EXPLICIT

SPEC = "oscillator.toml"


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


@pytest.mark.compiles
def test_a_start_that_was_moved_onto_the_constraints_is_told(compiled, capsys):
    start_of(compiled(CRANK + FREE), Namespace(values=[], initial=[]))
    head, first, *_ = capsys.readouterr().err.splitlines()
    assert head == "start: projected on the constraints"
    assert first.startswith("  p: -0.1 -> -0.21")


def test_simulate_a_module(here, capsys):
    main(["build", SPEC])
    capsys.readouterr()
    assert main(["simulate", "generated/oscillator", "--json", "--rtol", "1e-6", "--atol", "1e-6"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["t_end"] == 2.0
    assert set(told["final"]) == {"x", "y", "w", "u"}
    assert told["out"] is None


def test_a_stopped_simulation_keeps_its_results(here, capsys):
    push = ["--set", "force=1000", "--set", "k=0", "--max-step", "0.001"]
    assert main(["simulate", SPEC, *push, "--dt", "0.01", "-o", "run.csv"]) == 5
    told = capsys.readouterr()
    assert "the results until then are in run.csv" in told.err
    assert len((here / "run.csv").read_text().splitlines()) > 2
