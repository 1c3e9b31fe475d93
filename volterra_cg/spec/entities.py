"""The entities of a mechanism, each described once: a spec is read into them, and a system is made of them.

They are generic in their scalars: a spec has nodes of its expressions, a system has sympy's. The defaults of the language
that are not scalars are taken from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volterra_cg.integrators import ATOL, RTOL
from volterra_cg.spec.tree import CoordinateRef, Entity, FrameRef, PointRef, Ref, S, Triple

INERTIAL_FRAME = FrameRef("N")
FIXED_POINT = PointRef("O")


@dataclass(frozen=True)
class Parameter(Entity[S]):
    """A number that may change between runs; a fixed one is part of the equations.

    A derived one depends on others and is replaced by its expression wherever it is used.
    """

    name: Ref
    value: S
    derived: bool = False
    fixed: bool = False
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class Signal(Entity[S]):
    """An input set at run time, and its value if it is not; one with an `expression` is replaced by it instead."""

    name: Ref
    value: float = 0.0
    expression: S | None = None
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class Coordinate(Entity[S]):
    """A generalized coordinate with its initial value and rate, functions of the parameters."""

    name: Ref
    initial: S
    rate: S
    unit: str = ""
    about: str = ""


@dataclass(frozen=True)
class Turn(Entity[S]):
    """A rotation by `angle` about `axis`, a direction in the axes reached so far; in a system it is a unit vector."""

    axis: Triple[S]
    angle: S


@dataclass(frozen=True)
class Cosines(Entity[S]):
    """A rotation by its direction cosines: row i holds the parent's axis i in the axes of the child."""

    rows: tuple[Triple[S], Triple[S], Triple[S]]


@dataclass(frozen=True)
class Quaternion(Entity[S]):
    """A rotation by a unit quaternion, scalar part first."""

    parts: tuple[S, S, S, S]


Rotation = Turn[S] | Cosines[S] | Quaternion[S]


@dataclass(frozen=True)
class Frame(Entity[S]):
    """Axes reached from the parent's by successive rotations."""

    name: Ref
    parent: FrameRef
    rotations: tuple[Rotation[S], ...] = ()


@dataclass(frozen=True)
class Point(Entity[S]):
    """A point at `offset`, in the axes of `frame`, from `origin`."""

    name: Ref
    origin: PointRef
    frame: FrameRef
    offset: Triple[S]


@dataclass(frozen=True)
class Inertia(Entity[S]):
    """The entries that are given of a central inertia tensor, in the axes of `frame` (None: the body's own)."""

    entries: Mapping[str, S]
    frame: FrameRef | None = None


@dataclass(frozen=True)
class Shape(Entity[S]):
    """A uniform solid of the body's mass: box, plate, rod, cylinder, sphere, ring or disc; `axis` is 0, 1 or 2."""

    kind: str
    sizes: tuple[S, ...]
    axis: int


@dataclass(frozen=True)
class Mesh(Entity[Any]):
    """Triangles of an STL file: its name, and their corners as text (see stl.py)."""

    file: str
    corners: str


@dataclass(frozen=True)
class Drawn(Entity[S]):
    """What pictures show of a body: a solid, or `scale` times a mesh, turned and moved in the axes of `frame` (None: N)."""

    what: Shape[S] | Mesh
    frame: FrameRef | None
    scale: S
    at: Triple[S]
    rotate: tuple[Turn[S], ...] = ()


@dataclass(frozen=True)
class Body(Entity[S]):
    """A rigid body, or a particle where neither inertia nor shape is given."""

    name: Ref
    mass: S
    center: PointRef
    frame: FrameRef | None = None
    inertia: Inertia[S] | Shape[S] | None = None
    drawn: Drawn[S] | None = None


@dataclass(frozen=True)
class Gravity(Entity[S]):
    """A uniform field; `acceleration` in the axes of a frame that does not turn."""

    frame: FrameRef
    acceleration: Triple[S]


@dataclass(frozen=True)
class Quantity(Entity[S]):
    """A named scalar: a potential, a quasi-velocity or an output, or by a coordinate a generalized force or an armature."""

    name: Ref
    value: S
    unit: str = ""


@dataclass(frozen=True)
class Force(Entity[S]):
    """A force at a point, in the axes of `frame`, and the point that feels the opposite one."""

    name: Ref
    at: PointRef
    frame: FrameRef
    vector: Triple[S]
    reaction: PointRef | None = None


@dataclass(frozen=True)
class Torque(Entity[S]):
    """A torque on a frame, in the axes of `frame`, and the frame that feels the opposite one."""

    name: Ref
    on: FrameRef
    frame: FrameRef
    vector: Triple[S]
    reaction: FrameRef | None = None


@dataclass(frozen=True)
class PointLink(Entity[Any]):
    """The line between two points, along which a load acts."""

    first: PointRef
    second: PointRef


@dataclass(frozen=True)
class FrameLink(Entity[Any]):
    """The turn of the second frame in the first, about an axis of the first (None: in all directions)."""

    first: FrameRef
    second: FrameRef
    axis: int | None = None


@dataclass(frozen=True)
class CoordinateLink(Entity[Any]):
    """A coordinate, along which a load acts."""

    coordinate: CoordinateRef


Link = PointLink | FrameLink | CoordinateLink  # what a load acts across


@dataclass(frozen=True)
class Spring(Entity[S]):
    """A linear spring; `length` is that at rest, or the angle or coordinate."""

    name: Ref
    link: Link
    stiffness: S
    length: S


@dataclass(frozen=True)
class Damper(Entity[S]):
    """A linear damper."""

    name: Ref
    link: Link
    damping: S


@dataclass(frozen=True)
class Actuator(Entity[S]):
    """A force along a link, positive where it makes it longer."""

    name: Ref
    link: Link
    force: S


@dataclass(frozen=True)
class Friction(Entity[S]):
    """-(dry tanh(v / speed) + viscous v) along a link that grows at v."""

    name: Ref
    link: Link
    dry: S
    viscous: S
    speed: S | None = None


@dataclass(frozen=True)
class Constraint(Entity[S]):
    """`value` = 0: of positions if `holonomic` (we differentiate it), else affine in the velocities."""

    name: Ref
    value: S
    holonomic: bool


@dataclass(frozen=True)
class Coincide(Entity[Any]):
    """Two points that stay together, by components along axes of `frame`."""

    name: Ref
    ends: tuple[PointRef, PointRef]
    frame: FrameRef
    along: tuple[int, ...]


@dataclass(frozen=True)
class Align(Entity[Any]):
    """An axis of each of two frames that stay parallel, by components along other axes of the first frame."""

    name: Ref
    frames: tuple[FrameRef, FrameRef]
    axes: tuple[int, int]
    along: tuple[int, ...]


@dataclass(frozen=True)
class Distance(Entity[S]):
    """Two points that keep their distance."""

    name: Ref
    ends: tuple[PointRef, PointRef]
    equals: S


@dataclass(frozen=True)
class Roll(Entity[S]):
    """A body that rolls: where it touches, it has the velocity of the surface.

    The body and the surface are each given by a point and a frame that move with them. The contact is the point
    `contact`, or lies at `radius` from the body's point against the axis `normal` of the frame `upright`; with an
    `axis` of the body, on the rim of a disc around it, where that is lowest.
    """

    name: Ref
    origin: PointRef
    frame: FrameRef
    surface_origin: PointRef
    surface_frame: FrameRef
    contact: PointRef | None
    radius: S | None
    upright: FrameRef
    normal: int
    axes_frame: FrameRef
    along: tuple[int, ...]
    axis: int | None = None


AnyConstraint = Constraint[S] | Coincide | Align | Distance[S] | Roll[S]
Settable = Literal["coordinate", "rate", "parameter"]


@dataclass(frozen=True)
class Change(Entity[S]):
    """What an event makes of a coordinate, the rate of one, or a parameter: a function of the state before."""

    kind: Settable
    name: Ref
    value: S


@dataclass(frozen=True)
class Event(Entity[S]):
    """What happens where `when` crosses zero: some quantities are set, or bodies rebound with a `restitution`.

    Then the rates follow from Newton's law of impact along the gradient of `when`, which holds positions and time alone.
    """

    name: Ref
    when: S
    direction: Literal["rising", "falling", "both"] = "both"
    terminal: bool = False
    set: tuple[Change[S], ...] = ()
    restitution: S | None = None


@dataclass(frozen=True)
class Simulation(Entity[Any]):
    """What `simulate` does unless told otherwise."""

    t_end: float = 10.0
    dt: float = 0.01
    rtol: float = RTOL
    atol: float = ATOL


@dataclass(frozen=True)
class Mechanism(Entity[S]):
    """A whole mechanism, as it is told. The order of entities is that of the telling; `ignorable` None means: find them.

    `project` are the coordinates that may be changed to make the start satisfy the constraints, or whether all may.
    """

    name: str
    about: str = ""
    ignorable: tuple[CoordinateRef, ...] | None = None
    work: bool = False
    parameters: tuple[Parameter[S], ...] = ()
    signals: tuple[Signal[S], ...] = ()
    coordinates: tuple[Coordinate[S], ...] = ()
    frames: tuple[Frame[S], ...] = ()
    points: tuple[Point[S], ...] = ()
    bodies: tuple[Body[S], ...] = ()
    gravity: Gravity[S] | None = None
    potentials: tuple[Quantity[S], ...] = ()
    springs: tuple[Spring[S], ...] = ()
    dampers: tuple[Damper[S], ...] = ()
    actuators: tuple[Actuator[S], ...] = ()
    frictions: tuple[Friction[S], ...] = ()
    forces: tuple[Force[S], ...] = ()
    torques: tuple[Torque[S], ...] = ()
    generalized_forces: tuple[Quantity[S], ...] = ()
    armatures: tuple[Quantity[S], ...] = ()
    constraints: tuple[AnyConstraint[S], ...] = ()
    quasi_velocities: tuple[Quantity[S], ...] = ()
    outputs: tuple[Quantity[S], ...] = ()
    events: tuple[Event[S], ...] = ()
    project: tuple[CoordinateRef, ...] | bool = False
    simulation: Simulation = Simulation()
