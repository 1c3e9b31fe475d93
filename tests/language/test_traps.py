"""What `check` says where coordinates only seem ignorable, or only seem not to be."""

from pathlib import Path

import pytest

from volterra_cg import derivation
from volterra_cg.errors import SpecError

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"


def told(tmp_path, model: str, *changes: tuple[str, str], more: str = "") -> dict[str, str]:
    """The line, or lines, of each coordinate."""
    text = (MODELS / f"{model}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / f"{model}.toml"
    path.write_text(text + more, encoding="utf-8")
    summary = derivation.check(path)
    return {v.name: "ignorable" if v.ignorable else "; ".join(v.reasons) for v in summary.coordinates}


def test_a_sleigh_whose_mass_is_ahead_of_its_blade(tmp_path):
    assert told(tmp_path, "chaplygin_sleigh")["theta"] == (
        "condition 1: the Lagrangian depends on it, through the kinetic energy of sleigh:"
        " dT/dtheta = -a*m*theta'*(x'*cos(theta) + y'*sin(theta))"
    )


def test_a_sleigh_whose_mass_is_on_its_blade(tmp_path):
    verdicts = told(tmp_path, "chaplygin_sleigh", ('at = ["a", 0, 0]', "at = [0, 0, 0]"))
    assert verdicts["theta"] == "ignorable"
    assert verdicts["x"] == "condition 2: its rate is in the constraint blade in the term -x'*sin(theta)"


def test_gravity_along_x(tmp_path):
    verdicts = told(tmp_path, "three_bodies", more='\n[gravity]\nN = ["-9.81", 0, 0]\n')
    assert verdicts["X"].startswith("condition 1: the Lagrangian depends on it, through the weight of box")
    assert "dV/dX = 981*m_" in verdicts["X"]
    assert (verdicts["Y"], verdicts["Z"]) == ("ignorable", "ignorable")


def test_a_force_on_the_cart(tmp_path):
    verdicts = told(
        tmp_path,
        "cart_pendulum",
        ('x_rate = "der(x)"\n', 'x_rate = "der(x)"\n'),
        more='\n[actuators]\nrope = { coordinate = "x", force = "-2*der(x)" }\n',
    )
    assert verdicts["x"] == "condition 3: a generalized force acts on it, from rope: -2*x'"


def test_a_one_in_disguise(tmp_path):
    verdicts = told(tmp_path, "cart_pendulum", more='\n[potentials]\nodd = "3*(sin(x)**2 + cos(x)**2)"\n')
    assert verdicts["x"] == "ignorable"


def test_a_constraint_may_hold_an_ignorable_coordinate_but_not_its_rate(tmp_path):
    wheel = '"dot(velocity(C) - velocity(A), BC.x)"'
    verdicts = told(tmp_path, "cart_pendulum", (wheel, f'"(2 + sin(x))*{wheel[1:]}'))
    assert verdicts["x"] == "ignorable"


def test_a_speed_that_is_a_row_of_the_constraints(tmp_path):
    with pytest.raises(SpecError) as caught:
        told(
            tmp_path,
            "cart_pendulum",
            ('u = "der(theta2) - der(theta1)"\nx_rate = "der(x)"', 'u = "dot(velocity(C) - velocity(A), BC.x)"'),
        )
    (problem,) = caught.value.problems
    assert problem.message == (
        "[Y; M'; a] is singular everywhere: u follows from the constraints, the conserved momenta and the other"
        " quasi-velocities"
    )
    assert problem.source.startswith("u = ")
