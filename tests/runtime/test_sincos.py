"""The vector sine and cosine: their errors, and the same bits for every width, target and neighbour."""

import platform
import subprocess
from pathlib import Path

import mpmath
import numpy as np
import pytest

from tests.fixtures.table import COMPILERS, HEADERS, HERE, INSTRUCTIONS, SANITIZERS, STRICT

MOST = 65536.0
X86 = platform.machine() in ("x86_64", "AMD64")
TARGETS = {"baseline": "", "avx2": '__attribute__((target("avx2")))', "avx512": '__attribute__((target("avx512f")))'}
FUSED_TARGETS = {"avx2 and fma": '__attribute__((target("avx2,fma")))'}
pytestmark = pytest.mark.compiles


def runs_here(target):
    cpu = Path("/proc/cpuinfo")
    flags = cpu.read_text() if X86 and cpu.exists() else ""
    return target == "baseline" or {"avx2": " avx2 ", "avx512": " avx512f "}[target] in flags


def compiled(folder, width, target="baseline", compiler="gcc", *flags):
    program = folder / f"sincos_{compiler}_{width}_{target.split()[0]}"
    command = [
        compiler,
        *STRICT,
        "-O2",
        "-ffp-contract=off",
        f"-DWIDTH={width}",
        f"-DTARGET={(TARGETS | FUSED_TARGETS)[target]}",
    ]
    command += [*flags, "-iquote", str(HEADERS), str(HERE / "sincos.c"), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    return program


def pairs(program, x):
    """Rows of sine and cosine."""
    said = subprocess.run([program], input=x.tobytes(), capture_output=True, check=True).stdout
    blocks = [np.frombuffer(said, dtype=np.float64)]
    rows, at = [], 0
    for first in range(0, len(x), 1024):
        size = min(1024, len(x) - first)
        rows.append(blocks[0][at : at + 2 * size].reshape(2, size))
        at += 2 * size
    return np.concatenate(rows, axis=1)


def near_multiples():
    """The doubles next to every multiple of pi/2 in range, in both directions."""
    n = np.arange(1, int(MOST * 2 / np.pi) + 1)
    nearest = np.array(n * (np.longdouble(np.pi) / 2 + np.longdouble("6.123233995736766e-17")), dtype=np.float64)
    near = np.concatenate([nearest, np.nextafter(nearest, 0.0), np.nextafter(nearest, np.inf)])
    return np.concatenate([near, -near])


def samples(count, seed=1):
    random = np.random.default_rng(seed)
    return np.concatenate(
        [
            random.uniform(-4.0, 4.0, count),
            random.uniform(-MOST, MOST, count),
            np.exp(random.uniform(-745.0, np.log(MOST), count)) * random.choice([-1.0, 1.0], count),
            near_multiples(),
            [MOST, -MOST, 0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310],
        ]
    )


def ulps(found, exact):
    """Errors in units of the last place of the exact value, which has more digits than a double."""
    nearest = np.abs(exact.astype(np.float64))
    return np.abs((found - exact) / np.spacing(np.maximum(nearest, np.finfo(float).tiny)).astype(np.longdouble))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("sincos"), 4)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="does not apply: long double is no wider than double")
def test_errors_over_millions_of_angles(program):
    x = samples(1_000_000)
    wide = x.astype(np.longdouble)
    found = pairs(program, x)
    assert ulps(found[0], np.sin(wide)).max() < 1.1
    assert ulps(found[1], np.cos(wide)).max() < 1.1


def test_errors_against_many_digits(program):
    """The nearest of all doubles to multiples of pi/2, and any others, against 60 digits."""
    random = np.random.default_rng(2)
    close = near_multiples()
    x = np.concatenate([random.choice(close, 3000), samples(1000, 3)[:3000], [29 * np.pi / 2, np.pi / 2, np.pi]])
    found = pairs(program, x)
    with mpmath.workdps(60):
        for value, sine, cosine in zip(x, *found, strict=True):
            for got, exact in ((sine, mpmath.sin(value)), (cosine, mpmath.cos(value))):
                assert abs(mpmath.mpf(got) - exact) <= 1.1 * float(np.spacing(abs(float(exact)))), value


def test_zeros_keep_their_sign_and_what_is_not_finite_is_nan(program):
    sine, cosine = pairs(program, np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0]))
    assert list(np.signbit(sine[:2])) == [False, True]
    assert list(cosine[:2]) == [1.0, 1.0]
    assert np.isnan(sine[2:5]).all()
    assert np.isnan(cosine[2:5]).all()
    assert abs(sine[5] - np.sin(1.0)) < 1e-15


def test_large_angles_are_those_of_the_library(program):
    x = np.concatenate(
        [[np.nextafter(MOST, np.inf), 1e22, -1e300, 1.7976931348623157e308], np.geomspace(7e4, 1e308, 999)]
    )
    sine, cosine = pairs(program, x)
    with mpmath.workdps(400):
        assert abs(sine - np.array([float(mpmath.sin(v)) for v in x])).max() < 2.3e-16
        assert abs(cosine - np.array([float(mpmath.cos(v)) for v in x])).max() < 2.3e-16


def test_neighbours_do_not_matter(program):
    """A lane next to an angle out of range has the bits that it has elsewhere."""
    x = samples(4000)
    alone = pairs(program, x)
    mixed = np.stack([x, np.full_like(x, 1e10)], axis=1).ravel()
    assert pairs(program, mixed)[:, ::2].tobytes() == alone.tobytes()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_width_and_target_gives_the_same_bits(program, compiler, tmp_path):
    x = samples(4000)
    expected = pairs(program, x)
    for width in (2, 4, 8):
        for target in TARGETS if X86 else ("baseline",):
            if runs_here(target):
                found = pairs(compiled(tmp_path, width, target, compiler), x)
                assert found.tobytes() == expected.tobytes(), (width, target)


@pytest.fixture(scope="module")
def fused(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("fused"), 2, "baseline", "gcc", "-DFUSED")


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="does not apply: long double is no wider than double")
def test_errors_with_fused_arithmetic(fused):
    x = samples(100_000)
    wide = x.astype(np.longdouble)
    found = pairs(fused, x)
    assert ulps(found[0], np.sin(wide)).max() < 1.1
    assert ulps(found[1], np.cos(wide)).max() < 1.1
    sine, cosine = pairs(fused, np.array([0.0, -0.0, np.inf, np.nan]))
    assert list(np.signbit(sine[:2])) == [False, True]
    assert np.isnan([*sine[2:], *cosine[2:]]).all()


@pytest.mark.skipif(not X86, reason="does not apply: there is one form only")
@pytest.mark.parametrize("compiler", COMPILERS)
def test_fused_arithmetic_gives_the_same_bits_with_the_instruction_and_without(fused, compiler, tmp_path):
    x = samples(4000)
    expected = pairs(fused, x).tobytes()
    for width, target in ((2, "baseline"), (4, "avx2 and fma"), (8, "avx512")):
        if runs_here(target.split()[0]):
            assert pairs(compiled(tmp_path, width, target, compiler, "-DFUSED"), x).tobytes() == expected


@pytest.mark.skipif(not X86, reason="does not apply: there is one form only")
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_single_angle_has_the_bits_of_a_vector_of_angles(fused, compiler, tmp_path):
    x = np.concatenate([samples(4000), np.nextafter(0.75, [0.0, 1.0]), [-0.75, 0.75, 1e300]])
    expected = pairs(fused, x).tobytes()
    for instructions in {"avx2" if runs_here("avx2") else "baseline", "baseline"}:
        flags = ("-DFUSED", "-DONE", f"-DVCG_SUPPORTS(instructions)={INSTRUCTIONS[instructions]}")
        assert pairs(compiled(tmp_path, 2, "baseline", compiler, *flags), x).tobytes() == expected, instructions


@pytest.mark.parametrize("compiler", COMPILERS)
def test_nothing_undefined(program, compiler, tmp_path):
    x = np.concatenate([samples(4000), [np.inf, np.nan, 1e300]])
    assert pairs(compiled(tmp_path, 4, "baseline", compiler, *SANITIZERS), x).shape == (2, len(x))
