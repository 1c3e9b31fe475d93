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
