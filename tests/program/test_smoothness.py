"""Which values have kinks or jumps."""

import pytest

from volterra_cg.program.nodes import Role
from volterra_cg.program.smoothness import smooth

CASES = {
    "sum": (True, lambda x, p: x.graph.call("sin", x) + p),
    "tanh": (True, lambda x, p: x.graph.call("tanh", p * x)),
    "root": (True, lambda x, p: x.graph.call("sqrt", x * x + p)),
    "parameters": (True, lambda x, p: x * x.graph.call("abs", p)),
    "abs": (False, lambda x, p: p + x * x.graph.call("abs", x)),
    "sign": (False, lambda x, _: x.graph.call("sin", x.graph.call("sign", x))),
    "atan2": (False, lambda x, p: x.graph.call("atan2", x, p)),
    "root of a square": (False, lambda x, p: x.graph.call("sqrt", 3 * p * x * x)),
}


@pytest.mark.parametrize("case", CASES)
def test_kinks(graph, x, case):
    expected, make = CASES[case]
    p = graph.input(Role.PARAMETER, 0, "p")
    assert smooth([x, make(x, p)]) is expected


def test_kinks_within_a_solution(graph, x, y):
    rows = [[x, graph.one], [graph.one, y]]
    assert smooth(graph.solve(rows, [x, y]))
    assert not smooth(graph.solve(rows, [x, graph.call("abs", y)]))
