"""From a system to its kinematics: frames and points are walked once, then constraints and events are read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from volterra_cg.errors import ModelError, ModelErrors
from volterra_cg.kinematics.axes import Axes, Matrix, apply, cross, is_zero
from volterra_cg.kinematics.configurations import sampled
from volterra_cg.kinematics.loads import Loads
from volterra_cg.kinematics.lower import Lowering, inputs_of, placed, symbols_of
from volterra_cg.kinematics.motion import (
    Flow,
    FrameMotion,
    PointMotion,
    RelativeTurn,
    compose,
    frame_motion,
    matrix_turn,
    point_motion,
    quaternion_turn,
    simple_turn,
)
from volterra_cg.kinematics.types import AffineRow, BodyMotion, EventChange, Kinematics, Limit, Meeting
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.graph import Graph
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Const, Input, Node, Role, topological
from volterra_cg.program.rewrite import substitute
from volterra_cg.system import types as system_types
from volterra_cg.system.inertia import central_tensor
from volterra_cg.system.released import internal_forces, released
from volterra_cg.system.types import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Body,
    Event,
    Frame,
    System,
)
from volterra_cg.system.vectors import Axis, Dot, Position

NEGLIGIBLE = 1e-12  # gap of a constraint that no motion changes
ROUNDING, PLACES = 1e-11, 4  # of a sum beside its terms, at random values of the inputs


def analyse(system: System, seed: int = 0) -> Kinematics:
    """The kinematics of a system; `seed` draws the random points of the fingerprints."""
    kinematics = _Analysis(system, Graph(seed)).result()
    return replace(kinematics, configurations=sampled(kinematics))


class _Analysis:
    """One walk over a system; its attributes are what has been found so far."""

    def __init__(self, system: System, graph: Graph) -> None:
        self.system = system
        self.graph = graph
        self.axes = Axes(graph)
        self.joints = internal_forces(system)
        self.inputs = inputs_of(system, graph)
        self.flow = Flow.of(graph, self.inputs.time, self.inputs.coordinates, self.inputs.rates)
        self.lower = Lowering(graph, symbols_of(system, graph, self.inputs), self.axes)
        self.notes: list[str] = []
        self.wrong: list[ModelError] = []
        self.rotations: dict[str, tuple[Node, ...]] = {}
        self._walk_frames()
        self._walk_points()
        self.loads = Loads(system, self.lower, self.flow)

    def result(self) -> Kinematics:
        """Everything a formulation needs."""
        forces, names = self.loads.forces()
        constraints, speeds, events = self._constraints(), self._speeds(), self._events()
        if self.wrong:
            raise ModelErrors(self.wrong)
        potentials = self.loads.potentials()
        energy = self.graph.add(self.graph.zero, *potentials.values())
        slopes = {j: -partial(energy) for j, partial in self.flow.partials(energy).items()}
        elastic = tuple(slopes.get(j, self.graph.zero) for j in range(len(self.inputs.coordinates)))
        return Kinematics(
            graph=self.graph,
            axes=self.axes,
            frames=tuple(self.lower.frame_motions.values()),
            frame_names=tuple(self.lower.frames),
            gravity=self.loads.gravity() if self.system.gravity else (),
            inputs=self.inputs,
            given=self._given(),
            rotations=self.rotations,
            bodies=tuple(self._body(body) for body in self.system.bodies),
            constraints=constraints,
            speeds=speeds,
            forces=forces,
            force_names=names,
            conservative=self.loads.conservative(elastic),
            elastic=elastic,
            potentials=potentials,
            outputs=self._outputs(constraints),
            computed_signals=self._computed_signals(),
            events=events,
            start=self._start(),
            notes=tuple(self.notes),
            limits=self._limits(),
            project=self.system.project,
            joints=self._joints({row.name for row in constraints}),
        )

    def _joints(self, held: Collection[str]) -> dict[str, Kinematics]:
        """The motions with each joint released whose reaction is asked for, under the constraints that restrict the motion.

        One that holds by itself may say something about a displacement that does not occur.
        """
        kept = tuple(constraint for constraint in self.system.constraints if constraint.name in held)
        system = replace(self.system, constraints=kept)
        return {name: _Analysis(released(system, name), self.graph).result() for name in self.joints}

    def _given(self) -> dict[Node, float]:
        """The spec's values of parameters and signals."""
        free = [float(parameter.value) for parameter in self.system.parameters if not parameter.fixed]
        signals = [signal.value for signal in self.system.signals]
        nodes = (*self.inputs.parameters, *self.inputs.signals)
        return dict(zip(nodes, (*free, *signals), strict=True))

    def _start(self) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """The start values of coordinates and rates as functions of the parameters."""
        values, rates = [], []
        for coordinate in self.system.coordinates:
            with placed("coordinates", coordinate.name):
                values.append(self.lower.scalar(coordinate.initial))
                rates.append(self.lower.scalar(coordinate.rate))
        return tuple(values), tuple(rates)

    # --- frames and points ------------------------------------------------------------------------------------------

    def _walk_frames(self) -> None:
        zero = self.axes.zero
        self.lower.frames[INERTIAL_FRAME] = 0
        self.lower.frame_motions[0] = FrameMotion(zero, {}, zero, zero)
        for frame in self.system.frames:
            with placed("frames", frame.name):
                turn = self._turn(frame)
            parent = self.lower.frames[frame.parent]
            number = self.axes.add_frame(parent, turn.steps)
            self.lower.frames[frame.name] = number
            motion = frame_motion(self.lower.frame_motions[parent], parent, turn, self.flow, self.inputs.rates)
            self.lower.frame_motions[number] = motion

    def _turn(self, frame: Frame[sympy.Expr]) -> RelativeTurn:
        one, zero = self.graph.one, self.graph.zero
        total = RelativeTurn(((one, zero, zero), (zero, one, zero), (zero, zero, one)), {}, self.axes.zero)
        for rotation in frame.rotations:
            if isinstance(rotation, system_types.Turn):
                axis, angle = self.lower.triple(rotation.axis), self.lower.scalar(rotation.angle)
                turn = simple_turn(self.graph, self.flow, axis, angle)
            elif isinstance(rotation, system_types.Quaternion):
                parts = [self.lower.scalar(part) for part in rotation.parts]
                self._must_vanish(frame, [self.graph.dot(parts, parts) - 1])
                turn = quaternion_turn(self.graph, self.flow, parts)
            else:
                x, y, z = (self.lower.triple(row) for row in rotation.rows)
                products = [self.graph.dot(x, x) - 1, self.graph.dot(y, y) - 1, self.graph.dot(x, y)]
                self._must_vanish(frame, [*products, *(a - b for a, b in zip(cross(x, y), z, strict=True))])
                turn = matrix_turn(self.graph, self.flow, (x, y, z))
            total = compose(total, turn)
        return total

    def _must_vanish(self, frame: Frame[sympy.Expr], nodes: Sequence[Node]) -> None:
        """Note what must be zero for a frame to be turned, and only turned, where that does not follow from its form."""
        doubtful = tuple(node for node in nodes if not node.is_zero)
        if doubtful:
            self.rotations[frame.name] = (*self.rotations.get(frame.name, ()), *doubtful)

    def _walk_points(self) -> None:
        self.lower.points[FIXED_POINT] = PointMotion((), (), {}, (), ())
        for point in self.system.points:
            number = self.lower.frames[point.frame]
            motion = self.lower.frame_motions[number]
            origin = self.lower.points[point.origin]
            with placed("points", point.name):
                offset = self.lower.held(point.offset)
                self.lower.points[point.name] = point_motion(origin, number, motion, offset, self.flow, self.axes)

    # --- bodies -----------------------------------------------------------------------------------------------------

    def _body(self, body: Body[sympy.Expr]) -> BodyMotion:
        center = self.lower.points[body.center]
        number = self.lower.frames[body.frame] if body.frame else 0
        frame = self.lower.frame_motions[number] if body.frame else None
        with placed("bodies", body.name):
            mass, half = self.lower.hold(body.mass), Fraction(1, 2)
            inertia = self._inertia(body)
        kinetic = half * mass * self.axes.dot(center.velocity, center.velocity)
        if frame is not None and inertia is not None:
            kinetic = kinetic + half * self.graph.dot(frame.spin, apply(inertia, frame.spin))
        potential = self.graph.zero
        if self.system.gravity:
            potential = -mass * self.axes.dot(self.loads.gravity(), center.position)
        return BodyMotion(body.name, mass, center, frame, number, inertia, kinetic, potential)

    def _limits(self) -> tuple[Limit, ...]:
        """What the parameters must keep for bodies and impacts to exist, in a graph of its own; the spec saw plain numbers."""
        graph = Graph(self.graph.field.seed)
        lower = Lowering(graph, symbols_of(self.system, graph, inputs_of(self.system, graph)), Axes(graph))
        found, known = [], set[tuple[Node, bool]]()
        for limit in self.system.limits:
            nodes = dict.fromkeys(lower.scalar(least) for least in limit.least)
            fresh = [node for node in nodes if not isinstance(node, Const) and (node, limit.reached) not in known]
            known |= {(node, limit.reached) for node in fresh}
            if fresh:
                found.append(Limit(limit.what, limit.rule, tuple(fresh), limit.reached))
        return tuple(found)

    def _inertia(self, body: Body[sympy.Expr]) -> Matrix | None:
        tensor = central_tensor(body)
        if tensor is None:
            return None
        rows = [self.lower.held(row) for row in tensor]
        return (rows[0], rows[1], rows[2])

    # --- constraints and speeds ---------------------------------------------------------------------------------------

    def _constraints(self) -> tuple[AffineRow, ...]:
        """The rows that restrict the motion; those that hold by themselves are left out with a note."""
        rows: list[AffineRow] = []
        for constraint in self.system.constraints:
            name, subject = constraint.name, ("constraints", constraint.name)
            with placed(*subject):
                if constraint.holonomic:
                    row = self._holonomic(name, constraint.value)
                else:
                    row = self._affine(name, "constraints", constraint.value)
            if row.columns:
                rows.append(replace(row, number=len(rows), meeting=self._meeting(constraint.value)))
            elif not row.rest.is_zero:
                message = f"constraint {name} has no velocity in it"
                self.wrong.append(ModelError(message, subject, "no motion can satisfy or break it"))
            elif not self._holds(row):
                message = f"constraint {name} does not depend on the motion, and does not hold"
                self.wrong.append(ModelError(message, subject, "no motion can satisfy it"))
            else:
                self.notes.append(f"constraint {name} holds by itself and is left out")
        return tuple(rows)

    def _meeting(self, value: sympy.Expr) -> Meeting | None:
        """The points that a constraint keeps together, if it is a component of the way between them along fixed axes."""
        match value:
            case Dot(args=(Position(args=ends), Axis(args=(frame, index)))):
                number = self.lower.frames[str(frame)]
                first, second = (self.lower.points[str(end)] for end in ends)
                fixed = is_zero(self.lower.frame_motions[number].spin)
                return Meeting((first, second), number, int(index)) if fixed else None
        return None

    def _speeds(self) -> tuple[AffineRow, ...]:
        found = []
        for u in self.system.quasi_velocities:
            with placed("quasi_velocities", u.name):
                found.append(self._affine(u.name, "quasi_velocities", u.value))
        return tuple(found)

    def _holds(self, row: AffineRow) -> bool:
        """Whether a constraint that no motion changes is satisfied, with the parameters of the spec."""
        if row.position is None or row.position.is_zero:
            return True
        return abs(float(interpret([row.position], self._given())[0])) <= NEGLIGIBLE

    def _outputs(self, constraints: tuple[AffineRow, ...]) -> dict[str, Node]:
        """The outputs, in which reactions of constraints are inputs."""
        rows = {row.name for row in constraints} | set(self.joints)
        found: dict[str, Node] = {}
        outputs = {id(output) for output in self.system.outputs}
        for output in self.system.measured:
            subject = ("outputs" if id(output) in outputs else "events", output.name)
            with placed(*subject):
                found[output.name] = self.lower.scalar(output.value)
            for node in topological([found[output.name]]):
                if isinstance(node, Input) and node.role is Role.REACTION and node.name not in rows:
                    message = f"constraint {node.name} holds by itself, so that it has no reaction"
                    raise ModelError(message, subject)
        return found

    def _computed_signals(self) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for signal in self.system.computed_signals:
            with placed("signals", signal.name):
                found[signal.name] = self.lower.scalar(signal.value)
        return found

    # --- events -----------------------------------------------------------------------------------------------------

    def _events(self) -> tuple[EventChange, ...]:
        found = []
        for event in self.system.events:
            with placed("events", event.name):
                found.append(self._event(event))
        return tuple(found)

    def _event(self, event: Event[sympy.Expr]) -> EventChange:
        coordinates = [coordinate.name for coordinate in self.system.coordinates]
        free = [parameter.name for parameter in self.system.parameters if not parameter.fixed]

        def numbered(names: Sequence[str], kind: str) -> dict[int, Node]:
            changes = [change for change in event.set if change.kind == kind]
            for change in changes:
                if change.name not in names:
                    message = (
                        f"the event {event.name} sets {change.name}, which is neither a coordinate nor a free parameter"
                    )
                    raise ModelError(message, ("events", event.name))
            return {names.index(change.name): self.lower.scalar(change.value) for change in changes}

        gap = None if event.restitution is None else self._holonomic(event.name, event.when)
        if gap is not None and not gap.columns:
            message = f"no motion changes the gap of the impact {event.name}"
            self.wrong.append(ModelError(message, ("events", event.name), "it needs a coordinate in it"))
        return EventChange(
            name=event.name,
            direction=event.direction,
            terminal=event.terminal,
            coordinates=numbered(coordinates, "coordinate"),
            rates=numbered(coordinates, "rate"),
            parameters=numbered(free, "parameter"),
            gap=gap,
            restitution=None if event.restitution is None else self.lower.scalar(event.restitution),
        )

    def _holonomic(self, name: str, expression: sympy.Expr) -> AffineRow:
        position = self.lower.scalar(expression)
        columns = {j: partial(position) for j, partial in self.flow.partials(position).items()}
        columns = {j: node for j, node in columns.items() if not node.is_zero}
        value = self.flow.along(position)
        return AffineRow(name, columns, self.flow.time(position), value, self.flow.along(value), position)

    def _affine(self, name: str, table: str, expression: sympy.Expr) -> AffineRow:
        value = self.lower.scalar(expression)
        rates = self.inputs.rates
        moved = [(j, rate) for j, rate in enumerate(rates) if rate.support & value.support]
        columns = {j: Derivative({rate: self.graph.one})(value) for j, rate in moved}
        columns = {j: node for j, node in columns.items() if not node.is_zero}
        (rest,) = substitute([value], dict.fromkeys(rates, self.graph.zero))
        terms = [rest, *(node * rates[j] for j, node in columns.items())]
        difference = value - self.graph.add(*terms)
        held = any(rate.support & node.support for _, rate in moved for node in columns.values())
        if not difference.is_zero and (held or not _is_negligible(difference, terms)):
            message = f"{name} is not affine in the rates of the coordinates"
            self.wrong.append(ModelError(message, (table, name), "each term may hold one rate, to the first power"))
        return AffineRow(name, columns, rest, value, self.flow.along(value))


def _is_negligible(node: Node, terms: Sequence[Node]) -> bool:
    """Whether a node vanishes beside its terms at random values, where roots hide it from the fingerprints."""
    inputs = [n for n in topological([node, *terms]) if isinstance(n, Input)]
    draw = np.random.default_rng(0).uniform
    values: dict[Node, Any] = {n: draw(0.5 if n.role is Role.PARAMETER else -2.0, 2.0, PLACES) for n in inputs}
    with np.errstate(all="ignore"):
        off, *sizes = np.abs(np.stack([np.broadcast_to(v, PLACES) for v in interpret([node, *terms], values)]))
    return bool((off <= ROUNDING * np.max(sizes, axis=0)).all())
