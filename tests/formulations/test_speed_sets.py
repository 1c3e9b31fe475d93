"""The sets that the compiler chooses from where a spec gives no quasi-velocities."""

import re
from pathlib import Path

import pytest

from tests.fixtures.mechanics import MODELS, problem_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def bare(path):
    """A spec without its quasi-velocities."""
    return re.sub(r"\n\[quasi_velocities\]\n(?:(?!\[)[^\n]*\n?)*", "\n", path.read_text())


def names(rows):
    return [row.name for row in rows]


def axes(body, frame):
    return [f"dot(omega({body}), {frame}.{axis})" for axis in "xyz"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (MODELS / "rolling_disc.toml", axes("disc", "L")),
        (EXAMPLES / "ball_in_bowl.toml", axes("ball", "Ray")),
        (MODELS / "driven_rotor.toml", ["dot(omega(skate), skate.z)", "dot(velocity(skate), skate.x) - drift"]),
        (MODELS / "three_bodies.toml", [*axes("box", "box"), "der(gamma1)", "der(gamma2)"]),
    ],
)
def test_the_cheapest_regular_set_is_chosen(path, expected):
    problem = problem_of(bare(path))
    assert names(problem.speeds) == expected
    assert any(note.startswith("no quasi-velocities are given; chosen: ") for note in problem.notes)


def test_auto_is_the_same_as_nothing():
    text = bare(MODELS / "rolling_disc.toml")
    written = text.replace("[parameters]", 'quasi_velocities = "auto"\n[parameters]', 1)
    assert names(problem_of(written).speeds) == names(problem_of(text).speeds)


def test_sets_that_are_less_regular_are_left_out():
    """The rates of a rolling disc are dependent where it lies flat; velocities along its own axes vanish as it turns."""
    sets = problem_of(bare(MODELS / "rolling_disc.toml")).choice.sets()
    assert [names(one.rows) for one in sets] == [axes("disc", "disc"), axes("disc", "L")]
    assert all(one.least > 0.3 for one in sets)


def test_every_set_gives_the_same_motion():
    from volterra_cg import search
    from volterra_cg.elimination import dense
    from volterra_cg.program.interpret import interpret

    problem = problem_of(bare(MODELS / "driven_rotor.toml"))
    inputs = problem.kinematics.inputs
    at = {**problem.kinematics.given, inputs.time: 0.3}
    at |= dict(zip(inputs.coordinates, [0.4, -0.1, 0.2], strict=True))
    rates = dict(zip(inputs.rates, [0.3, 0.158, -0.5], strict=True))
    found = []
    for option in search.compared(problem):
        solution = dense.solve(option.problem)
        speeds = interpret([row.value for row in option.problem.speeds], at | rates)
        state = at | dict(zip(option.problem.speed_inputs, speeds, strict=True))
        moving = state | dict(zip(inputs.rates, interpret(solution.rates, state), strict=True))
        found.append([float(value) for value in interpret(solution.accelerations, moving)])
    assert len(found) == 4
    assert all(one == pytest.approx(found[0], rel=1e-9) for one in found)
