"""Solving in other quasi-velocities than those of the state, with a conversion at both ends.

| letter         | meaning                                                                                      |
|----------------|----------------------------------------------------------------------------------------------|
| u = Y q' + Z   | the quasi-velocities of the state                                                            |
| w              | those that the problem is solved in, without rates of ignorable coordinates                  |
| v = [w, q_I']  | p independent speeds, q' = V v + x                                                            |
| S, s           | u = S v + s, so that u' = S v' + S' v + s'                                                   |

Where S holds rates q_I', the momenta are needed to find v from u. S is written with the simplest nodes of its meaning. If it
divides by nothing that moves, then det [Y; M'; a] is a finite multiple of the same determinant of w, and w is regular wherever
u is: only then is the conversion open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volterra_cg.elimination.accelerations import Speeds
from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.solution import Solution
from volterra_cg.formulations.inertia import mass_entry
from volterra_cg.formulations.posing import flow_of
from volterra_cg.formulations.problem import ReducedProblem
from volterra_cg.program.nodes import Factored, Inverse, Node, topological
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Check


@dataclass(frozen=True)
class Conversion:
    """From the state to w and back; `speeds` are w as functions of the state, `rows` are S by rows, `rest` is s."""

    problem: ReducedProblem
    inner: ReducedProblem
    speeds: tuple[Node, ...]
    rows: tuple[Mapping[int, Node], ...]
    rest: tuple[Node, ...]
    checks: tuple[Check, ...]

    @classmethod
    def of(
        cls, problem: ReducedProblem, inner: ReducedProblem, through: Speeds, offset: Sequence[Node]
    ) -> Conversion | None:
        """The conversion where q' = V v + x, with V in `through` and x the offset; None if it is not open."""
        simple = _Simplest(inner)
        rows = tuple(simple.all(through.combined(row.columns)) for row in problem.speeds)
        rest = tuple(
            simple(problem.kinematics.graph.add(row.rest, *(node * offset[j] for j, node in row.columns.items())))
            for row in problem.speeds
        )
        if any(_divides(node) for node in (*rest, *(node for row in rows for node in row.values()))):
            return None
        return _Back(problem, inner, rows, rest, through, offset).conversion()

    def apply(self, solution: Solution, matrices: tuple[tuple[tuple[Node, ...], ...], tuple[Node, ...]]) -> Solution:
        """The solution of the inner problem in the state of the outer one, whose M_NI and L_NI are given."""
        graph = self.problem.kinematics.graph
        known: dict[Node, Node] = dict(zip(self.inner.speed_inputs, self.speeds, strict=True))
        rates = (*solution.speed_rates, *(solution.accelerations[j] for j in self.problem.ignorable))
        along = flow_of(self.problem.kinematics).along
        inputs = (*self.inner.speed_inputs, *(self.problem.kinematics.inputs.rates[j] for j in self.problem.ignorable))
        found = []
        for row, rest in zip(self.rows, self.rest, strict=True):
            turning = [along(node) * inputs[k] for k, node in row.items()]
            found.append(graph.add(along(rest), *turning, *(node * rates[k] for k, node in row.items())))
        speed_rates = substitute(found, known)
        accelerations = substitute(solution.accelerations, known)
        return Solution(
            rates=substitute(solution.rates, known),
            speed_rates=speed_rates,
            accelerations=accelerations,
            checks=(*self.checks, *(_on(check, known) for check in solution.checks)),
            mass=matrices[0],
            forcing=matrices[1],
            solved_in=tuple(row.name for row in self.inner.speeds),
        )


def _on(check: Check, known: Mapping[Node, Node]) -> Check:
    return check.on(substitute([check.divisor], known)[0])


class _Back:
    """Finds w from u: what S leaves as it is first, the rest together with the momenta if these are needed."""

    def __init__(
        self,
        problem: ReducedProblem,
        inner: ReducedProblem,
        rows: tuple[Mapping[int, Node], ...],
        rest: tuple[Node, ...],
        through: Speeds,
        offset: Sequence[Node],
    ) -> None:
        self._problem, self._inner, self._rows, self._rest = problem, inner, rows, rest
        self._through, self._offset = through, offset
        self._count = len(inner.speeds)
        self._given = dict[int, Node]()
        self._open = list[int]()
        for i, (row, rest_, u) in enumerate(zip(rows, rest, problem.speed_inputs, strict=True)):
            only = next(iter(row), -1)
            if len(row) == 1 and only < self._count and row[only] == u.graph.one and rest_.is_zero:
                self._given[only] = u
            else:
                self._open.append(i)

    def conversion(self) -> Conversion:
        """The conversion with w of the state."""
        graph = self._problem.kinematics.graph
        unknown = [k for k in range(self._count) if k not in self._given]
        if any(k >= self._count for i in self._open for k in self._rows[i]):
            unknown += range(self._count, self._count + len(self._problem.ignorable))
        place = {k: column for column, k in enumerate(unknown)}
        equations, right, origins = [], [], []
        for i in self._open:
            known = [node * self._given[k] for k, node in self._rows[i].items() if k in self._given]
            equations.append({place[k]: node for k, node in self._rows[i].items() if k in place})
            right.append(self._problem.speed_inputs[i] - graph.add(self._rest[i], *known))
            origins.append(f"quasi-velocity {self._problem.speeds[i].name}")
        if len(unknown) > len(equations):
            rows, values = self._momenta(unknown)
            equations, right = equations + rows, right + values
            origins += [f"conserved momentum {row.name}" for row in self._problem.momenta]
        labels = [*(row.name for row in self._inner.speeds), *(row.name for row in self._problem.momenta)]
        solver = BlockSolver(graph, equations, [labels[k] for k in unknown], origins)
        found = self._given | dict(zip(unknown, solver.solve(right), strict=True))
        speeds = tuple(found[k] for k in range(self._count))
        return Conversion(self._problem, self._inner, speeds, self._rows, self._rest, tuple(solver.checks))

    def _momenta(self, unknown: Sequence[int]) -> tuple[list[dict[int, Node]], list[Node]]:
        """M' V and G - N_2 - M' V v of what is known, over the unknown speeds."""
        problem, through = self._problem, self._through
        graph, inputs = problem.kinematics.graph, problem.kinematics.inputs
        entries = {
            (i, j): mass_entry(problem.kinematics, i, j) for i in problem.ignorable for j in self._moved(unknown)
        }
        rows = []
        for i in problem.ignorable:
            row = through.combined({j: entries[i, j] for j in self._moved(unknown)})
            rows.append({place: row[k] for place, k in enumerate(unknown) if k in row})
        at: dict[Node, Node] = {
            inputs.rates[j]: graph.add(
                self._offset[j], *(node * self._given[k] for k, node in through.rows[j].items() if k in self._given)
            )
            for j in range(len(inputs.rates))
        }
        others = substitute([row.value for row in problem.momenta], at)
        return rows, [g - value for g, value in zip(problem.momentum_inputs, others, strict=True)]

    def _moved(self, unknown: Sequence[int]) -> list[int]:
        return [j for j, row in enumerate(self._through.rows) if set(unknown) & set(row)]


class _Simplest:
    """Nodes of the kinematics by meaning, to write others with: constants, inputs, sines, and entries of rotations."""

    def __init__(self, problem: ReducedProblem) -> None:
        kinematics = problem.kinematics
        self._known: dict[tuple[int, int], Node] = {}
        turns = [entry for turn in kinematics.axes.turns for matrix in turn for row in matrix for entry in row]
        rows = (*kinematics.speeds, *problem.speeds, *kinematics.constraints)
        columns = [node for row in rows for node in row.columns.values()]
        frames = [c for frame in kinematics.frames for column in frame.columns.values() for c in column]
        for node in topological([*turns, *columns, *frames]):
            self._known.setdefault(node.fingerprint, node)

    def __call__(self, node: Node) -> Node:
        known = self._known.get(node.fingerprint)
        if known is None:
            opposite = self._known.get((-node).fingerprint)
            known = None if opposite is None else -opposite
        return node if known is None or _divides(known) else known

    def all(self, row: Mapping[int, Node]) -> dict[int, Node]:
        return {k: self(node) for k, node in row.items() if not node.is_zero}


def _divides(root: Node) -> bool:
    """Whether a node divides by something that moves."""
    nodes = topological([root])
    return any(
        isinstance(node, Factored) or (isinstance(node, Inverse) and not node.args[0].is_parameter_only)
        for node in nodes
    )
