"""The momenta of ignorable coordinates as rows affine in the rates, Eqs. (22) to (26)."""

from __future__ import annotations

from volterra_cg.formulations.inertia import bias_force, drift_entry, mass_entry, momentum_entry
from volterra_cg.kinematics.types import AffineRow, Kinematics


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
