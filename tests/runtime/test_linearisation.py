"""Linear equations near a state, as textbooks have them, and sensitivities beside differences."""

import numpy as np
import pytest

from tests.fixtures.mechanics import MODELS
from volterra_cg.errors import IntegrationError, OptionError, SingularConfiguration
from volterra_cg.options import FORMULATIONS
from volterra_cg.runtime.linearisation import _slope

pytestmark = pytest.mark.compiles

PENDULUM = """
schema = 1
name = "pendulum"
[parameters]
m = 0.7
l = 0.4
J = 0.02
g = 9.81
[signals]
torque = 0
[coordinates]
a = { initial = 0 }
[frames]
B = { rotate = [["z", "a"]] }
[points]
G = { in = "B", at = [0, "-l", 0] }
[bodies]
rod = { mass = "m", center = "G", frame = "B", inertia = { zz = "J" } }
[gravity]
N = [0, "-g", 0]
[generalized_forces]
a = "torque"
"""
# The cart is free to roll, so that x is ignorable.
CART = """
schema = 1
name = "cart"
[parameters]
M = 3
m = 0.7
l = 0.4
g = 9.81
[coordinates]
x = { initial = 0, rate = 0.2 }
a = { initial = 0, rate = 0 }
[frames]
B = { rotate = [["z", "a"]] }
[points]
P = { at = ["x", 0, 0] }
Q = { from = "P", in = "B", at = [0, "-l", 0] }
[bodies]
cart = { mass = "M", center = "P" }
bob = { mass = "m", center = "Q" }
[gravity]
N = [0, "-g", 0]
"""
# The same pendulum as a particle on a circle, with a spring aside.
CIRCLE = """
schema = 1
name = "circle"
[parameters]
m = 0.7
l = 0.4
g = 9.81
k = 2
[signals]
push = 0
[coordinates]
x = { initial = 0 }
y = { initial = "-l" }
[points]
P = { at = ["x", "y", 0] }
[bodies]
bob = { mass = "m", center = "P" }
[gravity]
N = [0, "-g", 0]
[generalized_forces]
x = "push - k*x"
[constraints]
wire = "x**2 + y**2 - l**2"
"""
OMEGA = np.sqrt(9.81 / 0.4 + 2 / 0.7)  # of CIRCLE at rest


def circle_state(model, angle, speed):
    """The state of CIRCLE at an angle, for any formulation."""
    q = 0.4 * np.array([np.sin(angle), -np.cos(angle)])
    start = model.start(q=q, qd=0.4 * speed * np.array([np.cos(angle), np.sin(angle)]))
    return start, start.z0


def test_a_pendulum_at_rest_has_its_frequency(compiled):
    model = compiled(PENDULUM, jacobian=True)
    found = model.linearise(0.0, [0.0, 0.0])
    inertia = 0.02 + 0.7 * 0.4**2
    omega = np.sqrt(0.7 * 9.81 * 0.4 / inertia)
    assert found.eigenvalues == pytest.approx([-1j * omega, 1j * omega])
    assert found.states == ("a", "der(a)")
    assert found.signals == ("torque",)
    assert pytest.approx(np.array([[0, 1], [-(omega**2), 0]])) == found.A
    assert pytest.approx(np.array([[0], [1 / inertia]])) == found.B
    assert found.rate == pytest.approx([0, 0])
    upright = model.linearise(0.0, [np.pi, 0.0])
    assert upright.eigenvalues == pytest.approx([-omega, omega])


def test_zero_modes_of_momenta_come_with_the_full_set_only(compiled):
    model = compiled(CART, jacobian=True)
    omega = np.sqrt(9.81 / 0.4 * (3 + 0.7) / 3)
    given = model.linearise(0.0, model.z0)
    assert given.states == ("x", "a", "der(a)")
    assert given.eigenvalues == pytest.approx([0, -1j * omega, 1j * omega], abs=1e-7)
    full = model.linearise(0.0, model.z0, full=True)
    assert full.states == ("x", "a", "der(a)", "momentum x")
    assert full.eigenvalues == pytest.approx([0, 0, -1j * omega, 1j * omega], abs=1e-7)
    assert full.A[-1] == pytest.approx(np.zeros(4))
    assert full.A[0, -1] == pytest.approx(1 / 3.7)
    assert full.B.shape == (4, 0)
    assert full.basis == pytest.approx(np.eye(4))


def test_the_full_set_is_that_of_a_formulation_without_momenta(compiled):
    """Up to the choice of coordinates, which eigenvalues at an equilibrium do not see."""
    full = compiled(CART, jacobian=True).start(qd=[0, 0])
    kane = compiled(CART, "kane", jacobian=True).start(qd=[0, 0])
    ours, theirs = full.linearise(0.0, full.z0, full=True), kane.linearise(0.0, kane.z0)
    assert np.poly(ours.A) == pytest.approx(np.poly(theirs.A), abs=1e-9)


@pytest.mark.parametrize("formulation", [m for m in FORMULATIONS if m != "routh"])
def test_constraints_on_positions_leave_the_modes_of_the_mechanism(compiled, formulation):
    model = compiled(CIRCLE, formulation, jacobian=True)
    found = model.linearise(0.0, model.z0)
    assert found.eigenvalues == pytest.approx([-1j * OMEGA, 1j * OMEGA])
    assert found.states[0] == "x"
    assert found.basis[:2, 0] == pytest.approx([1, 0])
    assert len(np.linalg.eigvals(model.jacobian(0.0, model.z0))) > 2


@pytest.mark.parametrize("formulation", ["reduced-volterra", "lagrange", "udwadia-kalaba"])
def test_on_a_motion_the_equations_are_those_of_neighbours(compiled, formulation):
    """The rates of independent deviations between motions that keep to the constraint, at a state that moves."""
    model, step = compiled(CIRCLE, formulation, jacobian=True), 1e-5
    start, z = circle_state(model, 0.5, 1.3)
    found = start.linearise(0.0, z)
    chosen = [model.states.index(name) for name in found.states]
    for turn, speed in ((1, 0), (0, 1)):
        above, below = (circle_state(model, 0.5 + s * turn, 1.3 + s * speed) for s in (step, -step))
        deviation = (above[1] - below[1]) / (2 * step)
        rate = (above[0].rhs(0.0, above[1]) - below[0].rhs(0.0, below[1])) / (2 * step)
        assert found.basis @ deviation[chosen] == pytest.approx(deviation, abs=1e-6)
        assert found.A @ deviation[chosen] == pytest.approx(rate[chosen], abs=1e-6)
    assert np.abs(found.rate).max() > 0.1


@pytest.mark.parametrize("formulation", ["reduced-volterra", "lagrange"])
@pytest.mark.parametrize("spin", [2.0, 5.0])
def test_a_rolling_disc_stands_upright_above_its_critical_speed(compiled, formulation, spin):
    """The lean obeys 5 q2'' = (4 g/r - 12 spin**2) q2, so that it is stable from spin**2 = g/(3 r) on."""
    text = (MODELS / "rolling_disc.toml").read_text()
    text = text[: text.index("[quasi_velocities]")]  # rates then, in which the equations do not change while it rolls
    model = compiled(text, formulation, jacobian=True)
    start = model.start(q=[0] * 5, qd=[0, 0, spin, 0.26 * spin, 0])
    found = start.linearise(0.0, start.z0, full=True)
    lean = np.sqrt(complex(4 * 9.81 / 0.26 - 12 * spin**2) / 5)
    moving = found.eigenvalues[np.abs(found.eigenvalues) > 1e-3]
    assert sorted(moving, key=lambda v: (v.real, v.imag)) == pytest.approx(
        sorted([-lean, lean], key=lambda v: (v.real, v.imag))
    )


def test_a_sleigh_slides_straight_with_a_known_decay(compiled):
    """The turn of Chaplygin's sleigh dies out at m a v / (I + m a**2); rates and quasi-velocities agree on it."""
    found = []
    for formulation in ("reduced-volterra", "lagrange", "kane"):
        start = compiled("chaplygin_sleigh", formulation, jacobian=True).start(q=[0] * 3, qd=[1, 0, 0])
        found.append(np.poly(start.linearise(0.0, start.z0, full=True).A))
    p = start.parameters
    decay = p["m"] * p["a"] / (p["I"] + p["m"] * p["a"] ** 2)
    assert found[0] == pytest.approx([1, decay, 0, 0, 0, 0], abs=1e-9)
    assert found[1] == pytest.approx(found[0], abs=1e-7)
    assert found[2] == pytest.approx(found[0], abs=1e-7)


def test_signals_act_on_independent_states(compiled):
    found = compiled(CIRCLE, jacobian=True).linearise(0.0, [0.0, -0.4, 0.0])
    assert found.B.shape == (2, 1)
    assert np.abs(found.B[:, 0]) == pytest.approx([0, 1 / 0.7])


def test_sensitivities_at_fixed_rates_are_those_through_start(compiled):
    model = compiled("cart_pendulum", jacobian=True)
    q, rates, t = [1.2, 0.7, 0.3], None, 0.0
    start = model.start(q=q, qd=model.rates(0.0, np.array([*q, 0.8])))
    rates = start.rates(t, start.z0)
    found = start.sensitivities(t, start.z0)
    assert found.parameters == tuple(model.parameters)
    assert found.momenta == ("x",)
    assert found.by_signals.shape == (4, 0)
    for column, (name, value) in enumerate(model.parameters.items()):
        step = 1e-6 * value
        above, below = (_free(model, {name: value + s}, q, rates) for s in (step, -step))
        assert found.by_parameters_at_rates[:, column] == pytest.approx((above - below) / (2 * step), abs=1e-6)


def _free(model, params, q, rates):
    """rhs through start, at rates that other parameters may not allow: no checks."""
    from volterra_cg.runtime.handle import Handle

    parameters, signals = {**model.parameters, **params}, model.description.signals
    values = list(parameters.values()), list(signals.values())
    z, momenta = Handle(model.table, model.description.checks, *values).start(0.0, q, rates)
    return Handle(model.table, model.description.checks, *values, momenta).rhs(0.0, z)


def test_the_end_of_a_motion_follows_the_parameters(compiled):
    """The variational equations, with momenta from the start, give what two simulations differ by."""
    from scipy.integrate import solve_ivp

    model, end = compiled(CART, jacobian=True), 1.5
    start = model.start(q={"a": 0.6}, qd={"x": 0.4, "a": 1.0})
    first, n, p = start.start_sensitivities(), len(start.z0), len(model.parameters)

    def rhs(t, both):
        z, slopes = both[:n], both[n:].reshape(n, p)
        here = start.sensitivities(t, z)
        forced = here.by_parameters + here.by_momenta @ first.momenta_by_parameters
        return np.concatenate([start.rhs(t, z), (start.jacobian(t, z) @ slopes + forced).ravel()])

    begin = np.concatenate([start.z0, first.states_by_parameters.ravel()])
    slopes = solve_ivp(rhs, (0, end), begin, rtol=1e-10, atol=1e-12).y[n:, -1].reshape(n, p)
    for column, (name, value) in enumerate(model.parameters.items()):
        ends = []
        for step in (1e-5, -1e-5):
            moved = model.start(q={"a": 0.6}, qd={"x": 0.4, "a": 1.0}, params={name: value + step})
            ends.append(solve_ivp(moved.rhs, (0, end), moved.z0, rtol=1e-12, atol=1e-13).y[:, -1])
        assert slopes[:, column] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-6)


def test_start_sensitivities_by_rates(compiled):
    found = compiled(CART, jacobian=True).start_sensitivities()
    assert found.states_by_q == pytest.approx(np.array([[1, 0], [0, 1], [0, 0]]))
    assert found.states_by_qd == pytest.approx(np.array([[0, 0], [0, 0], [0, 1]]))
    assert found.momenta_by_qd == pytest.approx(np.array([[3.7, 0.7 * 0.4]]))
    assert found.momenta_by_parameters[0] == pytest.approx([0.2, 0.2, 0, 0])


def test_signals_that_change_are_those_of_the_moment(compiled):
    text = PENDULUM.replace('a = "torque"', 'a = "torque*a"')
    model = compiled(text, jacobian=True)
    driven = model.start(signals={"torque": lambda t, z: 3 * t + z[0]})
    held = model.start(signals={"torque": 3 * 0.5 + 0.2})
    z = [0.2, 0.0]
    np.testing.assert_array_equal(driven.jacobian(0.5, z), held.jacobian(0.5, z))
    np.testing.assert_array_equal(driven.linearise(0.5, z).A, held.linearise(0.5, z).A)


def test_a_kink_of_infinite_slope_is_told_by_its_coordinates(compiled):
    model = compiled(PENDULUM.replace('a = "torque"', 'a = "torque - sqrt(abs(a))"'), jacobian=True)
    assert np.isfinite(model.rhs(0.0, [0.0, 0.0])).all()
    with pytest.raises(SingularConfiguration, match=r"a divisor of the derivatives in a is zero"):
        model.jacobian(0.0, [0.0, 0.0])
    assert np.isfinite(model.jacobian(0.0, [0.1, 0.0])).all()


@pytest.mark.parametrize("name", ["jacobian", "sensitivities", "linearise"])
def test_a_model_built_without_says_what_to_do(compiled, name):
    model = compiled(PENDULUM)
    with pytest.raises(OptionError, match="--jacobian"):
        getattr(model, name)(0.0, model.z0)
    with pytest.raises(OptionError, match="--jacobian"):
        model.start_sensitivities()


def test_a_state_that_is_not_finite_has_no_linear_equations(compiled):
    model = compiled(PENDULUM, jacobian=True)
    assert np.isnan(model.jacobian(0.0, [np.nan, 0.0])).any()
    with pytest.raises(IntegrationError, match=r"not finite at t = 0\.5"):
        model.linearise(0.5, [np.nan, 0.0])


def test_a_state_of_the_wrong_size_is_refused(compiled):
    model = compiled(PENDULUM, jacobian=True)
    with pytest.raises(ValueError, match=r"z must have shape \(2,\)"):
        model.jacobian(0.0, [0.0])
    with pytest.raises(ValueError, match="qd must have shape"):
        model.default.handle.start_sensitivity(0.0, [0.0], [0.0, 1.0])


def with_outputs(text):
    return f'{text}[outputs]\nheight = "-l*cos(a)"\npower = "torque*der(a)"\nload = "torque + 2*a"\n'


def test_outputs_are_linear_too(compiled):
    model = compiled(with_outputs(PENDULUM), jacobian=True)
    start = model.start(q={"a": 0.7}, qd={"a": 0.3}, signals={"torque": 1.5})
    found = start.linearise()
    assert found.outputs == ("height", "power", "load")
    np.testing.assert_allclose(found.C, [[0.4 * np.sin(0.7), 0], [0, 1.5], [2, 0]], atol=1e-11)
    np.testing.assert_allclose(found.D, [[0], [0.3], [1]], atol=1e-11)
    rate = start.linearise(outputs=["der(der(a))"])
    np.testing.assert_allclose(np.hstack([rate.C, rate.D]), [[*found.A[1], found.B[1, 0]]], atol=1e-9)
    with pytest.raises(OptionError, match="no output is called 'hight'; did you mean height"):
        start.linearise(outputs="hight")
    assert repr(start.linearise(outputs=["load"])).splitlines()[1:] == [
        "                  a  der(a)  torque",
        "d/dt a            0       1       0",
        "d/dt der(a)  -15.92       0   7.576",
        "      a  der(a)  torque",
        "load  2       0       1>",
    ]


def test_outputs_follow_momenta_and_constraints(compiled):
    text = f'{CART}[outputs]\nspeed = "der(x)"\n'
    full = compiled(text, jacobian=True).start(qd=[0, 0]).linearise(full=True)
    np.testing.assert_allclose(full.C, [full.A[0]], atol=1e-10)
    circle = f'{CIRCLE}[outputs]\nsum = "x + y"\n'
    start, z = circle_state(compiled(circle, jacobian=True), 0.5, 0.0)
    found = start.linearise(0.0, z)
    np.testing.assert_allclose(found.C, [found.basis[0] + found.basis[1]], atol=1e-10)


def test_python_control_has_the_same_equations(compiled):
    model = compiled(with_outputs(PENDULUM), jacobian=True)
    found = model.linearise()
    system = found.to_control()
    assert (system.A == found.A).all()
    assert (system.D == found.D).all()
    assert system.state_labels == ["a", "der(a)"]
    assert system.input_labels == ["torque"]
    assert system.output_labels == ["height", "power", "load"]
    np.testing.assert_allclose(
        system(2j)[2, 0], (found.C @ np.linalg.solve(2j * np.eye(2) - found.A, found.B) + found.D)[2, 0]
    )
    plain = compiled(PENDULUM, jacobian=True).linearise().to_control()
    assert plain.output_labels == plain.state_labels
    with pytest.raises(OptionError, match="python-control has no systems without inputs"):
        compiled(CART, jacobian=True).linearise().to_control()


def test_differences_are_as_fine_as_a_curve_asks_for():
    slopes = _slope(lambda x: np.array([1 / (2e-6 - x), np.sin(200 * x), 3.0 * x, 5.0]), 1e-3)
    np.testing.assert_allclose(slopes, [2.5e11, 200, 3, 0], rtol=1e-7)
    assert np.isnan(_slope(lambda x: np.array([np.sign(x)]), 1e-3)).all()
