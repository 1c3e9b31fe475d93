"""What kinematics hands to the formulations: the motion of every body, linear in the rates, and what acts on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from volterra_cg.kinematics.axes import Axes, Matrix, Parts
from volterra_cg.kinematics.motion import FrameMotion, PointMotion
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Input, Node, topological


@dataclass(frozen=True)
class Inputs:
    """The inputs that the motion is written in. `rates` are inputs too, until a formulation gives them as functions."""

    time: Input
    coordinates: tuple[Input, ...]
    rates: tuple[Input, ...]
    parameters: tuple[Input, ...]
    signals: tuple[Input, ...]


@dataclass(frozen=True)
class BodyMotion:
    """A body: V = B q' + C and ω = D q' + E of Eq. (54), ω in body axes."""

    name: str
    mass: Node
    center: PointMotion
    frame: FrameMotion | None
    frame_number: int
    inertia: Matrix | None
    kinetic: Node
    potential: Node

    @property
    def coordinates(self) -> set[int]:
        """Those that move it, by number."""
        return {*self.center.columns, *(self.frame.columns if self.frame else ())}


@dataclass(frozen=True)
class Limit:
    """All of `least`, of parameters alone, are above zero, or with `reached` at least zero; else no body or impact is so."""

    what: str
    rule: str
    least: tuple[Node, ...]
    reached: bool

    @property
    def parameters(self) -> list[Input]:
        """The parameters that it is made of, in order."""
        inputs = [node for node in topological(self.least) if isinstance(node, Input)]
        return sorted(inputs, key=lambda node: node.index)


@dataclass(frozen=True)
class Meeting:
    """Two points that a constraint keeps together along one axis, by its index, of a frame that never turns."""

    ends: tuple[PointMotion, PointMotion]
    frame: int
    index: int


@dataclass(frozen=True)
class AffineRow:
    """A scalar affine in the rates, columns * q' + rest: `value`; `bias` is its time derivative at q'' = 0."""

    name: str
    columns: Mapping[int, Node]
    rest: Node
    value: Node
    bias: Node
    position: Node | None = None  # the holonomic form, where there is one
    number: int = 0  # of a constraint, among all of them
    meeting: Meeting | None = None  # what it says, where that is so simple


@dataclass(frozen=True)
class EventChange:
    """What an event sets, by the numbers of coordinates and parameters; rates are inputs in it.

    With a `restitution`, `gap` is the row whose rate of change turns round.
    """

    name: str
    direction: str
    terminal: bool
    coordinates: Mapping[int, Node]
    rates: Mapping[int, Node]
    parameters: Mapping[int, Node]
    gap: AffineRow | None = None
    restitution: Node | None = None

    @property
    def any(self) -> bool:
        """Whether the event changes anything."""
        return bool(self.coordinates or self.rates or self.parameters or self.gap)


@dataclass(frozen=True)
class Configurations:
    """Configurations at which a mechanism is tried, one entry of every array each.

    The first `near` of them are the start and others close to it, on the same branch of the constraints. `on_constraints`
    says whether the constraints on positions hold at all of them. `ways` keeps what `walked` found, by the constraints.
    """

    values: Mapping[Node, NDArray[np.float64]]
    near: int
    on_constraints: bool
    ways: dict[tuple[int, ...], dict[Node, NDArray[np.float64]]] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Kinematics:
    """A mechanism over program nodes.

    `given` are the spec's values of parameters and signals. `rotations` must vanish, by frame, for what the spec gives
    as a rotation to be one: what could not be proven. `outputs` may hold reactions as inputs. `forces` are the
    non-potential generalized forces Q, `conservative` is -dV/dq and `elastic` its part without weights, `potentials` are
    the energies by name.
    """

    graph: Graph
    axes: Axes
    frames: tuple[FrameMotion, ...]
    frame_names: tuple[str, ...]
    gravity: Parts
    inputs: Inputs
    given: Mapping[Node, float]
    rotations: Mapping[str, tuple[Node, ...]]
    bodies: tuple[BodyMotion, ...]
    constraints: tuple[AffineRow, ...]
    speeds: tuple[AffineRow, ...]
    forces: tuple[Node, ...]
    force_names: tuple[tuple[str, ...], ...]
    conservative: tuple[Node, ...]
    elastic: tuple[Node, ...]
    potentials: Mapping[str, Node]
    outputs: Mapping[str, Node]
    start: tuple[tuple[Node, ...], tuple[Node, ...]]
    notes: tuple[str, ...]
    joints: Mapping[str, Kinematics] = field(default_factory=dict)  # loosened, by those whose reactions are asked for
    events: tuple[EventChange, ...] = ()  # what each watches is an output of its name
    limits: tuple[Limit, ...] = ()  # of masses, sizes, inertias and restitutions that are not plain numbers
    project: tuple[str, ...] = ()  # coordinates that may be moved to satisfy the constraints at the start
    configurations: Configurations = field(default_factory=lambda: Configurations({}, 0, on_constraints=True))
    computed_signals: Mapping[str, Node] = field(default_factory=dict)  # those given by expressions
    redundant: tuple[AffineRow, ...] = ()  # constraints that hold by themselves where those in `constraints` do

    @property
    def rows(self) -> tuple[AffineRow, ...]:
        """All constraints, in an order that does not depend on which of them are redundant."""
        return tuple(sorted((*self.constraints, *self.redundant), key=lambda row: row.number))

    @cached_property
    def moved(self) -> tuple[tuple[BodyMotion, ...], ...]:
        """The bodies that each coordinate moves."""
        found: list[list[BodyMotion]] = [[] for _ in self.inputs.coordinates]
        for body in self.bodies:
            for j in body.coordinates:
                found[j].append(body)
        return tuple(tuple(bodies) for bodies in found)

    def coupled(self, j: int) -> list[int]:
        """The coordinates that move a body together with one."""
        return sorted({k for body in self.moved[j] for k in body.coordinates})

    @property
    def kinetic(self) -> Node:
        """The kinetic energy, Eq. (7)."""
        return self.graph.add(*(body.kinetic for body in self.bodies))

    @property
    def potential(self) -> Node:
        """The potential energy of gravity and of all that has a potential."""
        return self.graph.add(*(body.potential for body in self.bodies), *self.potentials.values())
