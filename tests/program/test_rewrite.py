import mpmath
import pytest
from hypothesis import given, settings

from tests.fixtures.programs import samples
from volterra_cg.program.graph import Graph, split
from volterra_cg.program.interpret import Digits, interpret
from volterra_cg.program.nodes import Array, Role, topological
from volterra_cg.program.rewrite import remake, rewrite, substitute
from volterra_cg.program.text import to_sympy
from volterra_cg.program.types import Check, Entry, Program, Section


@settings(max_examples=40, deadline=None, derandomize=True)
@given(samples())
def test_remaking_a_node_of_its_own_arguments_gives_the_same_meaning(sample):
    for node in topological(sample.nodes):
        if not isinstance(node, Array):
            assert remake(node, node.args).fingerprint == node.fingerprint


@settings(max_examples=40, deadline=None, derandomize=True)
@given(samples())
def test_substitution_commutes_with_evaluation(sample):
    old, root = sample.inputs[2], sample.nodes[-1]
    number = sample.graph.const(3) / 7
    (moved,) = substitute([root], {old: number})
    assert old not in topological([moved])
    at = sample.at() | {old: 3 / 7}
    assert interpret([moved], at)[0] == pytest.approx(interpret([root], at)[0], rel=1e-9, abs=1e-9)


def test_nothing_to_replace_leaves_the_very_nodes(graph, x, y):
    root = graph.call("sin", x) * y
    assert substitute([root], {}) == (root,)
    assert rewrite([root], lambda old, new: new)[root] is root


def test_a_function_of_a_number_is_folded_after_substitution(graph, x):
    (value,) = substitute([graph.call("cos", x) + graph.call("sin", x)], {x: graph.pi * 2})
    assert value is graph.one


def test_a_node_without_a_value_is_named(graph, x, y):
    with pytest.raises(KeyError, match="no value given for y"):
        interpret([x + y], {x: 1.0})


def test_digits_are_kept(graph, x):
    with mpmath.workdps(60):
        (value,) = interpret([graph.call("sqrt", x) * graph.pi / 3], {x: mpmath.mpf(2)}, Digits(60))
        assert abs(value - mpmath.sqrt(2) * mpmath.pi / 3) < mpmath.mpf(10) ** -58


def test_nodes_read_as_people_write_them(graph, x, y):
    assert str(to_sympy(graph.call("sin", x) ** 2 / y + 1)) in ("1 + sin(x)**2/y", "sin(x)**2/y + 1")
    assert str(to_sympy(graph.input(Role.RATE, 0, "x"))) == "x'"
    assert str(to_sympy(graph.input(Role.MOMENTUM, 0, "x"))) == "G_x"


def test_a_program_is_mapped_in_all_its_parts(graph, x, y):
    entry = Entry("rhs", (x * y,), (Section("a title", (x,)),))
    program = Program(graph, (entry,), (Check(x + 2, "x"),))
    change = dict.fromkeys([x, x * y, x + 2], y)
    mapped = program.mapped(change.__getitem__)
    assert mapped.entry("rhs").results == (y,)
    assert mapped.entry("rhs").sections[0].nodes == (y,)
    assert mapped.checks[0].divisor is y
    assert program.roots == (x * y, x + 2)
    assert program.listed == (x * y, x + 2, x)


def test_a_check_leaves_the_number_in_front_out():
    graph = Graph()
    x = graph.input(Role.PARAMETER, 0, "m")
    assert Check.of(5 * x, "m").divisor is x
    assert split(5 * x) == (5, x)


def test_values_of_few_digits_are_carried_with_all(graph, x):
    (value,) = interpret([graph.inverse(x) + 1], {x: mpmath.mpf("0.75")}, Digits(40))
    with mpmath.workdps(40):
        assert abs(value - mpmath.mpf(7) / 3) < mpmath.mpf(10) ** -38
