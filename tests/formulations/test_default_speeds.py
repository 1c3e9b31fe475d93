"""The quasi-velocities of specs that give none."""

import numpy as np
import pytest

from benchmarks.loops import net
from tests.fixtures.mechanics import MODELS, problem_of
from volterra_cg.formulations.charts import frame
from volterra_cg.kinematics.configurations import matrix


def chosen(name):
    """The quasi-velocities of a model without those of its spec."""
    before, _, after = (MODELS / f"{name}.toml").read_text().partition("[quasi_velocities]\n")
    rest = after.partition("\n[")
    return [row.name for row in problem_of(before + rest[1].lstrip() + rest[2]).speeds]


def spins(body):
    return [f"dot(omega({body}), {body}.{axis})" for axis in "xyz"]


FLOATING = """
schema = 1
name = "floating"
[parameters]
g = 9.81
[coordinates]
x = { rate = 0.5 }
y = { rate = -0.2 }
z = { rate = 3 }
e0 = { initial = 1 }
e1 = { rate = -0.2 }
e2 = { rate = 0.35 }
e3 = { rate = 0.25 }
[frames]
B = { quaternion = ["e0", "e1", "e2", "e3"] }
[points]
G = { at = ["x", "y", "z"] }
[bodies]
box = { mass = 2, center = "G", frame = "B", inertia = { xx = 0.4, yy = 0.6, zz = 0.7 } }
[gravity]
N = [0, 0, "-g"]
[constraints]
unit = { position = "e0**2 + e1**2 + e2**2 + e3**2 - 1" }
"""
SPINS = spins("box")


def test_a_free_body_takes_its_angular_velocity_in_its_own_axes():
    assert chosen("three_bodies") == [*spins("box"), "der(gamma1)", "der(gamma2)"]
    assert chosen("satellite_boom") == [*spins("satellite"), "der(rho)"]


def test_joints_take_rates():
    """Each ring of the gimbals is a body, so that none of them turns freely."""
    assert chosen("gimbals") == ["der(beta)"]


def test_a_sleigh_takes_the_velocity_along_its_runner():
    """From the rate of x its speed does not follow where it heads along y."""
    assert chosen("chaplygin_sleigh") == ["dot(velocity(sleigh), sleigh.x)", "der(theta)"]


def test_a_body_in_quaternions_takes_its_angular_velocity_in_its_own_axes():
    """The rate of one part of a quaternion does not follow from the others where that part is zero, as at the identity."""
    problem = problem_of(FLOATING)
    assert [row.name for row in problem.speeds] == [*SPINS, "der(z)"]
    assert [row.name for row in problem_of(FLOATING, "kane").speeds] == [*SPINS, "der(z)", "der(x)", "der(y)"]


@pytest.mark.compiles
def test_a_body_in_quaternions_turns_by_eulers_equations(compiled):
    model = compiled(FLOATING)
    inertia = np.array([0.4, 0.6, 0.7])
    run = model.simulate(20, dt=0.1, rtol=1e-10, atol=1e-12)
    spins = np.stack([run[name] for name in SPINS], axis=1)
    found = np.stack([model.rhs(t, z)[7:10] for t, z in zip(run.t, run.z, strict=True)])
    np.testing.assert_allclose(found, np.cross(inertia * spins, spins) / inertia, atol=1e-9)
    assert np.linalg.norm(inertia * spins, axis=1) == pytest.approx(np.linalg.norm(inertia * spins[0]), rel=1e-9)
    assert np.linalg.norm(run.q[:, 3:], axis=1) == pytest.approx(1, abs=1e-8)
    written = "".join(f'u{k} = "{name}"\n' for k, name in enumerate([*SPINS, "der(z)"]))
    given = compiled(FLOATING + "[quasi_velocities]\n" + written)  # a default is named by what one would write
    np.testing.assert_array_equal(given.rhs(0.0, given.z0), model.rhs(0.0, model.z0))


CARRIED = """
schema = 1
name = "carried"
[bodies]
a = { mass = 2, inertia = [1, 2, 2.5] }
b = { mass = 1, inertia = [0.5, 0.4, 0.3] }
[joints.swing]
type = "revolute"
child = "a"
axis = [1, 2, 3]
rate = 1
center = [0.1, 0.2, 0.3]
[joints.ball]
type = "spherical"
parent = "a"
child = "b"
orientation = "quaternion"
at = [1, 0, 0]
center = [0, 0.5, 0.2]
spin = [1, 2, 3]
[gravity]
N = [0, 0, -9.81]
"""


@pytest.mark.compiles
def test_a_body_that_a_quaternion_turns_in_another_takes_the_relative_angular_velocity(compiled):
    """Of the rates of its parts none would do: each part comes through zero."""
    relative = [f"dot(omega(b) - omega(a), b.{axis})" for axis in "xyz"]
    assert [row.name for row in problem_of(CARRIED).speeds] == [*relative, "der(swing)"]
    run = compiled(CARRIED).simulate(20, dt=0.05, rtol=1e-10, atol=1e-12)
    parts = np.column_stack([run[f"ball_q{n}"] for n in range(4)])
    assert (parts.min(axis=0) < 0).all()
    assert (parts.max(axis=0) > 0).all()
    assert np.linalg.norm(parts, axis=1) == pytest.approx(1, abs=1e-9)
    assert np.abs(run.drift()["energy"]).max() < 1e-8
    assert [run[name][0] for name in relative] == pytest.approx([1, 2, 3])


def test_where_there_are_too_many_choices_to_compare_one_is_taken_that_is_regular_at_the_start():
    """Rods of the first row of a net are nearly level, so the heights of their ends are nearly free."""
    problem = problem_of(net(5))
    kinematics = problem.kinematics
    tried, count = kinematics.configurations, len(kinematics.inputs.coordinates)
    rows = matrix([row.columns for row in frame(problem)], {n: v[: tried.near] for n, v in tried.values.items()}, count)
    least = np.linalg.svd(rows / np.linalg.norm(rows, axis=2, keepdims=True), compute_uv=False)[:, -1]
    assert least.min() > 0.1, least
