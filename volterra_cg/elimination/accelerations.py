"""The accelerations of a mechanism as a chain of vectors, each a short linear function of those before it.

| variable      | what it is, in the axes of a frame                     | made of                                     |
|---------------|--------------------------------------------------------|---------------------------------------------|
| spin F        | angular acceleration of F                              | carried F, rates of speeds                  |
| carried F     | angular acceleration of F's parent, in the axes of F   | spin of the parent, turned                  |
| point P       | acceleration of P, in the axes of the frame it sits in | seen origin, spin × offset, rates of speeds |
| seen P in F   | acceleration of P, in the axes of F                    | point P, turned                             |

Unknowns are numbered: the rates v' of all independent speeds first, then what legs have, then three numbers a variable.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from volterra_cg.kinematics.axes import Matrix, Rotation, Triple, apply, cross, is_zero, plus, times, transposed
from volterra_cg.kinematics.motion import Columns, PointMotion, RelativeTurn
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.nodes import Node

Held = frozenset[int]  # coordinates whose second rates are taken for zero
NONE: Held = frozenset()
FEW = 3  # speeds; a vector that no more of them move is written in them, not carried as three unknowns


class Follow(enum.Enum):
    """In which axes the accelerations of points are followed; the value ends the name of an elimination order."""

    OWN = ""  # those of the frame that they sit in
    LEAVES = " from leaves"  # the same, but the outermost centers in the axes of their carriers
    GROUND = " in ground axes"


@dataclass(frozen=True)
class Variable:
    """A vector of three unknowns from `first` on; `bias` is its value when all v' vanish.

    `turned` makes it R^T times another, with R the rotation; otherwise it is the sum of `source`, of `lever` times `spin` and
    of `columns` times v'.
    """

    first: int
    frame: int
    bias: Triple
    source: int | None = None
    turned: Rotation | None = None
    spin: int | None = None
    lever: Matrix | None = None
    columns: Mapping[int, Triple] = field(default_factory=dict)

    def sources(self) -> list[int]:
        """The variables it is made of."""
        return [number for number in (self.source, self.spin) if number is not None]


@dataclass(frozen=True)
class Leg:
    """Rates that are unknowns of their own: those from `first` on are `inverse` times y, which has the numbers from `asked` on.

    y are `components`, in the axes of a frame, of the acceleration of the second end less that of the first, both with the
    coordinates of the leg held.
    """

    first: int
    asked: int
    inverse: Sequence[Sequence[Node]]
    ends: tuple[PointMotion, PointMotion]
    frame: int
    components: tuple[int, ...]
    coordinates: frozenset[int]

    @property
    def rates(self) -> range:
        """The numbers of its rates."""
        return range(self.first, self.asked)

    @property
    def values(self) -> range:
        """The numbers of y."""
        return range(self.asked, self.asked + len(self.components))


@dataclass(frozen=True)
class Speeds:
    """q'' = W v' + q''_0 with W by rows, for p independent speeds v; rates of legs follow these in number."""

    count: int
    rows: Sequence[Mapping[int, Node]]
    still: Sequence[Node]
    legs: Sequence[Leg] = ()

    @property
    def width(self) -> int:
        """The number of unknowns before those of the variables."""
        return max((leg.values.stop for leg in self.legs), default=self.count)

    def columns(self, columns: Columns) -> dict[int, Triple]:
        """Columns over q'' as columns over v'."""
        total: dict[int, list[Triple]] = {}
        for j, column in columns.items():
            for k, weight in self.rows[j].items():
                total.setdefault(k, []).append(times(weight, column))
        summed = {k: plus(*parts) for k, parts in sorted(total.items())}
        return {k: column for k, column in summed.items() if not is_zero(column)}

    def combined(self, weights: Mapping[int, Node]) -> dict[int, Node]:
        """Weights of q'' as weights of v'."""
        total: dict[int, list[Node]] = {}
        for j, node in weights.items():
            for k, weight in self.rows[j].items():
                total.setdefault(k, []).append(node * weight)
        summed = {k: parts[0].graph.add(*parts) for k, parts in sorted(total.items())}
        return {k: node for k, node in summed.items() if not node.is_zero}

    def bias(self, columns: Columns) -> list[Triple]:
        """What q''_0 contributes through columns."""
        return [times(self.still[j], column) for j, column in columns.items() if not self.still[j].is_zero]


class Unknowns:
    """Makes variables as they are asked for; `list` holds them in the order of their making."""

    def __init__(self, kinematics: Kinematics, speeds: Speeds, follow: Follow) -> None:
        self._kinematics = kinematics
        self._follow = follow
        self._leaves = _leaves(kinematics) if follow is Follow.LEAVES else set()
        self._speeds = speeds
        self.list: list[Variable] = []
        self._spins: dict[tuple[int, Held], int | None] = {(0, NONE): None}
        self._carried: dict[tuple[int, Held], int | None] = {}
        self._seen: dict[tuple[int, int, Held], int | None] = {}
        self._points: dict[tuple[int, Held], int] = {}
        axes = kinematics.axes
        gravity = axes.express(kinematics.gravity, 0)
        self._ground = times(kinematics.graph.const(-1), gravity)

    def _make(self, frame: int, bias: Triple, **made_of: object) -> int:
        first = self._speeds.width + 3 * len(self.list)
        self.list.append(Variable(first, frame, bias, **made_of))  # type: ignore[arg-type]
        return len(self.list) - 1

    def _make_turned(self, frame: int, source: int, turned: Rotation) -> int:
        bias = apply(transposed(turned.matrix), self.list[source].bias)
        return self._make(frame, bias, source=source, turned=turned)

    def bias(self, number: int | None) -> Triple:
        """The bias of a variable, or of what is fixed in the ground."""
        return self._kinematics.axes.zero if number is None else self.list[number].bias

    def still(self, point: int | None, frame: int) -> Triple:
        """The bias of a point in the axes of a frame; that of the fixed point is the weight of the ground."""
        return self._ground_in(frame) if point is None else self.list[point].bias

    def spin(self, frame: int, held: Held = NONE) -> int | None:
        """The angular acceleration of a frame; None if it never turns."""
        key = frame, held.intersection(self._kinematics.frames[frame].columns)
        if key not in self._spins:
            motion = self._kinematics.frames[frame]
            assert motion.turn is not None
            assert motion.local_bias is not None
            carried = self.carried(frame, held)
            turns = _free(motion.turn.columns, held)
            columns = self._speeds.columns(turns)
            bias = plus(self.bias(carried), motion.local_bias, *self._speeds.bias(turns))
            still = carried is None and not columns and is_zero(bias)
            self._spins[key] = None if still else self._make(frame, bias, source=carried, columns=columns)
        return self._spins[key]

    def carried(self, frame: int, held: Held = NONE) -> int | None:
        """The angular acceleration of a frame's parent in the frame's axes."""
        motion = self._kinematics.frames[frame]
        key = frame, held.intersection(self._kinematics.frames[motion.parent].columns)
        if key not in self._carried:
            assert motion.turn is not None
            spin = self.spin(motion.parent, held)
            if spin is None:
                self._carried[key] = None
            else:
                self._carried[key] = self._make_turned(frame, spin, self._rotation(motion.turn))
        return self._carried[key]

    def point(self, motion: PointMotion, held: Held = NONE) -> int:
        """The acceleration of a point in the axes of the frame that it sits in."""
        key = id(motion), held.intersection(motion.columns)
        if key not in self._points:
            assert motion.origin is not None
            assert motion.offset is not None
            assert motion.local_bias is not None
            frame = self._axes_of(motion)
            origin = self.seen(motion.origin, frame, held)
            spin = None if is_zero(motion.offset) else self.spin(motion.frame, held)
            turns = None if spin is None or self._is_still(spin) else spin
            own = _free(motion.own, held)
            parts = [motion.local_bias, *self._speeds.bias(own)]
            if spin is not None:
                parts.append(cross(self.list[spin].bias, motion.offset))
            inside = self._turned(plus(*parts), motion.frame, frame)
            outside = self._ground_in(frame) if origin is None else self.list[origin].bias
            columns = self._speeds.columns(own)
            self._points[key] = self._make(
                frame,
                plus(outside, inside),
                source=origin,
                spin=turns,
                lever=None if turns is None else self._lever(motion.offset, motion.frame, frame),
                columns={k: self._turned(column, motion.frame, frame) for k, column in columns.items()},
            )
        return self._points[key]

    def _is_still(self, number: int) -> bool:
        variable = self.list[number]
        return not variable.columns and not variable.sources()

    def whole(self, number: int) -> dict[int, Triple]:
        """What a variable is over all speeds that move it."""
        variable, parts = self.list[number], list[dict[int, Triple]]()
        if variable.turned is not None:
            assert variable.source is not None
            back = transposed(variable.turned.matrix)
            return {k: apply(back, column) for k, column in self.whole(variable.source).items()}
        if variable.source is not None:
            parts.append(self.whole(variable.source))
        if variable.spin is not None and variable.lever is not None:
            parts.append({k: apply(variable.lever, column) for k, column in self.whole(variable.spin).items()})
        parts.append(dict(variable.columns))
        speeds = sorted({k for part in parts for k in part})
        return {k: plus(*(part[k] for part in parts if k in part)) for k in speeds}

    def _axes_of(self, motion: PointMotion) -> int:
        """The frame in whose axes a point is followed."""
        if self._follow is Follow.GROUND:
            return 0
        assert motion.origin is not None
        return motion.origin.frame if id(motion) in self._leaves else motion.frame

    def _turned(self, triple: Triple, source: int, target: int) -> Triple:
        return self._kinematics.axes.express(((source, triple),), target)

    def _lever(self, arm: Triple, source: int, target: int) -> Matrix:
        """The matrix of spin × arm, in the axes of the target."""
        x, y, z = arm
        zero = self._kinematics.graph.zero
        columns = [self._turned(c, source, target) for c in ((zero, -z, y), (z, zero, -x), (-y, x, zero))]
        return transposed((columns[0], columns[1], columns[2]))

    def _ground_in(self, frame: int) -> Triple:
        return self._kinematics.axes.express(((0, self._ground),), frame)

    def seen(self, motion: PointMotion, frame: int, held: Held = NONE) -> int | None:
        """The acceleration of a point in the axes of a frame; None for the fixed point."""
        if motion.origin is None:
            return None
        if self._axes_of(motion) == frame:
            return self.point(motion, held)
        key = id(motion), frame, held.intersection(motion.columns)
        if key not in self._seen:
            few = self._in_few(motion, frame, held)
            self._seen[key] = self._make_turned(frame, *self._edge(motion, frame, held)) if few is None else few
        return self._seen[key]

    def _in_few(self, motion: PointMotion, frame: int, held: Held) -> int | None:
        """With legs, a point that few speeds move is written in these at once, in the axes of a frame."""
        if not self._speeds.legs:
            return None
        own = self.list[self.point(motion, held)]
        whole = self.whole(self.point(motion, held))
        if len(whole) > FEW or (len(whole) == FEW and not own.sources()):
            return None
        if len(whole) == FEW:  # so many vectors are turned by a matrix made for it
            turn = self._kinematics.axes.turn(own.frame, frame)
            return self._make(frame, apply(turn, own.bias), columns={k: apply(turn, c) for k, c in whole.items()})
        turned = {k: self._turned(column, own.frame, frame) for k, column in whole.items()}
        return self._make(frame, self._turned(own.bias, own.frame, frame), columns=turned)

    def _edge(self, motion: PointMotion, frame: int, held: Held) -> tuple[int, Rotation]:
        """The last step of the way from the point's own axes to those of a frame: from where, and R of that step."""
        axes = self._kinematics.axes
        back = axes.next(frame, self._axes_of(motion))
        before = self.seen(motion, back, held)
        assert before is not None
        up = axes.parents[frame] == back and frame != 0
        turn = self._kinematics.frames[frame if up else back].turn
        assert turn is not None
        rotation = self._rotation(turn)
        return before, rotation if up else rotation.back

    def _rotation(self, turn: RelativeTurn) -> Rotation:
        """With legs, squares are full and turned step by step; others are often sparse, or as cheap at once."""
        return Rotation(turn.matrix, turn.steps if self._speeds.legs else (turn.matrix,))


def _free(columns: Columns, held: Held) -> Columns:
    return {j: column for j, column in columns.items() if j not in held}


def _leaves(kinematics: Kinematics) -> set[int]:
    """Centers that carry no other body: a mass is alike along all axes, so these may be the carrier's."""
    inner: set[int] = set()
    for body in kinematics.bodies:
        point = body.center.origin
        while point is not None:
            inner.add(id(point))
            point = point.origin
    centers = [body.center for body in kinematics.bodies if body.center.origin is not None]
    return {id(c) for c in centers if id(c) not in inner and c.origin is not None and c.origin.frame != c.frame}
