"""Radau IIA on stiff problems."""

import numpy as np
import pytest

from volterra_cg.runtime import Event

# Hairer and Wanner's test problem for eps = 1e-6, to 12 digits, from their page of reference solutions
STIFF = [1.706167732170469, -0.8928097010248125]


@pytest.fixture(scope="module")
def stiff(made_by_hand):
    return made_by_hand("van_der_pol").start(params={"eps": 1e-6})


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_a_stiff_oscillator(stiff, tolerance):
    run = stiff.simulate(2.0, t_eval=[2.0], integrator="radau", rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(run.z[-1], STIFF, rtol=100 * tolerance)
    statistics = run.statistics
    assert statistics.steps < 4000
    assert 0 < statistics.jacobians < statistics.steps
    assert statistics.jacobians <= statistics.factorisations <= statistics.steps + statistics.rejections + 100


def test_fewer_steps_than_an_explicit_method(made_by_hand):
    start = made_by_hand("van_der_pol").start(params={"eps": 1e-4})
    radau = start.simulate(0.5, t_eval=[0.5], integrator="radau", rtol=1e-5, atol=1e-5)
    dop853 = start.simulate(0.5, t_eval=[0.5], integrator="dop853", rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(radau.z, dop853.z, rtol=1e-3)
    assert radau.statistics.rhs_calls < 0.1 * dop853.statistics.rhs_calls


def test_tolerances_are_met_between_results(made_by_hand):
    start = made_by_hand("van_der_pol").start(params={"eps": 0.5})
    times = np.linspace(0.0, 8.0, 81)
    true = start.simulate(t_eval=times, rtol=1e-12, atol=1e-12)
    for tolerance in (1e-4, 1e-6, 1e-8):
        run = start.simulate(t_eval=times, integrator="radau", rtol=tolerance, atol=tolerance)
        assert np.abs(run.z - true.z).max() < 500 * tolerance


def test_events_of_a_stiff_motion(stiff):
    run = stiff.simulate(
        4.0, dt=4.0, integrator="radau", rtol=1e-7, atol=1e-7, events={"crossing": Event()}, dense=True
    )
    assert len(run.events) == 4
    np.testing.assert_allclose(run.dense([e.t for e in run.events])[:, 0], 0.0, atol=1e-9)
