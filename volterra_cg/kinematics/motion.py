"""How frames and points move: rotations, spins, velocities and accelerations over program nodes.

Every quantity is kept twice: as a whole, in the rates of the coordinates as inputs, and by columns, its derivative with
respect to each rate. A bias acceleration is what remains of an acceleration when the second rates are zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from volterra_cg.kinematics.axes import Axes, Matrix, Parts, Triple, apply, cross, is_zero, plus, times, transposed
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node

Columns = dict[int, Triple]


@dataclass(frozen=True)
class Flow:
    """The ways to differentiate: along the motion with rates held, and with respect to one coordinate or to time."""

    along: Derivative
    partial: Sequence[Derivative]
    time: Derivative
    numbers: Mapping[int, int] = field(default_factory=dict)  # of the coordinates, by their supports

    @classmethod
    def of(cls, graph: Graph, time: Node, coordinates: Sequence[Node], rates: Sequence[Node]) -> Flow:
        """The flow of q with rates q'."""
        return cls(
            along=Derivative({**dict(zip(coordinates, rates, strict=True)), time: graph.one}),
            partial=[Derivative({coordinate: graph.one}) for coordinate in coordinates],
            time=Derivative({time: graph.one}),
            numbers={coordinate.support: j for j, coordinate in enumerate(coordinates)},
        )

    def partials(self, *nodes: Node) -> dict[int, Derivative]:
        """The derivatives with respect to those coordinates that some nodes are made of, by number."""
        support = 0
        for node in nodes:
            support |= node.support
        found = []
        while support:
            lowest = support & -support
            support ^= lowest
            if lowest in self.numbers:
                found.append(self.numbers[lowest])
        return {j: self.partial[j] for j in sorted(found)}


@dataclass(frozen=True)
class FrameMotion:
    """Motion of a frame in its own axes: ω, the columns D of Eq. (54), the bias of ω' and the bias E of Eq. (54).

    `parent`, `turn` and `local_bias` are the same step by step: ω' = R^T ω'_parent + turn columns * q'' + local bias.
    """

    spin: Triple
    columns: Columns
    bias: Triple
    drift: Triple
    parent: int = 0
    turn: RelativeTurn | None = None
    local_bias: Triple | None = None


@dataclass(frozen=True)
class PointMotion:
    """Motion of a point: position from O, V, the columns B of Eq. (54), the bias of V' and the bias C of Eq. (54).

    The rest is the same step by step, in the axes of `frame`: V' = V'_origin + ω' × offset + own columns * q'' + local
    bias.
    """

    position: Parts
    velocity: Parts
    columns: dict[int, Parts]
    bias: Parts
    drift: Parts
    origin: PointMotion | None = None
    frame: int = 0
    offset: Triple | None = None
    own: Columns = field(default_factory=dict)
    local_bias: Triple | None = None


@dataclass(frozen=True)
class RelativeTurn:
    """A frame relative to its parent: the rotation, and the relative spin in the frame's axes by columns and drift.

    `steps` are the rotations that make it up, in order.
    """

    matrix: Matrix
    columns: Columns
    drift: Triple
    parts: tuple[Matrix, ...] = ()

    @property
    def steps(self) -> tuple[Matrix, ...]:
        """The rotation as a sequence of simpler ones."""
        return self.parts or (self.matrix,)


def simple_turn(graph: Graph, flow: Flow, axis: Triple, angle: Node) -> RelativeTurn:
    """A rotation by an angle about a unit vector (Rodrigues' formula)."""
    sine, cosine = graph.call("sin", angle), graph.call("cos", angle)
    rest = 1 - cosine
    rows = []
    for i in range(3):
        row = [rest * axis[i] * axis[j] + (cosine if i == j else graph.zero) for j in range(3)]
        row[(i + 1) % 3] = row[(i + 1) % 3] - sine * axis[(i + 2) % 3]
        row[(i + 2) % 3] = row[(i + 2) % 3] + sine * axis[(i + 1) % 3]
        rows.append((row[0], row[1], row[2]))
    slopes = {j: partial(angle) for j, partial in flow.partials(angle).items()}
    columns = {j: times(slope, axis) for j, slope in slopes.items() if not slope.is_zero}
    return RelativeTurn((rows[0], rows[1], rows[2]), columns, times(flow.time(angle), axis))


def matrix_turn(graph: Graph, flow: Flow, matrix: Matrix) -> RelativeTurn:
    """A rotation given by direction cosines; the spin is read off R^T R'."""

    def spin(derivative: Derivative) -> Triple:
        change = transposed(tuple((derivative.all(row)) for row in matrix))  # type: ignore[arg-type]
        base = transposed(matrix)
        return (graph.dot(base[2], change[1]), graph.dot(base[0], change[2]), graph.dot(base[1], change[0]))

    columns = {j: spin(partial) for j, partial in flow.partials(*(entry for row in matrix for entry in row)).items()}
    return RelativeTurn(matrix, {j: c for j, c in columns.items() if not is_zero(c)}, spin(flow.time))


def quaternion_turn(graph: Graph, flow: Flow, parts: Sequence[Node]) -> RelativeTurn:
    """A rotation by a unit quaternion: ω = 2 (e0 e' - e0' e - e × e') in the turned axes."""
    e0, vector = parts[0], (parts[1], parts[2], parts[3])
    x, y, z = vector
    matrix = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - e0 * z), 2 * (x * z + e0 * y)),
        (2 * (x * y + e0 * z), 1 - 2 * (x * x + z * z), 2 * (y * z - e0 * x)),
        (2 * (x * z - e0 * y), 2 * (y * z + e0 * x), 1 - 2 * (x * x + y * y)),
    )

    def spin(derivative: Derivative) -> Triple:
        change = derivative.all(parts)
        rest = (change[1], change[2], change[3])
        total = plus(times(e0, rest), times(-change[0], vector), times(-graph.one, cross(vector, rest)))
        return times(graph.const(2), total)

    columns = {j: spin(partial) for j, partial in flow.partials(*parts).items()}
    return RelativeTurn(matrix, {j: c for j, c in columns.items() if not is_zero(c)}, spin(flow.time))


def compose(first: RelativeTurn, second: RelativeTurn) -> RelativeTurn:
    """One rotation after another; spins add in the last axes."""
    back = transposed(second.matrix)
    rows = tuple(apply(back, row) for row in first.matrix)
    columns = {j: apply(back, column) for j, column in first.columns.items()}
    for j, column in second.columns.items():
        columns[j] = plus(columns[j], column) if j in columns else column
    drift = plus(apply(back, first.drift), second.drift)
    return RelativeTurn((rows[0], rows[1], rows[2]), columns, drift, (*first.parts, *second.steps))


def frame_motion(
    parent: FrameMotion, number: int, turn: RelativeTurn, flow: Flow, rates: Sequence[Node]
) -> FrameMotion:
    """Spin, columns and bias of a frame from its parent's."""
    back = transposed(turn.matrix)
    relative = plus(turn.drift, *(times(rates[j], column) for j, column in turn.columns.items()))
    carried = apply(back, parent.spin)
    columns = {j: apply(back, column) for j, column in parent.columns.items()}
    for j, column in turn.columns.items():
        columns[j] = plus(columns[j], column) if j in columns else column
    local_bias = plus(_triple(flow.along, relative), cross(carried, relative))
    return FrameMotion(
        spin=plus(carried, relative),
        columns={j: column for j, column in sorted(columns.items()) if not is_zero(column)},
        bias=plus(apply(back, parent.bias), local_bias),
        drift=plus(apply(back, parent.drift), turn.drift),
        parent=number,
        turn=turn,
        local_bias=local_bias,
    )


def point_motion(
    origin: PointMotion, number: int, frame: FrameMotion, offset: Triple, flow: Flow, axes: Axes
) -> PointMotion:
    """Motion of a point at an offset in a moving frame."""
    change = _triple(flow.along, offset)
    second = _triple(flow.along, change)
    spin, two = frame.spin, axes.graph.const(2)
    local_bias = plus(second, times(two, cross(spin, change)), cross(spin, cross(spin, offset)))
    bias = plus(local_bias, cross(frame.bias, offset))
    own = {j: _triple(partial, offset) for j, partial in flow.partials(*offset).items()}
    columns = dict(origin.columns)
    for j in {*own, *frame.columns}:
        column = plus(own.get(j, axes.zero), cross(frame.columns.get(j, axes.zero), offset))
        total = axes.extended(columns.get(j, ()), number, column)
        if total:
            columns[j] = total
        else:
            columns.pop(j, None)
    drift = plus(_triple(flow.time, offset), cross(frame.drift, offset))
    return PointMotion(
        position=axes.extended(origin.position, number, offset),
        velocity=axes.extended(origin.velocity, number, plus(change, cross(spin, offset))),
        columns=dict(sorted(columns.items())),
        bias=axes.extended(origin.bias, number, bias),
        drift=axes.extended(origin.drift, number, drift),
        origin=origin,
        frame=number,
        offset=offset,
        own={j: column for j, column in own.items() if not is_zero(column)},
        local_bias=local_bias,
    )


def _triple(derivative: Derivative, triple: Triple) -> Triple:
    x, y, z = derivative.all(triple)
    return (x, y, z)
