"""The paper's Tables 3, 6 and 9, from its own settings.

The paper prints three digits; a number is reproduced if it rounds to them, that is within half a unit of the last one.
Exceptions, all of Table 3 and known from quad-precision runs: two entries of the Lagrange column (7.51e-5 and 3.83e-6,
where this problem gives 7.517e-5 and 3.933e-6, as the paper itself prints for Maggi's equations, which have the same
solution), and errors that are rounding, which depend on the order of every sum: they only have to be as small as that.
"""

import math

import pytest

from volterra_cg.bench.paper import CASES

pytestmark = pytest.mark.compiles

ROUNDING = 1e-13  # 2-norm over 5,001 samples of errors of a few units in the last place
REPLACED = {
    ("cart_pendulum", "lagrange", "constraint_error"): 7.52e-5,
    ("cart_pendulum", "lagrange", "momentum_error"): 3.93e-6,
}
ROWS = ("energy_error", "constraint_error", "momentum_error")


def half_a_unit(printed):
    return 0.5 * 10.0 ** (math.floor(math.log10(printed)) - 2) * (1 + 1e-9)


@pytest.mark.parametrize("name", ["cart_pendulum", "three_bodies"])
def test_tables_3_and_6_to_the_printed_digits(compared, name):
    measured = {item.label: item for item in compared(name).measured}
    for formulation, column in CASES[name].columns.items():
        item = measured[formulation]
        assert (item.model.report["states"], item.model.report["equations"]) == (column.states, column.equations)
        for row in ROWS:
            printed = REPLACED.get((name, formulation, row), getattr(column, row))
            if printed is None:
                assert item.norms[row] is None
            elif printed < ROUNDING:
                assert item.norms[row] < ROUNDING
            else:
                assert abs(item.norms[row] - printed) <= half_a_unit(printed), (formulation, row, item.norms[row])


def test_table_9_to_its_order_of_magnitude(compared):
    """All of it is rounding: within a factor of ten either way, or below what is printed."""
    measured = {item.label: item for item in compared("satellite_boom").measured}
    for formulation, column in CASES["satellite_boom"].columns.items():
        item = measured[formulation]
        assert (item.model.report["states"], item.model.report["equations"]) == (column.states, column.equations)
        assert 0.1 * column.energy_error < item.norms["energy_error"] < 20 * column.energy_error
        assert item.norms["momentum_error"] < 10 * max(column.momentum_error, 1e-15)


def test_the_elimination_orders_of_the_reduced_form_move_alike(compared):
    for name in CASES:
        measured = {item.label: item for item in compared(name).measured}
        order, dense = measured["reduced-volterra"], measured["reduced-volterra dense"]
        assert abs(order.run.q - dense.run.q).max() < 1e-6 * abs(dense.run.q).max()
