"""What is refused before anything is generated, by the name of what is at fault."""

import pytest

from tests.fixtures.mechanics import MODELS, problem_of
from tests.fixtures.specs import CRANKS, PLAIN
from volterra_cg import derivation
from volterra_cg.errors import VolterraError

CART = (MODELS / "cart_pendulum.toml").read_text()


PLANAR = 'qz = "dot(position(Q, Qb), N.z)"\n'


def with_initial(text, name, value):
    return text.replace(f"{name} = {{ initial = 0.5 }}", f"{name} = {{ initial = {value} }}")


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


def test_an_unknown_formulation_is_an_option_error():
    from tests.fixtures.mechanics import system_of
    from volterra_cg.errors import OptionError
    from volterra_cg.options import Options

    with pytest.raises(OptionError, match="no formulation is called 'magic'"):
        derivation.pose(system_of(PLAIN), Options(formulation="magic"))


SLEIGH = """
schema = 1
name = "sleigh"
[coordinates]
x = {}
y = { rate = 1 }
theta = { initial = "pi/2", rate = 1 }
[frames]
S = { rotate = [["z", "theta"]] }
[points]
G = { at = ["x", "y", 0] }
[bodies]
sleigh = { mass = 2, center = "G", frame = "S", inertia = { zz = 1 } }
[constraints]
edge = "dot(velocity(G), S.y)"
[quasi_velocities]
a = "der(x)"
b = "der(theta)"
"""


def test_check_refuses_quasi_velocities_that_are_singular_at_the_start(tmp_path):
    """Heading along y, a sleigh moves without a rate of x."""
    path = tmp_path / "sleigh.toml"
    path.write_text(SLEIGH)
    remedy = r"singular there \(take dot\(velocity\(sleigh\), sleigh.x\)\)"
    with pytest.raises(
        VolterraError, match=r"sleigh.toml:17:1: a does not determine the motion at the start.*" + remedy
    ):
        derivation.check(path)
    path.write_text(SLEIGH.replace('"pi/2", rate = 1', "0.3").replace("{ rate = 1 }", "{}"))
    assert derivation.check(path).quasi_velocities == ("a",)


def many(*names):
    """Forty particles on a line, and points without mass that have a coordinate each."""
    lines = ["schema = 1", 'name = "many"', "ignorable = []", "[coordinates]"]
    lines += [f"x{k} = {{ initial = {0.1 * k} }}" for k in range(40)] + [f"{name} = {{}}" for name in names]
    lines += ["[points]", *(f'P{k} = {{ at = ["x{k}", 0, 0] }}' for k in range(40))]
    lines += [f'{name.upper()} = {{ at = ["{name}", 1, 0] }}' for name in names]
    lines += ["[bodies]", *(f'b{k} = {{ mass = 1, center = "P{k}" }}' for k in range(40))]
    return "\n".join(lines) + "\n"


def checked(text, tmp_path):
    spec = tmp_path / "many.toml"
    spec.write_text(text)
    return derivation.check(spec)


def test_a_motion_of_many_bodies_that_moves_no_mass_is_refused_by_name(tmp_path):
    """Bodies apart from each other are looked at apart."""
    assert checked(many(), tmp_path).m == 40
    with pytest.raises(VolterraError, match="a motion of idle moves no mass"):
        checked(many("idle"), tmp_path)


def test_a_constraint_that_gives_a_coordinate_mass_is_seen_among_many(tmp_path):
    """The rod moves the first body with the point."""
    tied = many("idle") + '[constraints]\nrod = "der(idle) - 2*der(x0)"\n'
    assert checked(tied, tmp_path).r == 1
    with pytest.raises(VolterraError, match="a motion of idle, loose moves no mass"):
        checked(many("idle", "loose") + '[constraints]\nrod = "der(idle) - 2*der(loose)"\n', tmp_path)
