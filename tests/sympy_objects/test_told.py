"""What cannot be taken from sympy is named, with what to do; the line is that of the call."""

from pathlib import Path

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

import volterra_cg as vcg

Q, U, F = me.dynamicsymbols("q u F")
M, L = sm.symbols("m l")
N = me.ReferenceFrame("N")


def told(**changes):
    """A particle on a line, with something wrong."""
    fixed = me.Point("O")
    fixed.set_vel(N, 0)
    bob = me.Particle("bob", fixed.locatenew("P", Q * N.x), M)
    return {"frame": N, "bodies": [bob], "q": [Q], "values": {M: 2}} | changes


def loaded(force):
    given = told()
    return given | {"loads": [(given["bodies"][0].masscenter, force * N.x)]}


def placed(place):
    fixed = me.Point("O")
    fixed.set_vel(N, 0)
    return told(bodies=[me.Particle("bob", fixed.locatenew("P", place), M)])


def rigid(frame, inertia=None):
    given = told()
    dyadic = me.inertia(frame, 1, 1, 1) if inertia is None else inertia
    center = given["bodies"][0].masscenter
    return given | {"bodies": [me.RigidBody("rod", center, frame, M, (dyadic, center))]}


def unturned():
    return rigid(me.ReferenceFrame("A"))


def overruled():
    frame = N.orientnew("A", "Axis", [0, N.z])
    frame.set_ang_vel(N, Q.diff() * N.z)
    return rigid(frame)


def tumbling():
    turned = N.orientnew("A", "Axis", [Q, N.z])
    return rigid(turned, me.inertia(N, 1, 2, 3))


def unplaced():
    return told(bodies=[me.Particle("bob", me.Point("P"), M)])


def kane(**more):
    given = told()
    return me.KanesMethod(N, [Q], [U], [U - Q.diff()], **more), given["bodies"]


def auxiliary():
    extra = me.dynamicsymbols("extra")
    method, bodies = kane(u_auxiliary=[extra])
    return {"method": method, "bodies": bodies, "values": {M: 1}}


def lagrange(energy):
    return {"method": me.LagrangesMethod(energy, [Q], frame=N), "values": {M: 1}}


WRONG = {
    "a method that is none": (
        lambda: told(method=3),
        "a int cannot be taken (give a KanesMethod, a LagrangesMethod or a System; bodies and loads go into bodies=[...] "
        "and loads=[...])",
    ),
    "nothing": (
        lambda: {"values": {}},
        "the call tells of no bodies (add bodies=[...], all that have mass)\n"
        "the call tells of no inertial frame (add frame=N)\nthe call tells of no coordinates (add q=[...])",
    ),
    "a method before its equations": (
        lambda: {"method": kane()[0], "values": {M: 1}},
        "the KanesMethod tells of no bodies (add bodies=[...], all that have mass)",
    ),
    "a Lagrangian alone": (
        lambda: lagrange(M * Q.diff() ** 2),
        "the LagrangesMethod tells of no bodies (add bodies=[...], all that have mass)",
    ),
    "a Lagrangian of more than the bodies": (
        lambda: lagrange(M * Q.diff() ** 2) | {"bodies": told()["bodies"]},
        "the Lagrangian is not the kinetic energy of the bodies less a function of the coordinates (give all bodies, and "
        "the potential energy without velocities)",
    ),
    "a body that is none": (lambda: told(bodies=["bob"]), "'bob' is no body (give RigidBody and Particle objects)"),
    "a coordinate that is none": (
        lambda: told(q=[L]), "l is no coordinate or speed (they are made by dynamicsymbols)"
    ),
    "values that are missing": (
        lambda: loaded(L * Q) | {"values": {}}, "no value is given for m, l (as values={m: 1.0, l: 1.0})"
    ),
    "values that are none": (
        lambda: told(values={M: "2", 3: 1}),
        "m has the value '2' (numbers and expressions of sympy are needed)\n"
        "3 is no key of values (give symbols, or names of them)",
    ),
    "values that are not finite": (
        lambda: loaded(L * Q) | {"values": {M: float("nan"), L: 10**400, Q: np.array([1, 2])}},
        "m has a number that is not finite or too large as its value (numbers go up to 1.8e308)\n"
        "l has a number that is not finite or too large as its value (numbers go up to 1.8e308)\n"
        "q(t) has the value array([1, 2]) (numbers and expressions of sympy are needed)",
    ),
    "a number that is too large in an expression": (
        lambda: loaded(sm.Float("1e400") * Q),
        "the force on P holds a number that is not finite or too large (numbers go up to 1.8e308)",
    ),
    "arguments of another kind": (
        lambda: told(values=None, frame="N", q=Q, bodies=M, loads=None, kd_eqs=["q"]),
        "'N' is no frame (give the inertial ReferenceFrame, as frame=N)\n"
        "values is None, no dictionary (give numbers for symbols, as values={m: 1.0})\n"
        "bodies is m, no list (give bodies=[...])\nloads is None, no list (give loads=[...])\n"
        "q is q(t), no list (give q=[...])\n"
        "'q' is no kinematic differential equation (give what is zero, as u - q.diff())",
    ),
    "values of nothing": (
        lambda: loaded(F) | {"values": {M: 1, "f": 2, U: 1, U.diff(): 1, "x": 1, L: 3}},
        "values has 'f', which the model does not (did you mean 'F'?)\nvalues has 'u', which the model does not\n"
        "values has 'x', which the model does not",
    ),
    "a symbol that only looks like the one meant": (
        lambda: told(values={M: 1, sm.Symbol("q"): 0.3}),
        "values has 'q', which the model does not (its 'q' is another symbol, as with other assumptions; give the value by "
        "the name)",
    ),
    "an expression for a name": (
        lambda: loaded(F) | {"values": {M: 1, "F": L}},
        "the value of 'F' is an expression (give it by its symbol, not by its name)",
    ),
    "a load that is none": (
        lambda: told(loads=[3]), "3 is no load (a load is (point, force), (frame, torque) or an actuator)"
    ),
    "loads that are no vectors": (
        lambda: told(loads=[(told()["bodies"][0].masscenter, L), (N.orientnew("A", "Axis", [Q, N.z]), 5)]),
        "the force on P is l, no vector (give it along axes, as F*N.x)\n"
        "the torque on A is 5, no vector (give it along axes, as F*N.x)",
    ),
    "a function that the language does not have": (
        lambda: loaded(sm.Heaviside(Q)),
        "the force on P holds Heaviside(q) (the language has numbers, + - * / ** and sin, cos, tan, asin, acos, atan, "
        "sinh, cosh, tanh, exp, log, sqrt, abs, sign, atan2, min, max)",
    ),
    "an acceleration": (
        lambda: loaded(Q.diff().diff()),
        "the force on P holds Derivative(q(t), (t, 2)), which has no meaning here (write it with coordinates, their first "
        "rates, and time)",
    ),
    "the rate of an input": (
        lambda: loaded(F.diff()),
        "the force on P holds Derivative(F(t), t), which has no meaning here (give F(t) as a function of time, as "
        "values={F: sin(t)})",
    ),
    "a function of something else": (
        lambda: loaded(sm.Function("h")(Q)), "the force on P holds h(q(t)), which is no function of time (write it out)"
    ),
    "an input in a place": (
        lambda: placed((Q + F) * N.x),
        "the position of P from O depends on F, which is no coordinate (add it to the coordinates, or give it as a function "
        "of time, as values={F: sin(t)})",
    ),
    "a velocity in a place": (
        lambda: placed(Q.diff() * N.x), "the position of P from O depends on the velocity q'"
    ),
    "a frame that is turned from nothing": (
        unturned, "the frame A is not turned from N (orient it, or a frame that carries it, in N)"
    ),
    "a point that is nowhere": (
        unplaced,
        "nothing tells how the point P moves (place it from a fixed point, as made by O.set_vel(N, 0), or set its velocity)",
    ),
    "a spin without a coordinate": (
        overruled,
        "the angular velocity that was set for A is not that of its orientation (turn A by a coordinate whose rate it is, "
        "and add that to q)",
    ),
    "an inertia that turns in its body": (
        tumbling, "the inertia of rod changes in its frame A (give it in a frame that is fixed in A)"
    ),
    "points of which none is fixed": (
        lambda: told(bodies=[me.Particle("bob", me.Point("O").locatenew("P", Q * N.x), M)]),
        "nothing tells how the point P moves (place it from a fixed point, as made by O.set_vel(N, 0), or set its velocity)",
    ),
    "auxiliary speeds": (
        auxiliary,
        "auxiliary speeds are not taken: extra(t) (leave them and their forces out; reactions are outputs, as in "
        "made.output('force', 'reaction(P.x)'))",
    ),
    "equations that give nothing": (
        lambda: told(u=[U], kd_eqs=[U - Q.diff(), U - 2 * Q.diff()]),
        "2 kinematic differential equations cannot give 1 speeds (give one for each speed and coordinate)",
    ),
    "speeds that no equation gives": (
        lambda: told(u=[U]),
        "0 kinematic differential equations cannot give 1 speeds (give one for each speed and coordinate)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told(what):
    make, expected = WRONG[what]
    given = make()
    method = given.pop("method", None)
    with pytest.raises(vcg.SpecError) as caught:
        vcg.from_sympy(method, **given)
    problems = caught.value.problems
    shown = [problem.message + (f" ({problem.remedy})" if problem.remedy else "") for problem in problems]
    assert "\n".join(shown) == expected
    line = Path(__file__).read_text().split("\n")[problems[0].place.line - 1]
    assert (problems[0].place.file, line.strip()) == (__file__, "vcg.from_sympy(method, **given)")


def test_what_the_compiler_finds_wrong_is_told_of_the_call_too():
    made = vcg.from_sympy(**told(values={M: -2}))
    with pytest.raises(vcg.SpecError, match=r"test_told.py:\d+: the mass of 'bob' is -2"):
        made.check()
