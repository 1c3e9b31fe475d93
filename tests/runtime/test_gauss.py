"""Gauss's method of order 16: its coefficients, what it accepts, what it keeps, and where it gives up."""

import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from tests.fixtures.table import RUNTIME
from volterra_cg.errors import IntegrationError
from volterra_cg.runtime import Status
from volterra_cg.runtime.integration import StepControl, Wishes, integrate

TABLE = (RUNTIME / "integrators" / "gauss_table.h").read_text()
STAGES = 8
MIRROR = [0, 1, 2, 3, 7, 6, 5, 4]  # the lane of each stage, in the order of time


def numbers(name):
    """The numbers of a table of the C file, exactly."""
    body = re.search(rf"\b{name}(?:\[\w+\])+ =\s*\{{(.*?)\}};", TABLE, re.DOTALL).group(1)
    return [Fraction(float(text)) for text in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", body)]


def coefficients():
    """c, b and M with a_ij = M_ij b_j, in the order of time."""
    c, b = ([values[lane] for lane in MIRROR] for values in (numbers("C"), numbers("B")))
    return c, b, np.array(numbers("M")).reshape(STAGES, STAGES).T[np.ix_(MIRROR, MIRROR)]


def nodes():
    """The zeros of Legendre's polynomial on the unit interval, with many digits."""
    with mpmath.workdps(60):
        return sorted(
            (root + 1) / 2
            for root in mpmath.polyroots(mpmath.taylor(lambda x: mpmath.legendre(8, x), 0, 8)[::-1], 200, extraprec=200)
        )


def test_coefficients_are_gauss_to_rounding():
    c, b, m = coefficients()
    exact = nodes()
    with mpmath.workdps(60):
        assert max(abs(mpmath.mpf(float(a)) - e) for a, e in zip(c, exact, strict=True)) < 1e-16
        for power in range(STAGES):  # both quadratures are exact for powers that the nodes determine
            integrals = [mpmath.mpf(1) / (power + 1) * t ** (power + 1) for t in exact]
            moments = [mpmath.mpf(float(weight)) * t**power for weight, t in zip(b, exact, strict=True)]
            assert abs(sum(moments) - mpmath.mpf(1) / (power + 1)) < 1e-16
            for i in range(STAGES):
                assert abs(sum(float(m[i, j]) * moments[j] for j in range(STAGES)) - integrals[i]) < 4e-16


def test_values_at_the_stages_lead_to_the_end():
    end = [numbers("END")[lane] for lane in MIRROR]
    for power in range(STAGES):
        assert float(sum(weight * t**power for weight, t in zip(end, nodes(), strict=True))) == pytest.approx(
            1, abs=1e-14
        )


def test_what_keeps_quadratic_invariants_is_exact():
    _, b, m = coefficients()
    assert (m + m.T == 1).all()
    assert (m[::-1, ::-1] == m.T).all()  # symmetric in time
    assert b == b[::-1]


def test_order_sixteen():
    """Butcher's conditions: the result is exact for powers up to 15, the stages (above) for those up to 7."""
    c, b, _ = coefficients()
    for power in range(2 * STAGES):
        assert float(sum(w * t**power for w, t in zip(b, c, strict=True)) * (power + 1)) == pytest.approx(1, abs=1e-15)


def test_order_of_dense_output(made_by_hand):
    """The interpolant of order 9 misses the motion within one step by h^10."""
    start, sizes, errors = (
        made_by_hand("van_der_pol").start(params={"eps": 2.0}, q=[0.5], qd=[0.5]),
        (0.36, 0.4, 0.44),
        [],
    )
    for size in sizes:
        times = np.linspace(0.0, size, 33)
        true = start.simulate(t_eval=times, integrator="dop853", rtol=1e-14, atol=1e-14, max_step=size / 32)
        run = start.simulate(t_eval=[0.0, size], integrator="gauss_fixed", dense=True)
        errors.append(np.abs(run.dense(times) - true.z).max())
    assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] == pytest.approx(10, abs=0.4)


@pytest.fixture(scope="module")
def truth(bodies):
    return bodies.simulate(10.0, dt=0.05, integrator="dop853", rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("tolerance", [10.0**-k for k in range(3, 15)])
def test_errors_follow_the_tolerance(bodies, truth, tolerance):
    """At the rows too, all of which lie within steps."""
    run = bodies.simulate(10.0, dt=0.05, integrator="gauss", rtol=tolerance, atol=tolerance)
    assert np.abs(run.z - truth.z).max() < max(30 * tolerance, 5e-13)  # which dop853 misses too
    statistics = run.statistics
    assert statistics.iterations >= 2 * (statistics.steps + statistics.rejections)  # each is seen to contract
    calls = 8 * statistics.iterations + 3  # divisors tell where steps end; ends are evaluated for rows alone
    assert calls < statistics.rhs_calls <= calls + statistics.steps
    ends = bodies.simulate(10.0, dt=10.0, integrator="gauss", rtol=tolerance, atol=tolerance)
    assert ends.statistics.rhs_calls == calls - 1


def test_the_rows_do_not_change_the_steps(bodies):
    settings = {"integrator": "gauss", "rtol": 1e-9, "atol": 1e-9}
    few, many = bodies.simulate(10.0, dt=10.0, **settings), bodies.simulate(10.0, dt=0.01, **settings)
    assert (few.z[-1] == many.z[-1]).all()
    assert few.statistics.steps == many.statistics.steps < 40


def test_a_step_that_does_not_contract_is_not_taken(bodies, truth):
    """Steps of 5 s would converge to another solution of their equations, or not at all."""
    run = bodies.simulate(10.0, dt=10.0, integrator="gauss", rtol=1e-3, atol=1e-3, first_step=5.0)
    assert np.abs(run.z[-1] - truth.z[-1]).max() < 0.05
    assert run.statistics.rejections > 0
    with pytest.raises(IntegrationError, match="give a smaller max_step") as caught:
        bodies.simulate(10.0, dt=10.0, integrator="gauss_fixed", max_step=5.0)
    assert caught.value.status is Status.NOT_CONVERGED


def test_steps_of_one_size_are_symmetric_in_time(bodies):
    """There and back: the momenta with the other sign lead to the start."""
    there = bodies.simulate(5.0, dt=5.0, integrator="gauss_fixed", max_step=0.25)
    rates = bodies.rates(5.0, there.z[-1])
    back = bodies.start(q=there.q[-1], qd=-rates).simulate(5.0, dt=5.0, integrator="gauss_fixed", max_step=0.25)
    np.testing.assert_allclose(back.q[-1], there.q[0], atol=2e-13)


def test_steps_of_one_size_are_halved_near_a_singular_configuration(bodies):
    """Case 2 turns through cos(theta) = 0.04 at 173.8 s, which the guess of a long step misses."""
    run = bodies.simulate(200.0, dt=200.0, integrator="gauss_fixed", max_step=0.7)
    truth = bodies.simulate(200.0, dt=200.0, integrator="dop853", rtol=1e-13, atol=1e-13)
    assert 0 < run.statistics.rejections < 5
    assert np.abs(run.z[-1] - truth.z[-1]).max() < 1e-4


def test_the_energy_of_long_runs(bodies):
    """20,000 steps of half a second, past many near singular configurations, angles up to thousands."""
    energy = bodies.simulate(10_000.0, dt=10.0, integrator="gauss_fixed", max_step=0.5)["energy"]
    assert np.abs(energy / energy[0] - 1).max() < 3e-13


def test_quadratic_invariants_are_kept_to_rounding(made_by_hand):
    """The circle has x**2 + y**2 = 1 as an invariant; 10,000 long steps."""
    run = made_by_hand("circle").simulate(2000.0, dt=0.2, integrator="gauss_fixed", events={"kick": None})
    assert np.abs(np.hypot(run["x"], run["y"]) - 1.0).max() < 2e-14


def test_a_stiff_motion_is_named(made_by_hand):
    start = made_by_hand("van_der_pol").start(params={"eps": 1e-4})
    run = start.simulate(0.1, dt=0.1, integrator="gauss", rtol=1e-6, atol=1e-6)
    assert "use dop853, or radau if the motion is stiff" in run.message
    radau = start.simulate(0.1, dt=0.1, integrator="radau", rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(run.z[-1], radau.z[-1], rtol=1e-5)
    gentle = made_by_hand("van_der_pol").start(params={"eps": 2.0})
    assert "stiff" not in gentle.simulate(20.0, integrator="gauss").message


def test_a_signal_that_is_a_function(model):
    """The oscillator's force, as a function of time and state, called at every stage."""
    calls = []

    def force(t, z):
        calls.append(t)
        return -0.5 * z[1] + np.sin(t)

    start = model.start(signals={"force": force})
    gauss = integrate(start, [0.0, 3.0], StepControl("gauss", 1e-10, 1e-10), Wishes())
    dop853 = integrate(start, [0.0, 3.0], StepControl("dop853", 1e-12, 1e-12), Wishes())
    np.testing.assert_allclose(gauss.z[-1], dop853.z[-1], atol=1e-9)
    assert len(calls) >= gauss.statistics.rhs_calls


def test_ensembles_are_single_runs(bodies):
    masses = np.linspace(5.0, 15.0, 11)
    for integrator in ("gauss", "gauss_fixed"):
        settings = {"integrator": integrator, "dt": 0.5, "rtol": 1e-9, "atol": 1e-9, "max_step": 0.3}
        runs = bodies.simulate_many(3.0, params={"m_p": masses}, **settings)
        for i, mass in enumerate(masses):
            alone = bodies.start(params={"m_p": mass}).simulate(3.0, **settings)
            assert (runs.z[i] == alone.z).all()
            assert (runs.steps[i], runs.rhs_calls[i]) == (alone.statistics.steps, alone.statistics.rhs_calls)


def test_a_jump_is_seen_wherever_it_falls_in_a_step(jump):
    """Pushed with 1 N from w on, which sweeps across all stages and the gaps between those of two steps."""
    for w in np.linspace(0.5, 4.0, 141):
        start = jump.start(params={"w": w})
        runs = start.simulate(5.0, dt=5.0, integrator="gauss"), start.simulate(5.0, dt=5.0, integrator="dop853")
        for run in runs:
            assert run["x"][-1] == pytest.approx((5 - w) ** 2 / 2, abs=1e-6)


def test_jumps_in_ensembles(jump):
    times = np.linspace(0.5, 4.0, 41)
    runs = jump.simulate_many(5.0, dt=5.0, params={"w": times}, integrator="gauss")
    np.testing.assert_allclose(runs.z[:, -1, 0], (5 - times) ** 2 / 2, atol=1e-6)


def test_a_signal_that_jumps(model):
    """A function of time whose jump lies between the stages of two steps."""
    for jump in np.linspace(0.3, 1.7, 29):
        start = model.start(signals={"force": lambda t, _, jump=jump: 3.0 * (t > jump)})
        gauss = integrate(start, [0.0, 2.0], StepControl("gauss", 1e-8, 1e-8), Wishes())
        dop853 = integrate(start, [0.0, 2.0], StepControl("dop853", 1e-10, 1e-10), Wishes())
        np.testing.assert_allclose(gauss.z[-1], dop853.z[-1], atol=1e-6)
