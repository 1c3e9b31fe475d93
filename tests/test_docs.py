"""What the documentation shows runs."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import simpson, solve_ivp

ROOT = Path(__file__).parents[1]


def blocks(file, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.compiles
def test_derivatives(tmp_path, monkeypatch):
    (tmp_path / "rotary.toml").write_text(blocks("README.md", "toml")[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(tmp_path / "cache"))
    names: dict[str, object] = {}
    for block in blocks("docs/derivatives.md", "python"):
        exec(block, names)
    assert names["near"].states == ("arm", "swing", "der(swing)")
    assert names["near"].eigenvalues == pytest.approx([0, -7.148287j, 7.148287j], abs=1e-6)
    assert names["full"].eigenvalues == pytest.approx([0, 0, -7.148287j, 7.148287j], abs=1e-6)
    assert names["growth"](0.0, names["s"].z0, names["S"])[1:] == pytest.approx(np.zeros((2, 5)))


@pytest.fixture
def interop(workshop, tmp_path, monkeypatch):
    """Runs the code of one section of docs/interop.md; returns its names."""

    def run(section):
        shutil.copy(ROOT / "benchmarks" / "models" / "cart_pendulum.toml", tmp_path)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
        text = (ROOT / "docs" / "interop.md").read_text(encoding="utf-8")
        [code] = re.findall(rf"\n## {section}\n(?:(?!\n## ).)*?```python\n(.*?)```", text, re.DOTALL)
        names: dict[str, object] = {}
        exec(code, names)
        return names

    return run


@pytest.mark.compiles
def test_interop_scipy(interop):
    names = interop("SciPy's solvers")
    exact = names["model"].simulate(t_end=1.0, dt=0.5, rtol=1e-12, atol=1e-13).z[-1]
    for end in names["ends"].values():
        np.testing.assert_allclose(end, exact, atol=1e-4)
    assert len(names["ends"]) == 7


@pytest.mark.compiles
def test_scipy_hands_over_columns(compiled):
    model, strides = compiled("cart_pendulum"), set()

    def rhs(t, z):
        strides.add(z.strides)
        np.testing.assert_array_equal(model.rhs(t, z), model.rhs(t, z.copy()))
        return model.rhs(t, z)

    solve_ivp(rhs, (0, 0.1), model.z0, "Radau")
    assert strides > {(8,)}


@pytest.mark.compiles
def test_interop_numba(interop):
    pytest.importorskip("numba")
    names = interop("numba, through the address")
    exact = names["model"].simulate(t_end=1.0, dt=0.5, rtol=1e-12, atol=1e-13).z[-1]
    np.testing.assert_allclose(names["path"][-1], exact, atol=1e-7)
    assert names["rk4"].nopython_signatures


@pytest.mark.compiles
def test_interop_low_level_callbacks(interop):
    pytest.importorskip("numba")
    names = interop("SciPy's low-level callbacks")
    model = names["model"]
    run = model.simulate(t_end=1.0, dt=1e-3, rtol=1e-11, atol=1e-12)
    mean = simpson([model.energies(t, z)["kinetic"] for t, z in zip(run.t, run.z, strict=True)], x=run.t)
    assert names["mean"] == pytest.approx(mean, rel=1e-6)
    assert names["error"] < 1e-6


@pytest.mark.compiles
def test_interop_casadi(interop):
    pytest.importorskip("casadi")
    names = interop("CasADi")
    model = names["vcg"].compile("cart_pendulum.toml", jacobian=True)
    assert list(model.parameters) == ["m1", "m2", "l", "g"]
    assert names["found"] == pytest.approx(0.2261116, abs=1e-6)
    rest = model.start(params={"l": names["found"]}).simulate(t_end=1.0, dt=0.5, rtol=1e-11, atol=1e-12).z[-1]
    assert rest[3] == pytest.approx(0.0, abs=1e-5)
