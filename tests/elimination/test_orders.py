"""All elimination orders give the same accelerations, also where angles vanish and links are aligned."""

import numpy as np
import pytest

from benchmarks.chains import cart_chain, space_chain
from tests.fixtures.mechanics import problem_of, system_of
from tests.fixtures.specs import BALANCED, BRANCHED, MOVING, PLAIN
from volterra_cg import passes, search
from volterra_cg.elimination import orders
from volterra_cg.elimination.assemble import assemble
from volterra_cg.options import Options
from volterra_cg.program.interpret import interpret

NAMES = ("cart_pendulum", "three_bodies", "satellite_boom", "rolling_disc", "andrews", "chaplygin_sleigh")
TEXTS = {"plain": PLAIN, "moving": MOVING, "balanced": BALANCED, "branched": BRANCHED, **{name: name for name in NAMES}}
TEXTS |= {"cart_chain": cart_chain(4), "space_chain": space_chain(3)}


def inputs_at(problem, system, q, others):
    """Numbers for all inputs of a problem in its states."""
    inputs = problem.kinematics.inputs
    free = [float(p.value) for p in system.parameters if not p.fixed]
    values = dict(zip(inputs.parameters, free, strict=True)) | {inputs.time: 0.3}
    values |= {node: s.value for node, s in zip(inputs.signals, system.signals, strict=True)}
    drawn = (*problem.speed_inputs, *problem.momentum_inputs)
    return values | dict(zip(inputs.coordinates, q, strict=True)) | dict(zip(drawn, others, strict=True))


def results(problem, solution, values, level):
    program = passes.optimise(assemble(problem, solution, False).program, level)
    nodes = [*program.entry("rhs").results, *program.entry("motion").results]
    return np.array(interpret(nodes, values), dtype=float)


@pytest.mark.parametrize("name", TEXTS)
def test_every_elimination_order_gives_the_same_derivative_at_random_states(name):
    system, problem = system_of(TEXTS[name]), problem_of(TEXTS[name])
    random = np.random.default_rng(4)
    count = len(problem.kinematics.inputs.coordinates)
    others = random.uniform(-1, 1, len(problem.speeds) + len(problem.momenta))
    values = inputs_at(problem, system, random.uniform(-1.1, 1.1, count), others)
    found = {order: solve(problem) for order, solve in orders.available(problem).items()}
    first, *rest = [results(problem, solution, values, 1) for solution in found.values()]
    chosen = search.cheapest(problem, found, 3, False).assembly.program
    nodes = [*chosen.entry("rhs").results, *chosen.entry("motion").results]
    rest.append(np.array(interpret(nodes, values), dtype=float))
    for other in rest:
        assert np.linalg.norm(other - first) <= 1e-10 * np.linalg.norm(first)


def test_long_and_short_branches_can_take_different_orders():
    problem = problem_of(BRANCHED)
    assert "mixed" in orders.available(problem)
    labels = [check.label for check in orders.available(problem)["mixed"](problem).checks]
    pivots = [label.partition(" is not positive")[0] for label in labels if "inertia" in label]
    assert pivots[:3] == [f"the inertia seen by der(a{k})" for k in (3, 2, 1)]  # the arm goes joint by joint
    assert "mixed" not in orders.available(problem_of("three_bodies"))


@pytest.mark.parametrize("name", ["three_bodies", "satellite_boom", "cart_chain", "space_chain", "cart_pendulum"])
@pytest.mark.parametrize("angle", [0.0, 0.5 * np.pi, np.pi])
def test_no_elimination_order_divides_by_what_vanishes_at_a_regular_configuration(name, angle):
    system, problem = system_of(TEXTS[name]), problem_of(TEXTS[name])
    random = np.random.default_rng(5)
    names = [node.name for node in problem.kinematics.inputs.coordinates]
    q = np.array(
        [0.0 if n == "theta" else angle for n in names]
    )  # theta = pi/2 is the singularity of these Euler angles
    others = random.uniform(-1, 1, len(problem.speeds) + len(problem.momenta))
    near = inputs_at(problem, system, q + 1e-9, others)
    exact = inputs_at(problem, system, q, others)
    found = {order: solve(problem) for order, solve in orders.available(problem).items()}
    programs = [passes.optimise(assemble(problem, solution, False).program, 1) for solution in found.values()]
    programs.append(search.cheapest(problem, found, 3, False).assembly.program)
    for program in programs:
        nodes = [*program.entry("rhs").results, *program.entry("motion").results]
        at, beside = (np.array(interpret(nodes, values), dtype=float) for values in (exact, near))
        assert np.isfinite(at).all()
        assert np.linalg.norm(at - beside) <= 1e-5 * (1 + np.linalg.norm(at))


def operations(text):
    problem = problem_of(text)
    return search.cheapest(problem, search.solutions(problem, Options()), 3, False).history["prepare"]


def test_a_planar_chain_costs_the_same_for_every_link():
    sizes = (8, 16, 32)
    counts = [operations(cart_chain(n)) for n in sizes]
    assert all(count <= 35 * n for count, n in zip(counts, sizes, strict=True))
    assert np.polyfit(np.log(sizes), np.log(counts), 1)[0] <= 1.05


def test_a_chain_in_space_grows_nearly_linearly():
    sizes = (6, 12, 24)
    counts = [operations(space_chain(n)) for n in sizes]
    assert np.polyfit(np.log(sizes), np.log(counts), 1)[0] <= 1.2
