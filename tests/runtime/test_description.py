"""What a report must hold."""

import pytest

from tests.fixtures import oscillator
from volterra_cg.errors import InternalError
from volterra_cg.runtime.description import describe


def test_a_report_that_lacks_something_is_told():
    report = oscillator.report()
    del report["checks"]
    with pytest.raises(InternalError, match="lacks 'checks'"):
        describe(report)


def test_a_name_may_not_stand_for_two_outputs():
    report = oscillator.report()
    report["outputs"].append(report["outputs"][-1])
    with pytest.raises(InternalError, match="two outputs called ten_x"):
        describe(report)


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ({"x": "m", "w": "rad", "k": "N/m"}, ["kg m/s", "kg m^2/s", "", "J"]),
        ({"x": "m", "w": "rad", "k": "N/mm"}, ["", "", "", ""]),
        ({}, ["", "", "", ""]),
    ],
)
def test_momenta_and_energies_have_units_where_the_spec_is_in_si(units, expected):
    told = describe(oscillator.report() | {"units": units})
    assert [told.unit_of(name) for name in ("momentum x", "momentum w", "momentum y", "energy")] == expected
