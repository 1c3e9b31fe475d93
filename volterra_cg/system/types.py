"""The system: a mechanism in normal form, as sympy expressions, whatever front end it came from.

Scalars are sympy expressions in the symbols of coordinates, their rates, parameters, signals and `TIME`, and may hold
the kinematic nodes of `vectors`. The entities are those that a mechanism is told in; short forms are spelled out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sympy import Expr, Symbol

from volterra_cg.spec.entities import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Body,
    Change,
    Constraint,
    Coordinate,
    Cosines,
    Drawn,
    Event,
    Frame,
    Gravity,
    Parameter,
    Point,
    Quantity,
    Quaternion,
    Shape,
    Signal,
    Simulation,
    Turn,
)
from volterra_cg.spec.limits import Limit
from volterra_cg.spec.tree import CoordinateRef, FrameRef, PointRef, Ref, Triple
from volterra_cg.system.vectors import Vector

# with the entities, for the stages that follow
__all__ = [
    "FIXED_POINT", "INERTIAL_FRAME", "TIME", "Arrow", "Body", "Change", "Constraint", "Coordinate", "CoordinateForce", "Cosines",
    "Drawn", "Event", "Frame", "FrameTorque", "Gravity", "Line", "Load", "Parameter", "Point", "PointForce", "Potential",
    "Quantity", "Quaternion", "Scene", "Shape", "Signal", "Simulation", "System", "Turn", "rate_symbol",
    "reaction_symbol", "symbol",
]  # fmt: skip

TIME = Symbol("t", real=True)


def symbol(name: str) -> Symbol:
    """The symbol of a coordinate, parameter or signal."""
    return Symbol(str(name), real=True)


def rate_symbol(coordinate: str) -> Symbol:
    """The symbol of the rate of a coordinate."""
    return Symbol(f"{coordinate}'", real=True)


def reaction_symbol(constraint: str) -> Symbol:
    """The symbol of the multiplier of a constraint, for outputs."""
    return Symbol(f"reaction({constraint})", real=True)


@dataclass(frozen=True)
class Potential:
    """A potential energy as a function of coordinates, parameters and time."""

    name: Ref
    energy: Expr
    table: str = field(default="", compare=False)


@dataclass(frozen=True)
class PointForce:
    """A force at a point; `reaction` is the point that feels the opposite one."""

    name: Ref
    point: PointRef
    vector: Vector
    reaction: PointRef | None = None
    table: str = field(default="", compare=False)


@dataclass(frozen=True)
class FrameTorque:
    """A torque on a frame; `reaction` is the frame that feels the opposite one."""

    name: Ref
    frame: FrameRef
    vector: Vector
    reaction: FrameRef | None = None
    table: str = field(default="", compare=False)


@dataclass(frozen=True)
class CoordinateForce:
    """A generalized force along one coordinate."""

    name: Ref
    coordinate: CoordinateRef
    value: Expr
    table: str = field(default="", compare=False)


Load = Potential | PointForce | FrameTorque | CoordinateForce  # `table` is where it was told, for messages


@dataclass(frozen=True)
class Line:
    """A "spring", "damper", "actuator" or "rod" between two points; or "arm", from a point to one that is fixed to it.

    An arm belongs to a frame.
    """

    kind: str
    name: str
    first: PointRef
    second: PointRef
    frame: FrameRef | None = None


@dataclass(frozen=True)
class Arrow:
    """A force at a point, in the axes of a frame, that needs positions and time alone."""

    name: str
    at: PointRef
    frame: FrameRef
    vector: Triple[Expr]


@dataclass(frozen=True)
class Scene:
    """Lines, the points that constraints hold together, and forces."""

    lines: tuple[Line, ...] = ()
    joints: tuple[PointRef, ...] = ()
    arrows: tuple[Arrow, ...] = ()


@dataclass(frozen=True)
class System:
    """A whole mechanism. The order of `coordinates` is the order of q; frames and points follow those they start from.

    Derived parameters and signals with an expression are put in; `computed_signals` are the latter, to be shown. Axes
    of turns have length one, inertias are given in the axes of their body, a particle has no frame, and each constraint
    is one row. `ignorable` None means: find them; `project` are the coordinates that may be changed to make the start
    values satisfy the constraints; `limits` are what the parameters must keep for the bodies and impacts to exist.
    """

    name: str
    coordinates: tuple[Coordinate[Expr], ...]
    bodies: tuple[Body[Expr], ...]
    parameters: tuple[Parameter[Expr], ...]
    signals: tuple[Signal[Expr], ...]
    frames: tuple[Frame[Expr], ...]
    points: tuple[Point[Expr], ...]
    gravity: Gravity[Expr] | None
    loads: tuple[Load, ...]
    constraints: tuple[Constraint[Expr], ...]
    quasi_velocities: tuple[Quantity[Expr], ...]
    outputs: tuple[Quantity[Expr], ...]
    events: tuple[Event[Expr], ...]
    limits: tuple[Limit, ...]
    ignorable: tuple[CoordinateRef, ...] | None
    work: bool
    project: tuple[Ref, ...]
    simulation: Simulation
    scene: Scene = Scene()
    about: str = ""
    computed_signals: tuple[Quantity[Expr], ...] = ()

    @property
    def measured(self) -> tuple[Quantity[Expr], ...]:
        """The outputs, then what the events watch, under their names."""
        return (*self.outputs, *(Quantity(event.name, event.when) for event in self.events))
