"""Pivots of matrices that are definite by nature: what the program says of their signs is true on every way to them."""

from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.specs import MOVING
from volterra_cg import derivation, passes
from volterra_cg.elimination import classical, orders
from volterra_cg.elimination.assemble import assemble
from volterra_cg.emit.listing import Lister
from volterra_cg.emit.printer import whole
from volterra_cg.emit.statements import Place
from volterra_cg.errors import ModelError
from volterra_cg.formulations.problem import ClassicalProblem
from volterra_cg.options import FORMULATIONS, Options
from volterra_cg.program.graph import Graph
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Factored, Input, Role, topological
from volterra_cg.program.types import Check, Entry, Program
from volterra_cg.spec import read
from volterra_cg.system.from_spec import from_spec

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
NAMES = ("cart_pendulum", "gimbals", "rolling_disc", "satellite_boom", "spring_pendulum", "three_bodies")


def solutions(problem):
    if isinstance(problem, ClassicalProblem):
        return {"own": classical.solve(problem)}
    return {name: order(problem) for name, order in orders.available(problem).items()}


def drawn(system, nodes, seed):
    """Any values for a state, and the parameters of the spec: the mass matrix is definite everywhere."""
    random, known = np.random.default_rng(seed), {p.name: float(p.value) for p in system.parameters}
    inputs = [node for node in topological(nodes) if isinstance(node, Input)]
    return {n: known[n.name] if n.role is Role.PARAMETER else random.normal() for n in inputs}


def compare(system, program):
    signed = [check for check in program.checks if check.sign and not isinstance(check.divisor, Factored)]
    divisors = [check.divisor for check in signed]
    for seed in range(3):
        values = interpret(divisors, drawn(system, divisors, seed))
        for check, value in zip(signed, values, strict=True):
            assert check.sign * float(value) > 0, check.label
    return len(signed)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", [*NAMES, "moving"])
def test_signs_are_true_before_the_passes(tmp_path, name, formulation):
    path = MODELS / f"{name}.toml"
    if name == "moving":
        path = tmp_path / "moving.toml"
        path.write_text(MOVING)
    system = from_spec(read(path))
    try:
        problem = derivation.pose(system, Options(formulation=formulation))
    except ModelError as error:
        pytest.skip(str(error))
    for solution in solutions(problem).values():
        assert compare(system, assemble(problem, solution, system.work).program) or not problem.speeds


@pytest.mark.parametrize("name", ["cart_pendulum", "spring_pendulum"])
def test_signs_are_true_after_the_passes(name):
    system = from_spec(read(MODELS / f"{name}.toml"))
    problem = derivation.pose(system, Options())
    for solution in solutions(problem).values():
        assert compare(system, passes.optimise(assemble(problem, solution, system.work).program))


def test_a_number_before_a_pivot_takes_its_sign_along():
    graph = Graph(0)
    x, y = (graph.input(Role.COORDINATE, i, name) for i, name in enumerate("xy"))
    check = Check.of(-2 * (x + y), "it", positive=True)
    assert (check.divisor, check.sign) == (x + y, -1)
    assert check.on(-3 * y).sign == 1
    assert Check.of(-2 * x, "it").sign == 0


@pytest.mark.parametrize(("factor", "positive", "condition"), [
    (1, True, "q_x + q_y <= VCG_TINY*(fabs(q_x) + fabs(q_y))"),
    (-1, True, "q_x + q_y >= -VCG_TINY*(fabs(q_x) + fabs(q_y))"),
    (1, False, "fabs(q_x + q_y) <= VCG_TINY*(fabs(q_x) + fabs(q_y))"),
])  # fmt: skip
def test_the_wrong_sign_fails_in_the_emitted_code(factor, positive, condition):
    graph = Graph(0)
    x, y = (graph.input(Role.COORDINATE, i, name) for i, name in enumerate("xy"))
    pivot = factor * (x + y)
    program = Program(graph, (Entry("rhs", (graph.inverse(pivot),)),), (Check.of(pivot, "it", positive=positive),))
    leaves = {x: Place("z", 0), y: Place("z", 1)}
    body = whole(Lister(program.entries[0], leaves, [Place("dz", 0)], program.checks).listing().statements).body
    name = next(line.split()[2] for line in body.splitlines() if "q_x + q_y" in line)
    assert f"if ({condition.replace('q_x + q_y', name, 1)})" in body
