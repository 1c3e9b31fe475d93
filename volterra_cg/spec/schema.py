"""The shape of a spec: which tables and keys there are and what type each has. Meaning is checked elsewhere.

Defaults are those of the entities; here are the others, of scalars and of what is written in a way of its own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema

from volterra_cg.spec import entities
from volterra_cg.spec.fields import (
    SCHEMA_VERSION,
    Direction,
    Exact,
    JointKind,
    Key,
    Letter,
    Names,
    Orientation,
    Positive,
    RowKey,
    Scalar,
    Sequence,
    Spot,
    Triple,
    Unit,
    identifier,
    known_version,
    listed,
    names_or,
    one_or_more,
    short,
)

__all__ = ["SCHEMA_VERSION", "Document", "Scalar", "json_schema"]

_N, _O = str(entities.INERTIAL_FRAME), str(entities.FIXED_POINT)


class Table(BaseModel):
    """A table in which unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=False)


class Parameter(Table):
    """A parameter: a number, or an expression of other parameters."""

    value: Exact
    unit: Unit = entities.Parameter.unit
    about: str = entities.Parameter.about
    fixed: bool = entities.Parameter.fixed


class Signal(Table):
    """A named input; an expression is compiled in."""

    value: Exact = 0
    unit: Unit = entities.Signal.unit
    about: str = entities.Signal.about


class Coordinate(Table):
    """A generalized coordinate."""

    initial: Exact = 0
    rate: Exact = 0
    unit: Unit = entities.Coordinate.unit
    about: str = entities.Coordinate.about


Turns = list[Annotated[tuple[Direction, Exact], listed(2, "things, an axis and an angle,")]]


class Frame(Table):
    """Axes, turned from those of the parent."""

    parent: str = _N
    rotate: Turns | None = None
    cosines: Annotated[tuple[Triple, Triple, Triple], listed(3, "rows")] | None = None
    quaternion: Annotated[tuple[Exact, Exact, Exact, Exact], listed(4, "parts")] | None = None


class Point(Table):
    """A point at an offset from another."""

    origin: str = Field(_O, alias="from")
    frame: str = Field(_N, alias="in")
    at: Triple = (0, 0, 0)


class Inertia(Table):
    """A central inertia tensor; `xy`, `xz`, `yz` are its entries, not their negatives."""

    xx: Exact = None
    yy: Exact = None
    zz: Exact = None
    xy: Exact = None
    xz: Exact = None
    yz: Exact = None
    frame: str | None = Field(None, alias="in")


class Round(Table):
    """The sizes of a cylinder."""

    radius: Exact
    length: Exact
    axis: Letter = "z"


class Ball(Table):
    """The radius of a uniform sphere."""

    radius: Exact


class Ring(Table):
    """The radius of a thin ring or disc."""

    radius: Exact
    axis: Letter = "z"


class Rod(Table):
    """The length of a thin rod."""

    length: Exact
    axis: Letter = "x"


class Shape(Table):
    """A uniform solid; exactly one of the keys."""

    box: Triple | None = None
    plate: Annotated[tuple[Exact, Exact], listed(2, "sides")] | None = None
    rod: Annotated[Rod, BeforeValidator(short("length"), json_schema_input_type=Exact | Rod)] | None = None
    cylinder: Round | None = None
    sphere: Annotated[Ball, BeforeValidator(short("radius"), json_schema_input_type=Exact | Ball)] | None = None
    ring: Annotated[Ring, BeforeValidator(short("radius"), json_schema_input_type=Exact | Ring)] | None = None
    disc: Annotated[Ring, BeforeValidator(short("radius"), json_schema_input_type=Exact | Ring)] | None = None


class Drawn(Shape):
    """What pictures show of a body: a solid, or a mesh in an STL file."""

    mesh: str | None = None
    scale: Exact = 1
    at: Triple = (0, 0, 0)
    rotate: Turns | None = None


def _principal(value: object) -> object:
    """Let a list of three stand for the principal moments."""
    return dict(zip(("xx", "yy", "zz"), value, strict=True)) if isinstance(value, list) and len(value) == 3 else value


class Body(Table):
    """A rigid body or a particle; without a center it is the child of a joint."""

    mass: Exact
    center: str | None = None
    frame: str | None = None
    inertia: Annotated[Inertia, BeforeValidator(_principal, Triple | Inertia)] | None = None
    shape: Shape | None = None
    drawn: Drawn | None = None


class JointSpring(Table):
    """A spring along a coordinate of a joint."""

    stiffness: Exact
    length: Exact = 0


class JointFriction(Table):
    """Friction along a coordinate of a joint."""

    dry: Exact = 0
    viscous: Exact = 0
    speed: Exact = None


def _given_parts(value: object) -> object:
    """Let a list stand for the parts of a quaternion."""
    return {"quaternion": value} if isinstance(value, list) else value


class Attitude(Table):
    """How a quaternion starts, in exactly one way; `sequence` belongs to angles."""

    quaternion: Annotated[tuple[Exact, Exact, Exact, Exact], listed(4, "parts")] | None = None
    angles: Annotated[tuple[Exact, Exact, Exact], listed(3, "angles")] | None = None
    sequence: Sequence | None = None
    axis: Direction = None
    angle: Exact = None
    matrix: Annotated[tuple[Triple, Triple, Triple], listed(3, "rows")] | None = None


_SPRINGS = Annotated[JointSpring, BeforeValidator(short("stiffness"), Exact | JointSpring)]
_FRICTIONS = Annotated[JointFriction, BeforeValidator(short("viscous"), Exact | JointFriction)]
_EACH = BeforeValidator(one_or_more, Exact | list[Exact])


class Joint(Table):
    """How the child moves in the parent; it makes coordinates, a frame and points, and loads along the coordinates."""

    type: JointKind
    parent: str = _N
    child: str
    at: Spot = (0, 0, 0)
    rotate: Turns = []
    axis: Direction = None
    axes: Annotated[tuple[Direction, Direction], listed(2, "axes")] | None = None
    center: Triple = (0, 0, 0)
    orientation: Orientation | None = None
    coordinates: list[Key] | None = None
    frame: Key | None = None
    point: Key | None = None
    initial: Annotated[tuple[Exact, ...] | None, _EACH] = None
    rate: Annotated[tuple[Exact, ...] | None, _EACH] = None
    attitude: Annotated[Attitude, BeforeValidator(_given_parts, list[Exact] | Attitude)] | None = None
    spin: Triple | None = None
    spring: Annotated[tuple[_SPRINGS, ...], BeforeValidator(one_or_more, _SPRINGS | list[_SPRINGS])] = ()
    damper: Annotated[tuple[Exact, ...], _EACH] = ()
    friction: Annotated[tuple[_FRICTIONS, ...], BeforeValidator(one_or_more, _FRICTIONS | list[_FRICTIONS])] = ()
    actuator: Annotated[tuple[Exact, ...], _EACH] = ()
    armature: Annotated[tuple[Exact, ...], _EACH] = ()


class Force(Table):
    """A force at a point."""

    at: str
    frame: str = Field(_N, alias="in")
    vector: Triple
    reaction: str | None = None


class Torque(Table):
    """A torque on a frame or body."""

    on: str
    frame: str = Field(_N, alias="in")
    vector: Triple
    reaction: str | None = None


class Link(Table):
    """What a load acts across: two points, two frames or bodies about an axis of the first, or a coordinate."""

    between: Annotated[tuple[str, str], listed(2, "points")] | None = None
    turn: Annotated[tuple[str, str], listed(2, "frames or bodies")] | None = None
    axis: Letter | None = None
    coordinate: str | None = None


class Spring(Link):
    """A linear spring; `length` is the distance, angle or coordinate at rest."""

    stiffness: Exact
    length: Exact = 0


class Damper(Link):
    """A linear damper."""

    damping: Exact


class Actuator(Link):
    """A force that drives the ends apart, a torque that turns the second forward, or a force along a coordinate."""

    force: Exact


class Friction(Link):
    """Dry friction, smooth below `speed`, and a viscous part."""

    dry: Exact = 0
    viscous: Exact = 0
    speed: Exact = None


class Constraint(Table):
    """What stays zero: an expression, or a closure in a word; `either` is an expression whose kind shows by itself."""

    either: Exact = Field(None, alias="expression")
    velocity: Exact = None
    position: Exact = None
    coincide: Annotated[tuple[str, str], listed(2, "points")] | None = None
    align: Annotated[tuple[str, str], listed(2, 'axes, as "F.z",')] | None = None
    distance: Annotated[tuple[str, str], listed(2, "points")] | None = None
    equals: Exact = None
    roll: str | None = None
    on: str | None = None
    at: str | None = None
    radius: Exact = None
    normal: str | None = None
    axis: Letter | None = None
    frame: str | None = Field(None, alias="in")
    along: list[Letter] | None = None


class Output(Table):
    """A scalar, a vector by its components in the axes of a frame, or the orientation of a frame or body in another."""

    value: Exact = None
    vector: Exact = None
    orientation: str | None = None
    form: Literal["matrix", "quaternion", "angles"] = Field("matrix", alias="as")
    sequence: Sequence | None = None
    frame: str | None = Field(None, alias="in")
    unit: Unit = entities.Quantity.unit


class Event(Table):
    """What happens where an expression crosses zero."""

    when: Exact
    direction: Literal["rising", "falling", "both"] | None = None
    terminal: bool = entities.Event.terminal
    set: dict[str, Exact] = {}
    restitution: Exact = None


class Include(Table):
    """Another spec as a part of this one, attached to a frame and a point."""

    spec: str
    frame: str = _N
    point: str = _O
    set: dict[str, Exact] = {}
    initial: dict[str, Exact] = {}
    rate: dict[str, Exact] = {}


_PROJECT = Names | {"default": entities.Mechanism.project}


class Start(Table):
    """What is done to start values that do not satisfy the constraints."""

    project: Annotated[Any, PlainValidator(names_or(True)), WithJsonSchema(_PROJECT)] = entities.Mechanism.project


class Simulation(Table):
    """Defaults of a simulation."""

    t_end: Positive = entities.Simulation.t_end
    dt: Positive = entities.Simulation.dt
    rtol: Positive = entities.Simulation.rtol
    atol: Positive = entities.Simulation.atol


_IGNORABLE = {"anyOf": [{"const": "auto"}, {"type": "array", "items": {"type": "string"}}]}


class Document(Table):
    """A whole spec."""

    version: Annotated[int, PlainValidator(known_version), WithJsonSchema({"const": 1})] = Field(alias="schema")
    name: Annotated[str, AfterValidator(identifier)]
    about: str = entities.Mechanism.about
    ignorable: Annotated[Any, PlainValidator(names_or("auto")), WithJsonSchema(_IGNORABLE)] = "auto"
    work: bool = entities.Mechanism.work
    include: dict[Key, Annotated[Include, BeforeValidator(short("spec"), str | Include)]] = {}
    parameters: dict[Key, Annotated[Parameter, BeforeValidator(short("value"), Exact | Parameter)]] = {}
    signals: dict[Key, Annotated[Signal, BeforeValidator(short("value"), Exact | Signal)]] = {}
    coordinates: dict[Key, Coordinate] = {}
    expressions: dict[Key, Exact] = {}
    frames: dict[Key, Frame] = {}
    points: dict[Key, Point] = {}
    bodies: dict[Key, Body] = {}
    joints: dict[Key, Joint] = {}
    gravity: dict[str, Triple] = {}
    potentials: dict[Key, Exact] = {}
    springs: dict[Key, Spring] = {}
    dampers: dict[Key, Damper] = {}
    actuators: dict[Key, Actuator] = {}
    frictions: dict[Key, Friction] = {}
    forces: dict[Key, Force] = {}
    torques: dict[Key, Torque] = {}
    generalized_forces: dict[str, Exact] = {}
    armatures: dict[str, Exact] = {}
    constraints: dict[Key, Annotated[Constraint, BeforeValidator(short("expression"), Exact | Constraint)]] = {}
    quasi_velocities: Annotated[
        dict[Key, Exact],
        BeforeValidator(lambda given: {} if given == "auto" else given, Literal["auto"] | dict[Key, Exact]),
    ] = {}
    outputs: dict[RowKey, Annotated[Output, BeforeValidator(short("value"), Exact | Output)]] = {}
    events: dict[Key, Event] = {}
    start: Start = Start()
    simulation: Simulation = Simulation()


def json_schema() -> dict[str, Any]:
    """The JSON schema of the language, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema(by_alias=True)}
