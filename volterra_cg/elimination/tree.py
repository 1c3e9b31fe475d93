"""The recursive order: Gauss's form is built at the bodies and carried towards the ground, losing unknowns on the way.

Eliminating each joint's unknowns as soon as its body is reached is the articulated-body recursion; leaving them all to the end
is the composite-body form of the dense equations. Any mixture is legal: every pivot is one of a positive definite form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from volterra_cg.elimination.accelerations import Follow, Leg, Speeds, Unknowns, Variable
from volterra_cg.elimination.quadratic_form import Eliminated, Form
from volterra_cg.kinematics.axes import Rotation, apply, cross, plus, transposed
from volterra_cg.kinematics.types import AffineRow, BodyMotion, Kinematics
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.nodes import Node

Keep = Callable[[int], bool]
MASSLESS = "a speed moves no mass"


@dataclass(frozen=True)
class TreeSolution:
    """The rates v' of all speeds, and the pivots with the unknown that each belongs to; row i is the unknown -1 - i.

    The rates of legs follow those of the speeds.
    """

    rates: tuple[Node, ...]
    pivots: tuple[tuple[int, Node], ...]


def solve(
    kinematics: Kinematics,
    speeds: Speeds,
    forces: Sequence[Node],
    keep: Keep,
    follow: Follow,
    rows: Sequence[AffineRow] = (),
) -> TreeSolution:
    """The rates v' by elimination along the tree.

    `keep` says which speeds stay in the form until the end, `follow` in which axes points are followed. `rows` restrict the
    rates, where these are not independent.
    """
    along = _AlongTree(kinematics, speeds, forces, keep, follow)
    along.restrict(rows)
    return along.solution()


class Reduced(NamedTuple):
    """M_NI and L_NI, and the pivots of the unknowns that were eliminated."""

    mass: tuple[tuple[Node, ...], ...]
    forcing: tuple[Node, ...]
    pivots: tuple[tuple[int, Node], ...]


def reduced(kinematics: Kinematics, speeds: Speeds, forces: Sequence[Node], count: int) -> Reduced:
    """M_NI and L_NI of the first `count` speeds: the form at the ground, with all other unknowns eliminated."""
    return _AlongTree(kinematics, speeds, forces, lambda _: True, Follow.LEAVES).reduced(count)


class _AlongTree:
    def __init__(
        self, kinematics: Kinematics, speeds: Speeds, forces: Sequence[Node], keep: Keep, follow: Follow
    ) -> None:
        self._graph = kinematics.graph
        self._speeds = speeds
        self._keep = keep
        self._form = Form(kinematics.graph)
        self._unknowns = Unknowns(kinematics, speeds, follow)
        self._turns = follow is not Follow.GROUND
        self._done: list[Eliminated] = []
        self._records: dict[int, Eliminated] = {}
        self._named = 0  # the first speeds, as many as are asked for by name: nothing is solved for in their place
        self._free: dict[int, int] = {}  # variables solved for in place of the speeds behind them, with those variables
        self._loops: dict[
            int, set[int]
        ] = {}  # the forces of rows, with the speeds in the row that are still in the form
        self._ends = [self._ends_of(leg) for leg in speeds.legs]
        for body in kinematics.bodies:
            self._add_body(body)
        self._legs = {k: i for i, leg in enumerate(speeds.legs) for k in leg.rates}
        moved: dict[int, list[int]] = {}  # the coordinates that a speed moves
        for j, row in enumerate(speeds.rows):
            for k in row:
                moved.setdefault(k, []).append(j)
        for k in range(speeds.width):
            force = [speeds.rows[j][k] * forces[j] for j in moved.get(k, ())]
            self._form.add_linear(k, -self._graph.add(self._graph.zero, *force))

    def _ends_of(self, leg: Leg) -> list[int | None]:
        """The accelerations of the ends of a leg; that which fewer coordinates move is made last, so it leaves the form first."""
        made = {
            end: self._unknowns.seen(leg.ends[end], leg.frame, leg.coordinates)
            for end in sorted((0, 1), key=lambda end: -len(leg.ends[end].columns))
        }
        return [made[0], made[1]]

    def restrict(self, rows: Sequence[AffineRow]) -> None:
        """Add λ (a v' + bias) of rows over the speeds: the form then has its saddle where they hold."""
        for i, row in enumerate(rows):
            force = -1 - i
            self._loops[force] = set(row.columns)
            self._form.add_linear(force, row.bias)
            for k, entry in row.columns.items():
                self._form.add(force, k, entry)

    @cached_property
    def _users(self) -> Counter[int]:
        """How many variables are made of each, once all are made."""
        found = Counter(source for variable in self._unknowns.list for source in variable.sources())
        return found + Counter(end for ends in self._ends for end in ends if end is not None)

    @cached_property
    def _holders(self) -> Counter[int]:
        """How many variables are made of each speed."""
        return Counter(k for variable in self._unknowns.list for k in variable.columns)

    def solution(self) -> TreeSolution:
        """Carry the form to the ground, solve what is left, and go back."""
        self._carry()
        self._finish()
        values = self._back()
        pivots = tuple((record.unknown, record.pivot) for record in self._done)
        if any(k not in values for k in range(self._speeds.count)):
            raise IdenticallyZero(MASSLESS)
        legs = [k for leg in self._speeds.legs for k in leg.rates]
        return TreeSolution(tuple(values[k] for k in (*range(self._speeds.count), *legs)), pivots)

    def reduced(self, count: int) -> Reduced:
        """The form over the first speeds alone."""
        self._named = count
        self._carry()
        gone = [self._form.eliminate(unknown) for unknown in self._form.unknowns() if unknown >= count]
        mass = tuple(tuple(self._form.entry(i, j) for j in range(count)) for i in range(count))
        pivots = tuple((record.unknown, record.pivot) for record in gone)
        return Reduced(mass, tuple(-self._form.linear(i) for i in range(count)), pivots)

    def _add_body(self, body: BodyMotion) -> None:
        """The body's part of Gauss's form: m |a|^2 / 2 and α I α / 2, with the bias forces as linear terms."""
        if body.center.origin is not None:  # else it is the fixed point
            self._add_mass(body)
        if body.frame is None or body.inertia is None:
            return
        spin_number = self._unknowns.spin(body.frame_number)
        momentum = apply(body.inertia, body.frame.spin)
        if spin_number is None:
            return
        spin = self._unknowns.list[spin_number]
        bias = plus(apply(body.inertia, spin.bias), cross(body.frame.spin, momentum))
        for i in range(3):
            self._form.add_linear(spin.first + i, bias[i])
            for j in range(i + 1):
                self._form.add(spin.first + i, spin.first + j, body.inertia[i][j])

    def _add_mass(self, body: BodyMotion) -> None:
        number = self._unknowns.point(body.center)
        if self._turns and body.center.frame != body.frame_number and body.frame is not None:
            number = self._unknowns.seen(body.center, body.frame_number) or number
        center = self._unknowns.list[number]
        for i in range(3):
            self._form.add(center.first + i, center.first + i, body.mass)
            self._form.add_linear(center.first + i, body.mass * center.bias[i])

    # --- towards the ground -----------------------------------------------------------------------------------------

    def _carry(self) -> None:
        variables = self._unknowns.list
        waiting = dict.fromkeys(reversed(range(len(variables))))
        users, speeds = Counter(self._users), Counter(self._holders)
        open_legs = list(enumerate(self._speeds.legs))
        complete = {k for k in range(self._speeds.count) if not speeds[k]}
        together: dict[Rotation, list[int]] = {}
        for number in waiting:
            turned = variables[number].turned
            if turned is not None:
                together.setdefault(turned, []).append(number)
        while waiting:
            number = next(iter(waiting))
            turned = variables[number].turned
            alike = [] if turned is None else together[turned]
            group = [n for n in alike if n in waiting and not users[n]]
            group = group if number in group else [number]
            self._replace(group)
            for n in group:
                del waiting[n]
                users.subtract(variables[n].sources())
                speeds.subtract(variables[n].columns.keys())
                complete |= {k for k in variables[n].columns if not speeds[k] and k < self._speeds.count}
            for i, leg in [(i, leg) for i, leg in open_legs if not any(speeds[k] for k in leg.rates)]:
                self._close(leg, self._ends[i])
                open_legs.remove((i, leg))
                users.subtract(end for end in self._ends[i] if end is not None)
            self._eliminate_complete(complete)

    def _close(self, leg: Leg, ends: Sequence[int | None]) -> None:
        """Write the rates of a leg in y, and y in the accelerations of its ends."""
        columns = zip(leg.values, zip(*leg.inverse, strict=True), strict=True)
        rates = {y: dict(zip(leg.rates, column, strict=True)) for y, column in columns}
        self._form.substitute(leg.rates, rates)
        self._form.move(dict(zip(leg.values, self._still(leg, ends), strict=True)))
        signs = self._graph.const(-1), self._graph.one
        made_of = {
            self._unknowns.list[end].first + i: {y: sign}
            for end, sign in zip(ends, signs, strict=True)
            if end is not None
            for y, i in zip(leg.values, leg.components, strict=True)
        }
        self._form.substitute(leg.values, made_of)

    def _still(self, leg: Leg, ends: Sequence[int | None]) -> list[Node]:
        """What the meeting of the ends asks of the leg where all v' vanish."""
        first, second = (self._unknowns.still(end, leg.frame) for end in ends)
        return [second[i] - first[i] for i in leg.components]

    def _replace(self, group: Sequence[int]) -> None:
        """Write variables in terms of those they are made of."""
        variables = self._unknowns.list
        first = variables[group[0]]
        if first.turned is not None:
            pairs = []
            for n in group:
                source = variables[n].source
                assert source is not None
                if self._is_free(source):
                    self._free[n] = source
                else:
                    pairs.append((variables[n].first, variables[source].first))
            if pairs:
                self._form.turn(pairs, first.turned)
            return
        if group[0] not in self._free.values():
            self._expand(first)

    def _expand(self, variable: Variable) -> None:
        for i in range(3):
            y = variable.first + i
            for k, column in variable.columns.items():
                self._form.shift(y, k, column[i])
            if variable.spin is not None and variable.lever is not None:
                spin = self._unknowns.list[variable.spin].first
                for j in range(3):
                    self._form.shift(y, spin + j, variable.lever[i][j])
            if variable.source is None:
                self._form.drop(y)
            else:
                self._form.rename(y, self._unknowns.list[variable.source].first + i)

    def _is_free(self, number: int) -> bool:
        """Whether a variable is made of speeds of its own alone, so that it can be solved for in any axes.

        Rates of a leg are none: they follow from other speeds.
        """
        variable = self._unknowns.list[number]
        own = all(self._named <= k < self._speeds.count for k in variable.columns)
        if variable.sources() or variable.turned is not None or not own:
            return False
        if any(map(self._form.has, (*variable.columns, *range(variable.first, variable.first + 3)))):
            return False  # a body or a force acts on it directly
        shared = any(self._holders[k] > 1 for k in variable.columns)
        units = [[c for c in column if not c.is_zero] for column in variable.columns.values()]
        return (
            self._users[number] == 1 and not shared and len(units) == 3 and all(u == [self._graph.one] for u in units)
        )

    def _eliminate_complete(self, complete: set[int]) -> None:
        """Speeds that no waiting variable is made of leave the form, unless they are to be kept."""
        for k in sorted(complete):
            if not self._keep(k) and not self._form.entry(k, k).is_zero:
                self._eliminate(k)
                complete.remove(k)
        self._eliminate_loops()

    def _eliminate_loops(self) -> None:
        """Forces of rows whose speeds have all left the form leave it before they would be carried on.

        With what carries them held, the rows restrict speeds of a positive definite form: independent rows have regular pivots.
        """
        carried = [force for force, speeds in self._loops.items() if not speeds and self._is_carried(force)]
        while carried:
            force = min(carried, key=self._form.degree)
            self._eliminate(force)
            carried.remove(force)

    def _is_carried(self, force: int) -> bool:
        return any(z >= self._speeds.width for z in self._form.coupled(force))

    def _eliminate(self, unknown: int) -> None:
        for force in self._form.coupled(unknown) if self._loops else ():
            self._loops.get(force, set()).discard(unknown)
        self._done.append(self._form.eliminate(unknown))
        self._loops.pop(unknown, None)

    # --- at the ground, and back --------------------------------------------------------------------------------------

    def _finish(self) -> None:
        """Solve what is left: pivots of parameters alone first, then the least coupled, the outermost of equals.

        Forces of rows go last: they have a pivot once the speeds are gone.
        """
        left = self._form.unknowns()

        def turn(k: int) -> tuple[bool, bool, int, int]:
            return k < 0, not self._form.entry(k, k).is_parameter_only, self._form.degree(k), -k

        while left:
            k = min(left, key=turn)
            self._eliminate(k)
            left.remove(k)

    def _back(self) -> dict[int, Node]:
        """The values of all unknowns: first what was eliminated last, then outwards along the tree."""
        values: dict[int, Node] = {}
        self._records = {record.unknown: record for record in self._done}
        for record in reversed(self._done):
            if all(z in values for z, _ in record.weights):
                self._solve_for(record.unknown, values)
        for number in range(len(self._unknowns.list)):
            self._follow(number, values)
        for number, source in self._free.items():
            self._release(number, source, values)
        for k in (*range(self._speeds.count), *self._legs):
            self._solve_for(k, values)
        return values

    def _follow(self, number: int, values: dict[int, Node]) -> None:
        """A variable, after all that it is made of."""
        variable = self._unknowns.list[number]
        if all(unknown in values for unknown in range(variable.first, variable.first + 3)):
            return
        for source in variable.sources():
            self._follow(source, values)
        for k in variable.columns:
            self._solve_for(k, values)
        self._value_of(number, variable, values)

    def _solve_for(self, unknown: int, values: dict[int, Node]) -> None:
        """An unknown from those that it was eliminated in favour of, a rate of a leg from its speeds."""
        if unknown in values:
            return
        if unknown in self._records:
            record = self._records[unknown]
            for z, _ in record.weights:
                self._solve_for(z, values)
            terms = [weight * _known(values, z) for z, weight in record.weights]
            values[unknown] = -self._graph.add(record.constant, *terms)
        elif unknown >= self._speeds.width:
            self._follow((unknown - self._speeds.width) // 3, values)
        elif unknown in self._legs:
            self._move(self._legs[unknown], values)

    def _move(self, number: int, values: dict[int, Node]) -> None:
        """The rates of a leg, once its ends are known."""
        leg, ends = self._speeds.legs[number], self._ends[number]
        asked = self._still(leg, ends)
        for end, sign in zip(ends, (-1, 1), strict=True):
            if end is not None:
                self._follow(end, values)
                first = self._unknowns.list[end].first
                asked = [y + sign * values[first + i] for y, i in zip(asked, leg.components, strict=True)]
        values.update((k, self._graph.dot(row, asked)) for k, row in zip(leg.rates, leg.inverse, strict=True))

    def _value_of(self, number: int, variable: Variable, values: dict[int, Node]) -> None:
        """A variable from those it is made of; free ones are known, those behind them not needed."""
        zero = self._graph.zero
        if number in self._free or number in self._free.values():
            for unknown in range(variable.first, variable.first + 3):
                if unknown in self._records:
                    self._solve_for(unknown, values)
                values.setdefault(unknown, zero)
            return
        if variable.turned is not None:
            assert variable.source is not None
            first = self._unknowns.list[variable.source].first
            back = transposed(variable.turned.matrix)
            for i in range(3):
                values[variable.first + i] = self._graph.dot(back[i], [values[first + j] for j in range(3)])
            return
        for i in range(3):
            terms = [column[i] * _known(values, k) for k, column in variable.columns.items()]
            if variable.source is not None:
                terms.append(values[self._unknowns.list[variable.source].first + i])
            if variable.spin is not None and variable.lever is not None:
                spin = self._unknowns.list[variable.spin].first
                terms.append(self._graph.dot(variable.lever[i], [values[spin + j] for j in range(3)]))
            values[variable.first + i] = self._graph.add(zero, *terms)

    def _release(self, number: int, source: int, values: dict[int, Node]) -> None:
        """The speeds behind a free variable."""
        turned = self._unknowns.list[number]
        assert turned.turned is not None
        for k, column in self._unknowns.list[source].columns.items():
            row = next(i for i in range(3) if not column[i].is_zero)
            values[k] = self._graph.dot(turned.turned.matrix[row], [values[turned.first + i] for i in range(3)])


def _known(values: Mapping[int, Node], unknown: int) -> Node:
    """The value of an unknown that another is made of; it has none where nothing that has mass is moved by it."""
    if unknown not in values:
        raise IdenticallyZero(MASSLESS)
    return values[unknown]
