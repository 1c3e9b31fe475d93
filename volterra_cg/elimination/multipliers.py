"""The elimination order for particles on rods: the forces in the joints are solved for first.

Each particle's acceleration is a sum of forces over its mass, so that the conditions along the directions in which a joint does
not give are a sparse positive definite system in the joint forces, tridiagonal for a chain. No acceleration is ever formed.

    m a_i = m g + λ_i e_i + f_i t_i - (the same of its children),    e_i · (a_i - a_parent) = bias,    t_i · (...) = c q'' + bias
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volterra_cg.elimination.accelerations import Speeds
from volterra_cg.elimination.quadratic_form import Eliminated, Form
from volterra_cg.kinematics.axes import Parts, Triple, cross, is_zero, plus
from volterra_cg.kinematics.types import BodyMotion, Kinematics
from volterra_cg.program.nodes import Const, Node
from volterra_cg.program.types import Check


@dataclass(frozen=True)
class Direction:
    """An axis of a joint. `speed` is the one whose rate moves along it, scaled by `reach`; None if the joint holds it."""

    body: int
    parent: int | None
    axis: Parts
    bias: Node
    speed: int | None
    reach: Node


@dataclass(frozen=True)
class MultiplierSolution:
    """The rates of all speeds, and every divisor: pivots, masses and levers, by what they are and whose."""

    rates: tuple[Node, ...]
    divisors: tuple[Check, ...]


def directions(kinematics: Kinematics, speeds: Speeds) -> list[Direction] | None:
    """The axes of all joints, or None where this order does not apply."""
    plain = all(len(row) == 1 and next(iter(row.values())) is kinematics.graph.one for row in speeds.rows)
    if not plain or any(not node.is_zero for node in speeds.still) or kinematics.constraints:
        return None
    centers = {id(body.center): i for i, body in enumerate(kinematics.bodies)}
    found: list[Direction] = []
    for i, body in enumerate(kinematics.bodies):
        origin = body.center.origin
        if body.inertia is not None or origin is None or (origin.origin is not None and id(origin) not in centers):
            return None
        own = _of_joint(kinematics, speeds, i, body, centers.get(id(origin)))
        if own is None:
            return None
        found += own
    used = [direction.speed for direction in found if direction.speed is not None]
    return found if len(used) == len(set(used)) == speeds.count else None


def _of_joint(
    kinematics: Kinematics, speeds: Speeds, number: int, body: BodyMotion, parent: int | None
) -> list[Direction] | None:
    """The three axes of the frame that a particle sits in; each may be moved along by one speed at most."""
    center, graph = body.center, kinematics.graph
    assert center.offset is not None
    assert center.local_bias is not None
    frame = kinematics.frames[center.frame]
    bias = plus(center.local_bias, cross(frame.bias, center.offset))
    moved: dict[int, tuple[int, Node]] = {}
    for j in sorted({*center.own, *frame.columns}):
        turning = cross(frame.columns.get(j, kinematics.axes.zero), center.offset)
        column: Triple = plus(center.own.get(j, kinematics.axes.zero), turning)
        along = [i for i in range(3) if not column[i].is_zero]
        if is_zero(column):
            continue
        if len(along) > 1 or along[0] in moved or not column[along[0]].is_parameter_only:
            return None
        moved[along[0]] = (next(iter(speeds.rows[j])), column[along[0]])
    result = []
    for i in range(3):
        unit = tuple(graph.const(int(i == k)) for k in range(3))
        speed, reach = moved.get(i, (None, graph.one))
        result.append(Direction(number, parent, ((center.frame, unit),), bias[i], speed, reach))  # type: ignore[arg-type]
    return result


class MultiplierOrder:
    """Solves for the forces along held directions, then for the rates of the speeds."""

    def __init__(
        self, kinematics: Kinematics, speeds: Speeds, forces: Sequence[Node], found: Sequence[Direction]
    ) -> None:
        self._kinematics = kinematics
        self._speeds = speeds
        self._directions = found
        self._light = [kinematics.graph.inverse(body.mass) for body in kinematics.bodies]
        zero = kinematics.graph.zero
        by_speed = {k: forces[j] for j, row in enumerate(speeds.rows) for k in row}
        self._known = [zero if d.speed is None else by_speed[d.speed] / d.reach for d in found]
        self._touching: list[list[int]] = [[] for _ in kinematics.bodies]
        for number, direction in enumerate(found):
            for body in {direction.body, direction.parent} - {None}:
                assert body is not None
                self._touching[body].append(number)

    def solution(self) -> MultiplierSolution:
        """Forces, then accelerations."""
        held = [n for n, direction in enumerate(self._directions) if direction.speed is None]
        form = Form(self._kinematics.graph)
        for a in held:
            for b in self._neighbours(a):
                if b <= a and self._directions[b].speed is None:
                    form.add(a, b, self._coupling(a, b))
            form.add_linear(a, self._without(a, held) - self._directions[a].bias)
        records: list[Eliminated] = []
        left = form.unknowns()
        while left:
            n = min(left, key=lambda n: (form.degree(n), -n))
            records.append(form.eliminate(n))
            left.remove(n)
        values = self._values(records)
        rates = {d.speed: self._rate(n, d, values) for n, d in enumerate(self._directions) if d.speed is not None}
        bodies = self._kinematics.bodies
        checks = [Check.of(body.mass, f"the mass of {body.name} is not positive", positive=True) for body in bodies]
        checks += [Check.of(d.reach, f"the lever of {bodies[d.body].name} is zero") for d in self._directions]
        for record in records:
            joint = bodies[self._directions[record.unknown].body].name
            checks.append(Check.of(record.pivot, f"the force in the joint of {joint} is not determined", positive=True))
        moving = tuple(check for check in checks if not isinstance(check.divisor, Const))
        return MultiplierSolution(tuple(rates[k] for k in range(self._speeds.count)), moving)

    def _values(self, records: Sequence[Eliminated]) -> dict[int, Node]:
        graph = self._kinematics.graph
        values: dict[int, Node] = {}
        for record in reversed(records):
            terms = [weight * values[z] for z, weight in record.weights]
            values[record.unknown] = -graph.add(record.constant, *terms)
        return values

    def _neighbours(self, number: int) -> list[int]:
        """The directions whose forces act on the same particles."""
        direction = self._directions[number]
        bodies = [b for b in (direction.body, direction.parent) if b is not None]
        return sorted({n for body in bodies for n in self._touching[body]})

    def _coupling(self, a: int, b: int) -> Node:
        """How a force along b moves what direction a measures."""
        first, second = self._directions[a], self._directions[b]
        light = [self._light[body] for body in {first.body} & {second.body}]
        if first.parent is not None and first.parent == second.parent:
            light.append(self._light[first.parent])
        light += [
            -self._light[x]
            for x, y in ((first.body, second.parent), (first.parent, second.body))
            if x == y and x is not None
        ]
        graph = self._kinematics.graph
        return graph.add(graph.zero, *light) * self._kinematics.axes.dot(first.axis, second.axis)

    def _without(self, number: int, held: Sequence[int]) -> Node:
        """What direction a measures of weights and of known forces."""
        graph, direction = self._kinematics.graph, self._directions[number]
        terms = [self._coupling(number, n) * self._known[n] for n in self._neighbours(number) if n not in held]
        if direction.parent is None:
            terms.append(self._kinematics.axes.dot(direction.axis, self._kinematics.gravity))
        return graph.add(graph.zero, *terms)

    def _rate(self, number: int, direction: Direction, values: dict[int, Node]) -> Node:
        """C q'' = t · (a - a_parent) - bias."""
        graph = self._kinematics.graph
        terms = [self._coupling(number, n) * values[n] for n in self._neighbours(number) if n in values]
        return graph.add(self._without(number, list(values)), *terms, -direction.bias) / direction.reach
