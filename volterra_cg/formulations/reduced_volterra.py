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

from collections.abc import Sequence
from dataclasses import replace

from volterra_cg.formulations import posing
from volterra_cg.formulations import speeds as quasi
from volterra_cg.formulations.inertia import bias_force, mass_entry
from volterra_cg.formulations.problem import (
    Asked,
    Equation,
    Integral,
    Law,
    LinearSystem,
    Quantity,
    ReducedProblem,
    Titles,
    Unknown,
)
from volterra_cg.kinematics.types import AffineRow, Kinematics

TITLES = Titles(
    "q' = W u + X, Eq. (43)",
    "M_NI = W^T M W, Eq. (47)",
    "L_NI, Eq. (65)",
    "u' = M_NI^-1 L_NI, Eq. (67)",
)


def pose(kinematics: Kinematics, asked: Asked) -> ReducedProblem:
    """Pose the reduced equations."""
    embedded = posing.integrals(kinematics, posing.ignorable(kinematics, asked), embedded=True)
    return _posed(kinematics, embedded, quasi.choose(kinematics, embedded))


def _posed(kinematics: Kinematics, embedded: tuple[Integral, ...], choice: quasi.Choice) -> ReducedProblem:
    inputs = posing.speed_inputs(kinematics, choice.kept)
    return ReducedProblem(
        formulation="reduced-volterra",
        kinematics=kinematics,
        integrals=embedded,
        speeds=choice.kept,
        dropped=choice.dropped,
        speed_inputs=inputs,
        rates=posing.rates_system(kinematics, choice.kept, inputs, embedded, kinematics.constraints),
        notes=(*kinematics.notes, *choice.notes),
        titles=TITLES,
        choice=choice,
        with_speeds=lambda rows: _posed(kinematics, embedded, replace(choice, kept=rows)),
        motion=_motion(kinematics, choice.kept, embedded),
        dynamics=lambda: _dynamics(kinematics, embedded),
    )


def _motion(kinematics: Kinematics, speeds: Sequence[AffineRow], embedded: Sequence[Integral]) -> LinearSystem:
    """The rows of `rates`, differentiated."""
    first_speed = len(kinematics.inputs.coordinates)
    minus = kinematics.graph.const(-1)
    equations = [
        Equation(Law.SPEED, row.name, {**row.columns, first_speed + i: minus}, -row.bias)
        for i, row in enumerate(speeds)
    ]
    equations += [Equation(Law.MOMENTUM, one.name, one.row.columns, -one.row.bias) for one in embedded]
    equations += [Equation(Law.CONSTRAINT, row.name, row.columns, -row.bias) for row in kinematics.constraints]
    speed_rates = [Unknown(Quantity.SPEED_RATE, row.name) for row in speeds]
    return LinearSystem((*posing.unknowns(kinematics, Quantity.ACCELERATION), *speed_rates), tuple(equations))


def _dynamics(kinematics: Kinematics, embedded: Sequence[Integral]) -> tuple[Equation, ...]:
    """M_NN and Q - dV/dq - bias of the coordinates that are not ignorable; forces of constraints are not in them."""
    ignorable = {j for integral in embedded for j in integral.direction}
    others = [j for j in range(len(kinematics.inputs.coordinates)) if j not in ignorable]
    equations = []
    for j in others:
        terms = {k: mass_entry(kinematics, j, k) for k in kinematics.coupled(j) if k not in ignorable}
        right = kinematics.forces[j] + kinematics.conservative[j] - bias_force(kinematics, j)
        name = kinematics.inputs.coordinates[j].name
        equations.append(Equation(Law.DYNAMICS, name, {k: n for k, n in terms.items() if not n.is_zero}, right))
    return tuple(equations)
