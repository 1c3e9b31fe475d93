"""What check tells."""

from tests.fixtures.mechanics import problem_of
from volterra_cg.formulations.summary import summarise


def test_a_summary_tells_sizes_and_reasons():
    summary = summarise(problem_of("cart_pendulum"), "cart_pendulum", ("mind the gap",))
    assert (summary.m, summary.r, summary.p, summary.s) == (3, 1, 2, 1)
    text = summary.text()
    assert "m = 3 coordinates, r = 1 constraint, p = 2 degrees of freedom, s = 1 ignorable; 1 equation in u" in text
    assert "x       ignorable" in text
    assert "theta1  not ignorable: condition 1" in text
    assert "warning: mind the gap" in text
    data = summary.as_dict()
    assert (data["p"], data["equations"], data["ignorable"]) == (2, 1, ["x"])
    assert data["coordinates"][2] == {"name": "x", "ignorable": True, "reasons": []}
