"""The comparison as a user meets it: every formulation that applies, and refusals with their reasons."""

import json

import pytest

from tests.fixtures.mechanics import MODELS
from volterra_cg.bench import Settings, compare
from volterra_cg.bench.paper import specs
from volterra_cg.cli.main import main
from volterra_cg.errors import OptionError

pytestmark = pytest.mark.compiles


KEYS = {
    "formulation", "equations", "states", "cpu_seconds", "energy_error", "constraint_error", "momentum_error", "operations",
    "ns_per_rhs", "rhs_calls",
}  # fmt: skip


def test_the_specs_of_the_paper_are_shipped():
    assert [path.stem for path in specs()] == ["cart_pendulum", "three_bodies", "satellite_boom"]
    assert all(path.is_file() for path in specs())


def test_json_of_a_mechanism_of_ones_own(cached, capsys):
    spec = str(MODELS / "chaplygin_sleigh.toml")
    arguments = ["bench", spec, "--formulations", "kane,reduced-volterra,routh", "--t-end", "1", "--dt", "0.1"]
    assert main([*arguments, "--integrator", "dop853", "--repeat", "1", "--optimise", "1", "--json"]) == 0
    captured = capsys.readouterr()
    (system,) = json.loads(captured.out)["systems"]
    assert system["name"] == "chaplygin_sleigh"
    assert [entry["formulation"] for entry in system["formulations"]] == [
        "kane",
        "reduced-volterra",
        "reduced-volterra dense",
    ]
    assert all(set(entry) >= KEYS for entry in system["formulations"])
    assert "no coordinate is ignorable" in system["refused"]["routh"]
    assert "building kane" in captured.err


def test_wrong_settings_are_refused():
    with pytest.raises(OptionError, match="no formulation is called newton"):
        Settings(formulations=("newton",))
    with pytest.raises(OptionError, match="at least once"):
        Settings(repeat=0)
    with pytest.raises(OptionError, match="must be positive"):
        compare(MODELS / "chaplygin_sleigh.toml", Settings(("kane",), t_end=-1.0, optimise=0))
