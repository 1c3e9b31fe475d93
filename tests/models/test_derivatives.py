"""The compiled derivatives of whole models, beside the complex step on the program as derived and differences of rhs."""

import numpy as np
import pytest

from benchmarks.chains import cart_chain
from tests.fixtures.mechanics import PAPER
from tests.fixtures.slopes import SlopeOracle
from tests.fixtures.specs import KNOTTED, MOVING, PLAIN
from volterra_cg.options import FORMULATIONS
from volterra_cg.runtime.handle import Handle

pytestmark = pytest.mark.compiles

# Roots, absolute values, signs, powers, extremes and an angle of two arguments.
ROUGH = """
schema = 1
name = "rough"
[parameters]
m = 2
k = 3
c = 0.4
e = 1.5
size = { value = 0.3, fixed = true }
[signals]
push = 0.2
[coordinates]
x = { initial = 0.3, rate = 0.5 }
y = { initial = -0.4, rate = 0.2 }
a = { initial = 0.7, rate = -0.3 }
[frames]
B = { rotate = [["z", "a"]] }
[points]
P = { at = ["x", "y", 0] }
Q = { from = "P", in = "B", at = ["size", 0, 0] }
[bodies]
plate = { mass = "m", center = "Q", frame = "B", inertia = { zz = "m*size**2" } }
[springs]
cord = { between = ["O", "Q"], stiffness = "k", length = 0.1 }
[generalized_forces]
x = "-c*abs(der(x))*der(x) + push*max(x, y, a/5)"
y = "-c*sign(der(y))*abs(y)**e - min(x, 0.2)*k**0.3"
a = "atan2(x, y) + tanh(der(a)) + log(2 + x) + asin(x/4) + sqrt(x**2 + y**2)"
"""
TEXTS = {"plain": PLAIN, "moving": MOVING, "knotted": KNOTTED, "rough": ROUGH}
TEXTS |= {name: name for name in (*PAPER, "rolling_disc", "andrews", "driven_rotor", "spring_pendulum", "gimbals")}


def close(found, expected, tolerance=1e-9):
    assert found.shape == expected.shape
    assert np.abs(found - expected).max(initial=0.0) <= tolerance * (1 + np.abs(expected).max(initial=0.0))


def states(model, oracle, count=3):
    """Random states near the start, with momenta and a time; constraints on positions need not hold."""
    random = np.random.default_rng(7)
    for _ in range(count):
        z = model.z0 + random.uniform(-0.3, 0.3, len(model.z0))
        momenta = model.momenta + random.uniform(-1, 1, len(model.momenta))
        handle = Handle(model.table, model.description.checks, oracle.parameters, oracle.signals, momenta)
        yield handle, random.uniform(0, 2), z, momenta


@pytest.mark.parametrize("text", TEXTS)
def test_every_entry_is_that_of_the_complex_step(compiled, text):
    model, oracle = compiled(TEXTS[text], jacobian=True), SlopeOracle(TEXTS[text])
    random = np.random.default_rng(8)
    for handle, t, z, momenta in states(model, oracle):
        close(handle.jacobian(t, z), oracle.at_state("jacobian", t, z, momenta))
        close(handle.sensitivity(t, z), oracle.at_state("sensitivity", t, z, momenta))
        q, rates = z[: len(model.coordinates)], random.uniform(-1, 1, len(model.coordinates))
        close(handle.start_sensitivity(t, q, rates), oracle.at_start(t, q, rates))


@pytest.mark.parametrize("text", TEXTS)
def test_differences_of_the_compiled_rhs_agree(compiled, text):
    model, oracle = compiled(TEXTS[text], jacobian=True), SlopeOracle(TEXTS[text])
    p, s = len(oracle.parameters), len(model.momenta)
    for handle, t, z, momenta in states(model, oracle, 1):

        def rhs(values, t=t):
            parameters, g, signals, state = np.split(values, np.cumsum([p, s, len(oracle.signals)]))
            return Handle(model.table, model.description.checks, parameters, signals, g).rhs(t, state)

        at = np.array([*oracle.parameters, *momenta, *oracle.signals, *z])
        steps = np.diag(1e-6 * (1e-3 + np.abs(at)))
        columns = [(rhs(at + h) - rhs(at - h)) / (2 * h.sum()) for h in steps]
        close(np.hstack([handle.sensitivity(t, z), handle.jacobian(t, z)]), np.array(columns).T, 2e-5)


@pytest.mark.parametrize(
    ("text", "formulation"),
    [
        (t, m)
        for t in ("cart_pendulum", "double_four_bar")
        for m in FORMULATIONS
        if (t, m) != ("double_four_bar", "routh")
    ],  # nothing ignorable
)
def test_all_formulations_have_derivatives(compiled, text, formulation):
    model, oracle = compiled(text, formulation, jacobian=True), SlopeOracle(text, formulation)
    for handle, t, z, momenta in states(model, oracle, 1):
        close(handle.jacobian(t, z), oracle.at_state("jacobian", t, z, momenta), 1e-8)
        close(handle.sensitivity(t, z), oracle.at_state("sensitivity", t, z, momenta), 1e-8)


@pytest.mark.parametrize("text", ["three_bodies", "knotted"])
def test_the_functions_without_derivatives_are_the_same(compiled, text):
    """Asking for derivatives changes no bit of rhs."""
    plain, rich = compiled(TEXTS[text]), compiled(TEXTS[text], jacobian=True)
    z = plain.z0 + 0.1
    np.testing.assert_array_equal(plain.rhs(0.3, z), rich.rhs(0.3, z))
    told = rich.report["operations"]
    assert plain.report["operations"].keys() < told.keys()
    assert {name: told[name] for name in ("total", "add", "mul", "div", "function")} == {
        name: plain.report["operations"][name] for name in ("total", "add", "mul", "div", "function")
    }


@pytest.mark.parametrize(
    ("text", "most"),
    [("cart_pendulum", 313), ("three_bodies", 1452), ("satellite_boom", 321), ("andrews", 1658), (cart_chain(8), 1601)],
    ids=lambda value: value if isinstance(value, int) else value.split("\n")[0],
)
def test_the_jacobian_keeps_its_budget(compiled, text, most):
    assert compiled(text, jacobian=True).report["operations"]["jacobian"] <= most


def test_a_bound_parameter_is_none(compiled):
    found = compiled(ROUGH, jacobian=True).sensitivities(0.0, compiled(ROUGH).z0)
    assert found.parameters == ("m", "k", "c", "e")
    assert found.by_parameters.shape == (6, 4)
