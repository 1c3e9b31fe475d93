"""What acts on the bodies: weight, energies and the generalized forces of loads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import sympy

from volterra_cg.errors import ModelError
from volterra_cg.kinematics.axes import Parts
from volterra_cg.kinematics.lower import Lowering, placed
from volterra_cg.kinematics.motion import Flow
from volterra_cg.program.nodes import Node
from volterra_cg.system import types as system_types
from volterra_cg.system.frames import with_angles
from volterra_cg.system.types import Frame, System


class Loads:
    """The loads of a system, on frames and points whose motion is known."""

    def __init__(self, system: System, lower: Lowering, flow: Flow) -> None:
        self.system = system
        self.graph = lower.graph
        self.axes = lower.axes
        self.lower = lower
        self.flow = flow

    def gravity(self) -> Parts:
        """The acceleration, which must be given in a frame at rest."""
        gravity = self.system.gravity
        assert gravity is not None
        number = self.lower.frames[gravity.frame]
        motion = self.lower.frame_motions[number]
        if motion.columns or any(not part.is_zero for part in motion.drift):
            message = f"gravity is given in {gravity.frame}, which turns: give it in a frame at rest, such as N"
            raise ModelError(message, ("gravity", gravity.frame))
        return self.axes.vector([(number, self.lower.triple(gravity.acceleration))])

    def conservative(self, elastic: Sequence[Node]) -> tuple[Node, ...]:
        """-dV/dq: weights through the columns of the centers, beside the rest."""
        weights: list[Counter[Node]] = [Counter() for _ in elastic]  # by force, and how many bodies give it
        if self.system.gravity:
            gravity = self.gravity()
            along: dict[tuple[Node, int], Node] = {}  # bodies that a joint carries have its column in common
            for body in self.system.bodies:
                mass = self.lower.hold(body.mass)
                for j, column in self.lower.points[body.center].columns.items():
                    key = (mass, id(column))
                    if key not in along:
                        along[key] = mass * self.axes.dot(column, gravity)
                    weights[j][along[key]] += 1
        return tuple(
            self.graph.combine([(Fraction(1), force), *((Fraction(n), weight) for weight, n in own.items())])
            for force, own in zip(elastic, weights, strict=True)
        )

    def potentials(self) -> dict[str, Node]:
        """The energies by name."""
        found: dict[str, Node] = {}
        frames: dict[str, Frame[sympy.Expr]] = {frame.name: frame for frame in self.system.frames}
        for load in self.system.loads:
            if isinstance(load, system_types.Potential):
                with placed(load.table, load.name):
                    energy = self.lower.scalar(with_angles(load.energy, frames))
                    for partial in self.flow.partials(energy).values():
                        partial(energy)
                found[load.name] = (
                    found.get(load.name, self.graph.zero) + energy
                )  # a spring and a potential may share a name
        return found

    def forces(self) -> tuple[tuple[Node, ...], tuple[tuple[str, ...], ...]]:
        """The generalized forces Q of all that has no potential, and the loads that make up each."""
        count = len(self.system.coordinates)
        terms: list[list[Node]] = [[] for _ in range(count)]
        names: list[dict[str, None]] = [{} for _ in range(count)]
        for load in self.system.loads:
            with placed(load.table, load.name):
                generalized = self._generalized(load)
            for j, term in generalized.items():
                if not term.is_zero:
                    terms[j].append(term)
                    names[j][load.name] = None
        return tuple(self.graph.add(self.graph.zero, *row) for row in terms), tuple(tuple(row) for row in names)

    def _generalized(self, load: system_types.Load) -> dict[int, Node]:
        if isinstance(load, system_types.Potential):
            return {}
        if isinstance(load, system_types.CoordinateForce):
            names = [coordinate.name for coordinate in self.system.coordinates]
            return {names.index(load.coordinate): self.lower.scalar(load.value)}
        vector = self.lower.vector(load.vector)
        if isinstance(load, system_types.PointForce):
            columns = self._relative(
                self.lower.points[load.point].columns,
                self.lower.points[load.reaction].columns if load.reaction else {},
            )
        else:
            columns = self._relative(
                self._spin_columns(load.frame), self._spin_columns(load.reaction) if load.reaction else {}
            )
        return {j: self.axes.dot(column, vector) for j, column in columns.items()}

    def _spin_columns(self, frame: str) -> dict[int, Parts]:
        number = self.lower.frames[frame]
        columns = self.lower.frame_motions[number].columns
        return {j: self.axes.vector([(number, column)]) for j, column in columns.items()}

    def _relative(self, columns: dict[int, Parts], reaction: dict[int, Parts]) -> dict[int, Parts]:
        minus = self.graph.const(-1)
        keys = sorted({*columns, *reaction})
        return {j: self.axes.add(columns.get(j, ()), self.axes.scale(minus, reaction.get(j, ()))) for j in keys}
