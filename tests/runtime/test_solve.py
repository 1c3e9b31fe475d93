"""vcg_solve.h: general and definite systems in place, and what counts as singular."""

import ctypes
import subprocess

import numpy as np
import pytest

from tests.fixtures.table import HEADERS, STRICT

pytestmark = pytest.mark.compiles
SIZE = 6
SOURCE = """
#define VCG_TINY 1e-14
#define VCG_LU_SIZE 6
#define VCG_LDL_SIZE 6
#include "vcg_solve.h"

int lu(int n, double *a, double *b);
int ldl(int n, double *a, double *b);

int lu(int n, double *a, double *b)
{
    int rows[VCG_LU_SIZE];
    if (lu_factor(n, a, rows)) {
        return 1;
    }
    lu_back(n, a, rows, b);
    return 0;
}

int ldl(int n, double *a, double *b)
{
    double inverse[VCG_LDL_SIZE];
    if (ldl_factor(n, a, inverse)) {
        return 1;
    }
    ldl_back(n, a, inverse, b);
    return 0;
}
"""


@pytest.fixture(scope="module")
def solve(tmp_path_factory):
    """Solves by the name of the solver; None for a matrix that it refuses."""
    folder = tmp_path_factory.mktemp("solve")
    (folder / "solve.c").write_text(SOURCE)
    command = ["gcc", *STRICT, "-O1", "-shared", "-fPIC", "-iquote", str(HEADERS), "solve.c", "-o", "solve.so", "-lm"]
    subprocess.run(command, check=True, cwd=folder)
    library = ctypes.CDLL(str(folder / "solve.so"))

    def call(name, matrix, right):
        a, b = np.array(matrix, dtype=float, order="C"), np.array(right, dtype=float)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (a, b)]
        return None if getattr(library, name)(len(b), *pointers) else b

    return call


@pytest.mark.parametrize("n", range(1, SIZE + 1))
def test_systems_of_all_sizes_are_solved(solve, n):
    random = np.random.default_rng(n)
    a, b = random.normal(size=(n, n)), random.normal(size=n)
    np.testing.assert_allclose(solve("lu", a, b), np.linalg.solve(a, b), rtol=1e-10)
    definite = a @ a.T + np.eye(n)
    np.testing.assert_allclose(solve("ldl", definite, b), np.linalg.solve(definite, b), rtol=1e-10)


def test_a_zero_on_the_diagonal_is_no_obstacle(solve):
    np.testing.assert_array_equal(solve("lu", [[0, 2], [1, 0]], [4, 3]), [3, 2])


def test_rows_may_be_in_other_units(solve):
    np.testing.assert_allclose(solve("lu", [[1e-12, 2e-12], [3, 4]], [5e-12, 11]), [1, 2], rtol=1e-3)


def test_what_is_singular_is_refused(solve):
    assert solve("lu", [[1, 2], [2, 4]], [1, 1]) is None
    assert solve("lu", [[0, 0], [0, 0]], [1, 1]) is None
    assert solve("ldl", [[1, 2], [2, 4]], [1, 1]) is None
    assert solve("ldl", [[1, 2], [2, 1]], [1, 1]) is None
