"""Outputs that are vectors and orientations, sums over bodies, and named expressions."""

import numpy as np
import pytest

from volterra_cg.errors import SpecError
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.program.interpret import interpret
from volterra_cg.spec import parse
from volterra_cg.system.from_spec import from_spec

HEAD = """\
schema = 1
name = "two"
[parameters]
m = 2
[coordinates]
a = { initial = 0.3, rate = 1 }
b = { initial = 0.4, rate = -2 }
c = { initial = 0.5, rate = 3 }
x = { initial = 0.6, rate = 4 }
[frames]
A = { rotate = [["x", "a"], ["y", "b"]] }
B = { parent = "A", rotate = [["z", "c"]] }
Skew = { parent = "B", rotate = [["x", 0.7]] }
[points]
P = { at = ["x", 0.1, 0.2] }
Q = { from = "P", in = "A", at = [0.5, "x", 0] }
[bodies]
one = { mass = "m", center = "P", frame = "A", shape = { disc = 0.4 } }
two = { mass = 3, center = "Q", frame = "B", inertia = { xx = 1, yy = 2, zz = 2.5, xy = 0.1, in = "Skew" } }
bob = { mass = 1, center = "Q" }
"""


def outputs(text):
    kinematics = analyse(from_spec(parse(HEAD + text)))
    inputs = kinematics.inputs
    start = [[float(value) for value in interpret(part, dict(kinematics.given))] for part in kinematics.start]
    values = dict(kinematics.given) | dict(zip(inputs.coordinates, start[0], strict=True))
    values |= dict(zip(inputs.rates, start[1], strict=True)) | {inputs.time: 0.0}
    nodes = {**kinematics.outputs, "T": kinematics.kinetic}
    return {name: float(value) for name, value in zip(nodes, interpret(list(nodes.values()), values), strict=True)}


def vector(found, name):
    return np.array([found[f"{name}.{axis}"] for axis in "xyz"])


def turn(letter, angle):
    i = "xyz".index(letter)
    j, k = (i + 1) % 3, (i + 2) % 3
    matrix = np.eye(3)
    matrix[j, j] = matrix[k, k] = np.cos(angle)
    matrix[j, k], matrix[k, j] = -np.sin(angle), np.sin(angle)
    return matrix


def test_a_vector_is_given_by_components():
    found = outputs(
        '[outputs]\nv = "velocity(Q)"\nw = { vector = "velocity(Q)", in = "A" }\nvx = "dot(velocity(Q), N.x)"\n'
    )
    assert found["v.x"] == found["vx"]
    matrix = turn("x", 0.3) @ turn("y", 0.4)
    np.testing.assert_allclose(matrix @ vector(found, "w"), vector(found, "v"), atol=1e-14)


def test_an_orientation_as_a_matrix_a_quaternion_and_angles():
    text = '[outputs]\nm = { orientation = "two" }\nq = { orientation = "two", as = "quaternion" }\n'
    text += 'r = { orientation = "A", in = "B", as = "quaternion" }\ns = { orientation = "A", in = "B" }\n'
    found = outputs(text)
    expected = turn("x", 0.3) @ turn("y", 0.4) @ turn("z", 0.5)
    np.testing.assert_allclose([[found[f"m.{i}{j}"] for j in "xyz"] for i in "xyz"], expected, atol=1e-15)
    for quaternion, matrix in (("q", expected), ("r", turn("z", -0.5))):
        w, *v = (found[f"{quaternion}.q{n}"] for n in range(4))
        skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        np.testing.assert_allclose(np.eye(3) + 2 * w * skew + 2 * skew @ skew, matrix, atol=1e-15)


SEQUENCES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]


def test_angles_are_those_of_any_sequence():
    text = "".join(f'{s} = {{ orientation = "B", as = "angles", sequence = "{s}" }}\n' for s in SEQUENCES)
    found = outputs(f"[outputs]\n{text}")
    assert len(SEQUENCES) == 12
    for sequence in SEQUENCES:
        steps = [turn(letter, found[f"{sequence}.a{n}"]) for n, letter in enumerate(sequence, 1)]
        np.testing.assert_allclose(
            steps[0] @ steps[1] @ steps[2], turn("x", 0.3) @ turn("y", 0.4) @ turn("z", 0.5), atol=1e-14
        )


def test_sums_over_bodies():
    text = '[outputs]\np = "momentum()"\nh = "angular_momentum(P)"\nt0 = "kinetic_energy()"\nc0 = "mass_center()"\n'
    text += 'p1 = "momentum(two, bob)"\nt1 = "kinetic_energy(one)"\nt2 = "kinetic_energy(two, bob)"\n'
    text += 'c1 = "mass_center(bob, one)"\n'
    text += 'v = "velocity(P)"\nw = "velocity(Q)"\nr = "position(P)"\nq = "position(Q)"\n'
    text += 'spin1 = { vector = "omega(one)", in = "A" }\nspin2 = { vector = "omega(two)", in = "Skew" }\n'
    found = outputs(text)
    v, w, r, q = (vector(found, name) for name in "vwrq")
    np.testing.assert_allclose(vector(found, "p"), 2 * v + 4 * w)
    np.testing.assert_allclose(vector(found, "p1"), 4 * w)
    np.testing.assert_allclose(vector(found, "c0"), (2 * r + 4 * q) / 6)
    np.testing.assert_allclose(vector(found, "c1"), (2 * r + q) / 3)
    first = turn("x", 0.3) @ turn("y", 0.4)
    second = first @ turn("z", 0.5) @ turn("x", 0.7)
    disc = np.diag([0.08, 0.08, 0.16])
    tensor = np.array([[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]])
    h = 4 * np.cross(q - r, w) + first @ disc @ vector(found, "spin1") + second @ tensor @ vector(found, "spin2")
    np.testing.assert_allclose(vector(found, "h"), h, atol=1e-13)
    assert found["t0"] == pytest.approx(found["T"])
    assert found["t1"] + found["t2"] == pytest.approx(found["T"])


def test_named_expressions_are_put_in():
    text = '[expressions]\nspeed = "norm(v)"\nv = "velocity(Q) - velocity(P)"\nhalf = "a/2 + m"\n'
    text += '[frames.H]\nrotate = [["x", "half"]]\n'
    text += '[outputs]\nspeed = "speed"\nboth = "2*speed + dot(v, H.x)"\n[constraints]\nr = "dot(v, A.x) - 1"\n'
    found = outputs(text)
    mechanism = parse(HEAD + text).mechanism
    assert [constraint.holonomic for constraint in mechanism.constraints] == [False]
    plain = outputs(
        '[outputs]\nspeed = "norm(velocity(Q) - velocity(P))"\nvx = "dot(velocity(Q) - velocity(P), N.x)"\n'
    )
    assert found["speed"] == pytest.approx(plain["speed"])
    assert found["both"] == pytest.approx(2 * plain["speed"] + plain["vx"])


def test_names_in_names_do_not_explode():
    text = "[expressions]\n" + "".join(f'e{n + 1} = "e{n} + e{n}"\n' for n in range(40)) + 'e0 = "a"\n'
    with pytest.raises(SpecError, match="with what its names stand for"):
        parse(HEAD + text)
