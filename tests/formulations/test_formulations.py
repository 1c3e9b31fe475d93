"""All formulations pose the same motion, each with its own number of equations."""

import functools
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from benchmarks.chains import cart_chain, space_chain
from tests.fixtures.specs import BALANCED
from volterra_cg import derivation, driver
from volterra_cg.clock import Clock
from volterra_cg.elimination import classical, dense
from volterra_cg.elimination.assemble import assemble
from volterra_cg.errors import ModelError
from volterra_cg.formulations.inertia import bias_force, mass_matrix
from volterra_cg.formulations.problem import ClassicalProblem
from volterra_cg.options import FORMULATIONS, REDUCED, TABLE, Options
from volterra_cg.program.interpret import interpret
from volterra_cg.spec import parse, read
from volterra_cg.system.from_spec import from_spec
from volterra_cg.targets import EQUATIONS

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
TEXTS = {
    "cart_chain_2": cart_chain(2),
    "cart_chain_8": cart_chain(8),
    "space_chain_3": space_chain(3),
    "balanced": BALANCED,
}
NAMES = [*sorted(path.stem for path in MODELS.glob("*.toml")), *TEXTS]
CLASSICAL = [row for row in TABLE if row.name != REDUCED]
STATES = 200
TOLERANCE = 1e-11  # relative in norm, times the condition of the problem
TIME = 0.4


def test_each_row_of_the_table_has_a_module():
    for formulation in FORMULATIONS:
        assert assembled("cart_pendulum", formulation)[0].formulation == formulation


@functools.cache
def system_of(name):
    return from_spec(parse(TEXTS[name]) if name in TEXTS else read(MODELS / f"{name}.toml"))


@functools.cache
def assembled(name, formulation):
    """The posed problem and its functions before any pass; None where the formulation says that it does not apply."""
    system = system_of(name)
    try:
        problem = derivation.pose(system, Options(formulation))
        solution = classical.solve(problem) if isinstance(problem, ClassicalProblem) else dense.solve(problem)
    except ModelError as error:
        if "does not apply" not in str(error):
            raise
        return None
    return problem, assemble(problem, solution, system.work).program


class States:
    """Random states of a mechanism, on its constraints: arrays over the last axis."""

    def __init__(self, problem, system, count=STATES):
        self.kinematics = problem.kinematics
        inputs, self.random = self.kinematics.inputs, np.random.default_rng(7)
        free = [float(p.value) for p in system.parameters if not p.fixed]
        self.fixed = dict(zip(inputs.parameters, free, strict=True)) | {inputs.time: TIME}
        self.fixed |= {node: signal.value for node, signal in zip(inputs.signals, system.signals, strict=True)}
        start = np.array(interpret(list(self.kinematics.start[0]), self.fixed | {inputs.time: 0.0}), dtype=float)
        self.rows = self.kinematics.constraints
        found = [self._point(start) for _ in range(count)]
        self.q, self.rates = (np.array(part).T for part in zip(*found, strict=True))

    def _values(self, nodes, q, rates=None):
        inputs = self.kinematics.inputs
        known = self.fixed | dict(zip(inputs.coordinates, q, strict=True))
        if rates is not None:
            known |= dict(zip(inputs.rates, rates, strict=True))
        values = interpret(list(nodes), known)
        return np.array([np.broadcast_to(value, np.shape(q[0])) for value in values], dtype=float)

    def _matrix(self, q, rows):
        matrix = np.zeros((len(rows), len(q)))
        for row, line in zip(rows, matrix, strict=True):
            line[list(row.columns)] = self._values(row.columns.values(), q)
        return matrix

    def _point(self, start):
        holonomic = [row for row in self.rows if row.position is not None]
        for _ in range(50):
            q = start + self.random.normal(scale=0.2, size=start.shape) * np.maximum(0.5, np.abs(start))
            for _ in range(30):
                gap = self._values([row.position for row in holonomic], q)
                if not gap.size or np.abs(gap).max() < 1e-14 * (1 + np.abs(q).max()):
                    break
                q = q - np.linalg.lstsq(self._matrix(q, holonomic), gap, rcond=None)[0]
            else:
                if np.abs(gap).max() > 1e-12:
                    continue
            return q, self._rates(q)
        raise AssertionError("no state on the constraints was found")

    def _rates(self, q):
        """Random rates that the constraints allow."""
        rates = self.random.normal(size=q.shape)
        if not self.rows:
            return rates
        gap = self._values([row.value for row in self.rows], q, rates)
        return rates - np.linalg.lstsq(self._matrix(q, self.rows), gap, rcond=None)[0]

    def known(self, problem, program, work):
        """All inputs of a problem at these states."""
        inputs = problem.kinematics.inputs
        known = dict(zip(self.kinematics.inputs.parameters, inputs.parameters, strict=True))
        known = {known[node]: value for node, value in self.fixed.items() if node in known}
        known |= dict(zip(inputs.signals, (self.fixed[n] for n in self.kinematics.inputs.signals), strict=True))
        known |= {inputs.time: TIME}
        known |= dict(zip(inputs.coordinates, self.q, strict=True)) | dict(zip(inputs.rates, self.rates, strict=True))
        values = interpret(list(program.entry("start").results), known)
        count, speeds = len(self.q), len(problem.speeds)
        known |= dict(zip(problem.speed_inputs, values[count : count + speeds], strict=True))
        return known | dict(zip(problem.momentum_inputs, values[count + speeds + work :], strict=True))

    def accelerations(self):
        """Newton's and Euler's laws with multipliers, solved by numpy state by state, and the condition of that."""
        kinematics, states = self.kinematics, self.q.shape[1]
        count, rows = len(self.q), kinematics.constraints
        forces = [kinematics.forces[j] + kinematics.conservative[j] - bias_force(kinematics, j) for j in range(count)]
        columns = [entry for row in rows for entry in (row.columns.get(j, kinematics.graph.zero) for j in range(count))]
        masses = [entry for line in mass_matrix(kinematics) for entry in line]
        values = self._values([*masses, *columns, *forces, *(-row.bias for row in rows)], self.q, self.rates)
        size = count + len(rows)
        matrix = np.zeros((states, size, size))
        matrix[:, :count, :count] = values[: count**2].T.reshape(states, count, count)
        jacobian = values[count**2 : count**2 + count * len(rows)].T.reshape(states, len(rows), count)
        matrix[:, count:, :count] = jacobian
        matrix[:, :count, count:] = -jacobian.transpose(0, 2, 1)
        scale = 1 / np.sqrt(np.abs(matrix).max(axis=2))
        scaled = scale[:, :, None] * matrix * scale[:, None, :]
        right = values[count**2 + count * len(rows) :].T * scale
        solution = np.linalg.solve(scaled, right[:, :, None])[:, :count, 0] * scale[:, :count]
        return solution.T, np.linalg.cond(scaled)


@functools.cache
def states_of(name):
    problem, _ = assembled(name, "reduced-volterra")
    return States(problem, system_of(name))


@functools.cache
def accelerations(name, formulation):
    found = assembled(name, formulation)
    if found is None:
        return None
    problem, program = found
    results = interpret(
        list(program.entry("motion").results), states_of(name).known(problem, program, system_of(name).work)
    )
    count = len(problem.kinematics.inputs.coordinates)
    return np.array([np.broadcast_to(row, STATES) for row in results[count:]], dtype=float)


@functools.cache
def expected(name):
    return states_of(name).accelerations()


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", NAMES)
def test_all_formulations_agree_on_the_accelerations(name, formulation):
    ours = accelerations(name, formulation)
    if ours is None:
        pytest.skip(f"{formulation} does not apply to {name}")
    theirs, condition = expected(name)
    error = np.linalg.norm(ours - theirs, axis=0) / np.linalg.norm(theirs, axis=0)
    assert (error <= TOLERANCE * condition).all(), (error / condition).max()
    assert np.median(error) < TOLERANCE


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
@pytest.mark.parametrize("name", NAMES)
def test_table_1(name, row):
    """The number of equations and states of every formulation."""
    found = assembled(name, row.name)
    if found is None:
        assert row.needs_ignorable
        assert assembled(name, "reduced-volterra")[0].ignorable == ()
        return
    problem, program = found
    m, r = len(problem.kinematics.inputs.coordinates), len(problem.kinematics.constraints)
    assert len(problem.speeds) == eval(row.equations, {"m": m, "p": m - r, "s": len(problem.momenta)})
    assert len(program.entry("rhs").results) == m + len(problem.speeds) + system_of(name).work


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_report_of_a_model_tells_its_sizes(row):
    report = driver.generate(MODELS / "cart_pendulum.toml", Options(row.name, optimise=0), Clock()).report
    assert report["equations"] == eval(row.equations, {letter: report[letter] for letter in "mps"})
    assert report["states"] == report["m"] + report["equations"] + report["work"]


@pytest.mark.parametrize("row", CLASSICAL, ids=lambda row: row.name)
def test_momenta_are_measured_by_all_and_embedded_where_the_table_says_so(row):
    problem, program = assembled("three_bodies", row.name)
    assert [row.name for row in problem.momenta] == ["X", "Y", "Z"]
    assert len(problem.momentum_inputs) == (3 if "momenta" in row.holds else 0)
    assert len(program.entry("start").results) == 8 + len(problem.speeds) + len(problem.momentum_inputs)


def test_given_reduced_speeds_the_others_append_the_ignorable_rates():
    kept = assembled("cart_chain_2", "reduced-volterra")[0].speeds
    full = assembled("cart_chain_2", "kane")[0].speeds
    assert [row.name for row in full] == [*(row.name for row in kept), "der(x)"]


@pytest.mark.parametrize(("formulation", "target"), list(zip(FORMULATIONS, cycle(EQUATIONS), strict=False)))
def test_every_formulation_shows_its_equations(formulation, target):
    """In one of the ways each, since all are written from the same expressions."""
    count = len(assembled("cart_pendulum", formulation)[0].speeds)
    text = derivation.derive(MODELS / "cart_pendulum.toml", Options(formulation), target)
    assert f"cart_pendulum: {count} equations ({formulation})" in text
    assert "Equations of motion M" in text


def test_routh_says_why_it_does_not_apply():
    with pytest.raises(ModelError, match="routh does not apply: no coordinate is ignorable"):
        derivation.pose(system_of("rolling_disc"), Options("routh"))


def test_a_coordinate_without_mass_is_refused_by_those_who_invert_the_mass_matrix():
    text = """schema = 1
name = "follower"
[parameters]
m = 1
[coordinates]
x = { rate = 1 }
y = { rate = 2 }
[points]
P = { at = ["x", 0, 0] }
[bodies]
ball = { mass = "m", center = "P" }
[constraints]
gear = "der(y) - 2*der(x)"
"""
    system = from_spec(parse(text))
    for formulation in ("lagrange", "udwadia-kalaba"):
        problem = derivation.pose(system, Options(formulation))
        with pytest.raises(ModelError, match=f"{formulation} does not apply: the mass matrix is singular in x, y"):
            classical.solve(problem)
    for formulation in ("maggi", "kane", "volterra", "boltzmann-hamel"):
        classical.solve(derivation.pose(system, Options(formulation)))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_published_derivatives_of_the_rolling_disc(formulation):
    """Numbers of sympy's own test of KanesMethod."""
    found = assembled("rolling_disc", formulation)
    if found is None:
        pytest.skip("does not apply")
    problem, program = found
    states = states_of("rolling_disc")
    rates = [0.126603940595934, 0.215942571601660, 1.28736069604936, 0.319764288376543, 0.0989146857254898]
    states = _placed(states, [0.3, 0.1, 1.97, -0.35, 2.27], rates)
    known = states.known(problem, program, False)
    second = np.array(interpret(list(program.entry("motion").results), known), dtype=float)[5:].ravel()
    speeds = states.kinematics.speeds
    at = states._values([row.bias for row in speeds], states.q, states.rates)
    jacobian = states._matrix(states.q, speeds)
    np.testing.assert_allclose(
        jacobian @ second + at, [-0.925848952664489, -0.0181350656532944, 2.91695398184589], rtol=1e-12
    )


def _placed(states, q, rates):
    placed = object.__new__(States)
    placed.kinematics, placed.fixed, placed.rows = states.kinematics, states.fixed, states.rows
    placed.q, placed.rates = np.array(q), np.array(rates)
    return placed
