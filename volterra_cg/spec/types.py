"""What a spec says, as frozen pieces with their expressions parsed and every name resolved to something that exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from volterra_cg.errors import Place, Problem
from volterra_cg.spec.expressions import Node


@dataclass(frozen=True)
class Expression:
    """An expression, the text it was read from, and where it stands."""

    text: str
    node: Node
    place: Place


Triple = tuple[Expression, Expression, Expression]


@dataclass(frozen=True)
class ParameterEntry:
    """A parameter; a derived one depends on others and is replaced by its expression wherever it is used."""

    name: str
    value: Expression
    derived: bool = False
    fixed: bool = False
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class SignalEntry:
    """An input set at run time, and its value if it is not; one with an `expression` is replaced by it instead."""

    name: str
    value: float = 0.0
    expression: Expression | None = None
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class CoordinateEntry:
    """A generalized coordinate with its initial value and rate, functions of the parameters."""

    name: str
    initial: Expression
    rate: Expression
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class TurnEntry:
    """A rotation about a direction (not normalised) of the axes reached so far."""

    axis: Triple
    angle: Expression


@dataclass(frozen=True)
class FrameEntry:
    """A frame; one of `turns`, `cosines`, `quaternion` says how it stands in its parent, or it does not turn."""

    name: str
    parent: str
    turns: tuple[TurnEntry, ...] = ()
    cosines: tuple[Triple, Triple, Triple] | None = None
    quaternion: tuple[Expression, Expression, Expression, Expression] | None = None


@dataclass(frozen=True)
class PointEntry:
    """A point at `at`, in the axes of `frame`, from `origin`."""

    name: str
    origin: str
    frame: str
    at: Triple


@dataclass(frozen=True)
class InertiaEntry:
    """The entries that are given of a central inertia tensor, in the axes of `frame` (None: the body's own)."""

    entries: Mapping[str, Expression]
    frame: str | None = None


@dataclass(frozen=True)
class ShapeEntry:
    """A uniform solid of the body's mass: box, plate, rod, cylinder, sphere or ring; `axis` is 0, 1 or 2."""

    kind: str
    sizes: tuple[Expression, ...]
    axis: int


@dataclass(frozen=True)
class BodyEntry:
    """A rigid body, or a particle where neither inertia nor shape is given."""

    name: str
    mass: Expression
    center: str
    frame: str | None = None
    inertia: InertiaEntry | ShapeEntry | None = None


@dataclass(frozen=True)
class GravityEntry:
    """A uniform field."""

    frame: str
    vector: Triple


@dataclass(frozen=True)
class LoadEntry:
    """A force at a point or a torque on a frame, and the point or frame that feels the opposite one."""

    name: str
    on: str
    frame: str
    vector: Triple
    reaction: str | None = None


@dataclass(frozen=True)
class ScalarEntry:
    """A named scalar: a potential, a generalized force (named by its coordinate), a quasi-velocity or an output."""

    name: str
    value: Expression


@dataclass(frozen=True)
class LinkEntry:
    """What a load acts across: "points" (two), "frames" (two, about an axis of the first) or a "coordinate".

    `axis` None, for frames, means all three directions.
    """

    kind: Literal["points", "frames", "coordinate"]
    ends: tuple[str, ...]
    axis: int | None = None


@dataclass(frozen=True)
class SpringEntry:
    """A linear spring; `length` is that at rest, or the angle or coordinate."""

    name: str
    link: LinkEntry
    stiffness: Expression
    length: Expression


@dataclass(frozen=True)
class DamperEntry:
    """A linear damper."""

    name: str
    link: LinkEntry
    damping: Expression


@dataclass(frozen=True)
class ActuatorEntry:
    """A force along a link, positive where it makes it longer."""

    name: str
    link: LinkEntry
    force: Expression


@dataclass(frozen=True)
class FrictionEntry:
    """-(dry tanh(v / speed) + viscous v) along a link that grows at v."""

    name: str
    link: LinkEntry
    dry: Expression
    viscous: Expression
    speed: Expression | None = None


@dataclass(frozen=True)
class ConstraintEntry:
    """`value` = 0, of positions if `holonomic`, else of velocities."""

    name: str
    value: Expression
    holonomic: bool


@dataclass(frozen=True)
class CoincideEntry:
    """Two points that stay together, by components along axes of `frame`."""

    name: str
    ends: tuple[str, str]
    frame: str
    along: tuple[int, ...]


@dataclass(frozen=True)
class AlignEntry:
    """An axis of each of two frames that stay parallel, by components along other axes of the first frame."""

    name: str
    frames: tuple[str, str]
    axes: tuple[int, int]
    along: tuple[int, ...]


@dataclass(frozen=True)
class DistanceEntry:
    """Two points that keep their distance."""

    name: str
    ends: tuple[str, str]
    equals: Expression


@dataclass(frozen=True)
class RollEntry:
    """A body that rolls: where it touches, it has the velocity of the surface.

    The body and the surface are each given by a point and a frame that move with them. The contact is the point
    `contact`, or lies at `radius` from the body's point against the axis `normal` of the frame `upright`.
    """

    name: str
    origin: str
    frame: str
    surface_origin: str
    surface_frame: str
    contact: str | None
    radius: Expression | None
    upright: str
    normal: int
    axes_frame: str
    along: tuple[int, ...]


AnyConstraint = ConstraintEntry | CoincideEntry | AlignEntry | DistanceEntry | RollEntry


@dataclass(frozen=True)
class SetEntry:
    """What an event makes of a coordinate, the rate of one, or a parameter."""

    kind: Literal["coordinate", "rate", "parameter"]
    name: str
    value: Expression


@dataclass(frozen=True)
class EventEntry:
    """What happens where `when` crosses zero: some quantities are set, or bodies rebound with a `restitution`."""

    name: str
    when: Expression
    direction: Literal["rising", "falling", "both"]
    terminal: bool
    set: tuple[SetEntry, ...]
    restitution: Expression | None = None


@dataclass(frozen=True)
class SimulationEntry:
    """What `simulate` does unless told otherwise."""

    t_end: float = 10.0
    dt: float = 0.01
    rtol: float = 1e-8
    atol: float = 1e-10


@dataclass(frozen=True)
class Spec:
    """A whole spec, valid as far as it can be judged without mechanics. The order of entries is that of the file.

    `places` and `texts`, the lines of each file, also cover the specs that are included.
    """

    name: str
    about: str
    ignorable: tuple[str, ...] | None
    work: bool
    parameters: tuple[ParameterEntry, ...]
    signals: tuple[SignalEntry, ...]
    coordinates: tuple[CoordinateEntry, ...]
    frames: tuple[FrameEntry, ...]
    points: tuple[PointEntry, ...]
    bodies: tuple[BodyEntry, ...]
    gravity: GravityEntry | None
    potentials: tuple[ScalarEntry, ...]
    springs: tuple[SpringEntry, ...]
    dampers: tuple[DamperEntry, ...]
    forces: tuple[LoadEntry, ...]
    torques: tuple[LoadEntry, ...]
    generalized_forces: tuple[ScalarEntry, ...]
    actuators: tuple[ActuatorEntry, ...]
    frictions: tuple[FrictionEntry, ...]
    constraints: tuple[AnyConstraint, ...]
    quasi_velocities: tuple[ScalarEntry, ...]
    outputs: tuple[ScalarEntry, ...]
    events: tuple[EventEntry, ...]
    project: tuple[str, ...] | bool
    simulation: SimulationEntry
    warnings: tuple[Problem, ...] = ()
    file: str = field(default="", compare=False)
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict, compare=False, repr=False)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the spec's own file."""
        return self.texts.get(self.file, ())

    def place(self, table: str, key: str = "") -> Place:
        """Where an entry stands, or the one it is a row of, or its table, or the start of the file."""
        keys = (key, key.partition(".")[0], "")
        return next((self.places[table, k] for k in keys if (table, k) in self.places), Place(self.file, 1, 1))

    def problem(self, subject: tuple[str, str], message: str, remedy: str = "") -> Problem:
        """A problem at an entry, with its line, for what later stages find."""
        place = self.place(*subject)
        lines = self.texts.get(place.file, ())
        return Problem(place, message, remedy, lines[place.line - 1] if place.line <= len(lines) else "")
