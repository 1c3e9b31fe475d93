"""Models written for sympy: their accelerations are sympy's, whatever the formulation."""

from functools import cache

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from sympy.physics.mechanics.models import multi_mass_spring_damper, n_link_pendulum_on_cart

import volterra_cg as vcg
from tests.fixtures.mechanics import Motion, system_of
from tests.sympy_objects.models import (
    CLASSICS,
    EIGENVALUES,
    Ridden,
    Theirs,
    bicycle,
    four_bar,
    rolling_disc,
    sprung_disc,
    top,
    tumbler,
)
from volterra_cg import builder
from volterra_cg.errors import Place
from volterra_cg.options import TABLE
from volterra_cg.sympy_objects.mechanism import mechanism_of
from volterra_cg.sympy_objects.told import Told
from volterra_cg.system.from_spec import normal_form


def springs():
    model = multi_mass_spring_damper(3, apply_gravity=True, apply_external_forces=True)
    values = {f"{letter}{n}": number + n for n in range(3) for letter, number in (("m", 1), ("k", 20), ("c", 0.3))}
    return model, by_symbol(model, values | {"g": 9.81, "f0": 0.4, "f1": -1, "f2": 2.5})


def links():
    model = n_link_pendulum_on_cart(2, cart_force=True, joint_torques=True)
    values = {"m0": 1, "m1": 0.5, "m2": 0.7, "l0": 0.4, "l1": 0.6, "g": 9.81, "F": 2, "T1": 0.1, "T2": -0.3}
    return model, by_symbol(model, values)


def by_symbol(model, values):
    """Values by symbols, as sympy wants them."""
    known = {symbol.name: symbol for symbol in model.forcing_full.free_symbols | model.mass_matrix_full.free_symbols}
    known |= {function.func.__name__: function for function in me.find_dynamicsymbols(model.forcing_full)}
    return {known[name]: value for name, value in values.items()}


@cache
def theirs(make):
    """A model with its accelerations by sympy."""
    model, values = make()
    return model, values, Theirs(model, values)


@cache
def text(make):
    model, values, _ = theirs(make)
    return vcg.from_sympy(model, values=values).to_toml()


def compare(make, formulation):
    _, _, sympys = theirs(make)
    motion = Motion(text(make), formulation)
    for q, u in sympys.states():
        rates, expected = sympys.motion(q, u)
        names = [coordinate.func.__name__ for coordinate in sympys.q]
        state = dict(zip(names, zip(q, rates, strict=True), strict=True))
        ours = motion.accelerations(on_constraints(motion, state))
        np.testing.assert_allclose(ours[: len(q)], expected, rtol=1e-10, atol=1e-10)


def on_constraints(motion, state):
    """With the rates of coordinates that points without a place get."""
    added = [c.name for c in motion.system.coordinates if c.name not in state]
    if not added:
        return state
    speeds = motion.values([row.value for row in motion.problem.kinematics.constraints], state)
    return state | {name: (0.0, -speed) for name, speed in zip(added, speeds, strict=True)}


@pytest.mark.parametrize("make", [*CLASSICS, springs, links], ids=lambda make: make.__name__)
def test_accelerations_are_those_of_sympy(make):
    compare(make, "kane")


@pytest.mark.parametrize("formulation", [row.name for row in TABLE if row.name != "kane"])
@pytest.mark.parametrize("make", [top, rolling_disc, four_bar], ids=lambda make: make.__name__)
def test_any_formulation_can_be_taken(make, formulation):
    if formulation == "routh" and make is not top:
        pytest.skip("routh does not apply: nothing is ignorable")
    compare(make, formulation)


@pytest.fixture(scope="module")
def ridden():
    return Motion(vcg.from_sympy(**bicycle()).to_toml(), "kane")


@pytest.mark.parametrize("speed", EIGENVALUES)
def test_the_published_eigenvalues_of_the_bicycle(ridden, speed):
    forward = {"x": (0.0, speed), "rear": (0.0, -speed / 0.3), "front": (0.0, -speed / 0.35)}
    found = ridden.eigenvalues(forward)
    published = np.array(EIGENVALUES[speed])
    nearest = found[np.abs(found[:, np.newaxis] - published).argmin(axis=0)]
    np.testing.assert_allclose(nearest, published, rtol=1e-12)
    assert np.sum(np.abs(found) < 1e-9) == len(found) - len(published)


@pytest.mark.torture
def test_the_bicycle_moves_as_in_sympy(ridden):
    """Far from upright; sympy takes a while."""
    by_sympy = Ridden(bicycle())
    names = [coordinate.func.__name__ for coordinate in by_sympy.q]
    own = [coordinate.name for coordinate in ridden.system.coordinates]
    for q, rates in by_sympy.states():
        ours = ridden.accelerations(dict(zip(names, zip(q, rates, strict=True), strict=True)))
        expected = by_sympy.accelerations(q, rates)
        np.testing.assert_allclose(ours, expected[[names.index(name) for name in own]], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("make", [four_bar, top], ids=lambda make: make.__name__)
def test_the_system_is_that_of_the_spec(make):
    """The way by text loses nothing: both make the same expressions, so that the operations are the same."""
    model, values, _ = theirs(make)
    straight = normal_form(mechanism_of(model, Told(), values, "mechanism", Place("here")))
    assert straight == system_of(text(make))


@pytest.mark.compiles
def test_it_is_compiled_and_goes_on_as_a_mechanism_of_python(workshop, monkeypatch):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    model, values, sympys = theirs(rolling_disc)
    made = vcg.from_sympy(model, values=values, name="disc")
    made.output("height", "dot(position(center), N.z)")
    compiled = vcg.compile(made, "kane", name="coin")
    assert compiled.coordinates[:3] == ("yaw", "lean", "roll")
    start = compiled.start()
    _, expected = sympys.motion([0.0, 0.2, 0.0], [0.0, 3.0, 0.0])
    np.testing.assert_allclose(start.accelerations(0.0, start.z0)[:3], expected, atol=1e-10)
    run = start.simulate(0.5, dt=0.1, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(run["height"], 0.3 * (np.cos(run["lean"]) - np.cos(0.2)), atol=1e-8)
    assert abs(run.drift()["energy"]).max() < 1e-8


# --- what is told in other ways ------------------------------------------------------------------------------------------


def test_bodies_and_loads_without_a_method():
    q, c, m = me.dynamicsymbols("q"), *sm.symbols("c m")
    ground, fixed = me.ReferenceFrame("N"), me.Point("O")
    fixed.set_vel(ground, 0)
    bob = me.Particle("bob", fixed.locatenew("P", q * ground.x), m)
    made = vcg.from_sympy(
        frame=ground, bodies=[bob], loads=[(bob.masscenter, -c * q.diff() * ground.x)], q=[q], values={c: 3, m: 2}
    )
    assert Motion(made.to_toml(), "kane").accelerations({"q": (0.1, 4.0)}) == pytest.approx([-6.0])


def test_a_velocity_that_can_be_integrated_makes_the_place():
    """The example of LagrangesMethod: nothing says where the particle is."""
    q, qd = me.dynamicsymbols("q"), me.dynamicsymbols("q", 1)
    m, k, b = sm.symbols("m k b")
    ground, point = me.ReferenceFrame("N"), me.Point("P")
    point.set_vel(ground, qd * ground.x)
    block = me.Particle("block", point, m)
    block.potential_energy = k * q**2 / 2.0
    method = me.LagrangesMethod(
        me.Lagrangian(ground, block), [q], forcelist=[(point, -b * qd * ground.x)], frame=ground
    )
    made = vcg.from_sympy(method, bodies=[block], values={m: 2, k: 8, b: 1})
    assert 'P = { at = ["q", 0, 0] }' in made.to_toml()
    assert Motion(made.to_toml(), "lagrange").accelerations({"q": (0.5, 3.0)}) == pytest.approx([-3.5])


def test_a_function_of_time_is_put_in_where_it_has_a_value():
    q, lift = me.dynamicsymbols("q lift")
    m, g, length, a = sm.symbols("m g l a")
    t = me.dynamicsymbols._t
    ground, fixed = me.ReferenceFrame("N"), me.Point("O")
    fixed.set_vel(ground, 0)
    frame = ground.orientnew("A", "Axis", [q, ground.z])
    pivot = fixed.locatenew("pivot", lift * ground.y)
    bob = me.Particle("bob", pivot.locatenew("P", -length * frame.y), m)
    values = {m: 1, g: 9.81, length: 0.5, a: 2 * m, lift: a * sm.sin(3 * t), "q": 0.3}
    made = vcg.from_sympy(frame=ground, bodies=[bob], loads=[(bob.masscenter, -m * g * ground.y)], q=[q], values=values)
    assert 'a = "2*m"' in made.to_toml()
    for t in (0.0, 0.7):
        found = Motion(made.to_toml(), "kane").accelerations({"q": (0.3, 0.0)}, t)
        assert found == pytest.approx([-np.sin(0.3) * (9.81 - 18 * np.sin(3 * t)) / 0.5])


@pytest.mark.filterwarnings("ignore::sympy.utilities.exceptions.SymPyDeprecationWarning")
@pytest.mark.parametrize("jointed", [True, False])
def test_bodies_of_the_older_kind_bring_their_loads(jointed):
    g, c = sm.symbols("g c")
    q, u = me.dynamicsymbols("q u")
    wall, rod = me.Body("wall"), me.Body("rod", mass=sm.Integer(2))
    pin = me.PinJoint("pin", wall, rod, coordinates=q, speeds=u, child_point=-rod.x, joint_axis=wall.z)
    rod.apply_force(-2 * g * wall.y)
    rod.apply_torque(-c * u * wall.z, wall)
    values = {g: 10, c: 3}  # a Body with no more than a mass is a particle
    if jointed:
        made = vcg.from_sympy(me.JointsMethod(wall, pin), values=values)
    else:
        made = vcg.from_sympy(frame=wall.frame, bodies=[wall, rod], q=[q], kd_eqs=pin.kdes, values=values)
    assert Motion(made.to_toml(), "kane").accelerations({"q": (0.0, 2.0)}) == pytest.approx([-(20 + 6) / 2])


def test_a_quaternion_begins_unturned_and_with_the_rates_of_the_speeds():
    *_, first, second = (line for line in text(tumbler).split("\n") if line.startswith(("e0 =", "e1 =")))
    assert (first, second) == ("e0 = { initial = 1 }", "e1 = { rate = 0.5 }")


def test_inertias_that_do_nothing_need_no_value():
    length, g = sm.symbols("l g")
    wall, rod = me.RigidBody("wall"), me.RigidBody("rod")  # with symbols for all of their inertias
    system = me.System.from_newtonian(wall)
    system.add_joints(me.PinJoint("pin", wall, rod, child_point=-length * rod.x, joint_axis=wall.z))
    system.apply_uniform_gravity(-g * wall.y)
    with pytest.raises(vcg.SpecError, match=r": no value is given for rod_mass, rod_izz \("):
        vcg.from_sympy(system, values={length: 0.5, g: 10})
    made = vcg.from_sympy(system, values={length: 0.5, g: 10, "rod_mass": 4, "rod_izz": 1})
    assert Motion(made.to_toml(), "kane").accelerations({"q_pin": (0.0, 1.0)}) == pytest.approx([-10.0])


def test_a_spring_between_points_without_a_place_is_taken_by_its_forces():
    model, values, _ = theirs(sprung_disc)
    *_, (contact, _), (held, _) = model.forcelist
    spring = me.LinearSpring(sm.Symbol("k"), me.LinearPathway(contact, held), sm.Symbol("r") / 3)
    apart = me.KanesMethod(
        model._inertial,
        model.q,
        model.u,
        [*(model._k_ku_implicit * model.u + model._k_kqdot_implicit * model.q.diff())],
    )
    made = vcg.from_sympy(apart, bodies=model.bodylist, loads=[model.forcelist[0], spring], values=values)
    assert made.to_toml() == text(sprung_disc)


def test_names_that_the_language_does_not_take():
    q, u = me.dynamicsymbols(r"\theta_{1} lambda")
    m, t, other = sm.Symbol("µ"), sm.Symbol("pi"), sm.Symbol("theta_1")
    ground, fixed = me.ReferenceFrame("E"), me.Point("N")
    fixed.set_vel(ground, 0)
    frame = ground.orientnew("N", "Axis", [q, ground.z])
    center = fixed.locatenew("O", t * frame.x)
    bob = me.Particle("N", center, m)
    made = vcg.from_sympy(
        frame=ground, bodies=[bob], q=[q], u=[u], kd_eqs=[u - q.diff()], loads=[(center, other * ground.x)],
        values={m: 1, t: 2, other: 3},
    )  # fmt: skip
    assert made.check().quasi_velocities == ("lambda_",)
    assert all(name in made.to_toml() for name in ("theta_1 = {}", "theta_1_2 = 3", "mu = 1", "pi_ = 2", "O_ = {"))
    assert builder.Mechanism is type(made)
