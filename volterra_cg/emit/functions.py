"""The functions of a generated model: what they are called with, where their inputs are and where their results go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from volterra_cg.elimination.assemble import Assembly
from volterra_cg.elimination.reactions import acceleration_inputs
from volterra_cg.emit.lanes import LaneLister, in_lanes
from volterra_cg.emit.listing import Bound, LimitLister, Lister, Listing, PrepareLister
from volterra_cg.emit.statements import Place
from volterra_cg.emit.waves import WaveLister
from volterra_cg.formulations.problem import Problem
from volterra_cg.kinematics.scene import SceneNodes
from volterra_cg.kinematics.types import Limit
from volterra_cg.program.nodes import Array, Const, Input, Node, Role, topological
from volterra_cg.program.types import Entry, Program

_REST = ("w", "g", "signals", "scratch", "where")
LARGE = 1000  # operations of an rhs from which on motion may follow from its results


@dataclass(frozen=True)
class Function:
    """A function of C: its arguments in order, and which of them it fills.

    `classical` is its title where the formulation is a classical one; `member` says that the table of the model has it.
    """

    name: str
    title: str
    arguments: tuple[str, ...]
    results: tuple[str, ...] = ()
    classical: str = ""
    member: bool = True

    @property
    def signature(self) -> str:
        """The arguments with their types."""
        return ", ".join(map(self._typed, self.arguments))

    def _typed(self, argument: str) -> str:
        if argument == "t":
            return "double t"
        if argument == "where":
            return "int *where"
        return f"double *{argument}" if argument in (*self.results, "scratch") else f"const double *{argument}"


TABLE = (
    Function(
        "limits",
        "Whether bodies of these parameters exist; `where` counts the limits of the report.",
        ("p", "where"),
        member=False,
    ),
    Function("prepare", "All that depends on parameters alone.", ("p", "w", "where"), ("w",)),
    Function("initial", "The start values of the spec.", ("p", "q", "qd", "where"), ("q", "qd")),
    Function(
        "start",
        "States and conserved momenta, Eqs. (42) and (26), from coordinates and rates.",
        ("t", "q", "qd", "w", "z", "g", "where"),
        ("z", "g"),
        "States, and conserved momenta where they are embedded, from coordinates and rates.",
    ),
    Function(
        "rhs",
        "The derivative of the state, Eq. (67).",
        ("t", "z", "dz", *_REST),
        ("dz",),
        "The derivative of the state.",
    ),
    Function("motion", "Rates and accelerations of all coordinates.", ("t", "z", "y", *_REST), ("y",), member=False),
    Function(
        "measure",
        "Energies, momenta, residuals of the constraints and the outputs of the spec.",
        ("t", "z", "y", *_REST),
        ("y",),
        member=False,
    ),
    Function(
        "matrices",
        "M_NI and L_NI of Eq. (64).",
        ("t", "z", "mass", "forcing", *_REST),
        ("mass", "forcing"),
        "The matrix and the right side of the equations of motion.",
    ),
    Function(
        "gaps",
        "The holonomic constraints and their derivatives by the coordinates.",
        ("t", "z", "gap", "slopes", *_REST),
        ("gap", "slopes"),
    ),
    Function(
        "frame",
        "The rows that must be independent: quasi-velocities, conserved momenta and constraints.",
        ("t", "z", "rows", *_REST),
        ("rows",),
    ),
    Function("changes", "Coordinates, rates and parameters after each event.", ("t", "z", "after", *_REST), ("after",)),
    Function("scene", "Where everything is that a picture shows.", ("t", "x", "p", "s", "scratch", "where"), ("s",)),
    Function("jacobian", "The derivatives of rhs by the state.", ("t", "z", "dfdz", *_REST), ("dfdz",)),
    Function(
        "sensitivity",
        "The derivatives of rhs by parameters, momenta and signals.",
        ("t", "z", "dfdp", *_REST),
        ("dfdp",),
    ),
    Function(
        "start_sensitivity",
        "The derivatives of states and momenta by coordinates, rates and parameters.",
        ("t", "q", "qd", "slopes", "w", "where"),
        ("slopes",),
    ),
)
FUNCTIONS = {function.name: function for function in TABLE}
FOLLOWING = Function(
    "motion",
    "Rates and accelerations of all coordinates, from the derivative of the state.",
    ("t", "z", "dz", "y", *_REST),
    ("y",),
    member=False,
)  # what `motion` is where rhs is called before it
DERIVATIVES = ("jacobian", "sensitivity", "start_sensitivity")


@dataclass
class Layout:
    """Knows where each function of a model finds its inputs and leaves its results; `fused` is the arithmetic of rhs."""

    problem: Problem
    assembly: Assembly
    work: bool
    scene: SceneNodes | None = None
    fused: bool = False
    program: Program = field(init=False)
    count: int = field(init=False)  # of coordinates
    follows: bool = field(
        init=False, default=False
    )  # whether `motion` takes what rhs has computed; known with the listings

    def __post_init__(self) -> None:
        self.program = self.assembly.program
        self.count = len(self.problem.kinematics.inputs.coordinates)

    @property
    def states(self) -> int:
        """How many there are: coordinates, quasi-velocities and the work."""
        return self.count + len(self.problem.speeds) + self.work

    @property
    def outputs(self) -> int:
        """How many numbers `output` gives."""
        last = self.assembly.slots[-1]
        return last.offset + last.size

    @property
    def holonomic(self) -> int:
        """How many constraints are on positions."""
        return sum(row.position is not None for row in self.problem.kinematics.rows)

    @property
    def redundant(self) -> int:
        """How many of the constraints on positions follow from the others."""
        return sum(row.position is not None for row in self.problem.kinematics.redundant)

    @property
    def framed(self) -> int:
        """How many rows `frame` has; 0 if the model has one chart only."""
        return len(self.program.entry("frame").results) // self.count if self._has("frame") else 0

    @property
    def has_matrices(self) -> bool:
        """Whether the equations of motion have a matrix that can be shown."""
        return bool(self.program.entry("matrices").results) or not self.problem.speeds

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What parameters have to keep to."""
        return self.problem.kinematics.limits

    def listings(self) -> dict[str, Listing]:
        """The functions that the model has."""
        rhs = self._listing("rhs")
        made = {"rhs": rhs, "prepare": self._prepare_listing(rhs.guarded)}
        if rhs.cost.total > LARGE:
            following = self._following_listing()
            self.follows = 2 * following.cost.total <= rhs.cost.total
            made |= {"motion": following} if self.follows else {}
        return {name: made.get(name) or self._listing(name) for name in FUNCTIONS if self._has(name)}

    def function(self, name: str) -> Function:
        """How a function is called here."""
        return FOLLOWING if name == "motion" and self.follows else FUNCTIONS[name]

    def _following_listing(self) -> Listing:
        """`motion` of a large model: what rhs has computed, whatever its form, is taken from there."""
        entry, leaves = self.program.entry("motion"), self._leaves("motion")
        computed = {
            node.fingerprint: Place("dz", i)
            for i, node in enumerate(self.program.entry("rhs").results)
            if not isinstance(node, (Const, Input))
        }
        below = (
            node for node in topological(entry.results) if node not in leaves and not isinstance(node, (Array, Const))
        )
        leaves |= {node: computed[node.fingerprint] for node in below if node.fingerprint in computed}
        return Lister(entry, leaves, self._targets("motion"), self.program.checks).listing()

    def _has(self, name: str) -> bool:
        if name == "limits":
            return bool(self.limits)
        if name == "scene":
            return self.scene is not None and bool(self.scene.nodes)
        return name == "prepare" or any(entry.name == name for entry in self.program.entries)

    def _listing(self, name: str) -> Listing:
        if name == "limits":
            return self._limits_listing()
        if name == "scene":
            return self._scene_listing()
        rhs = name == "rhs"
        fused, guards = self.fused and rhs, self._bounds if rhs else None
        lister = WaveLister if fused else Lister
        return lister(
            self.program.entry(name), self._leaves(name), self._targets(name), self.program.checks, guards, fused
        ).listing()

    def _prepare_listing(self, guarded: Sequence[int]) -> Listing:
        limits = [(self.program.checks[number].limit, self._bounds(slot)) for slot, number in enumerate(guarded)]
        entry, name = Entry("prepare", self.program.prepared), "prepare"
        return PrepareLister(
            entry, self._leaves(name), self._targets(name), self.program.checks, limits=limits
        ).listing()

    def _bounds(self, slot: int) -> tuple[Place, Place]:
        """Where the bounds of a guarded divisor are: after the prepared nodes."""
        first = len(self.program.prepared) + 2 * slot
        return Place("w", first), Place("w", first + 1)

    def _limits_listing(self) -> Listing:
        nodes = tuple(node for limit in self.limits for node in limit.least)
        bounds = [Bound(number, limit.reached) for number, limit in enumerate(self.limits) for _ in limit.least]
        leaves: dict[Node, Place] = {node: Place("p", node.index) for limit in self.limits for node in limit.parameters}
        return LimitLister(Entry("limits", nodes), leaves, (), (), bounds=bounds).listing()

    def _scene_listing(self) -> Listing:
        assert self.scene is not None  # there is such a function
        inputs, nodes = self.scene.inputs, self.scene.nodes
        leaves: dict[Node, Place] = {inputs.time: Place("t")}
        moving = (*inputs.coordinates, *inputs.rates, *inputs.signals)
        leaves |= {node: Place("x", i) for i, node in enumerate(moving)}
        leaves |= {node: Place("p", i) for i, node in enumerate(inputs.parameters)}
        return Lister(Entry("scene", nodes), leaves, [Place("s", i) for i in range(len(nodes))], ()).listing()

    def lanes(self) -> dict[str, Any]:
        """The vector form of rhs."""
        leaves = {node: in_lanes(place) for node, place in self._leaves("rhs").items()}
        targets = [in_lanes(place) for place in self._targets("rhs")]
        entry, checks = self.program.entry("rhs"), self.program.checks
        return LaneLister(entry, leaves, targets, checks, self._lane_bounds, self.fused).page()

    def _lane_bounds(self, slot: int) -> tuple[Place, Place]:
        low, high = self._bounds(slot)
        return in_lanes(low), in_lanes(high)

    def _leaves(self, name: str) -> dict[Node, Place]:
        """The inputs of a function."""
        inputs, problem = self.problem.kinematics.inputs, self.problem
        leaves: dict[Node, Place] = {inputs.time: Place("t")}
        if name in ("prepare", "initial"):
            return leaves | {node: Place("p", i) for i, node in enumerate(inputs.parameters)}
        state = "q" if name in ("start", "start_sensitivity") else "z"
        rates = {"start": "qd", "start_sensitivity": "qd", "measure": "y"}.get(name)
        leaves |= {node: Place(state, i) for i, node in enumerate(inputs.coordinates)}
        if rates:
            leaves |= {node: Place(rates, i) for i, node in enumerate(inputs.rates)}
        if name == "measure":
            accelerations = acceleration_inputs(problem.kinematics)
            leaves |= {node: Place("y", self.count + i) for i, node in enumerate(accelerations)}
        leaves |= {node: Place("z", self.count + i) for i, node in enumerate(problem.speed_inputs)}
        leaves |= {node: Place("g", i) for i, node in enumerate(problem.momentum_inputs)}
        leaves |= {node: Place("signals", i) for i, node in enumerate(inputs.signals)}
        leaves[problem.kinematics.graph.input(Role.WORK, 0, "work")] = Place("z", self.states - 1)
        return leaves | {node: Place("w", i) for i, node in enumerate(self.program.prepared)}

    def _targets(self, name: str) -> list[Place]:
        """Where the results of a function go."""
        if name in DERIVATIVES:
            [array] = FUNCTIONS[name].results
            return [Place(array, i) for i in range(len(self.program.entry(name).results))]
        count, speeds, momenta = self.count, len(self.problem.speeds), len(self.problem.momentum_inputs)
        changed = 2 * count + len(self.problem.kinematics.inputs.parameters)
        stretches = {
            "prepare": [("w", 0, len(self.program.prepared))],
            "initial": [("q", 0, count), ("qd", 0, count)],
            "start": [("z", 0, self.states), ("g", 0, momenta)],
            "rhs": [("dz", 0, self.states)],
            "motion": [("y", 0, 2 * count)],
            "measure": [("y", 2 * count, self.outputs - 2 * count)],
            "matrices": [("mass", 0, speeds * speeds), ("forcing", 0, speeds)] if self.has_matrices else [],
            "changes": [("after", 0, len(self.problem.kinematics.events) * changed)],
            "frame": [("rows", 0, self.framed * count)],
            "gaps": [("gap", 0, self.holonomic), ("slopes", 0, self.holonomic * count)],
        }
        return [Place(array, first + i) for array, first, size in stretches[name] for i in range(size)]
