"""Signals: numbers, samples, functions of time and state, and expressions."""

import numpy as np
import pytest

from volterra_cg.clock import Clock
from volterra_cg.driver import generate
from volterra_cg.errors import OptionError
from volterra_cg.options import Options
from volterra_cg.runtime import Event
from volterra_cg.spec import parse
from volterra_cg.system.from_spec import from_spec

SLED = """\
schema = 1
name = "sled"
[parameters]
m = 2
[signals]
push = 1
wind = { value = "0.5*sin(t)", unit = "N" }
[coordinates]
x = {}
[points]
P = { at = ["x", 0, 0] }
[bodies]
sled = { mass = "m", center = "P" }
[actuators]
engine = { coordinate = "x", force = "push + wind" }
[outputs]
thrust = "push"
"""
Z = np.array([0.3, -0.2])


@pytest.fixture(scope="module")
def sled(compiled):
    return compiled(SLED)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("signal", "value"),
    [
        (4.0, 4.0),
        (([0, 1, 3], [0, 2, 6]), 3.0),
        (([2.0], [7.0]), 7.0),
        (([2.0, 3.0], [7.0, 8.0]), 7.0),
        (lambda t, z: 2 * t - 5 * z[0], 1.5),
    ],
)
def test_a_signal_acts(sled, signal, value):
    start = sled.start(signals={"push": signal})
    thrust = (value + 0.5 * np.sin(1.5)) / 2
    assert start.rhs(1.5, Z) == pytest.approx([-0.2, thrust])
    assert start.accelerations(1.5, Z) == pytest.approx([thrust])
    assert start.outputs(1.5, Z)["thrust"] == pytest.approx(value)
    assert start.forcing(1.5, Z) == pytest.approx(2 * thrust * start.mass_matrix(1.5, Z)[0] / 2)
    out = np.empty(2)
    assert start.rhs(1.5, Z, out=out) is out


@pytest.mark.compiles
def test_a_signal_can_be_changed_later(sled):
    start = sled.start(signals={"push": lambda t, z: 9.0})
    assert start.bind(signals={"push": 0.0}).rhs(0.0, Z) == pytest.approx([-0.2, 0.0])
    assert start.signals["push"](0, Z) == 9.0


@pytest.mark.compiles
def test_a_signal_with_an_expression_is_a_column_and_can_be_watched_and_read(sled):
    run = sled.simulate(4.0, events={"wind": Event(direction="falling")})
    assert run["wind"] == pytest.approx(0.5 * np.sin(run.t))
    assert list(run.signals) == ["push", "wind"]
    assert run.description.unit_of("wind") == "N"
    assert [event.t for event in run.events] == pytest.approx([np.pi])
    against = sled.simulate(4.0, control=lambda t, x: {"push": -x["wind"]})
    assert abs(against["x"]).max() < 1e-12
    assert run.description.user_columns == ("thrust",)  # what linearise takes unless told otherwise


def test_a_signal_whose_name_an_output_has_is_no_column():
    system = from_spec(parse(SLED.replace('thrust = "push"', 'wind = "2*wind"')))
    assert system.computed_signals == ()


def test_showing_a_signal_leaves_the_equations_alone(tmp_path):
    plain = SLED.replace('wind = { value = "0.5*sin(t)", unit = "N" }\n', "").replace("+ wind", "+ 0.5*sin(t)")
    counts = []
    for text in (SLED, plain):
        (tmp_path / "sled.toml").write_text(text)
        counts.append(generate(tmp_path / "sled.toml", Options(), Clock()).report["operations"])
    assert counts[0] == counts[1]


@pytest.mark.compiles
def test_feedback_in_a_simulation(sled):
    run = sled.start(q={"x": 1.0}, signals={"push": lambda t, z: -8 * z[0] - 0.5 * np.sin(t)}).simulate(1.0, rtol=1e-10)
    assert run["x"][-1] == pytest.approx(np.cos(2.0), abs=1e-7)
    assert run["thrust"] == pytest.approx(-8 * run["x"] - 0.5 * np.sin(run.t))


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("signals", "error", "words"),
    [
        ({"pusch": 1.0}, OptionError, "did you mean push"),
        ({"wind": 1.0}, OptionError, "the spec gives the signal wind by an expression, so it cannot be set"),
        ({"push": "much"}, TypeError, "a number, a pair"),
        ({"push": (1, 2, 3)}, TypeError, "a pair"),
        ({"push": ([0, 1], [0])}, ValueError, "shape"),
        ({"push": ([0, 0], [0, 1])}, ValueError, "increase"),
    ],
)
def test_wrong_signals_are_refused(sled, signals, error, words):
    with pytest.raises(error, match=words):
        sled.start(signals=signals)
