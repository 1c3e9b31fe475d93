"""Partial velocities of the bodies along quasi-velocities, Eqs. (55) and (56), for Volterra's and Kane's equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volterra_cg.formulations.algebra import Column, Rows
from volterra_cg.formulations.inertia import weighted
from volterra_cg.kinematics.axes import Parts, Triple, apply, cross, plus, times
from volterra_cg.kinematics.types import BodyMotion, Kinematics
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.nodes import Node


@dataclass(frozen=True)
class Partial:
    """dV/du and dω/du of one body, one entry for each quasi-velocity; ω in body axes, None where it has no part."""

    body: BodyMotion
    linear: tuple[Parts, ...]
    angular: tuple[Triple, ...] | None


def partials(kinematics: Kinematics, columns: Rows) -> tuple[Partial, ...]:
    """B_i W and D_i W of every body, Eq. (56), from the columns of W."""
    return tuple(_partial(kinematics, body, columns) for body in kinematics.bodies)


def _partial(kinematics: Kinematics, body: BodyMotion, columns: Rows) -> Partial:
    linear = tuple(moved(kinematics, body, column) for column in columns)
    if not (body.frame and body.inertia):
        return Partial(body, linear, None)
    return Partial(body, linear, tuple(turned(kinematics, body, column) for column in columns))


def moved(kinematics: Kinematics, body: BodyMotion, column: Sequence[Node]) -> Parts:
    """B_i times a column over the coordinates."""
    axes = kinematics.axes
    return axes.add(*(axes.scale(column[j], entry) for j, entry in body.center.columns.items()))


def turned(kinematics: Kinematics, body: BodyMotion, column: Sequence[Node]) -> Triple:
    """D_i times a column over the coordinates."""
    assert body.frame is not None
    return plus(kinematics.axes.zero, *(times(column[j], entry) for j, entry in body.frame.columns.items()))


def mass_of(kinematics: Kinematics, found: Sequence[Partial]) -> Rows:
    """Σ_i m_i V_ij · V_ik + ω_ij · I_i ω_ik, Eq. (47) body by body."""
    size = len(found[0].linear) if found else 0
    result = [[kinematics.graph.zero] * size for _ in range(size)]
    for j in range(size):
        for k in range(j + 1):
            result[j][k] = result[k][j] = _entry(kinematics, found, j, k)
    return tuple(tuple(row) for row in result)


def _entry(kinematics: Kinematics, found: Sequence[Partial], j: int, k: int) -> Node:
    graph, axes = kinematics.graph, kinematics.axes
    pairs: list[tuple[Node, Node]] = []
    for partial in found:
        pairs.append((partial.body.mass, axes.dot(partial.linear[j], partial.linear[k])))
        if partial.angular and partial.body.inertia:
            image = apply(partial.body.inertia, partial.angular[k])
            pairs.append((graph.one, graph.dot(partial.angular[j], image)))
    return weighted(graph, pairs)


def active_forces(kinematics: Kinematics, columns: Rows) -> Column:
    """U = W^T (Q - dV/dq): potential forces enter once."""
    given = [q + v for q, v in zip(kinematics.forces, kinematics.conservative, strict=True)]
    return tuple(kinematics.graph.dot(column, given) for column in columns)


def inertial_derivative(kinematics: Kinematics, along: Derivative, vector: Parts) -> Parts:
    """The time derivative of a vector seen from the inertial frame: of each part, its rates and ω × itself."""
    parts = []
    for frame, triple in vector:
        x, y, z = along.all(triple)
        parts.append((frame, plus((x, y, z), cross(kinematics.frames[frame].spin, triple))))
    return kinematics.axes.vector(parts)
