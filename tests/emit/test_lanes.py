"""The vector form of rhs: every lane is what rhs gives, whatever its neighbours and the instructions."""

import subprocess

import numpy as np
import pytest

from benchmarks.chains import cart_chain
from tests.fixtures.mechanics import MODELS, PAPER
from tests.fixtures.specs import KEYWORDS, KNOTTED, MOVING, PLAIN
from tests.fixtures.table import COMPILERS, INSTRUCTIONS, SANITIZERS, compiled_table, sanitized
from tests.runtime.test_sincos import runs_here
from volterra_cg import driver
from volterra_cg.clock import Clock
from volterra_cg.options import FUSED, SEPARATE, Options

pytestmark = pytest.mark.compiles

LANES = 8
# Every function that a spec may use, in a force.
FUNCTIONS = """
schema = 1
name = "functions"
[parameters]
m = 2
a = 0.3
[coordinates]
x = { initial = 0.4, rate = 0.2 }
y = { initial = 0.7, rate = -0.1 }
[points]
P = { at = ["x", "y", 0] }
[bodies]
ball = { mass = "m", center = "P" }
[forces]
one = { at = "P", vector = ["tan(x) + asin(x/3) + acos(y/4) + atan(3*x) + atan2(y, x)", "sinh(x) + cosh(y) + tanh(x*y)", 0] }
two = { at = "P", vector = ["exp(-x) + log(2 + y**2) + sqrt(1 + x**2)", "abs(x) + sign(y)*a + (1 + x**2)**a", 0] }
three = { at = "P", vector = ["sin(x + 2*y + a)*pi", "cos(a*t)", 0] }
"""
TEXTS = {"plain": PLAIN, "moving": MOVING, "knotted": KNOTTED, "keywords": KEYWORDS, "chain": cart_chain(5)}
TEXTS |= {"functions": FUNCTIONS} | {name: name for name in (*PAPER, "rolling_disc", "andrews")}


def harness(sources, folder, *flags, compiler="gcc"):
    return compiled_table(sources.files, sources.name, folder, "-O2", *flags, compiler=compiler, main="lanes.c")


def compare(program, rows):
    """The derivatives and failed checks of all rows, one by one and together."""
    numbers = "\n".join(repr(float(v)) for row in rows for v in row)
    answer = subprocess.run([program], input=numbers, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    lines = [line.split() for line in answer.stdout.splitlines()]
    return [
        [(int(line[1]), [float.fromhex(v) for v in line[2:]]) for line in lines if line[0] == kind]
        for kind in ("one", "lane")
    ]


def starts(sources, seed=5):
    """Rows of t, parameters, signals, q, qd, each a little different; angles of the last are out of sincos' range."""
    random, report = np.random.default_rng(seed), sources.report
    rows = []
    for lane in range(LANES):
        parameters = np.array(list(report["parameters"].values())) * random.uniform(0.98, 1.02)
        signals = np.array(list(report["signals"].values())) + random.uniform(-1, 1)
        q, qd = random.uniform(-1, 1, (2, report["m"]))
        q = q + (lane == LANES - 1) * 1e5
        rows.append([random.uniform(0, 2), *parameters, *signals, *q, *qd])
    return rows


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("text", TEXTS)
def test_lanes_are_what_rhs_gives(generated, tmp_path, text, compiler):
    sources = generated(TEXTS[text], arithmetic=FUSED)
    ones, lanes = compare(harness(sources, tmp_path, compiler=compiler), starts(sources))
    assert str(lanes) == str(ones)


@pytest.mark.parametrize("text", ["functions", "three_bodies"])
def test_lanes_are_nearly_what_rhs_gives_with_separate_arithmetic(generated, tmp_path, text):
    """Sines and cosines of a single state are then those of the C library."""
    sources = generated(TEXTS[text], arithmetic=SEPARATE)
    ones, lanes = compare(harness(sources, tmp_path), starts(sources))
    for (one, expected), (lane, found) in zip(ones, lanes, strict=True):
        assert one == lane
        size = max((abs(v) for v in expected if np.isfinite(v)), default=0.0)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * (1 + size))


@pytest.mark.parametrize("text", ["functions", "knotted", "three_bodies", "satellite_boom"])
def test_the_instructions_do_not_matter(generated, tmp_path, text):
    sources = generated(TEXTS[text])
    found = set()
    for name, chosen in INSTRUCTIONS.items():
        if runs_here(name):
            flag = f"-DVCG_SUPPORTS(instructions)={chosen}"
            _, lanes = compare(harness(sources, tmp_path / name, flag), starts(sources))
            found.add(str(lanes))
    assert len(found) == 1


def test_the_place_and_the_neighbours_do_not_matter(generated, tmp_path):
    sources = generated("three_bodies")
    program, rows = harness(sources, tmp_path), starts(sources)
    _, lanes = compare(program, rows)
    _, turned = compare(program, rows[3:] + rows[:3])
    assert str(turned) == str(lanes[3:] + lanes[:3])


def test_a_lane_fails_alone_and_says_where(generated, tmp_path):
    """A dead point in lanes 2 and 5, a NaN in lane 6."""
    sources = generated("cart_pendulum")
    program, rows = harness(sources, tmp_path), starts(sources)
    first = 1 + len(sources.report["parameters"]) + len(sources.report["signals"])
    _, before = compare(program, rows)
    for lane in (2, 5):
        rows[lane][first : first + 3] = [np.pi, 0.0, 0.0]
    rows[6][first] = np.nan
    ones, lanes = compare(program, rows)
    assert [where for where, _ in lanes] == [where for where, _ in ones]
    assert [k for k, (where, _) in enumerate(lanes) if where >= 0] == [2, 5]
    assert np.isnan(lanes[6][1]).any()
    assert [str(lanes[k]) for k in (0, 1, 3, 4, 7)] == [str(before[k]) for k in (0, 1, 3, 4, 7)]


def test_definite_solves_in_loops_are_done_lane_by_lane(monkeypatch, tmp_path):
    monkeypatch.setattr("volterra_cg.elimination.definite.UNROLLED", 2)
    sources = driver.generate(MODELS / "three_bodies.toml", Options(order="dense"), Clock())
    assert "lanes_ldl_back(" in sources.files["three_bodies_lanes.h"]
    ones, lanes = compare(harness(sources, tmp_path), starts(sources))
    for (one, expected), (lane, found) in zip(ones, lanes, strict=True):
        assert one == lane == -1
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * max(map(abs, expected)))


def test_a_large_model_has_no_vector_form(monkeypatch, tmp_path):
    monkeypatch.setattr("volterra_cg.emit.model.MOST_OPERATIONS", 5)
    (tmp_path / "plain.toml").write_text(PLAIN)
    sources = driver.generate(tmp_path / "plain.toml", Options(), Clock())
    assert "plain_lanes.h" not in sources.files
    assert "lanes" not in sources.files["plain.c"]


@pytest.mark.parametrize(("text", "compiler"), sanitized("functions", "three_bodies", "satellite_boom"))
def test_sanitizers_find_nothing_in_lanes(generated, tmp_path, text, compiler):
    sources = generated(TEXTS[text])
    assert compare(harness(sources, tmp_path, *SANITIZERS, compiler=compiler), starts(sources))
