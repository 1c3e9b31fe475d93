import array
import threading

import numpy as np
import pytest

from tests.fixtures.oscillator import CHECKS
from volterra_cg.errors import SingularConfiguration
from volterra_cg.runtime.handle import Handle

Z = np.array([0.5, 0.1, 1.0, -2.0])
DZ = np.array([-2.0, 1.0, -4.0, -2.0])  # m = 2, k = 8, momentum 2


@pytest.fixture(scope="module")
def handle(module):
    return Handle(module.table, CHECKS, [2.0, 8.0, 1.0], [0.0], [2.0])


def test_rhs_returns_a_new_array(handle):
    first, second = handle.rhs(0.0, Z), handle.rhs(0.0, Z)
    assert first is not second
    assert first.dtype == np.float64
    np.testing.assert_array_equal(first, DZ)


@pytest.mark.parametrize(
    "z",
    [
        Z.tolist(),
        tuple(Z.tolist()),
        Z.astype(np.float32).astype(np.longdouble) * 0 + Z,
        np.repeat(Z, 2)[::2],
        Z[::-1].copy()[::-1],
        Z.astype(">f8"),
        Z.astype(object),
        array.array("d", Z.tolist()),
        np.asfortranarray(np.column_stack([Z, Z]))[:, 1],
        np.column_stack([Z, Z])[:, 0],
    ],
    ids=["list", "tuple", "long double", "strided", "reversed", "big endian", "object", "array", "column", "row-major"],
)
def test_rhs_takes_what_numpy_can_convert(handle, z):
    np.testing.assert_array_equal(handle.rhs(0.0, z), DZ)


def test_rhs_takes_integers_and_read_only_arrays(handle):
    whole = np.array([1, 0, 2, 3])
    whole.flags.writeable = False
    np.testing.assert_array_equal(handle.rhs(0, whole), [3.0, 1.0, 6.0, -4.0])


def test_rhs_writes_to_out_of_any_stride(handle):
    wide = np.full(8, 7.0)
    out = wide[::2]
    assert handle.rhs(0.0, Z, out=out) is out
    np.testing.assert_array_equal(out, DZ)
    np.testing.assert_array_equal(wide[1::2], 7.0)
    backwards = np.zeros(4)[::-1]
    np.testing.assert_array_equal(handle.rhs(0.0, Z, backwards), DZ)


def test_out_may_be_the_state_itself(handle):
    z = Z.copy()
    np.testing.assert_array_equal(handle.rhs(0.0, z, out=z), DZ)


@pytest.mark.parametrize(
    ("z", "error", "words"),
    [
        (np.zeros(3), ValueError, r"shape \(4,\), not \(3,\)"),
        (np.zeros((4, 1)), ValueError, r"shape \(4,\), not \(4, 1\)"),
        (np.zeros((2, 2)), ValueError, "shape"),
        (1.0, ValueError, "shape"),
        (Z + 0j, TypeError, "real numbers, not"),
        (["a", "b", "c", "d"], TypeError, "real numbers"),
        ([None, 1, 2, 3], TypeError, "real numbers"),
        (b"abcd", TypeError, "real numbers"),
    ],
)
def test_a_wrong_state_is_refused_and_nothing_written(handle, z, error, words):
    out = np.full(4, 7.0)
    with pytest.raises(error, match=words):
        handle.rhs(0.0, z, out=out)
    np.testing.assert_array_equal(out, 7.0)


def read_only():
    out = np.zeros(4)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "error", "words"),
    [
        (np.zeros(5), ValueError, r"shape \(4,\), not \(5,\)"),
        (np.zeros((4, 1)), ValueError, "shape"),
        (np.zeros(4, np.float32), TypeError, "float64"),
        (np.zeros(4, np.int64), TypeError, "float64"),
        (np.zeros(4, ">f8"), TypeError, "float64"),
        ([0.0] * 4, TypeError, "float64 array, not list"),
        (read_only(), ValueError, "writable"),
    ],
)
def test_a_wrong_out_is_refused(handle, out, error, words):
    before = np.array(out, copy=True)
    with pytest.raises(error, match=words):
        handle.rhs(0.0, Z, out=out)
    np.testing.assert_array_equal(out, before)


def test_a_wrong_time_is_refused(handle):
    with pytest.raises(TypeError):
        handle.rhs("now", Z)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_non_finite_state_gives_a_non_finite_derivative(handle, value):
    assert not np.isfinite(handle.rhs(0.0, [value, 0.0, 0.0, 0.0])[3])


def test_a_singular_state_names_the_block_and_writes_nothing(handle):
    out = np.full(4, 7.0)
    with pytest.raises(SingularConfiguration, match=r"t = 1\.5: the block of x") as caught:
        handle.rhs(1.5, [5.0, 0.0, 0.0, 1.0], out=out)
    assert (caught.value.block, caught.value.time) == ("the block of x has no inverse", 1.5)
    np.testing.assert_array_equal(out, 7.0)


def test_singular_parameters_are_named(module):
    with pytest.raises(SingularConfiguration, match="for these parameters: the mass m"):
        Handle(module.table, CHECKS, [0.0, 8.0, 1.0], [0.0])


def test_initial_and_start(module):
    handle = Handle(module.table, CHECKS, [2.0, 8.0, 3.0], [0.0])
    q, qd = handle.initial()
    np.testing.assert_array_equal(q, [3.0, 0.0, 6.0])
    z, g = handle.start(0.0, q, qd)
    np.testing.assert_array_equal(z, [3.0, 0.0, 6.0, 0.0])
    np.testing.assert_array_equal(g, [2.0])


def test_a_handle_without_momenta_computes_nothing(module):
    handle = Handle(module.table, CHECKS, [2.0, 8.0, 1.0], [0.0])
    for call in (handle.rhs, handle.outputs, handle.matrices):
        with pytest.raises(ValueError, match="momenta"):
            call(0.0, Z)


def test_wrong_tables_and_sizes_are_refused(module):
    with pytest.raises(TypeError, match="capsule named vcg_model"):
        Handle(object(), CHECKS, [1.0], [])
    with pytest.raises(ValueError, match=r"parameters must have shape \(3,\)"):
        Handle(module.table, CHECKS, [1.0], [0.0])
    with pytest.raises(ValueError, match=r"momenta must have shape \(1,\)"):
        Handle(module.table, CHECKS, [2.0, 8.0, 1.0], [0.0], [1.0, 2.0])


def test_outputs_and_matrices(handle):
    assert handle.outputs(0.0, Z).shape == (13,)
    mass, forcing = handle.matrices(0.0, Z)
    np.testing.assert_array_equal(mass, [[2.0]])
    np.testing.assert_array_equal(forcing, [-4.0])
    assert handle.sizes["states"] == 4


def test_threads_may_share_a_handle(handle):
    wrong = []

    def work(x):
        wrong.extend(x for _ in range(2000) if handle.rhs(0.0, [x, 0.0, 0.0, x])[3] != -4.0 * x)

    threads = [threading.Thread(target=work, args=(float(x),)) for x in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
