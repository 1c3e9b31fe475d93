"""A whole model as texts: the C file, its header, the Cython wrapper, the package and the report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from volterra_cg.elimination.assemble import Assembly
from volterra_cg.emit.functions import DERIVATIVES, FUNCTIONS, Function, Layout
from volterra_cg.emit.lanes import MOST_OPERATIONS
from volterra_cg.emit.listing import SOLVERS, Listing
from volterra_cg.emit.printer import Piece, cut, whole
from volterra_cg.emit.sources import Sources, rendered
from volterra_cg.emit.spread import spread
from volterra_cg.emit.waves import ARRAYS
from volterra_cg.formulations.problem import ClassicalProblem, Problem
from volterra_cg.kinematics.scene import SceneNodes
from volterra_cg.kinematics.types import AffineRow
from volterra_cg.options import FUSED, SEPARATE
from volterra_cg.program.smoothness import smooth
from volterra_cg.version import __version__

ABI = 6  # VCG_ABI_VERSION of vcg_model.h
WAVES = tuple(ARRAYS.values())  # arguments of a function with forms that needs sines and cosines of inputs
WIDEST = 4  # angles whose sines and cosines the form of rhs for one state computes at once


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
    about: str = ""


@dataclass(frozen=True)
class Route:
    """How the program came about: the elimination order, the operations of rhs in every order tried and after every pass."""

    order: str
    tried: Mapping[str, int]
    history: Mapping[str, int]
    level: int
    solved_in: tuple[str, ...] = ()  # quasi-velocities inside, if not those of the state


def emit(
    problem: Problem,
    assembly: Assembly,
    heading: Heading,
    route: Route,
    scene: SceneNodes | None = None,
    charts: Sequence[tuple[Problem, Assembly]] = (),
    arithmetic: str = SEPARATE,
) -> Sources:
    """The sources of a model, and of its charts beside the first as models of their own."""
    name, fused = heading.name, arithmetic == FUSED
    layout = Layout(problem, assembly, heading.work, scene, fused)
    listings = layout.listings()
    numbered = enumerate(charts, start=2)
    others = {f"{name}_{number}": Layout(*chart, heading.work, fused=fused) for number, chart in numbered}
    report = _report(layout, heading, listings) | {"optimise": asdict(route)}
    if problem.kinematics.redundant:
        report["redundant"] = [row.name for row in problem.kinematics.redundant]
    if charts:
        report["charts"] = [_chart(other) for other in others.values()]
    shared = {"symbol": f"vcg_model_{name}", "version": __version__}
    described = json.dumps(report, indent=1)
    files = _model_files(name, layout, heading, listings, list(others))
    for number, other in others.items():
        files |= _model_files(number, other, heading, other.listings(), ())
    files |= {
        "_model.pyx": rendered("_model.pyx.j2", name=name, **shared),
        "__init__.py": rendered("__init__.py.j2", name=name, **shared, description=described),
        "report.json": described + "\n",
    }
    return Sources(name, files, report)


def _model_files(
    name: str, layout: Layout, heading: Heading, listings: Mapping[str, Listing], charts: Sequence[str]
) -> dict[str, str]:
    """The C file of a model or of one of its charts, its header and its vector form."""
    shared = {"name": name, "symbol": f"vcg_model_{name}", "version": __version__}
    lanes = layout.lanes() if listings["rhs"].cost.total <= MOST_OPERATIONS else None
    page = _page(layout, heading, listings) | {"charts": charts}
    parts = spread(page["functions"])
    for function, _ in (piece for part in parts for piece in part):
        function["prefix"] = f"{name}_"
    files = {
        f"{name}.c": rendered("model.c.j2", **shared, **page, lanes=lanes, parts=bool(parts)),
        f"{name}.h": rendered("model.h.j2", **shared),
    }
    if parts:
        files[f"{name}_parts.h"] = rendered("model_parts.h.j2", **shared, **page)
    for number, pieces in enumerate(parts, start=1):
        files[f"{name}_part_{number}.c"] = rendered("model_part.c.j2", **shared, pieces=pieces)
    if lanes:
        files[f"{name}_lanes.h"] = rendered("model_lanes.h.j2", **shared, **lanes)
    return files


def _page(layout: Layout, heading: Heading, listings: Mapping[str, Listing]) -> dict[str, Any]:
    """The variables of the C template."""
    functions, scratch = [], 0
    for name, listing in listings.items():
        function = layout.function(name)
        pieces, needed = _pieces(function, listing)
        scratch = max(scratch, needed)
        called = ("p", "where") if name == "prepare" and layout.limits else ()
        arguments = (*function.arguments, *(WAVES if listing.angles else ()))
        functions.append(
            {
                "name": name,
                "prefix": "",
                "title": (function.classical if isinstance(layout.problem, ClassicalProblem) else "") or function.title,
                "signature": function.signature,
                "arguments": ", ".join(function.arguments),
                "limited": bool(called),
                "pieces": [
                    {"body": piece.body, "unused": [a for a in arguments if a not in {*piece.names, *called}]}
                    for piece in pieces
                ],
                "cost": listing.cost,
                "instructions": listing.instructions,
                "forms": _forms(listing) if layout.fused and name == "rhs" else None,
            }
        )
    return {
        "fused": layout.fused,
        "formulation": layout.problem.formulation,
        "spec_hash": heading.spec_hash,
        "counts": _counts(layout, scratch, len(listings["rhs"].guarded)),
        "divisors": listings["rhs"].guarded,
        "functions": functions,
        "members": [*(name for name in listings if FUNCTIONS[name].member), "output"],
        "names": _names(layout),
        "largest": _largest(layout),
        "follows": layout.follows,
        "output_signature": FUNCTIONS["measure"].signature,
    }


def _forms(listing: Listing) -> dict[str, Any]:
    """What a function with fused arithmetic is compiled with twice."""
    count = len(listing.angles)
    return {"angles": [place.code.text for place in listing.angles], "size": -(-count // WIDEST) * WIDEST}


def _pieces(function: Function, listing: Listing) -> tuple[list[Piece], int]:
    """A function in pieces, if it may use scratch."""
    return (
        cut(listing.statements, len(listing.guarded))
        if "scratch" in function.arguments
        else ([whole(listing.statements)], 0)
    )


def _largest(layout: Layout) -> dict[str, int]:
    """The sizes of the largest matrices factorised at run time, by the names of their solvers."""
    divisors = [check.divisor for check in layout.program.checks]
    return {
        solver.name: max((matrix.size for matrix in divisors if isinstance(matrix, kind)), default=0)
        for kind, solver in SOLVERS.items()
    }


def _counts(layout: Layout, scratch: int, divisors: int) -> dict[str, int]:
    """The sizes of the model, by the members of its table."""
    problem = layout.problem
    return {
        "coordinates": layout.count,
        "speeds": len(problem.speeds),
        "states": layout.states,
        "momenta": len(problem.momentum_inputs),
        "parameters": len(problem.kinematics.inputs.parameters),
        "prepared": len(layout.program.prepared) + 2 * divisors,
        "signals": len(problem.kinematics.inputs.signals),
        "scratch": scratch,
        "outputs": layout.outputs,
        "holonomic": layout.holonomic,
        "events": len(problem.kinematics.events),
        "divisors": divisors,
        "drawn": len(layout.scene.nodes) if layout.scene else 0,
    } | {name: size for name, size in (("framed", layout.framed), ("redundant", layout.redundant)) if size}


def _chart(layout: Layout) -> dict[str, Any]:
    """What the report says of a chart."""
    problem = layout.problem
    return {
        "quasi_velocities": [row.name for row in problem.speeds],
        "solved": [row.name for row in problem.kinematics.constraints],
        "checks": [check.label for check in layout.program.checks],
        "operations": layout.listings()["rhs"].cost.total,
    }


def _embedded(problem: Problem) -> tuple[AffineRow, ...]:
    return problem.momenta if problem.momentum_inputs else ()


def _state_names(layout: Layout) -> list[str]:
    inputs = layout.problem.kinematics.inputs
    names = [node.name for node in (*inputs.coordinates, *layout.problem.speed_inputs)]
    return names + (["work"] if layout.work else [])


def _names(layout: Layout) -> list[tuple[str, str]]:
    """What the entries of the arrays stand for."""
    names = [(f"z[{i}]", name) for i, name in enumerate(_state_names(layout))]
    names += [(f"g[{i}]", f"momentum of {row.name}") for i, row in enumerate(_embedded(layout.problem))]
    return names + [(f"p[{i}]", node.name) for i, node in enumerate(layout.problem.kinematics.inputs.parameters)]


def _report(layout: Layout, heading: Heading, listings: Mapping[str, Listing]) -> dict[str, Any]:
    """The description of the model, keys in reading order."""
    problem = layout.problem
    rhs = listings["rhs"].cost
    others = {name: listings[name].cost.total for name in ("prepare", *DERIVATIVES) if name in listings}
    constraints = len(problem.kinematics.constraints)
    arithmetic = FUSED if layout.fused else SEPARATE
    return {
        "name": heading.name,
        "formulation": problem.formulation,
        "arithmetic": arithmetic,
        "generator": __version__,
        "abi": ABI,
        "spec": heading.spec_hash,
        "m": layout.count,
        "r": constraints,
        "p": layout.count - constraints,
        "s": len(problem.momenta),
        "equations": len(problem.speeds),
        "states": layout.states,
        "coordinates": [node.name for node in problem.kinematics.inputs.coordinates],
        "ignorable": [row.name for row in problem.momenta],
        "embedded": [row.name for row in _embedded(problem)],
        "quasi_velocities": [row.name for row in problem.speeds],
        "dropped_quasi_velocities": list(problem.dropped),
        "state_names": _state_names(layout),
        "parameters": dict(heading.parameters),
        "signals": dict(heading.signals),
        "units": dict(heading.units),
        "constraints": [row.name for row in problem.kinematics.rows],
        "outputs": [asdict(slot) for slot in layout.assembly.slots],
        "events": [
            {"name": e.name, "output": e.name, "direction": e.direction, "terminal": e.terminal, "changes": e.any}
            for e in problem.kinematics.events
        ],
        "invariants": list(layout.assembly.invariants),
        "checks": [check.label for check in layout.program.checks],
        "limits": [
            {"what": limit.what, "rule": limit.rule, "parameters": [node.name for node in limit.parameters]}
            for limit in layout.limits
        ],
        "matrices": layout.has_matrices,
        "smooth": smooth(layout.program.entry("rhs").results),
        "work": heading.work,
        "project": list(problem.kinematics.project),
        "operations": {"total": rhs.total, **asdict(rhs), **others},
        "instructions": listings["rhs"].instructions,
        "simulation": dict(heading.simulation),
        "notes": list(problem.notes),
        "about": heading.about,
        "scene": dict(layout.scene.described) if layout.scene else {},
    }
