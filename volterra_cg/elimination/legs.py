"""Legs: coordinates that nothing but the meeting of two points determines, as those of a leg of a Stewart platform.

The rows of such a meeting are components of one vector, V_1 - V_2 = 0, and may be taken along any axes. In the axes of the frame
that an end sits in they are short: a leg of changing length on two angles has one rate in each. The other end and the rest of
the mechanism enter by their velocity and their acceleration as vectors, which are followed anyway.

| letter | meaning                                                                                                 |
|--------|---------------------------------------------------------------------------------------------------------|
| q_D    | the coordinates of the leg, in no other row                                                             |
| y      | what the meeting asks of q_D'': components of the acceleration of the second end less that of the first |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volterra_cg.elimination.accelerations import FEW, Follow, Leg, Speeds, Unknowns
from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.rates import SPACE, Spin
from volterra_cg.formulations.problem import Equation, Law, ReducedProblem
from volterra_cg.kinematics.axes import Parts, Triple, cross
from volterra_cg.kinematics.motion import PointMotion
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Node
from volterra_cg.program.rewrite import substitute

LEAST = 2  # coordinates; with one alone there is nothing to gain


@dataclass(frozen=True)
class Closure:
    """A leg and the rows that close it.

    In the axes of `frame`, the components `used` determine its coordinates, and those `left` do not contain them.
    """

    rows: tuple[AffineRow, ...]
    ends: tuple[PointMotion, PointMotion]
    frame: int
    coordinates: tuple[int, ...]
    used: tuple[int, ...]
    left: tuple[int, ...]

    @property
    def name(self) -> str:
        """What messages call it."""
        return ", ".join(row.name for row in self.rows)

    def solver(self, kinematics: Kinematics) -> BlockSolver:
        """For the rates of the leg, by the components of the velocity that are missing."""
        columns = {j: self._components(kinematics, j) for j in self.coordinates}
        rows = [{n: columns[j][i] for n, j in enumerate(self.coordinates)} for i in self.used]
        names = [kinematics.inputs.rates[j].name for j in self.coordinates]
        return BlockSolver(kinematics.graph, rows, names, [f"constraint {self.name}"] * len(rows))

    def rates(self, kinematics: Kinematics, solver: BlockSolver, known: Mapping[Node, Node]) -> tuple[Node, ...]:
        """q_D' where the other rates are known."""
        first, second = self.ends
        held = dict(known) | {kinematics.inputs.rates[j]: kinematics.graph.zero for j in self.coordinates}
        apart = kinematics.axes.express(_less(kinematics, second.velocity, first.velocity), self.frame)
        return solver.solve(substitute([apart[i] for i in self.used], held))

    def rest(self, kinematics: Kinematics, spins: Sequence[Spin] = ()) -> list[AffineRow]:
        """The components that say nothing about the leg, as rows; in these, spins stand for the rates of angles."""
        first, second = self.ends
        found = []
        for i in self.left:
            axis = _Axis(kinematics, self.frame, i)
            columns = axis.columns(first, spins)
            for j, entry in axis.columns(second, spins).items():
                columns[j] = columns.get(j, kinematics.graph.zero) - entry
            rest, bias, value = (
                axis.along(_less(kinematics, a, b))
                for a, b in ((first.drift, second.drift), (first.bias, second.bias), (first.velocity, second.velocity))
            )
            own = {j: entry for j, entry in sorted(columns.items()) if not entry.is_zero}
            found.append(AffineRow(self.name, own, rest, value, bias))
        return found

    def _components(self, kinematics: Kinematics, j: int) -> Triple:
        return _components(kinematics, self.ends, j, self.frame)

    def leg(self, first: int, solver: BlockSolver) -> Leg:
        """Its rates as unknowns with numbers from `first` on."""
        count, graph = len(self.coordinates), solver.graph
        columns = [solver.sparse({i: graph.one}) for i in range(count)]
        inverse = [[column.get(n, graph.zero) for column in columns] for n in range(count)]
        return Leg(first, first + count, inverse, self.ends, self.frame, self.used, frozenset(self.coordinates))


def closures(problem: ReducedProblem) -> list[Closure]:
    """The legs of a mechanism, each with the axes in which its rows are shortest."""
    kinematics = problem.kinematics
    constraints = kinematics.constraints
    together: dict[tuple[int, int, int], list[AffineRow]] = {}
    for row in constraints:
        if row.meeting is not None:
            first, second = row.meeting.ends
            together.setdefault((id(first), id(second), row.meeting.frame), []).append(row)
    users = Counter(j for row in (*constraints, *problem.speeds) for j in row.columns)
    found = []
    for rows in together.values():
        inner = Counter(j for row in rows for j in row.columns)
        own = tuple(j for j in sorted(inner) if inner[j] == users[j] and j not in problem.ignorable)
        if len(own) >= LEAST and (closure := _closure(kinematics, rows, own)):
            found.append(closure)
    return found


def spins_of(problem: ReducedProblem, legs: Sequence[Closure], moving: Sequence[int]) -> list[Spin]:
    """The frames whose three angles the rows that legs leave contain, but no other."""
    if not any(leg.left for leg in legs):
        return []
    kinematics = problem.kinematics
    closed = {row.name for leg in legs for row in leg.rows}
    others = [*problem.speeds, *problem.momenta, *(row for row in kinematics.constraints if row.name not in closed)]
    taken = {j for row in others for j in row.columns}
    found = list[Spin]()
    for frame in dict.fromkeys(end.frame for leg in legs for end in leg.ends):
        motion = kinematics.frames[frame]
        angles = tuple(sorted(motion.columns))
        own = motion.turn is not None and motion.turn.columns.keys() == motion.columns.keys()
        if own and len(angles) == SPACE and set(angles) <= set(moving) - taken:
            found.append(Spin(frame, angles, len(kinematics.inputs.rates) + SPACE * len(found)))
    if not found:
        return []
    solved = {j for spin in found for j in spin.coordinates}
    apart = all(solved.isdisjoint(row.columns) for leg in legs for row in leg.rest(kinematics, found))
    return found if apart else []


def legs_of_few(problem: ReducedProblem, equations: Sequence[Equation], legs: Sequence[Closure]) -> bool:
    """Whether the rates are sums over few speeds, and of nothing else."""
    kinematics = problem.kinematics
    given = {row.name: u for row, u in zip(problem.speeds, problem.speed_inputs, strict=True)}
    rights = [e.right - given[e.name] if e.law is Law.SPEED else e.right for e in equations]
    drifts = [_less(kinematics, *(end.drift for end in leg.ends)) for leg in legs]
    return len(given) <= FEW and all(right.is_zero for right in rights) and not any(drifts)


def by_columns(problem: ReducedProblem, speeds: Speeds) -> dict[int, Node]:
    """The rates of all but ignorable coordinates, by the columns over few speeds that the accelerations need anyway."""
    kinematics = problem.kinematics
    graph, u = kinematics.graph, problem.speed_inputs
    known: dict[int, Node] = dict(enumerate(u))
    unknowns = Unknowns(kinematics, speeds, Follow.OWN)
    for leg in speeds.legs:
        ends = [unknowns.seen(end, leg.frame, leg.coordinates) for end in leg.ends]
        first, second = ({} if end is None else unknowns.whole(end) for end in ends)
        zero = kinematics.axes.zero
        asked = [
            graph.add(graph.zero, *((second.get(k, zero)[i] - first.get(k, zero)[i]) * u[k] for k in range(len(u))))
            for i in leg.components
        ]
        known |= {k: graph.dot(row, asked) for k, row in zip(leg.rates, leg.inverse, strict=True)}
    rows = {j: row for j, row in enumerate(speeds.rows) if j not in problem.ignorable}
    return {j: graph.add(graph.zero, *(w * known[k] for k, w in row.items())) for j, row in rows.items()}


def _closure(kinematics: Kinematics, rows: Sequence[AffineRow], own: tuple[int, ...]) -> Closure | None:
    """The rows of one meeting in the axes of one of its ends, if they are all there is of it."""
    meeting = rows[0].meeting
    assert meeting is not None
    moved = sorted({j for end in meeting.ends for j in end.columns})
    given = {row.meeting.index for row in rows if row.meeting is not None}
    if _present(kinematics, meeting.ends, moved, meeting.frame) != given:
        return None
    candidates = []
    for frame in dict.fromkeys(end.frame for end in meeting.ends):
        used = _present(kinematics, meeting.ends, own, frame)
        every = _present(kinematics, meeting.ends, moved, frame)
        if len(used) == len(own) and len(every) == len(given):
            entries = [c for j in own for c in _components(kinematics, meeting.ends, j, frame)]
            left = tuple(sorted(every - used))
            closure = Closure(tuple(rows), meeting.ends, frame, own, tuple(sorted(used)), left)
            candidates.append((sum(not entry.is_zero for entry in entries), closure))
    return min(candidates, key=lambda pair: pair[0])[1] if candidates else None


@dataclass(frozen=True)
class _Axis:
    """An axis of a frame; what moves is seen along it in the axes of the frames that it is written in."""

    kinematics: Kinematics
    frame: int
    index: int

    def _seen_in(self, frame: int) -> Triple:
        return self.kinematics.axes.turn(frame, self.frame)[self.index]

    def along(self, vector: Parts) -> Node:
        """A component of a vector."""
        graph = self.kinematics.graph
        return graph.add(graph.zero, *(graph.dot(self._seen_in(frame), triple) for frame, triple in vector))

    def columns(self, point: PointMotion, spins: Sequence[Spin]) -> dict[int, Node]:
        """A component of the velocity by the rates: a force along the axis, and its moments, in these directions."""
        graph, total = self.kinematics.graph, dict[int, list[Node]]()
        numbers = {spin.frame: spin.numbers for spin in spins}
        while point.origin is not None:
            assert point.offset is not None
            axis = self._seen_in(point.frame)
            moment = cross(point.offset, axis)
            directions = [(point.own, axis)]
            if point.frame in numbers:
                for number, component in zip(numbers[point.frame], moment, strict=True):
                    total.setdefault(number, []).append(component)
            else:
                directions.append((self.kinematics.frames[point.frame].columns, moment))
            for columns, vector in directions:
                for j, column in columns.items():
                    total.setdefault(j, []).append(graph.dot(column, vector))
            point = point.origin
        return {j: graph.add(*parts) for j, parts in total.items()}


def _present(
    kinematics: Kinematics, ends: tuple[PointMotion, PointMotion], coordinates: Sequence[int], frame: int
) -> set[int]:
    """The components that some coordinates move."""
    columns = [_components(kinematics, ends, j, frame) for j in coordinates]
    return {i for i in range(3) if any(not column[i].is_zero for column in columns)}


def _components(kinematics: Kinematics, ends: tuple[PointMotion, PointMotion], j: int, frame: int) -> Triple:
    """What a rate gives to the velocity of the first end less that of the second."""
    first, second = (end.columns.get(j, ()) for end in ends)
    return kinematics.axes.express(_less(kinematics, first, second), frame)


def _less(kinematics: Kinematics, first: Parts, second: Parts) -> Parts:
    axes = kinematics.axes
    return axes.add(first, axes.scale(kinematics.graph.const(-1), second))
