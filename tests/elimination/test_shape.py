"""The shape order: where it is open, and that it gives what the others give."""

import pytest

from tests.elimination.test_conversion import meaning
from tests.fixtures.mechanics import MODELS, problem_of
from volterra_cg.elimination import orders
from volterra_cg.elimination.shape import Shape

FURUTA = """
schema = 1
name = "rotary"
[parameters]
k = 3
[coordinates]
arm = { rate = 2 }
swing = { initial = 0.6 }
[frames]
Arm = { rotate = [["z", "arm"]] }
Rod = { parent = "Arm", rotate = [["x", "swing"]] }
[points]
tip = { in = "Arm", at = [0.3, 0, 0] }
bob = { from = "tip", in = "Rod", at = [0, 0, -0.25] }
[bodies]
arm = { mass = 0.2, center = "O", frame = "Arm", inertia = { zz = 0.02 } }
bob = { mass = 0.1, center = "bob" }
[gravity]
N = [0, 0, -9.81]
[springs]
spring = { coordinate = "swing", stiffness = "k" }
"""


def model(name):
    return problem_of((MODELS / f"{name}.toml").read_text())


@pytest.mark.parametrize("name", ["satellite_boom", "gimbals", "spring_pendulum", "rotary"])
def test_the_equations_are_those_of_composite_bodies(name):
    problem = problem_of(FURUTA) if name == "rotary" else model(name)
    found = orders.available(problem)
    assert meaning(problem, found["shape"](problem)) == meaning(problem, found["composite"](problem))


def test_the_spin_of_the_free_body_is_found_by_meaning():
    shape = Shape.of(model("three_bodies"))
    assert shape is not None
    assert (sorted(shape.spins), len(shape.rates)) == ([0, 1, 2], 2)


@pytest.mark.parametrize("name", ["rolling_disc", "cart_pendulum"])
def test_it_is_closed_where_there_are_constraints(name):
    assert "shape" not in orders.available(model(name))


def test_it_is_closed_where_time_moves_the_mechanism():
    text = FURUTA.replace('["z", "arm"]', '["z", "arm + t**2"]')
    assert "shape" not in orders.available(problem_of(text))
