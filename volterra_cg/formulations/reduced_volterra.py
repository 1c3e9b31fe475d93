"""The reduced Volterra equations: p - s equations, with the momenta of ignorable coordinates as dynamical constraints.

| letter   | meaning                                                                        |
|----------|--------------------------------------------------------------------------------|
| a, b     | constraints a q' + b = 0, Eq. (1)                                               |
| M', N_2  | dynamical constraints M' q' + N_2 = G_I, Eqs. (22) to (26)                      |
| Y, Z     | quasi-velocities u = Y q' + Z, Eq. (42)                                         |
| W, X     | q' = W u + X, Eqs. (43) and (44)                                                |
| M_NI     | reduced mass matrix W^T M W, Eq. (47)                                           |
| L_NI     | right side of M_NI u' = L_NI, Eqs. (64) and (65)                                |

Departures from the paper. The terms with dW/dt in A_NI, Eq. (52), and K_NI, Eq. (62), cancel, so that neither is
formed: with q''_0 the acceleration at u' = 0,

    M_NI u' = W^T (Q - dV/dq - bias) - W^T M q''_0,

where bias collects B^T m a and D^T (I α + ω × I ω) at q'' = 0; the last term is the inertial derivative that Eqs. (57)
and (58) need in body axes. Potential forces enter once. D_i stands where Eqs. (59) and (61) print C_i. The ignorable
rows of the full equations vanish at q''_0 + W u', so that W^T acts on the others only.
"""

from __future__ import annotations

from volterra_cg.formulations import ignorable as definition
from volterra_cg.formulations import speeds as quasi
from volterra_cg.formulations.inertia import bias_force, mass_entry
from volterra_cg.formulations.momenta import dynamical_constraint
from volterra_cg.formulations.problem import Equation, Law, LinearSystem, Problem, Quantity, Unknown
from volterra_cg.formulations.redundancy import require_independent
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Node, Role

FORMULATION = "reduced-volterra"


def pose(kinematics: Kinematics, asked: tuple[str, ...] | None) -> Problem:
    """Pose the reduced equations; `asked` names the ignorable coordinates, or is None to find them."""
    graph = kinematics.graph
    require_independent(kinematics)
    ignorable = definition.choose(kinematics, asked)
    momenta = tuple(dynamical_constraint(kinematics, j) for j in ignorable)
    choice = quasi.choose(kinematics, ignorable, momenta)
    names = [coordinate.name for coordinate in kinematics.inputs.coordinates]
    speed_inputs = tuple(graph.input(Role.SPEED, i, row.name) for i, row in enumerate(choice.kept))
    momentum_inputs = tuple(graph.input(Role.MOMENTUM, i, names[j]) for i, j in enumerate(ignorable))
    return Problem(
        formulation=FORMULATION,
        kinematics=kinematics,
        ignorable=ignorable,
        speeds=choice.kept,
        dropped=choice.dropped,
        momenta=momenta,
        speed_inputs=speed_inputs,
        momentum_inputs=momentum_inputs,
        rates=_rates(kinematics, choice.kept, momenta, speed_inputs, momentum_inputs),
        motion=_motion(kinematics, choice.kept, momenta),
        notes=(*kinematics.notes, *choice.notes),
    )


def _rates(
    kinematics: Kinematics,
    speeds: tuple[AffineRow, ...],
    momenta: tuple[AffineRow, ...],
    speed_inputs: tuple[Node, ...],
    momentum_inputs: tuple[Node, ...],
) -> LinearSystem:
    """[Y; M'; a] q' = [u - Z; G_I - N_2; -b], Eqs. (42), (25) and (1)."""
    equations = [
        Equation(Law.SPEED, row.name, row.columns, u - row.rest) for row, u in zip(speeds, speed_inputs, strict=True)
    ]
    equations += [
        Equation(Law.MOMENTUM, row.name, row.columns, g - row.rest)
        for row, g in zip(momenta, momentum_inputs, strict=True)
    ]
    equations += [Equation(Law.CONSTRAINT, row.name, row.columns, -row.rest) for row in kinematics.constraints]
    return LinearSystem(_unknowns(kinematics, Quantity.RATE), tuple(equations))


def _unknowns(kinematics: Kinematics, quantity: Quantity) -> tuple[Unknown, ...]:
    return tuple(Unknown(quantity, coordinate.name) for coordinate in kinematics.inputs.coordinates)


def _motion(kinematics: Kinematics, speeds: tuple[AffineRow, ...], momenta: tuple[AffineRow, ...]) -> LinearSystem:
    """The rows of `_rates`, differentiated."""
    first_speed = len(kinematics.inputs.coordinates)
    minus = kinematics.graph.const(-1)
    unknowns = [
        *_unknowns(kinematics, Quantity.ACCELERATION),
        *(Unknown(Quantity.SPEED_RATE, row.name) for row in speeds),
    ]
    equations = [
        Equation(Law.SPEED, row.name, {**row.columns, first_speed + i: minus}, -row.bias)
        for i, row in enumerate(speeds)
    ]
    equations += [Equation(Law.MOMENTUM, row.name, row.columns, -row.bias) for row in momenta]
    equations += [Equation(Law.CONSTRAINT, row.name, row.columns, -row.bias) for row in kinematics.constraints]
    return LinearSystem(tuple(unknowns), tuple(equations))


def dynamics(problem: Problem) -> list[Equation]:
    """M_NN and Q - dV/dq - bias of the coordinates that are not ignorable; forces of constraints are not in them."""
    kinematics = problem.kinematics
    others = [j for j in range(len(kinematics.inputs.coordinates)) if j not in problem.ignorable]
    equations = []
    for j in others:
        terms = {k: mass_entry(kinematics, j, k) for k in others}
        right = kinematics.forces[j] + kinematics.conservative[j] - bias_force(kinematics, j)
        name = kinematics.inputs.coordinates[j].name
        equations.append(Equation(Law.DYNAMICS, name, {k: n for k, n in terms.items() if not n.is_zero}, right))
    return equations
