"""The mechanisms in examples/ are short, right and run."""

from pathlib import Path

import numpy as np
import pytest

from volterra_cg import derivation
from volterra_cg.spec import read

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_shown(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40
    assert read(path).mechanism.name == path.stem
    assert read(path).warnings == ()
    assert derivation.check(path).name == path.stem
    picture = f"pictures/{path.stem}.png"
    assert (ROOT / "docs" / picture).is_file()
    assert picture in (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")


@pytest.mark.compiles
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_keeps_what_it_should(path, compiled):
    model = compiled(path.read_text(encoding="utf-8"))
    run = model.simulate(model.description.simulation["t_end"] / 10, rtol=1e-10, atol=1e-12)
    for values in run.drift().values():
        assert np.abs(values).max() < 1e-8
    residuals = model.constraints(run.t[-1], run.z[-1])
    assert all(abs(residual) < 1e-8 for residual in residuals.values())


@pytest.mark.parametrize(("name", "most"), [("satellite_panels", 30), ("six_axis_arm", 40)])
def test_joints_make_short_specs(name, most):
    assert len((ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8").splitlines()) <= most


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("options", "length", "other"),
    [
        ({"rtol": 1e-8, "atol": 1e-10}, 1e-10, 1e-9),
        ({"integrator": "dop853", "rtol": 1e-8, "atol": 1e-10}, 1e-10, 1e-9),
        ({"integrator": "gauss_fixed", "max_step": 0.5}, 1e-12, 1e-12),
    ],
    ids=["auto", "dop853", "gauss_fixed"],
)
def test_a_tumbling_satellite_keeps_the_length_of_its_quaternion(options, length, other, compiled):
    """For 10,000 s within the tolerance, or to rounding in fixed steps, without projection, and its angular momentum too."""
    model = compiled((ROOT / "examples" / "satellite_panels.toml").read_text(encoding="utf-8"))
    run = model.simulate(10_000, dt=10.0, **options)
    parts = np.column_stack([run[f"flight_q{n}"] for n in range(4)])
    assert np.abs(np.linalg.norm(parts, axis=1) - 1).max() < length
    momentum = run["angular_momentum"]
    assert np.abs(momentum - momentum[0]).max() < other * np.linalg.norm(momentum[0])
    assert run.warnings == ()
