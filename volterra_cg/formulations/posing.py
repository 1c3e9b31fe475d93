"""What formulations share when they pose a problem: the checks, the states, and q' of the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from volterra_cg.errors import ModelError
from volterra_cg.formulations import ignorable as definition
from volterra_cg.formulations import speeds as quasi
from volterra_cg.formulations.algebra import Algebra, Column, Derived, Factored, Rows
from volterra_cg.formulations.default_speeds import rates
from volterra_cg.formulations.inertia import bias_force, drift_entry, mass_entry, momentum_entry
from volterra_cg.formulations.problem import (
    Asked,
    ClassicalProblem,
    Equation,
    Integral,
    Law,
    LinearSystem,
    Problem,
    Quantity,
    Titles,
    Unknown,
)
from volterra_cg.formulations.speeds import Choice
from volterra_cg.kinematics.motion import Flow
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Input, Node, Role

Derive = Callable[[ClassicalProblem, Algebra], Derived]


def in_rates(name: str, kinematics: Kinematics, asked: Asked, titles: Titles, derive: Derive) -> ClassicalProblem:
    """A problem with the states [q, q']."""
    chosen = rates(kinematics, range(len(kinematics.inputs.rates)))
    measured = integrals(kinematics, ignorable(kinematics, asked), embedded=False)
    return _posed(name, kinematics, measured, Choice(chosen, (), ()), titles, derive)


def in_speeds(name: str, kinematics: Kinematics, asked: Asked, titles: Titles, derive: Derive) -> ClassicalProblem:
    """A problem with the states [q, u], one quasi-velocity for each degree of freedom."""
    found = ignorable(kinematics, asked)
    choice = quasi.choose_all(kinematics, found)
    measured = integrals(kinematics, found, embedded=False)
    return _posed(name, kinematics, measured, choice, titles, derive, constrained=True)


def in_other_rates(name: str, kinematics: Kinematics, asked: Asked, titles: Titles, derive: Derive) -> ClassicalProblem:
    """A problem with the states [q, q'_N], the rates of the coordinates that are not ignorable."""
    found = ignorable(kinematics, asked)
    if not found:
        message = f"{name} does not apply: no coordinate is ignorable, and without one its equations are Lagrange's"
        raise ModelError(message)
    chosen = rates(kinematics, [j for j in range(len(kinematics.inputs.rates)) if j not in found])
    embedded = integrals(kinematics, found, embedded=True)
    return _posed(name, kinematics, embedded, Choice(chosen, (), ()), titles, derive)


def ignorable(kinematics: Kinematics, asked: Asked) -> tuple[int, ...]:
    """The ignorable coordinates of a mechanism."""
    return definition.choose(kinematics, asked)


def dynamical_constraint(kinematics: Kinematics, j: int) -> AffineRow:
    """M' q' + N_2 of one ignorable coordinate, Eqs. (23) and (24), and its time derivative at q'' = 0.

    That derivative is bias + dT/dq, and dT/dq = dV/dq: a potential may cancel what the coordinate does to T.
    """
    columns = {k: mass_entry(kinematics, j, k) for k in kinematics.coupled(j)}
    return AffineRow(
        name=kinematics.inputs.coordinates[j].name,
        columns={k: node for k, node in columns.items() if not node.is_zero},
        rest=drift_entry(kinematics, j),
        value=momentum_entry(kinematics, j),
        bias=bias_force(kinematics, j) - kinematics.conservative[j],
    )


def integrals(kinematics: Kinematics, ignorable: Sequence[int], *, embedded: bool) -> tuple[Integral, ...]:
    """The conserved momenta of ignorable coordinates, embedded as dynamical constraints or only measured."""
    graph = kinematics.graph
    rows = [dynamical_constraint(kinematics, j) for j in ignorable]
    values = [graph.input(Role.MOMENTUM, i, row.name) if embedded else None for i, row in enumerate(rows)]
    return tuple(
        Integral(row.name, {j: graph.one}, row, value) for j, row, value in zip(ignorable, rows, values, strict=True)
    )


def speed_inputs(kinematics: Kinematics, speeds: Sequence[AffineRow]) -> tuple[Input, ...]:
    """The quasi-velocities of the state."""
    return tuple(kinematics.graph.input(Role.SPEED, i, row.name) for i, row in enumerate(speeds))


def rates_system(
    kinematics: Kinematics,
    speeds: Sequence[AffineRow],
    inputs: Sequence[Input],
    known: Sequence[Integral],
    constraints: Sequence[AffineRow],
) -> LinearSystem:
    """[Y; M'; a] q' = [u - Z; G_I - N_2; -b], Eqs. (42), (25) and (1), of the integrals that are embedded."""
    equations = [_equation(Law.SPEED, row, u) for row, u in zip(speeds, inputs, strict=True)]
    equations += [_equation(Law.MOMENTUM, one.row, one.value) for one in known if one.value is not None]
    equations += [_equation(Law.CONSTRAINT, row, kinematics.graph.zero) for row in constraints]
    return LinearSystem(unknowns(kinematics, Quantity.RATE), tuple(equations))


def unknowns(kinematics: Kinematics, quantity: Quantity) -> tuple[Unknown, ...]:
    """One unknown for each coordinate."""
    return tuple(Unknown(quantity, coordinate.name) for coordinate in kinematics.inputs.coordinates)


def _posed(
    name: str,
    kinematics: Kinematics,
    known: tuple[Integral, ...],
    choice: Choice,
    titles: Titles,
    derive: Derive,
    *,
    constrained: bool = False,
) -> ClassicalProblem:
    """Rates follow from the speeds, from the integrals that are embedded and, as told, from the constraints."""
    inputs = speed_inputs(kinematics, choice.kept)
    constraints = kinematics.constraints if constrained else ()
    return ClassicalProblem(
        formulation=name,
        kinematics=kinematics,
        integrals=known,
        speeds=choice.kept,
        dropped=choice.dropped,
        speed_inputs=inputs,
        rates=rates_system(kinematics, choice.kept, inputs, known, constraints),
        notes=(*kinematics.notes, *choice.notes),
        titles=titles,
        choice=choice,
        with_speeds=lambda rows: _posed(
            name, kinematics, known, replace(choice, kept=rows), titles, derive, constrained=constrained
        ),
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
