"""A rheonomic, affinely constrained system against Newton's equations with multipliers, written out by hand.

A bead moves on a table that turns at a given, changing rate; an elastic cord pulls it to the center, a blade ties its
rates with a prescribed drift, and a second bead follows it by an affine law. The spec says so by frames and points;
here Newton's law stands in the turning axes, with all apparent forces.
"""

import numpy as np
import pytest

pytestmark = pytest.mark.compiles

SPEC = """
schema = 1
name = "turntable"

[parameters]
m = 1.3
M = 0.7
k = 11
rate = 0.9

[coordinates]
x = { initial = 0.4, rate = 0.2 }
y = { initial = -0.3, rate = "0.2*sin(0.4) + 0.05" }
s = { initial = 0.1, rate = "0.4*0.2 - 0.15" }
w = { initial = 0.5, rate = -0.6 }

[frames]
T = { rotate = [["z", "rate*t + sin(t)/4"]] }

[points]
P = { in = "T", at = ["x", "y", 0] }
R = { in = "T", at = ["s", "2", "w"] }

[bodies]
first = { mass = "m", center = "P" }
second = { mass = "M", center = "R" }

[potentials]
cord = "k*(x**2 + y**2)/2"

[generalized_forces]
s = "0.3*cos(2*t) - 0.1*der(s)"

[constraints]
blade = "der(y) - sin(x)*der(x) - 0.05*cos(t)"
law = "der(s) - x*der(x)*(1 + t) + 0.15 - t/10"
""".replace("0.4*0.2 - 0.15", "0.08 - 0.15")


def turn(t):
    return 0.9 * t + np.sin(t) / 4, 0.9 + np.cos(t) / 4, -np.sin(t) / 4


def accelerations(t, q, v):
    """Solve [M -a^T; a 0] for the relative accelerations: Newton in the turning axes, with all apparent forces."""
    _, w, dw = turn(t)
    x, y, s, _ = q
    vx, vy, vs, _ = v
    m, big, k = 1.3, 0.7, 11.0
    force = np.array([
        -k * x + m * (w * w * x + 2 * w * vy + dw * y),
        -k * y + m * (w * w * y - 2 * w * vx - dw * x),
        0.3 * np.cos(2 * t) - 0.1 * vs + big * (w * w * s + dw * 2),
        0.0,
    ])  # fmt: skip
    rows = np.array([[-np.sin(x), 1, 0, 0], [-x * (1 + t), 0, 1, 0]])
    drift = np.array([
        -np.cos(x) * vx * vx + 0.05 * np.sin(t),
        -vx * vx * (1 + t) - x * vx - 0.1,
    ])  # fmt: skip
    matrix = np.block([[np.diag([m, m, big, big]), -rows.T], [rows, np.zeros((2, 2))]])
    return np.linalg.solve(matrix, [*force, *-drift])[:4]


@pytest.fixture(scope="module")
def model(compiled):
    return compiled(SPEC)


def test_w_is_ignorable_and_nothing_else(model):
    assert model.report["ignorable"] == ["w"]
    assert (model.report["r"], model.report["p"], model.report["equations"]) == (2, 2, 1)


def test_energy_is_no_invariant_where_motion_is_prescribed(model):
    assert model.report["invariants"] == ["momentum w"]


@pytest.mark.parametrize("seed", range(4))
def test_accelerations_are_those_with_multipliers(model, seed):
    random = np.random.default_rng(seed)
    t = 1.5 * seed
    q, vx = random.uniform(-1, 1, 4), random.uniform(-1, 1)
    rates = np.array([
        vx,
        np.sin(q[0]) * vx + 0.05 * np.cos(t),
        q[0] * vx * (1 + t) - 0.15 + t / 10,
        random.uniform(-1, 1),
    ])  # fmt: skip
    start = model.start(q=q, qd=rates, t=t)
    assert start.rates(t, start.z0) == pytest.approx(rates, abs=1e-12)
    expected = accelerations(t, q, rates)
    assert np.linalg.norm(start.accelerations(t, start.z0) - expected) < 1e-12 * np.linalg.norm(expected)


def test_motion_is_that_with_multipliers(model):
    from scipy.integrate import solve_ivp

    start = model.start()
    q, v = start.z0[:4], start.rates(0.0, start.z0)
    exact = solve_ivp(
        lambda t, z: [*z[4:], *accelerations(t, z[:4], z[4:])], (0, 3), [*q, *v], "DOP853", rtol=1e-12, atol=1e-12
    )
    run = start.simulate(3, dt=3, rtol=1e-12, atol=1e-12)
    assert run.q[-1] == pytest.approx(exact.y[:4, -1], abs=1e-9)
