"""From a spec to sympy."""

import pytest
from sympy import Abs, Integer, Max, Rational, Symbol, cos, pi, simplify, sin, sqrt

from volterra_cg.spec import parse
from volterra_cg.spec.entities import CoordinateLink, Mechanism, Shape, Spring
from volterra_cg.system import types
from volterra_cg.system.from_spec import from_spec, normal_form
from volterra_cg.system.inertia import central_tensor
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, VectorSum, Velocity

HEAD = """\
schema = 1
name = "arm"
[parameters]
m = 2
l = 0.1
J = "h*m"
h = "l**2"
tilt = "pi/6"
flat = { value = "pi/2", fixed = true, unit = "rad", about = "never changes" }
[signals]
push = 1.5
[coordinates]
q = { initial = "2*h", rate = "pi*l" }
x = {}
[frames]
A = { rotate = [["z", "q"], [[1, 2, 2], "tilt"]] }
B = { parent = "A", rotate = [["z", "flat"]] }
[points]
P = { at = ["x", "sin(2*t)", 0] }
G = { from = "P", in = "arm", at = ["l", 0, "-h"] }
[bodies]
arm = { mass = "m", center = "G", frame = "A", inertia = { xx = "J", yy = 3, zz = 3, xy = "h" } }
"""

q, qd, x, xd, m, l, push = (  # noqa: E741
    Symbol(name, real=True) for name in ("q", "q'", "x", "x'", "m", "l", "push")
)


def system_of(more: str = "") -> types.System:
    return from_spec(parse(HEAD + more))


def output(expression: str):
    return system_of(f'[outputs]\no = "{expression}"').outputs[0].value


def test_symbols_and_start_values():
    system = system_of()
    names = [c.name for c in system.coordinates]
    assert [(name, types.symbol(name), types.rate_symbol(name)) for name in names] == [("q", q, qd), ("x", x, xd)]
    assert (system.coordinates[0].initial, system.coordinates[0].rate) == (2 * l**2, pi * l)
    assert system.signals == (types.Signal("push", 1.5),)
    assert (system.ignorable, system.work, system.simulation) == (None, False, types.Simulation())


def test_parameters_are_exact_and_derived_ones_are_put_in():
    system = system_of()
    assert [p.name for p in system.parameters] == ["m", "l", "tilt", "flat"]
    assert [p.value for p in system.parameters[:2]] == [2, Rational(1, 10)]
    assert central_tensor(system.bodies[0]) == ((l**2 * m, l**2, 0), (l**2, 3, 0), (0, 0, 3))


def test_a_fixed_parameter_keeps_its_exact_value_and_its_symbol():
    system = system_of()
    tilt, flat = system.parameters[2:]
    assert tilt.value.is_Rational
    assert float(tilt.value) == float(pi / 6)
    assert (flat.value, flat.fixed, flat.unit, flat.about) == (pi / 2, True, "rad", "never changes")
    assert system.frames[1].rotations[0].angle == types.symbol(flat.name)


def test_axes_are_made_unit_vectors_exactly():
    first, second = system_of().frames[0].rotations
    assert first == types.Turn((Integer(0), Integer(0), Integer(1)), q)
    assert second.axis == (Rational(1, 3), Rational(2, 3), Rational(2, 3))
    turn = from_spec(parse(HEAD.replace("[1, 2, 2]", "[1, 1, 0]"))).frames[0].rotations[1]
    assert turn.axis == (sqrt(2) / 2, sqrt(2) / 2, 0)


def test_frames_by_cosines_and_quaternion():
    more = "[frames.C]\ncosines = [['cos(q)', '-sin(q)', 0], ['sin(q)', 'cos(q)', 0], [0, 0, 1]]\n"
    more += "[frames.D]\nparent = 'C'\nquaternion = ['cos(x)', 'sin(x)', 0, 0]\n"
    text = HEAD.replace("[points]", more + "[points]")
    _, _, third, fourth = from_spec(parse(text)).frames
    assert third.rotations == (types.Cosines(((cos(q), -sin(q), 0), (sin(q), cos(q), 0), (0, 0, 1))),)
    assert fourth == types.Frame("D", "C", (types.Quaternion((cos(x), sin(x), Integer(0), Integer(0))),))


def test_a_body_stands_for_its_frame_and_its_center():
    assert system_of().points[1] == types.Point("G", "P", "A", (l, Integer(0), -(l**2)))
    assert output("dot(omega(arm), arm.x)") == Dot(AngularVelocity("A"), Axis("A", 0))
    assert output("norm(velocity(arm))") == sqrt(Dot(Velocity("G"), Velocity("G")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.1*q", q / 10),
        ("-q**2", -(q**2)),
        ("max(abs(q), 1, push)", Max(Abs(q), 1, push)),
        ("der(q)", qd),
        ("der(l*x*sin(q) + t**2)", l * sin(q) * xd + l * x * cos(q) * qd + 2 * types.TIME),
        ("dot(position(G, P), N.y)", Dot(Position("G", "P"), Axis("N", 1))),
        ("dot(position(G), cross(N.y, A.z))", Dot(Position("G", "O"), Cross(Axis("N", 1), Axis("A", 2)))),
        ("dot(2*N.x - N.y/q, -N.z)", None),
    ],
)
def test_expressions(text, expected):
    if expected is None:
        left = VectorSum(Scaled(Integer(2), Axis("N", 0)), Scaled(Integer(-1), Scaled(1 / q, Axis("N", 1))))
        expected = Dot(left, Scaled(Integer(-1), Axis("N", 2)))
    assert output(text) == expected


def test_loads_keep_their_kind_and_order():
    system = system_of("""
[potentials]
v = "m*x**2/2"
[forces]
f = { at = "arm", in = "arm", vector = ["push", "-der(x)", 0], reaction = "P" }
[torques]
w = { on = "arm", vector = [0, 0, "t"], reaction = "N" }
[generalized_forces]
x = "-x"
[gravity]
N = [0, 0, -9.81]
""")
    v, f, w, g = system.loads
    assert v == types.Potential("v", m * x**2 / 2)
    assert f == types.PointForce("f", "G", VectorSum(Scaled(push, Axis("A", 0)), Scaled(-xd, Axis("A", 1))), "P")
    assert w == types.FrameTorque("w", "A", Scaled(types.TIME, Axis("N", 2)), "N")
    assert g == types.CoordinateForce("x", "x", -x)
    assert system.gravity == types.Gravity("N", (Integer(0), Integer(0), Rational(-981, 100)))


def test_springs_and_dampers_are_spelled_out():
    system = system_of("""
[springs]
s = { between = ["P", "O"], stiffness = 4, length = "l" }
[dampers]
d = { between = ["P", "O"], damping = 3 }
""")
    spring, damper = system.loads
    line = Position("P", "O")
    assert simplify(spring.energy - 2 * (sqrt(Dot(line, line)) - l) ** 2) == 0
    speed = Dot(Velocity("P") - Velocity("O"), line)
    assert damper == types.PointForce("d", "P", Scaled(-3 * speed / Dot(line, line), line), "O")


def test_constraints_know_their_kind():
    system = system_of("[constraints]\na = 'x - l*q'\nb = 'der(x) - l*der(q)'\n")
    assert system.constraints == (
        types.Constraint("a", x - l * q, holonomic=True),
        types.Constraint("b", xd - l * qd, holonomic=False),
    )


def test_an_inertia_in_another_frame_is_turned():
    text = HEAD.replace('xx = "J", yy = 3, zz = 3, xy = "h"', 'xx = 1, yy = 2, zz = 2.5, xy = 0.25, in = "B"')
    text = text.replace('[["z", "flat"]]', '[["z", "pi/2"]]')
    tensor = central_tensor(from_spec(parse(text)).bodies[0])
    quarter = Rational(1, 4)
    assert tensor == ((2, -quarter, 0), (-quarter, 1, 0), (0, 0, Rational(5, 2)))


@pytest.mark.parametrize(
    ("shape", "moments"),
    [
        ("box = [1, 2, 3]", (Rational(13, 6), Rational(10, 6), Rational(5, 6))),
        ("plate = [1, 2]", (Rational(4, 6), Rational(1, 6), Rational(5, 6))),
        ("rod = 3", (0, Rational(9, 6), Rational(9, 6))),
        ("rod = { length = 3, axis = 'y' }", (Rational(9, 6), 0, Rational(9, 6))),
        ("cylinder = { radius = 1, length = 3 }", (2, 2, 1)),
        ("sphere = 1", (Rational(4, 5),) * 3),
        ("ring = { radius = 1, axis = 'x' }", (2, 1, 1)),
    ],
)
def test_shapes(shape, moments):
    text = HEAD.replace('inertia = { xx = "J", yy = 3, zz = 3, xy = "h" }', f"shape = {{ {shape} }}")
    tensor = central_tensor(from_spec(parse(text)).bodies[0])
    values = [tensor[i][i].subs(m, 2) for i in range(3)]
    assert tuple(values) == moments


def test_a_body_without_inertia_is_a_particle_and_still_has_axes():
    text = HEAD.replace(', inertia = { xx = "J", yy = 3, zz = 3, xy = "h" }', "")
    system = from_spec(parse(text + "[outputs]\no = 'dot(arm.x, N.x)'"))
    (arm,) = system.bodies
    assert arm == types.Body("arm", m, "G")
    assert [(limit.what, limit.least) for limit in system.limits] == [("the mass of 'arm'", (m,))]
    assert system.outputs[0].value == Dot(Axis("A", 0), Axis("N", 0))


def test_a_mechanism_told_in_python_is_the_same_system():
    """Entities with sympy's scalars need no spec."""
    a, zero, one = types.symbol("a"), Integer(0), Integer(1)
    told = Mechanism(
        name="beam",
        parameters=(types.Parameter("l", Rational(7, 10)), types.Parameter("k", pi)),
        coordinates=(types.Coordinate("a", l, zero),),
        frames=(types.Frame("A", "N", (types.Turn((zero, zero, Integer(2)), a),)),),
        points=(types.Point("G", "O", "A", (l, zero, zero)),),
        bodies=(types.Body("beam", one, "G", "A", Shape("rod", (2 * l,), 0)),),
        springs=(Spring("coil", CoordinateLink("a"), types.symbol("k"), zero),),
    )
    spec = parse("""
schema = 1
name = "beam"
parameters = { l = 0.7, k = "pi" }
coordinates = { a = { initial = "l" } }
frames = { A = { rotate = [["z", "a"]] } }
points = { G = { in = "A", at = ["l", 0, 0] } }
bodies = { beam = { mass = 1, center = "G", frame = "A", shape = { rod = "2*l" } } }
springs = { coil = { coordinate = "a", stiffness = "k" } }
""")
    assert normal_form(told) == from_spec(spec)
