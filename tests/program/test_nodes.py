"""Nodes: one class a kind, all of them in the union, one object a value."""

from typing import get_args

import pytest

from volterra_cg.program.nodes import LDL, LU, Array, Const, Input, Node, Role, Solve, Value, topological


def concrete(base):
    return {below for kind in base.__subclasses__() for below in concrete(kind)} or {base}


@pytest.fixture
def one_of_each(graph, x, y):
    """A node of every class, in a list."""
    solutions = [graph.solve([[x, y], [y, x]], [x, graph.one], by)[0] for by in (LU, LDL)]
    return topological([*solutions, graph.inverse(2 * x + 3 * y + 1), graph.call("sin", x * y)])


def test_the_union_holds_every_class(one_of_each):
    assert set(get_args(Node)) == concrete(Value) == {type(node) for node in one_of_each}
    assert {LU, LDL, Solve} == concrete(Array)


def test_nodes_have_nothing_but_their_slots(one_of_each):
    assert not any(hasattr(node, "__dict__") for node in one_of_each)


def test_equal_nodes_are_one_object(graph, x, y):
    entries = ((x, y), (y, x))
    assert graph.solve(entries, (x, y)) == graph.solve(entries, (x, y))
    assert graph.factorised(entries, LU) is not graph.factorised(entries, LDL)
    assert graph.product((x, y), (1, 2)) is graph.product((x, y), (1, 2)) is not graph.product((x, y), (2, 1))
    assert graph.input(Role.RATE, 0, "x") is graph.input(Role.RATE, 0, "x") is not graph.input(Role.RATE, 1, "x")


@pytest.mark.parametrize(("number", "by"), [(196, LU), (1223, LDL)])
def test_a_factorisation_is_no_number_even_where_its_fingerprint_looks_like_one(graph, x, number, by):
    matrix = [[graph.const(number)]]
    assert type(graph.factorised(matrix, by)) is by
    (solution,) = graph.solve(matrix, [x], by)
    assert solution.fingerprint == (x / number).fingerprint


def test_what_depends_on_parameters_alone(graph, x):
    m = graph.input(Role.PARAMETER, 0, "m")
    assert isinstance(m, Input)
    assert m.is_parameter_only
    assert (m * m + 2).is_parameter_only
    assert graph.const(2).is_parameter_only
    assert not x.is_parameter_only
    assert not (m * x).is_parameter_only


def test_only_the_constant_zero_is_zero(graph, x):
    assert isinstance(x - x, Const)
    assert (x - x).is_zero
    assert not x.is_zero
    assert not graph.one.is_zero
