"""The system: a mechanism as sympy expressions, whatever front end it came from.

Scalars are sympy expressions in the symbols of coordinates, their rates, parameters, signals and `TIME`, and may hold
the kinematic nodes of `vectors`. Angular quantities, inertias and offsets follow the names in their comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sympy import Expr, Symbol

from volterra_cg.spec.bodies import Limit
from volterra_cg.system.vectors import Vector

TIME = Symbol("t", real=True)
INERTIAL_FRAME = "N"
FIXED_POINT = "O"

Triple = tuple[Expr, Expr, Expr]


def reaction_symbol(constraint: str) -> Symbol:
    """The symbol of the multiplier of a constraint, for outputs."""
    return Symbol(f"reaction({constraint})", real=True)


@dataclass(frozen=True)
class Coordinate:
    """A generalized coordinate; `initial` and `initial_rate` are functions of the parameters."""

    name: str
    symbol: Symbol
    rate: Symbol
    initial: Expr
    initial_rate: Expr
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class Parameter:
    """A number that may change between runs; a fixed one is part of the equations. `value` is an exact rational."""

    name: str
    symbol: Symbol
    value: Expr
    fixed: bool = False
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class Signal:
    """A named input that the caller sets at run time; `value` is used where none is given."""

    name: str
    symbol: Symbol
    value: float = 0.0


@dataclass(frozen=True)
class Turn:
    """A rotation by `angle` about `axis`, a unit vector in the axes reached so far."""

    axis: Triple
    angle: Expr


@dataclass(frozen=True)
class Give(Turn):
    """A turn about one of the axes by which a joint gives way; it does not occur, but says which torque passes."""


@dataclass(frozen=True)
class Cosines:
    """A rotation by its direction cosines: row i holds the parent's axis i in the axes of the child."""

    rows: tuple[Triple, Triple, Triple]


@dataclass(frozen=True)
class Quaternion:
    """A rotation by a unit quaternion, scalar part first."""

    parts: tuple[Expr, Expr, Expr, Expr]


Rotation = Turn | Cosines | Quaternion


@dataclass(frozen=True)
class Frame:
    """Axes reached from the parent's by successive rotations."""

    name: str
    parent: str
    rotations: tuple[Rotation, ...] = ()


@dataclass(frozen=True)
class Point:
    """A point at `offset`, given in the axes of `frame`, from another point."""

    name: str
    origin: str
    frame: str
    offset: Triple


@dataclass(frozen=True)
class Body:
    """A rigid body, or a particle where `frame` is None. `inertia` is the central tensor in the axes of `frame`.

    `limits` are what the parameters must keep for such a body to exist.
    """

    name: str
    mass: Expr
    center: str
    frame: str | None = None
    inertia: tuple[Triple, Triple, Triple] | None = None
    limits: tuple[Limit, ...] = ()


@dataclass(frozen=True)
class Gravity:
    """A uniform field; `acceleration` in the axes of a frame that does not turn."""

    frame: str
    acceleration: Triple


@dataclass(frozen=True)
class Potential:
    """A potential energy as a function of coordinates, parameters and time."""

    name: str
    energy: Expr
    table: str = field(default="", compare=False)


@dataclass(frozen=True)
class Force:
    """A force at a point; `reaction` is the point that feels the opposite one."""

    name: str
    point: str
    vector: Vector
    reaction: str | None = None
    table: str = field(default="", compare=False)


@dataclass(frozen=True)
class Torque:
    """A torque on a frame; `reaction` is the frame that feels the opposite one."""

    name: str
    frame: str
    vector: Vector
    reaction: str | None = None
    table: str = field(default="", compare=False)


@dataclass(frozen=True)
class CoordinateForce:
    """A generalized force along one coordinate."""

    name: str
    coordinate: str
    value: Expr
    table: str = field(default="", compare=False)


Load = Potential | Force | Torque | CoordinateForce  # `table` is where the spec has it, for messages


@dataclass(frozen=True)
class Constraint:
    """`expression` = 0: of positions if `holonomic` (we differentiate it), else affine in the velocities."""

    name: str
    expression: Expr
    holonomic: bool = False


@dataclass(frozen=True)
class QuasiVelocity:
    """A speed, affine in the rates of the coordinates."""

    name: str
    expression: Expr


@dataclass(frozen=True)
class Output:
    """A named quantity of interest, a function of time, coordinates and rates."""

    name: str
    expression: Expr


@dataclass(frozen=True)
class Event:
    """What happens where `expression` crosses zero; `coordinates`, `rates` and `parameters` are set, by name.

    Their values are functions of the state before. With a `restitution`, the rates follow from Newton's law of impact
    along the gradient of the expression, which then holds positions and time alone; `limits` are what the parameters must keep.
    """

    name: str
    expression: Expr
    direction: Literal["rising", "falling", "both"] = "both"
    terminal: bool = False
    coordinates: Mapping[str, Expr] = field(default_factory=dict)
    rates: Mapping[str, Expr] = field(default_factory=dict)
    parameters: Mapping[str, Expr] = field(default_factory=dict)
    restitution: Expr | None = None
    limits: tuple[Limit, ...] = ()


@dataclass(frozen=True)
class Simulation:
    """What `simulate` does unless told otherwise."""

    t_end: float = 10.0
    dt: float = 0.01
    rtol: float = 1e-8
    atol: float = 1e-10


@dataclass(frozen=True)
class System:
    """A whole mechanism. The order of `coordinates` is the order of q; `ignorable` None means: find them."""

    name: str
    coordinates: tuple[Coordinate, ...]
    bodies: tuple[Body, ...]
    parameters: tuple[Parameter, ...] = ()
    signals: tuple[Signal, ...] = ()
    frames: tuple[Frame, ...] = ()
    points: tuple[Point, ...] = ()
    gravity: Gravity | None = None
    loads: tuple[Load, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    quasi_velocities: tuple[QuasiVelocity, ...] = ()
    outputs: tuple[Output, ...] = ()
    events: tuple[Event, ...] = ()
    ignorable: tuple[str, ...] | None = None
    work: bool = False
    project: tuple[str, ...] = ()  # coordinates that may be changed to make the start values satisfy the constraints
    simulation: Simulation = field(default_factory=Simulation)

    @property
    def measured(self) -> tuple[Output, ...]:
        """The outputs, then what the events watch, under their names."""
        return (*self.outputs, *(Output(event.name, event.expression) for event in self.events))
