"""Events: what they watch, what they set, and impacts."""

from dataclasses import replace

import numpy as np
import pytest
from sympy import Integer, Symbol

from tests.fixtures.specs import CHAIN, SLIDER
from volterra_cg import derivation
from volterra_cg.errors import ModelError, SpecError
from volterra_cg.options import FORMULATIONS, Options
from volterra_cg.spec import parse, read
from volterra_cg.system.from_spec import from_spec
from volterra_cg.system.types import Change, Event


def after(start, t, z):
    """What each event makes of a state, as (q, qd, p)."""
    m = len(start.model.coordinates)
    return [(row[:m], row[m : 2 * m], row[2 * m :]) for row in start.handle.changes(t, z)]


@pytest.mark.compiles
def test_the_model_lists_its_events(compiled):
    model = compiled(CHAIN)
    told = [(e.name, e.output, e.direction, e.terminal, e.changes) for e in model.description.events]
    assert told == [
        ("wall", "wall", "falling", False, True),
        ("inner", "inner", "falling", False, True),
        ("latch", "latch", "rising", True, True),
        ("late", "late", "both", False, False),
    ]
    assert model.default.handle.sizes["events"] == 4
    y = model.outputs(0.5, model.z0)
    assert list(y)[-5:] == ["before", "wall", "inner", "latch", "late"]
    assert y["late"] == -2.5
    assert y["latch"] == pytest.approx(np.sin(0.3) + 0.2 * 0.25)


@pytest.mark.compiles
def test_what_is_set_is_set_from_the_state_before_and_the_rest_stays(compiled):
    model = compiled(CHAIN)
    start = model.start(params={"k": 4.0}, signals={"push": 0.5})
    q, qd, p = after(start, 2.0, start.z0)[2]
    height = -0.5 * (np.cos(0.3) + np.cos(-0.2))
    np.testing.assert_allclose(q, [0.1 + 2 * height, 0.3, -0.2], rtol=1e-14)
    np.testing.assert_allclose(qd, [0.4, -0.7 * 1.5 + 0.5, 1.5], rtol=1e-13)
    np.testing.assert_allclose(p, [4.0, 0.5, 0.7, 8.0])
    q, qd, p = after(start, 2.0, start.z0)[3]
    np.testing.assert_allclose([*q, *qd, *p], [0.1, 0.3, -0.2, 0.4, -2, 1.5, 2, 0.5, 0.7, 4], rtol=1e-13)


@pytest.mark.compiles
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_impact_turns_the_gap_round_and_loses_the_energy_that_newton_says(compiled, formulation):
    model = compiled(CHAIN, formulation)
    start = model.start()
    rates = start.rates(0.0, start.z0)
    for number, restitution in ((0, 0.7), (1, 1.0)):
        q, qd, _ = after(start, 0.0, start.z0)[number]
        np.testing.assert_allclose(q, start.z0[:3])
        then = model.start(q, qd)
        slope = np.array([1.0 - number, 0.5 * np.cos(q[1]), 0.5 * np.cos(q[2])])  # of the gap
        assert slope @ qd == pytest.approx(-restitution * (slope @ rates), rel=1e-12)
        lost = start.energies(0.0, start.z0)["kinetic"] - then.energies(0.0, then.z0)["kinetic"]
        compliance = slope @ np.linalg.solve(mass(model, q), slope)
        assert lost == pytest.approx((1 - restitution**2) * (slope @ rates) ** 2 / compliance / 2, rel=1e-11, abs=1e-12)


@pytest.mark.compiles
def test_the_momentum_of_a_coordinate_outside_the_gap_is_conserved(compiled):
    model = compiled(CHAIN)
    start = model.start()
    assert model.momenta_names == ("x",)
    momenta = [model.start(q, qd).momenta[0] for q, qd, _ in after(start, 0.0, start.z0)[:2]]
    assert momenta[1] == pytest.approx(start.momenta[0], rel=1e-13)  # the wall moves with the cart
    assert abs(momenta[0] - start.momenta[0]) > 0.1  # the wall stands still


@pytest.mark.compiles
def test_the_constraints_answer_an_impact(compiled):
    model = compiled(SLIDER)
    start = model.start()
    rates = start.rates(0.0, start.z0)
    q, qd, p = after(start, 0.0, start.z0)[0]
    assert np.abs(qd - rates).min() > 1e-3  # the whole mechanism takes part
    then = model.start(q, qd, dict(zip(start.parameters, p, strict=True)), project=False)  # checks the constraints
    np.testing.assert_allclose(then.rates(0.0, then.z0), qd, rtol=1e-12)
    assert qd[2] - 0.1 == pytest.approx(-0.4 * (rates[2] - 0.1), rel=1e-12)  # seen from the stop, which moves


@pytest.mark.compiles
@pytest.mark.parametrize("formulation", ["kane", "lagrange", "udwadia-kalaba"])
def test_every_formulation_makes_the_same_of_an_impact(compiled, formulation):
    ours, other = compiled(SLIDER), compiled(SLIDER, formulation)
    np.testing.assert_allclose(
        other.default.handle.changes(0.0, other.z0), ours.default.handle.changes(0.0, ours.z0), rtol=1e-11, atol=1e-13
    )


ORBIT = """
schema = 1
name = "orbit"
[parameters]
m = 0.05
[coordinates]
r = { initial = 7e6 }
phi = { rate = 1e-3 }
a = { initial = 0.4, rate = 0.2 }
b = { initial = 0.1, rate = 0.1 }
l = { initial = 5, rate = 0.3 }
[frames]
F = { rotate = [["z", "phi"]] }
A = { parent = "F", rotate = [["z", "a"]] }
[points]
S = { in = "F", at = ["r", 0, 0] }
P = { from = "S", in = "A", at = ["l", 0, "b"] }
[bodies]
satellite = { mass = 1e4, center = "S" }
probe = { mass = "m", center = "P" }
[constraints]
tie = { velocity = "der(b) - 0.5*der(a)" }
[events.hit]
when = "l - 5*a"
restitution = 0.5
"""


@pytest.mark.compiles
def test_an_impact_in_orbit_is_not_taken_for_singular(compiled):
    """The angle along the orbit has 10^18 times the inertia of the angle of the probe."""
    start = compiled(ORBIT).start()
    _, (_, _, a, b, length), _ = after(start, 0.0, start.z0)[0]
    jolt, fling = 0.05 * 25 + 0.05 / 4, 0.05  # inertias of the probe beside a satellite that hardly moves
    share = 25 / jolt + 1 / fling
    change = 1.5 * (0.3 - 5 * 0.2) / share
    np.testing.assert_allclose([a, b, length], [0.2 + 5 / jolt * change, b, 0.3 - change / fling], rtol=1e-5)
    assert b == pytest.approx(a / 2, rel=1e-12)
    assert length - 5 * a == pytest.approx(-0.5 * (0.3 - 5 * 0.2), rel=1e-12)


BOX = """
schema = 1
name = "box"
[coordinates]
x = { rate = 0.3 }
z = { initial = 1, rate = -2 }
{coordinates}
[frames.B]
{frame}
[points]
G = { at = ["x", 0, "z"] }
Corner = { from = "G", in = "B", at = [0.5, 0.2, -0.3] }
[bodies]
box = { mass = 2, center = "G", frame = "B", inertia = { xx = 0.4, yy = 0.6, zz = 0.7, xy = 0.1 } }
{more}
[outputs]
wx = "dot(omega(B), N.x)"
wy = "dot(omega(B), N.y)"
wz = "dot(omega(B), N.z)"
[events.hit]
when = "dot(position(Corner), N.z)"
restitution = 0.8
"""
BY_ANGLES = {
    "{coordinates}": "a = { rate = 0.5 }\nb = { rate = 0.7 }\nc = { rate = -0.4 }",
    "{frame}": 'rotate = [["z", "a"], ["y", "b"], ["x", "c"]]',
    "{more}": "",
}
BY_QUATERNION = {
    "{coordinates}": "e0 = { initial = 1 }\ne1 = { rate = -0.2 }\ne2 = { rate = 0.35 }\ne3 = { rate = 0.25 }",
    "{frame}": 'quaternion = ["e0", "e1", "e2", "e3"]',
    "{more}": '[constraints]\nunit = { position = "e0**2 + e1**2 + e2**2 + e3**2 - 1" }\n'
    '[quasi_velocities]\nu1 = "dot(omega(B), B.x)"\nu2 = "dot(omega(B), B.y)"\nu3 = "dot(omega(B), B.z)"\n'
    'vx = "der(x)"\nvz = "der(z)"',
}


@pytest.mark.compiles
def test_a_coordinate_without_inertia_is_no_obstacle_to_an_impact(compiled):
    """At rest the first part of a quaternion moves no mass; the constraint tells its rate."""
    spins = []
    for pieces in (BY_ANGLES, BY_QUATERNION):
        text = BOX
        for mark, piece in pieces.items():
            text = text.replace(mark, piece)
        model = compiled(text)
        start = model.start()
        q, qd, _ = after(start, 0.0, start.z0)[0]
        then = model.start(q, qd)
        told = then.outputs(0.0, then.z0)
        spins.append([*qd[:2], told["wx"], told["wy"], told["wz"]])
    np.testing.assert_allclose(spins[0], spins[1], rtol=1e-12)
    assert spins[0][0] == pytest.approx(0.3, rel=1e-14)  # nothing pushes along the floor


@pytest.mark.compiles
def test_events_that_change_nothing_have_no_function(compiled):
    text = CHAIN.split("[events.wall]")[0] + '[events.late]\nwhen = "t - 3"\n'
    model = compiled(text)
    assert not model.description.events[0].changes
    with pytest.raises(ValueError, match="no event of this model changes anything"):
        model.default.handle.changes(0.0, model.z0)


@pytest.mark.compiles
def test_a_gap_that_nothing_can_move_spoils_its_own_event_only(compiled):
    text = CHAIN + '[events.flat]\nwhen = "x**2"\nrestitution = 1\n'
    model = compiled(text)
    start = model.start({"x": 0.0})
    found = after(start, 0.0, start.z0)
    assert not np.isfinite(found[4][1]).all()
    assert all(np.isfinite(part).all() for block in found[:4] for part in block)


WHOLE = """
schema = 1
name = "whole"
[parameters]
heavy = 3
[include.left]
spec = "chain.toml"
[include.right]
spec = "chain.toml"
"""


def test_a_part_brings_its_events(tmp_path):
    (tmp_path / "chain.toml").write_text(CHAIN)
    path = tmp_path / "whole.toml"
    path.write_text(WHOLE.replace("heavy = 3\n", ""))
    spec = read(path)
    assert [event.name for event in spec.mechanism.events][3:5] == ["left_late", "right_wall"]
    assert [(c.kind, c.name) for c in spec.mechanism.events[2].set] == [
        ("rate", "left_a"),
        ("parameter", "left_k"),
        ("coordinate", "left_x"),
        ("parameter", "left_m"),
    ]
    kinematics = derivation.pose(from_spec(spec), Options()).kinematics
    assert [sorted(event.parameters) for event in kinematics.events] == [[], [], [0, 3], [], [], [], [4, 7], []]
    assert spec.places.find("events", "left_wall").file.endswith("chain.toml")


def test_a_parameter_of_a_part_that_follows_cannot_be_set_by_its_events(tmp_path):
    (tmp_path / "chain.toml").write_text(CHAIN)
    path = tmp_path / "whole.toml"
    path.write_text(WHOLE + 'set = { k = "2*heavy" }\n')
    with pytest.raises(
        SpecError, match="the event 'right_latch' sets 'right_k', which here follows from others"
    ) as caught:
        read(path)
    assert [problem.place.line for problem in caught.value.problems] == [8]


def test_events_of_a_system_without_a_spec():
    a = Symbol("a", real=True)
    changes = (Change("rate", "a", -a), Change("parameter", "k", Integer(2)))
    system = replace(from_spec(parse(CHAIN)), events=(Event("up", a, set=changes),))
    (event,) = derivation.pose(system, Options()).kinematics.events
    assert (event.name, event.direction, event.any, list(event.rates), list(event.parameters)) == (
        "up",
        "both",
        True,
        [1],
        [3],
    )
    wrong = replace(system, events=(Event("up", a, set=(Change("rate", "k", a),)),))
    with pytest.raises(ModelError, match="the event up sets k, which is neither a coordinate nor a free parameter"):
        derivation.pose(wrong, Options())


def mass(model, q):
    """The full mass matrix, by the kinetic energy of pairs of rates."""
    count = len(q)

    def energy(rates):
        start = model.start(q, rates)
        return start.energies(0.0, start.z0)["kinetic"]

    unit = np.eye(count)
    single = [energy(row) for row in unit]
    return np.array([[energy(unit[i] + unit[j]) - single[i] - single[j] for j in range(count)] for i in range(count)])
