"""What all classical formulations share when they pose a problem: the checks, the states, and q' of the state."""

from __future__ import annotations

from dataclasses import dataclass

from volterra_cg.errors import ModelError
from volterra_cg.formulations import ignorable as definition
from volterra_cg.formulations import speeds as quasi
from volterra_cg.formulations.algebra import Algebra, Column, Factored, Rows
from volterra_cg.formulations.momenta import dynamical_constraint
from volterra_cg.formulations.problem import Derive, Equation, Law, LinearSystem, Problem, Quantity, Unknown
from volterra_cg.formulations.redundancy import require_independent
from volterra_cg.formulations.speeds import Choice
from volterra_cg.kinematics.motion import Flow
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Node, Role


def in_rates(formulation: str, kinematics: Kinematics, asked: tuple[str, ...] | None, derive: Derive) -> Problem:
    """A problem with the states [q, q']."""
    rates = quasi.rates(kinematics, range(len(kinematics.inputs.rates)))
    return _posed(formulation, kinematics, _found(kinematics, asked), Choice(rates, (), ()), derive)


def in_speeds(formulation: str, kinematics: Kinematics, asked: tuple[str, ...] | None, derive: Derive) -> Problem:
    """A problem with the states [q, u], one quasi-velocity for each degree of freedom."""
    found = _found(kinematics, asked)
    choice = quasi.choose_all(kinematics, found)
    return _posed(formulation, kinematics, found, choice, derive, constrained=True)


def without_ignorable(
    formulation: str, kinematics: Kinematics, asked: tuple[str, ...] | None, derive: Derive
) -> Problem:
    """A problem with the states [q, q'_N], the rates of the coordinates that are not ignorable."""
    found = _found(kinematics, asked)
    if not found:
        message = (
            f"{formulation} does not apply: no coordinate is ignorable, and without one its equations are Lagrange's"
        )
        raise ModelError(message)
    kept = [j for j in range(len(kinematics.inputs.rates)) if j not in found]
    return _posed(formulation, kinematics, found, Choice(quasi.rates(kinematics, kept), (), ()), derive, embedded=True)


def _found(kinematics: Kinematics, asked: tuple[str, ...] | None) -> tuple[int, ...]:
    require_independent(kinematics)
    return definition.choose(kinematics, asked)


def _posed(
    formulation: str,
    kinematics: Kinematics,
    ignorable: tuple[int, ...],
    choice: Choice,
    derive: Derive,
    *,
    constrained: bool = False,
    embedded: bool = False,
) -> Problem:
    """Rates follow from the speeds and, as told, from the constraints or from the embedded momenta."""
    graph, names = kinematics.graph, [coordinate.name for coordinate in kinematics.inputs.coordinates]
    speed_inputs = tuple(graph.input(Role.SPEED, i, row.name) for i, row in enumerate(choice.kept))
    momenta = tuple(dynamical_constraint(kinematics, j) for j in ignorable)
    momentum_inputs = tuple(graph.input(Role.MOMENTUM, i, names[j]) for i, j in enumerate(ignorable) if embedded)
    equations = [_equation(Law.SPEED, row, u) for row, u in zip(choice.kept, speed_inputs, strict=True)]
    if embedded:
        equations += [_equation(Law.MOMENTUM, row, g) for row, g in zip(momenta, momentum_inputs, strict=True)]
    if constrained:
        equations += [_equation(Law.CONSTRAINT, row, graph.zero) for row in kinematics.constraints]
    return Problem(
        formulation=formulation,
        kinematics=kinematics,
        ignorable=ignorable,
        speeds=choice.kept,
        dropped=choice.dropped,
        momenta=momenta,
        speed_inputs=speed_inputs,
        momentum_inputs=momentum_inputs,
        rates=LinearSystem(tuple(Unknown(Quantity.RATE, name) for name in names), tuple(equations)),
        motion=LinearSystem((), ()),
        notes=(*kinematics.notes, *choice.notes),
        derive=derive,
    )


def _equation(law: Law, row: AffineRow, value: Node) -> Equation:
    return Equation(law, row.name, row.columns, value - row.rest)


def flow_of(kinematics: Kinematics) -> Flow:
    """The derivatives along the motion with rates held, and with respect to each coordinate."""
    inputs = kinematics.inputs
    return Flow.of(kinematics.graph, inputs.time, inputs.coordinates, inputs.rates)


@dataclass(frozen=True)
class Transmission:
    """W and X of q' = W u + X, Eqs. (4) and (5), W by columns, and q'' at u' = 0."""

    rates: Column
    columns: Rows
    offset: Column
    still: Column

    @property
    def rows(self) -> Rows:
        """W row by row."""
        return tuple(zip(*self.columns, strict=True)) if self.columns else ((),) * len(self.rates)


def transmission(problem: Problem, algebra: Algebra) -> Transmission:
    """Solve [Y; a] q' = [u - Z; -b] and its derivative, Eqs. (3) to (5)."""
    equations = problem.rates.equations
    return transmitted(problem, algebra.square([e.terms for e in equations], [e.origin for e in equations]))


def transmitted(problem: Problem, solver: Factored) -> Transmission:
    """The same with the matrix at hand."""
    graph, count, degrees = problem.kinematics.graph, len(problem.rates.unknowns), len(problem.speeds)
    rows = (*problem.speeds, *problem.kinematics.constraints)
    units = [[graph.const(int(k == j)) for k in range(count)] for j in range(degrees)]
    right = [equation.right for equation in problem.rates.equations]
    return Transmission(
        rates=solver.solve(right),
        columns=tuple(solver.solve(unit) for unit in units),
        offset=solver.solve([-row.rest for row in rows]),
        still=solver.solve([-row.bias for row in rows]),
    )
