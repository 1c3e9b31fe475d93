"""Equilibria beside what statics says."""

import numpy as np
import pytest

from tests.runtime.test_linearisation import CART, CIRCLE, PENDULUM
from volterra_cg.errors import IntegrationError, OptionError

pytestmark = pytest.mark.compiles
WEIGHT = 0.7 * 9.81 * 0.4  # of the pendulum, times its length


@pytest.fixture(scope="module")
def pendulum(compiled):
    return compiled(PENDULUM, jacobian=True)


def test_an_input_holds_a_pendulum(pendulum):
    found = pendulum.trim(q={"a": 0.7}, inputs=["torque"])
    assert found.signals["torque"] == pytest.approx(WEIGHT * np.sin(0.7), rel=1e-12)
    assert found.z0 == pytest.approx([0.7, 0.0])
    assert found.rhs(0.0, found.z0) == pytest.approx([0.0, 0.0], abs=1e-11)


def test_a_coordinate_is_found_for_an_input(pendulum):
    start = pendulum.start(q={"a": 0.3}, signals={"torque": 1.0}, params={"l": 0.5})
    found = start.trim()
    assert found.z0[0] == pytest.approx(np.arcsin(1.0 / (0.7 * 9.81 * 0.5)), rel=1e-11)
    assert found.parameters["l"] == 0.5
    assert pendulum.start(q={"a": 2.8}).trim().z0[0] == pytest.approx(np.pi, rel=1e-11)


def test_what_changes_nothing_stays_as_it_is(compiled):
    found = compiled(CART, jacobian=True).start(q={"x": 2.0, "a": 0.4}).trim(qd={"x": 1.5})
    assert found.z0[:2] == pytest.approx([2.0, 0.0], abs=1e-9)
    assert found.rates(0.0, found.z0) == pytest.approx([1.5, 0.0])
    assert found.momenta == pytest.approx([1.5 * 3.7])


def test_constraints_hold(compiled):
    """A bead on a wire, with a spring: it hangs at the bottom."""
    model = compiled(CIRCLE, jacobian=True)
    found = model.start(q=0.4 * np.array([np.sin(0.5), -np.cos(0.5)]), qd=[0, 0]).trim()
    assert found.z0[:2] == pytest.approx([0.0, -0.4], abs=1e-10)


@pytest.mark.parametrize(
    ("signals", "arguments", "error", "words"),
    [
        (
            {},
            {"q": {"a": 0.7}},
            IntegrationError,
            r"by changing nothing: der\(der\(a\)\) is still -13.[0-9]*; hold fewer",
        ),
        ({"torque": 9.0}, {}, IntegrationError, r"near the start by changing a: der\(der\(a\)\) is still"),
        (
            {},
            {"qd": {"a": 3.0}},
            IntegrationError,
            r"no steady motion .* rates of a, der\(der\(a\)\) changes by -62.4273 in",
        ),
        ({}, {"q": {"a": np.nan}}, OptionError, "q of a must be a finite number, not nan"),
        ({}, {"qd": {"a": np.inf}}, OptionError, "qd of a must be a finite number, not inf"),
        ({}, {"q": {"a": [0.7]}}, TypeError, r"q of a must be a number, not \[0.7\]"),
        ({}, {"q": [0.7]}, TypeError, r"q must map names to values, not be \[0.7\]"),
        ({}, {"inputs": 3}, TypeError, "inputs must be the name of a signal, or a list of names, not 3"),
        ({}, {"inputs": ["torque", "torque"]}, OptionError, "inputs names torque twice"),
        ({}, {"q": {"b": 0.7}}, OptionError, "no coordinate is called 'b'"),
        ({}, {"qd": {"b": 0.7}}, OptionError, "no coordinate is called 'b'"),
        ({}, {"inputs": "torqe"}, OptionError, "no signal is called 'torqe'; did you mean torque"),
        ({"torque": lambda t, z: 0.0}, {}, OptionError, "needs signals that are numbers: bind one to torque"),
    ],
)
def test_what_is_no_equilibrium_is_told(pendulum, signals, arguments, error, words):
    with pytest.raises(error, match=words):
        pendulum.start(signals=signals).trim(**arguments)


def test_a_start_without_accelerations_is_told(pendulum):
    start = pendulum.start(q={"a": 1.0}, params={"g": 1e308, "m": 1e3}, t=2.0)
    with pytest.raises(IntegrationError, match=r"der\(der\(a\)\) is -inf at the start, t = 2: start elsewhere"):
        start.trim(inputs="torque")
