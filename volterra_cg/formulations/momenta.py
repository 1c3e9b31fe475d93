"""The momenta of ignorable coordinates as rows affine in the rates, Eqs. (22) to (26)."""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.formulations.inertia import bias_force, drift_entry, mass_entry, momentum_entry
from volterra_cg.formulations.problem import Integral
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Role


def dynamical_constraint(kinematics: Kinematics, j: int) -> AffineRow:
    """M' q' + N_2 of one ignorable coordinate, Eqs. (23) and (24), and its time derivative at q'' = 0.

    That derivative is bias + dT/dq, and dT/dq = dV/dq: a potential may cancel what the coordinate does to T.
    """
    columns = {k: mass_entry(kinematics, j, k) for k in range(len(kinematics.inputs.coordinates))}
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
