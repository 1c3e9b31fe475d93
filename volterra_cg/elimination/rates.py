"""Solving for rates of coordinates by rows of quasi-velocities and constraints.

The rates of three angles that turn a frame may stand in all rows through its angular velocity alone. Then the components of that
are the unknowns, whose entries are moments, and the rates of the angles follow from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.formulations.problem import Equation
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check

SPACE = 3  # angles, and components of an angular velocity


@dataclass(frozen=True)
class Spin:
    """The angular velocity of a frame in its own axes; its components have the numbers from `first` on, after all coordinates."""

    frame: int
    coordinates: tuple[int, ...]
    first: int

    @property
    def numbers(self) -> range:
        """The numbers of its components."""
        return range(self.first, self.first + SPACE)

    def solver(self, kinematics: Kinematics) -> BlockSolver:
        """For the rates of the angles."""
        columns = kinematics.frames[self.frame].columns
        rows = [{n: columns[j][i] for n, j in enumerate(self.coordinates)} for i in range(SPACE)]
        names = [kinematics.inputs.rates[j].name for j in self.coordinates]
        origin = f"the angular velocity of {kinematics.frame_names[self.frame]}"
        return BlockSolver(kinematics.graph, rows, names, [origin] * SPACE)


class RateSolver:
    """Finds the rates of some coordinates by as many equations; right sides and solutions go by number."""

    def __init__(
        self,
        kinematics: Kinematics,
        coordinates: Sequence[int],
        equations: Sequence[Equation],
        spins: Sequence[Spin] = (),
    ) -> None:
        rates = kinematics.inputs.rates
        apart = {j for spin in spins for j in spin.coordinates}
        names = {j: rates[j].name for j in coordinates if j not in apart}
        for spin in spins:
            names |= {n: rates[j].name for n, j in zip(spin.numbers, spin.coordinates, strict=True)}
        self._graph, self._numbers = kinematics.graph, list(names)
        place = {number: i for i, number in enumerate(names)}
        rows = [{place[number]: node for number, node in one.terms.items()} for one in equations]
        self._solver = BlockSolver(kinematics.graph, rows, list(names.values()), [one.origin for one in equations])
        self.spins = spins
        self._spins = [(spin, spin.solver(kinematics)) for spin in spins]
        self.checks: list[Check] = [*self._solver.checks, *(check for _, own in self._spins for check in own.checks)]

    def solve(self, right: Sequence[Node]) -> dict[int, Node]:
        """The rates for one right side, all of them."""
        return self._rates(dict(zip(self._numbers, self._solver.solve(right), strict=True)))

    def sparse(self, right: Mapping[int, Node]) -> dict[int, Node]:
        """Those that do not vanish, for a right side by its entries."""
        found = {self._numbers[i]: node for i, node in self._solver.sparse(right).items()}
        return {j: node for j, node in self._rates(found).items() if not node.is_zero}

    def _rates(self, found: dict[int, Node]) -> dict[int, Node]:
        for spin, solver in self._spins:
            values = [found.pop(number, self._graph.zero) for number in spin.numbers]
            if not all(value.is_zero for value in values):
                found |= dict(zip(spin.coordinates, solver.solve(values), strict=True))
            else:
                found |= dict.fromkeys(spin.coordinates, self._graph.zero)
        return found
