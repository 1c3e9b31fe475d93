"""The dense solution of whole mechanisms: its answers against the posed equations, in numbers."""

import numpy as np
import pytest

from tests.fixtures.mechanics import PAPER, system_of
from tests.fixtures.specs import MOVING, PLAIN
from volterra_cg import derivation
from volterra_cg.elimination import assemble, dense
from volterra_cg.errors import ModelError
from volterra_cg.formulations.problem import Quantity
from volterra_cg.options import Options
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Input, Role, topological

TEXTS = {"plain": PLAIN, "moving": MOVING, **{n: n for n in (*PAPER, "rolling_disc", "chaplygin_sleigh")}}


class Case:
    """A solved problem and numbers for all inputs; the rates are those that the solution gives."""

    def __init__(self, text):
        self.system = system_of(text)
        self.problem = derivation.pose(self.system, Options())
        self.solution = dense.solve(self.problem)
        inputs, random = self.problem.kinematics.inputs, np.random.default_rng(6)
        free = [float(p.value) for p in self.system.parameters if not p.fixed]
        values = dict(zip(inputs.parameters, free, strict=True)) | {inputs.time: 0.3}
        values |= {node: s.value for node, s in zip(inputs.signals, self.system.signals, strict=True)}
        drawn = (*inputs.coordinates, *self.problem.speed_inputs, *self.problem.momentum_inputs)
        values |= dict(zip(drawn, random.uniform(-1.1, 1.1, len(drawn)), strict=True))
        values |= dict(zip(inputs.rates, interpret(self.solution.rates, values), strict=True))
        self.values = values

    def numbers(self, nodes):
        return np.array(interpret(list(nodes), self.values), dtype=float)

    def residual(self, system, unknowns):
        """How far the unknowns are from satisfying a linear system."""
        rows = [self.numbers(e.terms.values()) @ unknowns[list(e.terms)] for e in system.equations]
        return np.array(rows) - self.numbers(e.right for e in system.equations)


@pytest.fixture(scope="module", params=TEXTS)
def case(request):
    return Case(TEXTS[request.param])


def test_rates_satisfy_speeds_momenta_and_constraints(case):
    residual = case.residual(case.problem.rates, case.numbers(case.solution.rates))
    assert residual == pytest.approx(0 * residual, abs=1e-9)


def test_rates_are_transmission_times_speeds_plus_offset(case):
    """q' = W u + X, Eq. (43)."""
    rows = case.solution.transmission
    transmission = case.numbers(n for row in rows for n in row).reshape(len(rows), -1)
    whole = transmission @ case.numbers(case.problem.speed_inputs) + case.numbers(case.solution.offset)
    assert whole == pytest.approx(case.numbers(case.solution.rates), rel=1e-10, abs=1e-10)


def test_accelerations_and_speed_rates_satisfy_the_differentiated_rows(case):
    system, solution = case.problem.motion, case.solution
    unknowns = np.zeros(len(system.unknowns))
    unknowns[system.positions(Quantity.ACCELERATION)] = case.numbers(solution.accelerations)
    unknowns[system.positions(Quantity.SPEED_RATE)] = case.numbers(solution.speed_rates)
    residual = case.residual(system, unknowns)
    assert residual == pytest.approx(0 * residual, abs=1e-8 * (1 + np.abs(unknowns).max()))


def test_the_reduced_mass_matrix_is_symmetric_definite_and_gives_the_speed_rates(case):
    solution = case.solution
    mass = case.numbers(n for row in solution.mass for n in row).reshape(len(solution.mass), -1)
    assert np.linalg.eigvalsh(mass).min() > 0
    assert mass == pytest.approx(mass.T)
    forcing = case.numbers(solution.forcing)
    assert mass @ case.numbers(solution.speed_rates) == pytest.approx(forcing, rel=1e-9, abs=1e-9)


def test_states_are_all_that_the_functions_of_a_state_need(case):
    assembly = assemble.assemble(case.problem, case.solution, case.system.work)
    allowed = {Role.TIME, Role.COORDINATE, Role.SPEED, Role.MOMENTUM, Role.PARAMETER, Role.SIGNAL, Role.WORK}
    for name in ("rhs", "motion", "matrices"):
        roles = {n.role for n in topological(assembly.program.entry(name).results) if isinstance(n, Input)}
        assert roles <= allowed


def test_motion_without_inertia_is_refused():
    text = PLAIN.replace(', frame = "B", inertia = { zz = "m*l**2/10" }', "").replace('["l", 0, 0]', "[0, 0, 0]")
    with pytest.raises(ModelError, match="moves no mass"):
        dense.solve(derivation.pose(system_of("ignorable = []\n" + text), Options()))
