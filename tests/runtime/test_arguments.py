"""Arguments of single runs that make no sense are refused by name."""

import operator
import pickle
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy

from volterra_cg.errors import OptionError
from volterra_cg.runtime import Event
from volterra_cg.runtime.arguments import number, numbers
from volterra_cg.sweep import Axis, Grid, Job


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"params": {"m": np.nan}}, OptionError, "the parameter m must be a finite number, not nan"),
        ({"params": {"m": "heavy"}}, TypeError, "the parameter m must be a number"),
        ({"params": [1.0, 2.0]}, TypeError, "parameters must map names"),
        ({"q": {"x": np.nan}}, OptionError, "the coordinate x must be a finite number"),
        ({"q": [np.inf, 0.0, 0.0]}, OptionError, "q of x must be a finite number"),
        ({"q": ["a", "b", "c"]}, TypeError, "q must be real numbers"),
        ({"t": np.nan}, OptionError, "t must be a finite number"),
        ({"signals": {"force": np.nan}}, OptionError, "the signal force must be a finite number"),
    ],
)
def test_starts(model, arguments, error, words):
    with pytest.raises(error, match=words):
        model.start(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"t_end": "late"}, TypeError, "t_end must be a number"),
        ({"t_end": "late", "t_eval": [1.0]}, TypeError, "t_end must be a number"),
        ({"dt": [0.1, 0.2]}, TypeError, "dt must be a number"),
        ({"dt": np.inf}, OptionError, "dt must be positive and finite"),
        ({"rtol": "fine"}, TypeError, "rtol must be a number"),
        ({"rtol": np.inf}, OptionError, "finite"),
        ({"atol": np.inf}, OptionError, "finite"),
        ({"atol": ["a"]}, TypeError, "atol must be real numbers"),
        ({"rtol": 1e-300, "atol": 0.0}, OptionError, "below the precision"),
        ({"max_step": "1"}, TypeError, "max_step must be a number"),
        ({"first_step": "1"}, TypeError, "first_step must be a number"),
        ({"max_steps": 1.5}, TypeError, "max_steps must be a whole number"),
        ({"max_steps": 0}, OptionError, "max_steps must be positive"),
        ({"max_steps": 2**70}, OptionError, "max_steps must be positive"),
        ({"t_eval": "soon"}, TypeError, "t_eval must be real numbers"),
        ({"t_eval": [0.1, None]}, TypeError, "t_eval must be real numbers"),
        ({"events": ["height"]}, TypeError, "events must map names"),
        ({"integrator": 3}, OptionError, "must be a string"),
    ],
)
def test_runs(model, arguments, error, words):
    with pytest.raises(error, match=words):
        model.simulate(**{"t_end": 1.0, **arguments})


@pytest.mark.parametrize("direction", [3, [], None])
def test_events(direction):
    with pytest.raises(OptionError, match="the name of a direction must be a string"):
        Event(direction)


ODD = [
    1 + 2j,
    np.complex128(1),
    np.datetime64("2020-01-01"),
    np.timedelta64(3, "s"),
    datetime(2020, 1, 1),
    "1",
    b"1",
    None,
]
ENTRANCES = {
    "start q": lambda model, odd: model.start(q=[odd, 0.0, 0.0]),
    "start q by name": lambda model, odd: model.start(q={"x": odd}),
    "start qd": lambda model, odd: model.start(qd=[odd, 0.0, 0.0]),
    "start parameter": lambda model, odd: model.start(params={"m": odd}),
    "start signal": lambda model, odd: model.start(signals={"force": odd}),
    "start samples": lambda model, odd: model.start(signals={"force": ([0.0, 1.0], [odd, 0.0])}),
    "start t": lambda model, odd: model.start(t=odd),
    "bind momenta": lambda model, odd: model.default.bind({"m": 2.0}, momenta=[odd]),
    "rhs t": lambda model, odd: model.rhs(odd, model.z0),
    "rhs z": lambda model, odd: model.rhs(0.0, [odd, 0.0, 0.0, 0.0]),
    "rhs driven": lambda model, odd: model.start(signals={"force": lambda t, z: odd}).rhs(0.0, model.z0),
    "outputs": lambda model, odd: model.outputs(0.0, [odd, 0.0, 0.0, 0.0]),
    "outputs along": lambda model, odd: model.default.handle.outputs_along([odd], [model.z0]),
    "linearise": lambda model, odd: model.linearise(0.0, [odd, 0.0, 0.0, 0.0]),
    "sensitivities": lambda model, odd: model.sensitivities(0.0, [odd, 0.0, 0.0, 0.0]),
    "t_end": lambda model, odd: model.simulate([odd]),
    "t_eval": lambda model, odd: model.simulate(t_eval=[odd]),
    "rtol": lambda model, odd: model.simulate(1.0, rtol=[odd]),
    "atol": lambda model, odd: model.simulate(1.0, atol=[odd] * 4),
    "driven run": lambda model, odd: model.start(signals={"force": lambda t, z: odd}).simulate(1.0),
    "dense": lambda model, odd: model.simulate(1.0, dense=True).dense([odd]),
    "many q": lambda model, odd: model.simulate_many(1.0, q={"x": [odd, 1.0]}),
    "many table": lambda model, odd: model.simulate_many(1.0, q=[[odd, 0.0, 0.0]]),
    "many parameters": lambda model, odd: model.simulate_many(1.0, params={"m": [2.0, odd]}),
    "many signals": lambda model, odd: model.simulate_many(1.0, signals={"force": [odd]}),
    "many samples": lambda model, odd: model.simulate_many(1.0, signals={"force": ([0.0, 1.0], [odd, 0.0])}),
    "many atol": lambda model, odd: model.simulate_many(1.0, atol=[odd] * 4),
    "sweep axis": lambda _, odd: Axis("m", (odd,)),
    "sweep value": lambda model, odd: Job(model, Grid((Axis("m", (1.0,)),)), {"k": [odd]}, t_end=1.0, dt=0.1),
}


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_what_is_no_real_number_is_refused_at_every_entrance(model, entrance, odd):
    with pytest.raises(TypeError, match=r"must be (a number|real numbers|a pair \(times, samples\) of real numbers)"):
        ENTRANCES[entrance](model, odd)


def test_numbers_of_other_kinds_are_taken():
    for value in (True, 2, 2**70, Decimal("2.5"), Fraction(1, 2), np.float32(2), np.array(3, dtype=">i4"), sympy.pi):
        assert number("it", value) == float(value)
    np.testing.assert_array_equal(numbers("it", [[1, Fraction(1, 2)]]), [[1.0, 0.5]])
    assert numbers("it", []).shape == (0,)
    with pytest.raises(TypeError, match="it must be real numbers"):
        numbers("it", np.ma.masked_array([1.0, 2.0], mask=[True, False]))


@pytest.mark.parametrize("asked", [
    "rhs", "rates", "accelerations", "outputs", "energies", "invariants", "constraints", "mass_matrix", "forcing",
])  # fmt: skip
def test_masked_states_are_refused(model, asked):
    start, z = model.default, np.array(model.z0)
    hidden, shown = np.ma.masked_array(z, mask=[True] + [False] * (len(z) - 1)), np.ma.masked_array(z)
    with pytest.raises(TypeError, match="z must be real numbers"):
        getattr(start, asked)(0.0, hidden)
    np.testing.assert_equal(getattr(start, asked)(0.0, shown), getattr(start, asked)(0.0, z))


def test_the_attributes_of_a_start_cannot_be_set(model):
    start = model.start()
    for name in ("parameters", "z0", "t0", "momenta", "signals", "rhs", "model", "handle", "anything"):
        with pytest.raises(AttributeError, match=rf"so {name} cannot be set: the model's start\(q, qd, params"):
            setattr(start, name, None)
    with pytest.raises(AttributeError, match="a start cannot be changed"):
        del start.z0
    assert start.parameters == model.parameters


def test_what_is_shown_cannot_be_changed(model):
    run = model.simulate(0.1)
    runs = model.simulate_many(0.1, signals={"force": [0.0, 1.0]})
    shown = [
        model.parameters, model.report, model.description.units, model.default.parameters, model.default.signals,
        run.parameters, runs.parameters, runs.signals, runs.run(0).parameters,
    ]  # fmt: skip
    for values in shown:
        before = dict(values)
        for change in (
            lambda values=values: values.__setitem__("m", 3.0),
            lambda values=values: values.__delitem__("m"),
            lambda values=values: values.update(m=3.0),
            lambda values=values: values.setdefault("new", 3.0),
            lambda values=values: values.pop("m"),
            lambda values=values: values.clear(),
            lambda values=values: operator.ior(values, {"m": 3.0}),
        ):
            with pytest.raises(TypeError, match="cannot be changed here: start"):
                change()
        assert dict(values) == before
    assert (model.parameters | {"m": 3.0})["m"] == 3.0
    again = pickle.loads(pickle.dumps(model.parameters))
    assert again == model.parameters
    assert type(again) is type(model.parameters)
