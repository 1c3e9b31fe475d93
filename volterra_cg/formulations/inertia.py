"""Inertia of the bodies, projected on the columns of their velocities: shared by all formulations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.kinematics.axes import Axes, Matrix, Parts, Triple, apply, cross, plus, times
from volterra_cg.kinematics.types import BodyMotion, Kinematics
from volterra_cg.program.graph import Graph
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Node


def weighted(graph: Graph, pairs: Iterable[tuple[Node, Node]]) -> Node:
    """Σ weight * value, with the weights of one value added up first."""
    weights: dict[Node, list[Node]] = {}
    for weight, value in pairs:
        if not value.is_zero:
            weights.setdefault(value, []).append(weight)
    return graph.add(graph.zero, *(graph.add(*parts) * value for value, parts in weights.items()))


def mass_entry(kinematics: Kinematics, j: int, k: int) -> Node:
    """M_jk = Σ_i m_i B_ij · B_ik + D_ij · I_i D_ik, the mass matrix of Eq. (13)."""
    graph, axes = kinematics.graph, kinematics.axes
    pairs: list[tuple[Node, Node]] = []
    for body in min(kinematics.moved[j], kinematics.moved[k], key=len):
        columns = body.center.columns
        if j in columns and k in columns:
            pairs.append((body.mass, axes.dot(columns[j], columns[k])))
        if body.frame and body.inertia and j in body.frame.columns and k in body.frame.columns:
            turned = apply(body.inertia, body.frame.columns[k])
            pairs.append((graph.one, graph.dot(body.frame.columns[j], turned)))
    return weighted(graph, pairs)


def mass_matrix(kinematics: Kinematics) -> tuple[tuple[Node, ...], ...]:
    """M of Eq. (13), whole."""
    count = len(kinematics.inputs.coordinates)
    lower = [[mass_entry(kinematics, j, k) for k in range(j + 1)] for j in range(count)]
    return tuple(tuple(lower[max(j, k)][min(j, k)] for k in range(count)) for j in range(count))


def mass_values(kinematics: Kinematics, at: Mapping[Node, float]) -> Vector:
    """M of Eq. (13) as numbers, body by body: no entry is formed as an expression."""
    count = len(kinematics.inputs.coordinates)
    total = np.zeros((count, count))
    with np.errstate(all="ignore"):
        numbers = _Numbers(kinematics, {node: np.float64(value) for node, value in at.items()})  # 1/0 is inf
        for body in kinematics.bodies:
            moved = list(body.center.columns)
            columns = np.array([numbers.vector(column) for column in body.center.columns.values()]).reshape(-1, 3)
            total[np.ix_(moved, moved)] += numbers.of(body.mass) * (columns @ columns.T)
            if body.frame and body.inertia:
                moved = list(body.frame.columns)
                turning = [[numbers.of(part) for part in triple] for triple in body.frame.columns.values()]
                columns = np.array(turning).reshape(-1, 3)
                total[np.ix_(moved, moved)] += columns @ numbers.matrix(body.inertia) @ columns.T
    return total


class _Numbers:
    """Nodes, matrices and vectors of the ground as numbers at one place, each found once."""

    def __init__(self, kinematics: Kinematics, at: Mapping[Node, float]) -> None:
        needed = [body.mass for body in kinematics.bodies]
        needed += [part for body in kinematics.bodies for row in body.inertia or () for part in row]
        columns = {part for body in kinematics.bodies for c in body.center.columns.values() for part in c}
        needed += [node for _, triple in sorted(columns, key=_numbered) for node in triple]
        needed += [n for b in kinematics.bodies if b.frame for triple in b.frame.columns.values() for n in triple]
        turns = kinematics.axes.turns
        needed += [node for steps in turns for matrix in steps for row in matrix for node in row]
        nodes = list(dict.fromkeys(needed))
        self._values = dict(zip(nodes, map(float, interpret(nodes, at)), strict=True))
        self._turns = [np.eye(3)]
        for parent, steps in zip(kinematics.axes.parents[1:], turns[1:], strict=True):
            turn = self._turns[parent]
            for matrix in steps:
                turn = turn @ self.matrix(matrix)
            self._turns.append(turn)
        self._parts: dict[tuple[int, Triple], Vector] = {}

    def of(self, node: Node) -> float:
        """One number."""
        return self._values[node]

    def matrix(self, rows: Matrix) -> Vector:
        """A matrix of numbers."""
        return np.array([[self._values[node] for node in row] for row in rows])

    def vector(self, parts: Parts) -> Vector:
        """A vector in the axes of the ground."""
        total = np.zeros(3)
        for part in parts:
            if part not in self._parts:
                frame, triple = part
                self._parts[part] = self._turns[frame] @ [self._values[node] for node in triple]
            total = total + self._parts[part]
        return total


def _numbered(part: tuple[int, Triple]) -> tuple[int, ...]:
    """What parts are sorted by, so that nothing depends on addresses."""
    return part[0], *(node.number for node in part[1])


def momentum_entry(kinematics: Kinematics, j: int) -> Node:
    """dT/dq'_j = Σ_i m_i B_ij · V_i + D_ij · I_i ω_i, Eq. (22); bodies that a rate moves alike are added up first."""
    graph, axes = kinematics.graph, kinematics.axes
    alike: dict[Parts, list[BodyMotion]] = {}
    terms = []
    for body in kinematics.moved[j]:
        if j in body.center.columns:
            alike.setdefault(body.center.columns[j], []).append(body)
        if body.frame and body.inertia and j in body.frame.columns:
            terms.append(graph.dot(body.frame.columns[j], apply(body.inertia, body.frame.spin)))
    linear = [axes.dot(column, _linear_momentum(axes, bodies)) for column, bodies in alike.items()]
    return graph.add(graph.zero, *linear, *terms)


def _linear_momentum(axes: Axes, bodies: Sequence[BodyMotion]) -> Parts:
    """Σ m V, with the masses that move with the same part of a velocity added up first."""
    masses: dict[tuple[int, Triple], list[Node]] = {}
    for body in bodies:
        for part in body.center.velocity:
            masses.setdefault(part, []).append(body.mass)
    return axes.vector((frame, times(axes.graph.add(*parts), triple)) for (frame, triple), parts in masses.items())


def drift_entry(kinematics: Kinematics, j: int) -> Node:
    """N_j = Σ_i m_i B_ij · C_i + D_ij · I_i E_i, the bias of Eq. (13)."""
    graph, axes = kinematics.graph, kinematics.axes
    terms = []
    for body in kinematics.moved[j]:
        if j in body.center.columns:
            terms.append(body.mass * axes.dot(body.center.columns[j], body.center.drift))
        if body.frame and body.inertia and j in body.frame.columns:
            terms.append(graph.dot(body.frame.columns[j], apply(body.inertia, body.frame.drift)))
    return graph.add(graph.zero, *terms)


def bias_force(kinematics: Kinematics, j: int) -> Node:
    """Σ_i B_ij · m_i a_i + D_ij · (I_i α_i + ω_i × I_i ω_i) at q'' = 0: the inertia force that q'' does not explain."""
    graph, axes = kinematics.graph, kinematics.axes
    terms = []
    for body in kinematics.moved[j]:
        if j in body.center.columns:
            terms.append(body.mass * axes.dot(body.center.columns[j], body.center.bias))
        if body.frame and body.inertia and j in body.frame.columns:
            terms.append(graph.dot(body.frame.columns[j], _gyroscopic(body)))
    return graph.add(graph.zero, *terms)


def _gyroscopic(body: BodyMotion) -> tuple[Node, Node, Node]:
    assert body.frame is not None
    assert body.inertia is not None
    return plus(apply(body.inertia, body.frame.bias), cross(body.frame.spin, apply(body.inertia, body.frame.spin)))
