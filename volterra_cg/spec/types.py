"""What a spec says, as frozen pieces with their expressions parsed and every name resolved to something that exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    """An input set at run time, and its value if it is not."""

    name: str
    value: float = 0.0
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
class SpringEntry:
    """A spring between two points; `length` is that at rest."""

    name: str
    ends: tuple[str, str]
    stiffness: Expression
    length: Expression


@dataclass(frozen=True)
class DamperEntry:
    """A damper between two points, along the line that joins them."""

    name: str
    ends: tuple[str, str]
    damping: Expression


@dataclass(frozen=True)
class ConstraintEntry:
    """`value` = 0, of positions if `holonomic`, else of velocities."""

    name: str
    value: Expression
    holonomic: bool


@dataclass(frozen=True)
class SimulationEntry:
    """What `simulate` does unless told otherwise."""

    t_end: float = 10.0
    dt: float = 0.01
    rtol: float = 1e-8
    atol: float = 1e-10


@dataclass(frozen=True)
class Spec:
    """A whole spec, valid as far as it can be judged without mechanics. The order of entries is that of the file."""

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
    constraints: tuple[ConstraintEntry, ...]
    quasi_velocities: tuple[ScalarEntry, ...]
    outputs: tuple[ScalarEntry, ...]
    simulation: SimulationEntry
    warnings: tuple[Problem, ...] = ()
    file: str = field(default="", compare=False)
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict, compare=False, repr=False)
    lines: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def place(self, table: str, key: str = "") -> Place:
        """Where an entry stands, or its table, or the start of the file."""
        return self.places.get((table, key)) or self.places.get((table, "")) or Place(self.file, 1, 1)

    def problem(self, subject: tuple[str, str], message: str, remedy: str = "") -> Problem:
        """A problem at an entry, with its line, for what later stages find."""
        place = self.place(*subject)
        source = self.lines[place.line - 1] if place.line <= len(self.lines) else ""
        return Problem(place, message, remedy, source)
