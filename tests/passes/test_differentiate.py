from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from tests.fixtures.programs import finite, program_of, samples
from tests.fixtures.slopes import complex_step
from volterra_cg import passes
from volterra_cg.passes.differentiate import differentiate
from volterra_cg.program.graph import Graph
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import LU, Inverse, Role, topological
from volterra_cg.program.types import Entry, Program, Slopes

bounded = settings(max_examples=40, deadline=None, derandomize=True)


def optimised(program, by, level=3):
    return passes.optimise_best({"": program}, level, [Slopes("jacobian", "rhs", tuple(by))]).program


@pytest.mark.parametrize("level", range(4))
@bounded
@given(sample=samples(size=14))
def test_derivatives_of_random_programs_are_those_of_the_complex_step(level, sample):
    program = program_of(sample)
    after = optimised(program, sample.inputs, level)
    exact = complex_step(program.entry("rhs").results, sample.at(), sample.inputs).ravel()
    assume(finite(exact, 1e6))
    found = interpret(after.entry("jacobian").results, sample.at())
    assert found == pytest.approx(exact, rel=1e-7, abs=1e-7)


@bounded
@given(sample=samples(size=14))
def test_the_functions_that_are_there_stay_as_they_are(sample):
    program = program_of(sample)
    alone, after = passes.optimise(program), optimised(program, sample.inputs)
    assert after.entry("rhs") == alone.entry("rhs")
    assert after.prepared[: len(alone.prepared)] == alone.prepared
    assert after.checks[: len(alone.checks)] == alone.checks


@bounded
@given(sample=samples(size=14))
def test_every_moving_divisor_is_watched(sample):
    after = optimised(program_of(sample), sample.inputs)
    watched, given_nodes = {check.divisor for check in after.checks}, set(after.prepared)
    for node in topological(after.entry("jacobian").results):
        if isinstance(node, Inverse) and node not in given_nodes and not node.args[0].is_parameter_only:
            assert node.args[0] in watched
        if isinstance(node, LU):
            assert node in watched


def rooted():
    graph = Graph()
    x, k = graph.input(Role.COORDINATE, 0, "x"), graph.input(Role.PARAMETER, 0, "k")
    return graph, x, k


def test_a_divisor_that_only_derivatives_have_is_watched():
    graph, x, k = rooted()
    root, cube = graph.call("sqrt", x), graph.call("pow", x, Fraction(1, 3))
    for value, divisor in ((k * root, root), (k * cube, x)):
        program = Program(graph, (Entry("rhs", (value,)),), ())
        (check,) = differentiate(program, Slopes("jacobian", "rhs", (x,))).checks
        assert check.divisor is divisor
    assert check.label == "a divisor of the derivatives in x is zero"


def test_a_new_divisor_of_parameters_alone_keeps_no_model_from_running():
    graph, x, k = rooted()
    program = Program(graph, (Entry("rhs", (x * graph.call("sqrt", k),)),), ())
    assert differentiate(program, Slopes("sensitivity", "rhs", (k,))).checks == ()


def test_what_does_not_depend_is_zero():
    graph, x, k = rooted()
    y = graph.input(Role.COORDINATE, 1, "y")
    seeming = graph.call("sin", x) ** 2 * k + graph.call("cos", x) ** 2 * k + y
    program = Program(graph, (Entry("rhs", (seeming,)),), ())
    assert differentiate(program, Slopes("jacobian", "rhs", (x, y))).entries[0].results == (graph.zero, graph.one)
