"""Problems that other people published, with their numbers."""

import numpy as np
import pytest

pytestmark = pytest.mark.compiles


def test_the_rolling_disc_of_sympy(compiled):
    model = compiled("rolling_disc")
    z = np.array([0.3, 0.1, 1.97, -0.35, 2.27, -0.2, 1.3, 0.15])
    dz = model.rhs(0.0, z)
    rates = [0.126603940595934, 0.215942571601660, 1.28736069604936, 0.319764288376543, 0.0989146857254898]
    speeds = [-0.925848952664489, -0.0181350656532944, 2.91695398184589]
    assert np.linalg.norm(dz[:5] - rates) < 1e-12 * np.linalg.norm(rates)
    assert np.linalg.norm(dz[5:] - speeds) < 1e-12 * np.linalg.norm(speeds)
    assert model.report["s"] == 0
    assert model.report["equations"] == 3


def test_the_squeezer_of_andrews(compiled):
    model = compiled("andrews")
    run = model.simulate(0.03, dt=0.001, rtol=1e-11, atol=1e-13)
    expected = [
        15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
        0.5347301163226948, 1.048080741042263,
    ]  # fmt: skip
    assert np.linalg.norm(run.q[-1] - expected) < 1e-7 * np.linalg.norm(expected)
    assert run.u[-1, 0] == pytest.approx(1139.920302151208, rel=1e-7)
    assert max(abs(v) for v in model.constraints(0.03, run.z[-1]).values()) < 1e-8
    brief = {"t_eval": [0.0, 6e-5], "rtol": 1e-11, "atol": 1e-11}  # stages that seem to be found after two sweeps
    first, truth = (
        model.simulate(integrator=name, max_step=h, **brief) for name, h in (("gauss", None), ("gauss_fixed", 1e-6))
    )
    assert np.abs(first.z - truth.z).max() < 1e-11
