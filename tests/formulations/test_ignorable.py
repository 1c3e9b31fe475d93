"""Definition 1 on the traps: what a test on syntax gets wrong, and what is said about each coordinate."""

import time

import pytest

from benchmarks.loops import closed_chain
from tests.fixtures.mechanics import MODELS, problem_of
from tests.fixtures.specs import PLAIN
from volterra_cg.errors import ModelError
from volterra_cg.formulations.ignorable import SHOWN, verdicts
from volterra_cg.formulations.summary import summarise
from volterra_cg.program.text import to_sympy


def model(name, *additions):
    return (MODELS / f"{name}.toml").read_text() + "".join(additions)


def named(text):
    """The embedded coordinates, and the reasons of the others by name."""
    problem = problem_of(text)
    found = verdicts(problem.kinematics)
    return [row.name for row in problem.momenta], {v.name: v.reasons for v in found if not v.ignorable}


def sleigh(offset):
    text = model("chaplygin_sleigh")
    return text.replace('a = { value = 0.2, unit = "m" }', f"a = {{ value = {offset}, fixed = true }}")


def test_the_sleigh_off_its_contact_point_has_no_ignorable_coordinate():
    embedded, reasons = named(sleigh(0.2))
    assert embedded == []
    assert reasons["theta"] == ("condition 1: the Lagrangian depends on it, through the kinetic energy of sleigh",)
    assert reasons["x"] == ("condition 2: its rate is in the constraint blade",)
    assert reasons["y"] == ("condition 2: its rate is in the constraint blade",)


def test_the_heading_of_the_sleigh_on_its_contact_point_is_ignorable():
    """The row of the constraint depends on the heading, but its column of the heading is zero."""
    embedded, reasons = named(sleigh(0))
    assert embedded == ["theta"]
    assert set(reasons) == {"x", "y"}
    (blade,) = problem_of(sleigh(0)).kinematics.constraints
    assert sorted(blade.columns) == [0, 1]
    assert "sin(theta)" in str(to_sympy(blade.columns[0]))


def test_gravity_along_x_takes_x_from_the_three_bodies():
    embedded, reasons = named(model("three_bodies", "[gravity]\nN = [-1.62, 0, 0]\n"))
    assert embedded == ["Y", "Z"]
    weights = "the weight of box, the weight of plate1, the weight of plate2"
    assert reasons["X"] == (f"condition 1: the Lagrangian depends on it, through {weights}",)
    assert named("three_bodies")[0] == ["X", "Y", "Z"]


def test_a_force_on_the_cart_leaves_nothing_ignorable():
    embedded, reasons = named(model("cart_pendulum", '[forces]\npush = { at = "A", vector = [2, 0, 0] }\n'))
    assert embedded == []
    assert reasons["x"] == ("condition 3: a generalized force acts on it, from push",)
    assert named("cart_pendulum")[0] == ["x"]


def test_a_reason_of_each_kind_is_listed():
    _, reasons = named(model("cart_pendulum", '[generalized_forces]\ntheta1 = "-0.1*der(theta1)"\n'))
    assert [reason.partition(":")[0] for reason in reasons["theta1"]] == ["condition 1", "condition 2", "condition 3"]


def test_one_in_disguise_fools_nobody():
    text = PLAIN + '[potentials]\nodd = "3*(cos(x)**2 + sin(x)**2) + sin(theta)"\n'
    embedded, reasons = named(text)
    assert embedded == ["x"]
    assert set(reasons) == {"theta"}
    assert "the potential odd" in reasons["theta"][0]


def test_terms_that_cancel_between_bodies_are_no_dependence():
    text = PLAIN + '[potentials]\nup = "2*x**3"\ndown = "-(x*x)*2*x"\n'
    assert named(text)[0] == ["x"]


def test_a_disguised_dependence_is_seen():
    text = PLAIN + '[potentials]\nodd = "cos(x)**2 + 1.0000001*sin(x)**2"\n'
    assert named(text)[0] == []


@pytest.mark.parametrize("law", ["((x + 1)**400 + 1)**400", "((sin(x) + theta + 1)**399)*(x + theta + 1)**399"])
def test_powers_that_would_fill_the_memory_are_not_multiplied_out(law):
    problem = problem_of(PLAIN + f'[forces]\npush = {{ at = "P", vector = ["{law}", 0, 0] }}\n')
    start = time.process_time()
    (reasons,) = [each.reasons for each in verdicts(problem.kinematics, terms=True) if each.name == "x"]
    assert "a generalized force acts on it, from push" in reasons[-1]
    assert time.process_time() - start < 2


def test_ignorable_coordinates_can_be_left_in():
    text = "ignorable = []\n" + model("three_bodies")
    problem = problem_of(text)
    assert problem.momenta == ()
    assert len(problem.speeds) == 8
    assert "ignorable, but the spec leaves it in" in summarise(problem, "three_bodies").text()


def test_some_ignorable_coordinates_can_be_chosen():
    problem = problem_of('ignorable = ["Z", "X"]\n' + model("three_bodies"))
    assert [row.name for row in problem.momenta] == ["X", "Z"]
    assert len(problem.speeds) == 6


def test_asking_for_one_that_is_not_ignorable_says_which_condition_fails():
    with pytest.raises(ModelError, match="theta is not ignorable; condition 1: the Lagrangian depends on it") as caught:
        problem_of('ignorable = ["theta"]\n' + model("three_bodies"))
    assert caught.value.subject == ("ignorable", "")


def test_an_ignorable_coordinate_that_moves_no_mass_is_refused_by_name():
    text = PLAIN.replace("[frames]", 'idle = {}\n[frames]\nI = { rotate = [["x", "idle"]] }')
    with pytest.raises(ModelError, match="idle is ignorable but moves no mass"):
        problem_of(text)


def test_two_coordinates_that_move_the_same_mass_alike_are_refused():
    text = PLAIN.replace('["x", 0, 0]', '["x + w", 0, 0]').replace("[frames]", "w = {}\n[frames]")
    with pytest.raises(ModelError, match="w is ignorable but moves no mass of its own"):
        problem_of(text)


def test_terms_are_shown_for_so_many_coordinates():
    """Of larger mechanisms the others have their reasons without a term."""
    found = verdicts(problem_of(closed_chain(SHOWN + 2)).kinematics, terms=True)
    assert [": dT/d" in found[j].lagrangian or "; for" in found[j].lagrangian for j in (0, SHOWN)] == [True, False]
    assert all(one.lagrangian.startswith("condition 1: the Lagrangian depends on it") for one in found)
