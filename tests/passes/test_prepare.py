"""prepare: what depends on parameters alone leaves the functions."""

from dataclasses import replace
from fractions import Fraction

from tests.fixtures.programs import rhs_of
from volterra_cg.passes.prepare import prepare
from volterra_cg.program.cost import total
from volterra_cg.program.nodes import Const, Input, Item, Product, topological
from volterra_cg.program.types import Check


def test_prepare_moves_arithmetic_of_parameters(graph, names):
    m, length, g, x = (names[name] for name in "mlgx")
    root = m * length * graph.call("sin", x) / 2 + m * g
    after = prepare(rhs_of(graph, root))
    (result,) = after.entry("rhs").results
    moving = [n for n in topological([result]) if any(isinstance(a, Input) and a.name == "x" for a in topological([n]))]
    assert total(moving, [result]).total == 3  # a sine, a product and a sum
    assert len(after.prepared) == 2


def test_prepare_keeps_what_only_depends_on_numbers_out(graph, names):
    after = prepare(rhs_of(graph, names["x"] * 3 + graph.const(2)))
    assert after.prepared == ()


def test_prepare_stores_the_entries_of_a_factorisation_of_parameters_not_itself(graph, names):
    m, length, g, x = (names[name] for name in "mlgx")
    matrix = [[m, length], [length, m * g]]
    after = prepare(rhs_of(graph, *graph.solve(matrix, [x, graph.one]), *graph.solve(matrix, [g, graph.one])))
    assert {type(node) for node in after.prepared} == {Input, Product, Item}


def test_the_limit_of_a_divisor_stays_a_number_however_long_the_chain_behind_it(graph, names):
    """A bound doubles with every turn here, while what it bounds stays of size 1."""
    sine, cosine = graph.call("sin", names["x"]), graph.call("cos", names["x"])
    a, b = graph.one, graph.const(0)
    for _ in range(1500):
        a, b = cosine * a - sine * b, sine * a + cosine * b
    program = rhs_of(graph, graph.inverse(a + 2))
    (check,) = prepare(replace(program, checks=(Check.of(a + 2, "a"),))).checks
    assert isinstance(check.limit, Const)
    assert Fraction(1, 10**15) < check.limit.value < Fraction(1, 10**6)
