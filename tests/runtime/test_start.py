"""A start: values by name and by array, and what is refused."""

import numpy as np
import pytest

from volterra_cg.errors import OptionError, StartError


def test_z0_cannot_be_changed_by_accident(model):
    with pytest.raises(ValueError, match="read-only"):
        model.z0[0] = 3.0


def test_start_values_follow_the_parameters(model):
    start = model.start(params={"l": 0.3, "m": 4.0})
    np.testing.assert_array_equal(start.z0, [0.3, 0.0, 0.6, 0.0])
    np.testing.assert_array_equal(start.momenta, [4.0])
    assert start.parameters == {"m": 4.0, "k": 8.0, "l": 0.3}
    assert model.parameters["l"] == 1.0


def test_start_takes_dicts_and_arrays(model):
    by_name = model.start(q={"y": 2.0}, qd={"y": 3.0})
    by_array = model.start(q=[1, 2, 2], qd=np.array([0, 3, 0]))
    np.testing.assert_array_equal(by_name.z0, by_array.z0)
    np.testing.assert_array_equal(by_name.momenta, [6.0])
    np.testing.assert_array_equal(by_array.momenta, [6.0])


def test_signals_are_bound(model):
    start = model.start(signals={"force": 8.0})
    assert start.rhs(0.0, start.z0)[3] == 0.0
    assert start.bind(signals={"force": 16.0}).rhs(0.0, start.z0)[3] == 4.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"params": {"mm": 1.0}}, "no parameter is called 'mm'; did you mean m?"),
        ({"signals": {"push": 1.0}}, "no signal is called 'push'; there are force"),
        ({"q": {"z": 1.0}}, "no coordinate is called 'z'"),
    ],
)
def test_unknown_names_are_refused(model, arguments, words):
    with pytest.raises(OptionError, match=words.replace("?", r"\?")):
        model.start(**arguments)


def test_wrong_shapes_and_values_are_refused(model):
    with pytest.raises(ValueError, match=r"q must have shape \(3,\)"):
        model.start(q=[1.0])
    with pytest.raises(TypeError, match="the parameter m must be a number"):
        model.start(params={"m": "heavy"})


def test_a_start_off_the_constraint_is_refused_by_name(model):
    with pytest.raises(StartError, match=r"the constraint wheel \(position\): its residual is 0\.5"):
        model.start(q={"w": 2.5})
    with pytest.raises(StartError, match=r"constraints \(wheel\).* the rate of w is 2, not 1"):
        model.start(qd={"x": 1.0, "w": 1.0})
    model.start(qd={"x": 1.0, "w": 2.0})


def test_new_parameters_need_momenta(model):
    start = model.default
    with pytest.raises(OptionError, match="give bind\\(\\) the momenta too"):
        start.bind({"m": 4.0})
    bound = start.bind({"m": 4.0}, momenta=[8.0])
    assert bound.rhs(0.0, start.z0)[1] == 2.0
