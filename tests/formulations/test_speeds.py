"""Which quasi-velocities are kept, chosen or refused."""

import pytest

from tests.fixtures.mechanics import MODELS, problem_of
from tests.fixtures.specs import PLAIN
from volterra_cg import Mechanism
from volterra_cg.elimination import orders
from volterra_cg.errors import ModelError

CART = (MODELS / "cart_pendulum.toml").read_text()


MOMENTUM_ROW = "(1 + m)*der(x) - m*l*sin(theta)*der(theta)"


def test_a_speed_that_is_a_row_of_the_momenta_is_refused_by_name():
    text = PLAIN + f'[quasi_velocities]\nbad = "{MOMENTUM_ROW}"\n'
    with pytest.raises(ModelError, match=r"\[Y; M'; a\] is singular everywhere: bad follows from") as caught:
        problem_of(text)
    assert caught.value.subject == ("quasi_velocities", "bad")


def test_a_speed_that_is_a_row_of_the_constraints_is_refused_by_name():
    text = CART.replace(
        'u = "der(theta2) - der(theta1)"\nx_rate = "der(x)"', 'slip = "dot(velocity(C) - velocity(A), BC.x)"'
    )
    with pytest.raises(ModelError, match="slip follows from the constraints, the conserved momenta"):
        problem_of(text)


def test_two_speeds_that_are_one_are_refused_by_name():
    text = "ignorable = []\n" + PLAIN + '[quasi_velocities]\nv = "der(x)"\ntwice = "2*der(x)"\n'
    with pytest.raises(ModelError, match="twice follows from the constraints and the other quasi-velocities"):
        problem_of(text)


def test_of_p_speeds_the_first_regular_ones_are_kept_and_the_dropped_named():
    problem = problem_of(PLAIN + f'[quasi_velocities]\nbad = "{MOMENTUM_ROW}"\ngood = "der(theta)"\n')
    assert [row.name for row in problem.speeds] == ["good"]
    assert problem.dropped == ("bad",)
    assert problem.notes == ("quasi-velocities left to the conserved momenta: bad",)


def test_a_wrong_number_of_speeds_is_told():
    with pytest.raises(ModelError, match="3 quasi-velocities are given, but this mechanism takes 1 or 2"):
        problem_of(PLAIN + '[quasi_velocities]\na = "der(x)"\nb = "der(theta)"\nc = "der(x) + der(theta)"\n')


def test_without_speeds_a_choice_is_made_and_named():
    problem = problem_of(PLAIN)
    assert [row.name for row in problem.speeds] == ["der(theta)"]
    assert problem.notes == ("no quasi-velocities are given; chosen: der(theta)",)


def test_speeds_that_are_singular_only_on_the_mechanism_are_refused():
    """Off the circle the speed is no multiple of the constraint's row, on it it is."""
    bead = """
schema = 1
name = "bead"
[coordinates]
x = { initial = 0.6 }
y = { initial = 0.8 }
[points]
P = { at = ["x", "y", 0] }
[bodies]
bead = { mass = 1, center = "P" }
[constraints]
ring = "x**2 + y**2 - 1"
[quasi_velocities]
radial = "x*der(x) + y*der(y) + (x**2 + y**2 - 1)*der(x)"
"""
    with pytest.raises(ModelError, match="singular everywhere: radial follows from the constraints"):
        problem_of(bead)
    assert len(problem_of(bead.replace("y*der(y)", "2*y*der(y)")).speeds) == 1


def test_rates_that_depend_on_the_mechanism_leave_their_place_to_others():
    """On the branch of the start q1 rests at pi/2, so that q1' is no quasi-velocity though it comes first."""
    slider = """
schema = 1
name = "slider"
[coordinates]
q1 = { initial = "pi/2" }
q2 = { rate = 0.9 }
[frames]
F = { rotate = [["z", "q1"]] }
[points]
P = { in = "F", at = [-1, "q2 + 1", 0] }
[bodies]
block = { mass = 1, center = "P", frame = "F", inertia = { zz = 1 } }
[constraints]
height = "dot(position(P), N.y) + 1"
"""
    assert [row.name for row in problem_of(slider).speeds] == ["der(q2)"]


SWINGING = """
schema = 1
name = "swinging"
[coordinates]
x = { rate = 0.3 }
theta = { initial = 0.2, rate = 1 }
[points]
C = { at = ["x", 0, 0] }
P = { from = "C", at = ["sin(theta)", "-cos(theta)", 0] }
[bodies]
cart = { mass = 2, center = "C" }
bob = { mass = 1, center = "P" }
[gravity]
N = [0, -9.81, 0]
[quasi_velocities]
"""


def test_of_the_given_speeds_those_are_kept_that_are_regular_on_the_way_whatever_their_order():
    """Close to the start the first is as good: it is singular where the pendulum points up, theta = 3."""
    far, near = 'a = "(9 - theta**2)*der(theta)"\n', 'b = "der(x) + 3*der(theta)"\n'
    for text in (far + near, near + far):
        problem = problem_of(SWINGING + text)
        assert [row.name for row in problem.speeds] == ["b"]
        assert problem.notes == ("quasi-velocities left to the conserved momenta: a",)


def test_of_given_speeds_that_are_as_regular_those_are_kept_that_take_fewer_operations_whatever_their_order():
    short, long = 'a = "der(theta)"\n', 'b = "der(x) + 3*der(theta)"\n'
    for text in (short + long, long + short):
        problem = problem_of(SWINGING + text)
        assert [row.name for row in problem.speeds] == ["a"]
        assert (problem.dropped, problem.notes) == (("b",), ("quasi-velocities left to the conserved momenta: b",))


@pytest.mark.parametrize("orientation", ["quaternion", "zyx"])
def test_of_many_given_speeds_those_with_rates_of_ignorable_coordinates_are_left_out(orientation):
    """Where a mechanism is too large to compare parts: the others keep all elimination orders open."""
    flying = Mechanism("flying")
    flying.gravity([0, 0, -9.81])
    parent = flying.body("base", 5, inertia=[1, 2, 2.5])
    start = (
        {"attitude": {"angles": [0.1, 0.2, 0.3]}}
        if orientation == "quaternion"
        else {"initial": [0, 0, 1, 0.1, 0.2, 0.3]}
    )
    flying.joint("fly", "free", parent, orientation=orientation, center=[0.1, 0, 0], **start)
    for k in range(7):
        link = flying.body(f"link{k}", 1, inertia=[0.1, 0.2, 0.15])
        place = {"axis": "xyz"[k % 3], "at": [0.1, 0.2, 0.3], "center": [0.05, 0.1, 0.2], "initial": 0.1 * k}
        flying.joint(f"h{k}", "revolute", link, parent, **place)
        flying.quasi_velocity(f"u{k}", f"der(h{k})")
        parent = link
    for a in "xyz":
        flying.quasi_velocity(f"v{a}", f"dot(velocity(base), N.{a})")
        flying.quasi_velocity(f"w{a}", f"dot(omega(base), N.{a})")
    problem = problem_of(flying.to_toml())
    assert problem.dropped == ("vx", "vy")
    assert "recursive" in orders.available(problem)
