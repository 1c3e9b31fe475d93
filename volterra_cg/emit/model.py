"""A whole model as texts: the C file, its header, the Cython skin, the package and the report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from volterra_cg.elimination.assemble import Assembly
from volterra_cg.elimination.reactions import acceleration_inputs
from volterra_cg.emit.lanes import MOST_OPERATIONS, LaneLister
from volterra_cg.emit.listing import LimitLister, Lister, Listing, uses
from volterra_cg.emit.parts import Parts, in_parts
from volterra_cg.emit.sources import Sources
from volterra_cg.emit.templates import rendered
from volterra_cg.formulations.problem import ClassicalProblem, Problem
from volterra_cg.kinematics.types import AffineRow, EventChange, Limit
from volterra_cg.program.nodes import LDL, LU, Node, Role
from volterra_cg.program.types import Entry, Program
from volterra_cg.version import __version__

ABI = 2  # VCG_ABI_VERSION of vcg_model.h
_STATE = (
    "double t, const double *z, {out}, const double *w, const double *g, const double *signals, "
    "double *scratch, int *where"
)

SIGNATURES = {
    "limits": "const double *p, int *where",
    "prepare": "const double *p, double *w, int *where",
    "initial": "const double *p, double *q, double *qd, int *where",
    "start": "double t, const double *q, const double *qd, const double *w, double *z, double *g, int *where",
    "rhs": _STATE.format(out="double *dz"),
    "motion": _STATE.format(out="double *y"),
    "measure": _STATE.format(out="double *y"),
    "matrices": _STATE.format(out="double *mass, double *forcing"),
    "gaps": _STATE.format(out="double *gap, double *slopes"),
    "changes": _STATE.format(out="double *after"),
    "jacobian": _STATE.format(out="double *dfdz"),
    "sensitivity": _STATE.format(out="double *dfdp"),
    "start_sensitivity": "double t, const double *q, const double *qd, double *slopes, const double *w, int *where",
}
DERIVATIVES = ("jacobian", "sensitivity", "start_sensitivity")

TITLES = {
    "limits": "Whether bodies of these parameters exist; `where` counts the limits of the report.",
    "prepare": "All that depends on parameters alone.",
    "initial": "The start values of the spec.",
    "start": "States and conserved momenta, Eqs. (42) and (26), from coordinates and rates.",
    "rhs": "The derivative of the state, Eq. (67).",
    "motion": "Rates and accelerations of all coordinates.",
    "measure": "Energies, momenta, residuals of the constraints and the outputs of the spec.",
    "matrices": "M_NI and L_NI of Eq. (64).",
    "changes": "Coordinates, rates and parameters after each event.",
    "gaps": "The holonomic constraints and their derivatives by the coordinates.",
    "jacobian": "The derivatives of rhs by the state.",
    "sensitivity": "The derivatives of rhs by parameters, momenta and signals.",
    "start_sensitivity": "The derivatives of states and momenta by coordinates, rates and parameters.",
}


CLASSICAL_TITLES = {
    "start": "States, and conserved momenta where they are embedded, from coordinates and rates.",
    "rhs": "The derivative of the state.",
    "matrices": "The matrix and the right side of the equations of motion.",
}


@dataclass(frozen=True)
class Heading:
    """What the report says beyond what the program knows."""

    name: str
    spec_hash: str
    parameters: Mapping[str, float]
    signals: Mapping[str, float]
    units: Mapping[str, str]
    simulation: Mapping[str, float]
    work: bool


@dataclass(frozen=True)
class Route:
    """How the program came about: the elimination order, the operations of rhs in every order tried and after every pass."""

    order: str
    tried: Mapping[str, int]
    history: Mapping[str, int]
    level: int


def emit(problem: Problem, assembly: Assembly, heading: Heading, route: Route) -> Sources:
    """The sources of a model."""
    emission = _Emission(problem, assembly, heading)
    listings = {name: emission.listing(name) for name in SIGNATURES if emission.has(name)}
    report = emission.report(listings) | {"optimise": asdict(route)}
    symbol = f"vcg_model_{heading.name}"
    shared = {"name": heading.name, "symbol": symbol, "version": __version__}
    lanes = emission.lanes() if listings["rhs"].cost.total <= MOST_OPERATIONS else None
    files = {
        f"{heading.name}.c": rendered("model.c.j2", **shared, **emission.page(listings), lanes=lanes),
        f"{heading.name}.h": rendered("model.h.j2", **shared),
        "_model.pyx": rendered("_model.pyx.j2", name=heading.name, symbol=symbol),
        "__init__.py": rendered(
            "__init__.py.j2", name=heading.name, version=__version__, description=json.dumps(report, indent=1)
        ),
        "report.json": json.dumps(report, indent=1) + "\n",
    }
    if lanes:
        text = rendered("model_lanes.h.j2", name=heading.name, version=__version__, **lanes)
        files[f"{heading.name}_lanes.h"] = text
    return Sources(heading.name, files, report)


def parts_of(name: str, listing: Listing) -> Parts:
    """A function in parts, if it may use scratch."""
    return in_parts(listing.body) if "scratch" in SIGNATURES[name] else Parts((listing.body,), 0)


class _Emission:
    """Knows where each function finds its inputs and leaves its results."""

    def __init__(self, problem: Problem, assembly: Assembly, heading: Heading) -> None:
        self._problem = problem
        self._assembly = assembly
        self._program: Program = assembly.program
        self._heading = heading
        self._count = len(problem.kinematics.inputs.coordinates)
        self._speeds = len(problem.speeds)
        self._states = self._count + self._speeds + heading.work

    def has(self, name: str) -> bool:
        """Whether the model has a function."""
        if name == "limits":
            return bool(self._limits)
        return name == "prepare" or any(entry.name == name for entry in self._program.entries)

    def listing(self, name: str) -> Listing:
        """One function."""
        if name == "limits":
            return self._limits_listing()
        prepared = name == "prepare"
        entry = Entry(name, self._program.prepared) if prepared else self._program.entry(name)
        leaves = self._leaves(name)
        return Lister(entry, leaves, self._targets(name), self._program.checks).listing()

    def _limits_listing(self) -> Listing:
        nodes = tuple(node for limit in self._limits for node in limit.least)
        targets = [
            ("least" if limit.reached else "above", i) for i, limit in enumerate(self._limits) for _ in limit.least
        ]
        leaves: dict[Node, str] = {node: f"p[{node.index}]" for limit in self._limits for node in limit.parameters}
        return LimitLister(Entry("limits", nodes), leaves, targets, ()).listing()

    def lanes(self) -> dict[str, Any]:
        """The vector form of rhs."""
        leaves = self._leaves("rhs") | {self._problem.kinematics.inputs.time: "t[0]"}
        leaves = {node: f"{text}.x" for node, text in leaves.items()}
        return LaneLister(self._program.entry("rhs"), leaves, self._targets("rhs"), self._program.checks).page()

    def _leaves(self, name: str) -> dict[Node, str]:
        """The texts of the inputs of a function."""
        inputs, problem = self._problem.kinematics.inputs, self._problem
        leaves: dict[Node, str] = {inputs.time: "t"}
        if name in ("prepare", "initial"):
            return leaves | {node: f"p[{i}]" for i, node in enumerate(inputs.parameters)}
        state = "q" if name in ("start", "start_sensitivity") else "z"
        rates = {"start": "qd", "start_sensitivity": "qd", "measure": "y"}.get(name)
        leaves |= {node: f"{state}[{i}]" for i, node in enumerate(inputs.coordinates)}
        if rates:
            leaves |= {node: f"{rates}[{i}]" for i, node in enumerate(inputs.rates)}
        if name == "measure":
            accelerations = acceleration_inputs(problem.kinematics)
            leaves |= {node: f"y[{self._count + i}]" for i, node in enumerate(accelerations)}
        leaves |= {node: f"z[{self._count + i}]" for i, node in enumerate(problem.speed_inputs)}
        leaves |= {node: f"g[{i}]" for i, node in enumerate(problem.momentum_inputs)}
        leaves |= {node: f"signals[{i}]" for i, node in enumerate(inputs.signals)}
        leaves[problem.kinematics.graph.input(Role.WORK, 0, "work")] = f"z[{self._states - 1}]"
        return leaves | {node: f"w[{i}]" for i, node in enumerate(self._program.prepared)}

    def _targets(self, name: str) -> list[tuple[str, int]]:
        """Where the results of a function go."""
        count, speeds = self._count, self._speeds
        if name in DERIVATIVES:
            array = {"jacobian": "dfdz", "sensitivity": "dfdp"}.get(name, "slopes")
            return [(array, i) for i in range(len(self._program.entry(name).results))]
        stretches = {
            "prepare": [("w", 0, len(self._program.prepared))],
            "initial": [("q", 0, count), ("qd", 0, count)],
            "start": [("z", 0, self._states), ("g", 0, len(self._problem.momentum_inputs))],
            "rhs": [("dz", 0, self._states)],
            "motion": [("y", 0, 2 * count)],
            "measure": [("y", 2 * count, self._outputs - 2 * count)],
            "matrices": [("mass", 0, speeds * speeds), ("forcing", 0, speeds)] if self._has_matrices else [],
            "changes": [
                ("after", 0, len(self._events) * (2 * count + len(self._problem.kinematics.inputs.parameters)))
            ],
            "gaps": [("gap", 0, self._holonomic), ("slopes", 0, self._holonomic * count)],
        }
        return [(array, first + i) for array, first, size in stretches[name] for i in range(size)]

    @property
    def _has_matrices(self) -> bool:
        return bool(self._program.entry("matrices").results) or not self._speeds

    @property
    def _holonomic(self) -> int:
        return sum(row.position is not None for row in self._problem.kinematics.constraints)

    @property
    def _limits(self) -> tuple[Limit, ...]:
        return self._problem.kinematics.limits

    @property
    def _events(self) -> tuple[EventChange, ...]:
        return self._problem.kinematics.events

    @property
    def _outputs(self) -> int:
        last = self._assembly.slots[-1]
        return last.offset + last.size

    def page(self, listings: Mapping[str, Listing]) -> dict[str, Any]:
        """The variables of the C template."""
        titles = TITLES | CLASSICAL_TITLES if isinstance(self._problem, ClassicalProblem) else TITLES
        functions = []
        for name, listing in listings.items():
            signature = SIGNATURES[name]
            arguments = [part.split()[-1].lstrip("*") for part in signature.split(",")]
            bodies = parts_of(name, listing).bodies
            if name == "prepare" and self._limits:
                bodies = (f"    if (limits(p, where)) {{\n        return 2;\n    }}\n{bodies[0]}",)
            functions.append(
                {
                    "name": name,
                    "title": titles[name],
                    "signature": signature,
                    "arguments": ", ".join(arguments),
                    "parts": [
                        {"body": body, "unused": [argument for argument in arguments if not uses(body, argument)]}
                        for body in bodies
                    ],
                    "cost": listing.cost,
                }
            )
        solved = self._solves()
        return {
            "formulation": self._problem.formulation,
            "spec_hash": self._heading.spec_hash,
            "counts": self._counts() | {"scratch": max(parts_of(*item).scratch for item in listings.items())},
            "functions": functions,
            "members": [name for name in [*listings, "output"] if name not in ("limits", "motion", "measure")],
            "names": self._names(),
            "largest": {
                kind.word: max((matrix.size for matrix in solved if isinstance(matrix, kind)), default=0)
                for kind in (LU, LDL)
            },
            "output_signature": SIGNATURES["measure"],
        }

    def _solves(self) -> list[LU | LDL]:
        return [check.divisor for check in self._program.checks if isinstance(check.divisor, (LU, LDL))]

    def _counts(self) -> dict[str, int]:
        inputs = self._problem.kinematics.inputs
        return {
            "coordinates": self._count,
            "speeds": self._speeds,
            "states": self._states,
            "momenta": len(self._problem.momentum_inputs),
            "parameters": len(inputs.parameters),
            "prepared": len(self._program.prepared),
            "signals": len(inputs.signals),
            "scratch": 0,
            "outputs": self._outputs,
            "holonomic": self._holonomic,
            "events": len(self._events),
        }

    @property
    def _embedded(self) -> tuple[AffineRow, ...]:
        return self._problem.momenta if self._problem.momentum_inputs else ()

    def _state_names(self) -> list[str]:
        inputs = self._problem.kinematics.inputs
        names = [node.name for node in (*inputs.coordinates, *self._problem.speed_inputs)]
        return names + (["work"] if self._heading.work else [])

    def _names(self) -> list[tuple[str, str]]:
        rows = [(f"z[{i}]", name) for i, name in enumerate(self._state_names())]
        rows += [(f"g[{i}]", f"momentum of {row.name}") for i, row in enumerate(self._embedded)]
        return rows + [(f"p[{i}]", node.name) for i, node in enumerate(self._problem.kinematics.inputs.parameters)]

    def report(self, listings: Mapping[str, Listing]) -> dict[str, Any]:
        """The description of the model, keys in reading order."""
        problem, heading = self._problem, self._heading
        rhs = listings["rhs"].cost
        others = {name: listings[name].cost.total for name in ("prepare", *DERIVATIVES) if name in listings}
        constraints = len(problem.kinematics.constraints)
        return {
            "name": heading.name,
            "formulation": problem.formulation,
            "generator": __version__,
            "abi": ABI,
            "spec": heading.spec_hash,
            "m": self._count,
            "r": constraints,
            "p": self._count - constraints,
            "s": len(problem.momenta),
            "equations": self._speeds,
            "states": self._states,
            "coordinates": [node.name for node in problem.kinematics.inputs.coordinates],
            "ignorable": [row.name for row in problem.momenta],
            "embedded": [row.name for row in self._embedded],
            "quasi_velocities": [row.name for row in problem.speeds],
            "dropped_quasi_velocities": list(problem.dropped),
            "state_names": self._state_names(),
            "parameters": dict(heading.parameters),
            "signals": dict(heading.signals),
            "units": dict(heading.units),
            "constraints": [row.name for row in problem.kinematics.constraints],
            "outputs": [asdict(slot) for slot in self._assembly.slots],
            "events": [
                {"name": e.name, "output": e.name, "direction": e.direction, "terminal": e.terminal, "changes": e.any}
                for e in self._events
            ],
            "invariants": list(self._assembly.invariants),
            "checks": [check.label for check in self._program.checks],
            "limits": [
                {"what": limit.what, "rule": limit.rule, "parameters": [node.name for node in limit.parameters]}
                for limit in self._limits
            ],
            "matrices": self._has_matrices,
            "work": heading.work,
            "project": list(problem.kinematics.project),
            "operations": {"total": rhs.total, **asdict(rhs), **others},
            "simulation": dict(heading.simulation),
            "notes": list(problem.notes),
        }
