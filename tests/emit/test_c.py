"""The emitted C: strict compilers take it, sanitizers find nothing, and its numbers are the interpreter's."""

import re

import numpy as np
import pytest

from benchmarks.chains import cart_chain
from tests.fixtures.mechanics import PAPER
from tests.fixtures.slopes import SlopeOracle
from tests.fixtures.specs import CHAIN, KEYWORDS, KNOTTED, MOVING, PLAIN, SLIDER
from tests.fixtures.table import COMPILERS, SANITIZERS, Oracle, agree, compiled_table, run_table, sanitized

pytestmark = pytest.mark.compiles

TEXTS = {"plain": PLAIN, "moving": MOVING, "knotted": KNOTTED, "keywords": KEYWORDS, "chain": cart_chain(5)}
TEXTS |= {"events": CHAIN, "impact": SLIDER}
TEXTS |= {name: name for name in (*PAPER, "rolling_disc", "chaplygin_sleigh", "andrews")}
ROWS = {"dfdz": "jacobian", "dfdp": "sensitivity"}  # as the C program calls them

QUATERNION = """
schema = 1
name = "turning"
[coordinates]
e0 = { initial = 1 }
e1 = { rate = -0.2 }
e2 = { rate = 0.35 }
e3 = { rate = 0.25 }
[frames]
B = { quaternion = ["e0", "e1", "e2", "e3"] }
[bodies]
box = { mass = 2, center = "O", frame = "B", inertia = { xx = 0.4, yy = 0.6, zz = 0.7 } }
[constraints]
unit = { position = "e0**2 + e1**2 + e2**2 + e3**2 - 1" }
"""


def start_of(oracle):
    """The spec's own start values."""
    inputs = oracle.problem.kinematics.inputs
    known = dict(zip(inputs.parameters, oracle.parameters, strict=True))
    from volterra_cg.program.interpret import interpret

    return [np.array(interpret(nodes, known), dtype=float) for nodes in oracle.problem.kinematics.start]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("text", TEXTS)
def test_strict_compilers_take_it_and_numbers_agree(generated, tmp_path, text, compiler):
    sources, oracle = generated(TEXTS[text]), Oracle(TEXTS[text])
    program = compiled_table(sources.files, sources.name, tmp_path, compiler=compiler)
    q, rates = start_of(oracle)
    found = run_table(program, 0.0, oracle.parameters, oracle.signals, q, rates)
    assert found["q0"] == pytest.approx(q, rel=1e-15)
    assert found["qd0"] == pytest.approx(rates, rel=1e-15)
    agree(found, oracle(0.0, q, rates))


@pytest.mark.parametrize("text", ["plain", "moving", "knotted", "keywords", "chain", "events", *PAPER, "rolling_disc"])
def test_numbers_agree_at_other_states(generated, tmp_path, text):
    """Away from the manifold too: z and g say all that the functions need."""
    sources, oracle = generated(TEXTS[text]), Oracle(TEXTS[text])
    program = compiled_table(sources.files, sources.name, tmp_path)
    random = np.random.default_rng(11)
    for t in (0.3, 1.7):
        count = len(oracle.system.coordinates)
        q, rates = random.uniform(-1, 1, count), random.uniform(-1, 1, count)
        found = run_table(program, t, oracle.parameters, oracle.signals, q, rates)
        agree(found, oracle(t, q, rates), 1e-9)


@pytest.mark.parametrize("text", ["events", "satellite_boom"])
def test_sanitizers_find_nothing(generated, tmp_path, text):
    sources, oracle = generated(TEXTS[text]), Oracle(TEXTS[text])
    program = compiled_table(sources.files, sources.name, tmp_path, *SANITIZERS)
    q, rates = start_of(oracle)
    agree(run_table(program, 0.0, oracle.parameters, oracle.signals, q, rates), oracle(0.0, q, rates))


@pytest.mark.parametrize(
    ("text", "compiler"), sanitized("plain", "moving", "andrews", "knotted", "keywords", "three_bodies")
)
def test_strict_compilers_take_the_derivatives_and_sanitizers_find_nothing(generated, tmp_path, text, compiler):
    sources, oracle = generated(TEXTS[text], jacobian=True), Oracle(TEXTS[text])
    program = compiled_table(sources.files, sources.name, tmp_path, *SANITIZERS, compiler=compiler)
    q, rates = start_of(oracle)
    found = run_table(program, 0.0, oracle.parameters, oracle.signals, q, rates)
    agree(found, oracle(0.0, q, rates))
    slopes = SlopeOracle(TEXTS[text])
    expected = {name: slopes.at_state(asked, 0.0, found["z"], found["g"]).ravel() for name, asked in ROWS.items()}
    agree(found, expected | {"slopes": slopes.at_start(0.0, q, rates).ravel()})


def test_the_derivatives_change_nothing_of_the_other_functions(generated):
    """But for the number of prepared values, after which the bounds of divisors stand, and what computes the new ones."""
    texts = [generated("three_bodies", jacobian).files["three_bodies.c"] for jacobian in (False, True)]
    before, after = (re.sub(r"(\w+) <= w\[\d+\] && \1 >= w\[\d+\]", r"\1 between its bounds", text) for text in texts)
    body = before[before.index("static int initial(") : before.index("/* All about a state")]
    assert body in after


def test_a_block_of_four_is_factorised_at_run_time(generated):
    sources = generated(KNOTTED)
    assert "lu_factor(" in sources.files["knotted.c"]
    assert "lu_factor(" not in generated(PLAIN).files["plain.c"]
    assert any("x1, x2, x3, x4, x5" in label for label in sources.report["checks"])


def test_a_singular_block_is_told_by_its_number(generated, tmp_path):
    """With all cosines zero but one, the rows of the ties are parallel."""
    sources, oracle = generated(KNOTTED), Oracle(KNOTTED)
    program = compiled_table(sources.files, sources.name, tmp_path)
    q = [np.pi / 2] * 5
    found = run_table(program, 0.0, oracle.parameters, oracle.signals, q, [0.0] * 5)
    function, status, where = found["status"]
    assert function == "rhs"
    assert int(status) > 0
    assert "do not determine the rates of" in sources.report["checks"][int(where)]


def test_a_dead_point_is_told_with_what_does_not_determine_the_rates(generated, tmp_path):
    sources, oracle = generated("cart_pendulum"), Oracle("cart_pendulum")
    program = compiled_table(sources.files, sources.name, tmp_path)
    found = run_table(program, 0.0, oracle.parameters, oracle.signals, [np.pi, 0.0, 0.0], [0.0] * 3)
    label = sources.report["checks"][int(found["status"][2])]
    assert label.startswith("quasi-velocity u does not determine the rate of der(theta1)")


def test_a_number_that_is_none_is_passed_on(generated, tmp_path):
    sources, oracle = generated("cart_pendulum"), Oracle("cart_pendulum")
    program = compiled_table(sources.files, sources.name, tmp_path)
    found = run_table(program, 0.0, oracle.parameters, oracle.signals, [np.nan, 0.1, 0.0], [0.0] * 3)
    assert "status" not in found
    assert np.isnan(found["dz"]).any()


def test_a_coordinate_that_is_a_divisor_itself_is_watched(generated, tmp_path):
    """The rate of one part of a quaternion follows from those of the others but where that part is zero."""
    text = QUATERNION + '[quasi_velocities]\nu0 = "der(e0)"\nu1 = "der(e1)"\nu2 = "der(e2)"\n'
    sources, oracle = generated(text), Oracle(text)
    program = compiled_table(sources.files, sources.name, tmp_path)
    assert "dz" in run_table(program, 0.0, [], [], [0.8, 0.0, 0.0, 0.6], [0.0] * 4)
    found = run_table(program, 0.0, [], [], *start_of(oracle))
    assert found["status"][0] == "rhs"
    assert sources.report["checks"][int(found["status"][2])] == (
        "constraint unit does not determine the rate of e3 (choose other quasi-velocities)"
    )


def test_a_parameter_that_must_not_vanish_is_watched(generated, tmp_path):
    """Without length the bars have no inertia; what divides by it says so instead of giving infinities."""
    sources, oracle = generated("cart_pendulum"), Oracle("cart_pendulum")
    program = compiled_table(sources.files, sources.name, tmp_path)
    names = list(sources.report["parameters"])
    values = [0.0 if name == "l" else value for name, value in zip(names, oracle.parameters, strict=True)]
    found = run_table(program, 0.0, values, oracle.signals, [1.0, 0.4, 0.0], [0.0] * 3)
    assert found["status"][0] in ("prepare", "rhs")
