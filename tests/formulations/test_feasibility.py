"""What is refused before anything is generated, by the name of what is at fault."""

import pytest

from tests.fixtures.mechanics import MODELS, problem_of
from tests.fixtures.specs import PLAIN
from volterra_cg import derivation
from volterra_cg.errors import ModelError, SpecError, VolterraError

CART = (MODELS / "cart_pendulum.toml").read_text()
MOMENTUM_ROW = "(1 + m)*der(x) - m*l*sin(theta)*der(theta)"

CRANKS = """
schema = 1
name = "cranks"

[coordinates]
a = { initial = 0.5 }
b = { initial = 0.5 }
c = { initial = 0.5 }
phi = { initial = 0 }

[frames]
A = { rotate = [["z", "a"]] }
B = { rotate = [["z", "b"]] }
C = { rotate = [["z", "c"]] }
F = { rotate = [["z", "phi"]] }

[points]
P = { in = "A", at = [1, 0, 0] }
G = { from = "P", in = "F", at = [2, 0, 0] }
Q = { from = "P", in = "F", at = [3, 0, 0] }
R = { from = "P", in = "F", at = [5, 0, 0] }
Q0 = { at = [3, 0, 0] }
R0 = { at = [5, 0, 0] }
Qb = { from = "Q0", in = "B", at = [1, 0, 0] }
Rc = { from = "R0", in = "C", at = [1, 0, 0] }

[bodies]
coupler = { mass = 2, center = "G", frame = "F", inertia = { zz = 1 } }
crank = { mass = 1, center = "O", frame = "A", inertia = { zz = 1 } }

[constraints]
qx = "dot(position(Q, Qb), N.x)"
qy = "dot(position(Q, Qb), N.y)"
rx = "dot(position(R, Rc), N.x)"
"""
FOURTH = 'ry = "dot(position(R, Rc), N.y)"\n'
PLANAR = 'qz = "dot(position(Q, Qb), N.z)"\n'


def with_initial(text, name, value):
    return text.replace(f"{name} = {{ initial = 0.5 }}", f"{name} = {{ initial = {value} }}")


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


def test_a_constraint_that_follows_from_others_everywhere_is_refused_by_name():
    with pytest.raises(ModelError, match="constraint again follows from the constraints before it"):
        problem_of(CRANKS + 'again = "2*dot(position(Q, Qb), N.x) - dot(position(Q, Qb), N.y)"\n')


def test_the_fourth_row_of_three_parallel_cranks_is_refused_on_the_mechanism():
    """At random angles the four rows have rank 4, on the mechanism 3."""
    with pytest.raises(ModelError, match="on the mechanism, constraint ry follows from the constraints before it"):
        problem_of(CRANKS + FOURTH)


def test_three_rows_of_three_parallel_cranks_are_a_mechanism():
    assert len(problem_of(CRANKS).speeds) == 1


def test_the_row_across_the_plane_is_left_out_with_a_note():
    problem = problem_of(CRANKS + PLANAR)
    assert len(problem.kinematics.constraints) == 3
    assert "constraint qz holds by itself and is left out" in problem.notes


def test_start_positions_that_break_a_constraint_are_refused():
    with pytest.raises(VolterraError, match=r"the initial .* do not satisfy the constraint qx"):
        problem_of(with_initial(CRANKS, "b", 0.6))


def test_start_rates_that_break_a_constraint_are_refused():
    with pytest.raises(VolterraError, match=r"initial rates do not satisfy the constraint wheel: it is 0\.2, not 0"):
        problem_of(CART.replace("rate = 1,", "rate = 2,"))


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


def test_the_driver_gives_a_refusal_its_place_in_the_file(tmp_path):
    path = tmp_path / "cranks.toml"
    path.write_text(CRANKS + FOURTH)
    line = (CRANKS + FOURTH).splitlines().index(FOURTH.strip()) + 1
    with pytest.raises(SpecError, match=f"cranks.toml:{line}:1: on the mechanism"):
        derivation.check(path)


def test_posed_systems_are_square():
    for text in ("cart_pendulum", "three_bodies", "satellite_boom", "rolling_disc", "andrews", CRANKS, PLAIN):
        problem = problem_of(text)
        assert len(problem.rates.equations) == len(problem.rates.unknowns)
        for system in (problem.rates, problem.motion):
            assert all(set(e.terms) <= set(range(len(system.unknowns))) for e in system.equations)


def test_an_unknown_formulation_is_an_option_error():
    from tests.fixtures.mechanics import system_of
    from volterra_cg.errors import OptionError
    from volterra_cg.options import Options

    with pytest.raises(OptionError, match="no formulation is called 'magic'"):
        derivation.pose(system_of(PLAIN), Options(formulation="magic"))


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
