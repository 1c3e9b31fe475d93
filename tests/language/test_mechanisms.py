"""Mechanisms out of specs against Lagrange's equations with multipliers, derived by hand in `mechanisms`."""

import numpy as np
import pytest

from tests.language.mechanisms import MECHANISMS

REACTIONS = {
    "double_four_bar": {"pin_x": 0, "pin_y": 1},
    "car": {"side_force": 3},
    "driven_rotor": {"side_force": 0},
}


def states(model, reference):
    """Random states on the constraints, at random times."""
    random = np.random.default_rng(7)
    q0 = model.z0[: len(model.coordinates)]
    for _ in range(4):
        t = float(random.uniform(0, 2))
        q = q0 + random.normal(scale=0.15, size=q0.shape)
        yield t, *reference.consistent(t, q, random.normal(scale=2.0, size=q0.shape))


@pytest.mark.compiles
@pytest.mark.parametrize("name", MECHANISMS)
def test_accelerations_and_reactions(name, compiled):
    model = compiled(name)
    reference = MECHANISMS[name](model.parameters)
    for t, q, rates in states(model, reference):
        expected, multipliers = reference.solve(t, q, rates)
        start = model.start(q, rates, t=t, project=False)
        found = start.accelerations(t, start.z0)
        assert np.linalg.norm(found - expected) <= 1e-11 * np.linalg.norm(expected)
        outputs = start.outputs(t, start.z0)
        for output, row in REACTIONS.get(name, {}).items():
            assert outputs[output] == pytest.approx(multipliers[row], rel=1e-9, abs=1e-9)
