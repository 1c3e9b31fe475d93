"""How the classical formulations are solved: each says which matrices it solves, and is given safe pivots for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.definite import Definite, DefiniteSolver, definite_solver
from volterra_cg.elimination.solution import Solution
from volterra_cg.errors import ModelError
from volterra_cg.formulations.problem import ClassicalProblem
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check

S = TypeVar("S", bound=Definite)


class Pivots:
    """Linear algebra over program nodes that notes every divisor."""

    def __init__(self, problem: ClassicalProblem) -> None:
        self._formulation = problem.formulation
        self._graph = problem.kinematics.graph
        self._names = [node.name for node in problem.kinematics.inputs.coordinates]
        self.checks: list[Check] = []

    def square(self, rows: Sequence[Mapping[int, Node]], origins: Sequence[str]) -> BlockSolver:
        """A regular matrix over the rates of the coordinates, in block triangular form."""
        try:
            solver = BlockSolver(self._graph, rows, self._names, origins)
        except IdenticallyZero as error:
            raise ModelError("[Y; a] is singular everywhere: choose other quasi-velocities") from error
        self.checks += solver.checks
        return solver

    def definite(self, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str) -> Definite:
        """A positive definite matrix, by Cholesky without roots."""
        return self._definite(definite_solver, matrix, names, what)

    def root(self, matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str) -> DefiniteSolver:
        """The same, written out whatever its size."""
        return self._definite(DefiniteSolver, matrix, names, what)

    def _definite(self, make: Callable[..., S], matrix: Sequence[Sequence[Node]], names: Sequence[str], what: str) -> S:
        try:
            solver = make(self._graph, matrix, names, what)
        except IdenticallyZero as error:
            message = f"{self._formulation} does not apply: {what} is singular in {', '.join(names)}"
            raise ModelError(message) from error
        self.checks += solver.checks
        return solver


def solve(problem: ClassicalProblem) -> Solution:
    """Let a formulation derive its equations."""
    pivots = Pivots(problem)
    derived = problem.derive(problem, pivots)
    return Solution(
        rates=derived.rates,
        transmission=derived.transmission,
        offset=derived.offset,
        mass=derived.matrix,
        forcing=derived.forcing,
        speed_rates=derived.speed_rates,
        accelerations=derived.accelerations,
        checks=tuple(dict.fromkeys(pivots.checks)),
    )
