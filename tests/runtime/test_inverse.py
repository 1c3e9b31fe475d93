"""Inverse dynamics is the inverse of the accelerations, and Newton's law."""

import numpy as np
import pytest

from tests.language.test_signals import SLED
from tests.runtime.test_linearisation import PENDULUM
from volterra_cg.errors import IntegrationError, OptionError

pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def pendulum(compiled):
    return compiled(PENDULUM, jacobian=True)


def test_the_torque_of_a_pendulum(pendulum):
    found = pendulum.inverse_dynamics(0.0, [0.7, 1.3], {"a": -2.0})
    assert found == {"torque": pytest.approx(-2.0 * (0.02 + 0.7 * 0.16) + 0.7 * 9.81 * 0.4 * np.sin(0.7), rel=1e-12)}
    start = pendulum.start(signals=found)
    assert start.accelerations(0.0, [0.7, 1.3]) == pytest.approx([-2.0], rel=1e-12)
    assert pendulum.inverse_dynamics(0.0, [0.7, 1.3], [-2.0], "torque") == found


def test_other_signals_stay_as_they_are(compiled):
    found = compiled(SLED).inverse_dynamics(1.5, [0.3, -0.2], [4.0], ["push"])
    assert found == {"push": pytest.approx(8.0 - 0.5 * np.sin(1.5), rel=1e-12)}


def test_inputs_may_enter_by_their_squares(compiled):
    sled = compiled(SLED.replace('"push + wind"', '"push**2 + wind"'))
    found = sled.start(signals={"push": 2.0}).inverse_dynamics(0.0, [0.3, -0.2], [4.5])
    assert found == {"push": pytest.approx(3.0, rel=1e-10)}


@pytest.mark.parametrize(
    ("t", "z", "inputs", "error", "words"),
    [
        (np.nan, [0.0, 0.0], None, OptionError, "t must be a finite number, not nan"),
        (0.0, [0.0, np.inf], None, OptionError, r"z of der\(a\) must be a finite number, not inf"),
        (0.0, [0.0], None, OptionError, r"z must be an array of shape \(2,\) of a, der\(a\), not \(1,\)"),
        (0.0, [0.0, 0.0], 3, TypeError, "inputs must be the name of a signal, or a list of names, not 3"),
        (0.0, [0.0, 0.0], ["torque", "torque"], OptionError, "inputs names torque twice: name each signal once"),
    ],
)
def test_what_is_no_state_is_refused(pendulum, t, z, inputs, error, words):
    with pytest.raises(error, match=words):
        pendulum.inverse_dynamics(t, z, {"a": 1.0}, inputs)


def test_accelerations_that_overflow_are_told(pendulum):
    heavy = pendulum.start(params={"g": 1e308, "m": 1e3})
    with pytest.raises(IntegrationError, match="the acceleration of a is not finite at t = 0, in this state"):
        heavy.inverse_dynamics(0.0, [1.0, 0.0], {"a": 1.0})
    with pytest.raises(IntegrationError, match="the acceleration of a is not finite"):
        pendulum.inverse_dynamics(0.0, [0.0, 0.0], {"a": 1.5e308})


@pytest.mark.parametrize(
    ("accelerations", "inputs", "words"),
    [
        ({"b": 1.0}, None, "no coordinate is called 'b'"),
        ({"a": 1.0}, ["force"], "no signal is called 'force'"),
        ([1.0, 2.0], None, r"an array of shape \(1,\) of a, not \(2,\)"),
        ([np.nan], None, "accelerations of a must be a finite number, not nan"),
        ({"a": np.nan}, None, "the acceleration of a must be a finite number, not nan"),
        ({}, None, "the accelerations of nothing do not determine the inputs torque: choose fewer inputs"),
        ({"a": 1.0}, [], "the inputs none cannot give these accelerations: that of a is 0 at best, not 1"),
    ],
)
def test_what_cannot_be_found_is_told(pendulum, accelerations, inputs, words):
    with pytest.raises(OptionError, match=words):
        pendulum.inverse_dynamics(0.0, [0.0, 0.0], accelerations, inputs)
