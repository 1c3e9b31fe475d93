"""simulate: from a spec or a built module to numbers, files and a figure."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volterra_cg.build import load
from volterra_cg.errors import DoubtfulRun, IntegrationError, VolterraError
from volterra_cg.integrators import IMPLICIT
from volterra_cg.options import Options
from volterra_cg.projection import move_lines

from .specs import run_build
from .terminal import bar, ended_in_order, say

if TYPE_CHECKING:
    from volterra_cg.runtime import Model, Run, Start


def run_options(chosen: argparse.Namespace) -> Options:
    """How the model of a run is built."""
    implicit = chosen.integrator in IMPLICIT
    allowed = tuple(chosen.allow_include)
    return Options(chosen.formulation, jacobian=implicit, allow_include=allowed, arithmetic=chosen.arithmetic)


def settings(chosen: argparse.Namespace) -> dict[str, Any]:
    """How to integrate, as simulate, report and sweep are told."""
    names = ("integrator", "t_end", "dt", "rtol", "atol", "max_step", "max_steps")
    return {name: getattr(chosen, name) for name in names}


def simulate(chosen: argparse.Namespace) -> int:
    """Integrate, write what was asked for, and say how it went."""
    if chosen.out:
        from volterra_cg.runtime import archive

        archive.require(chosen.out)
    start = start_of(model_of(chosen.spec, run_options(chosen)), chosen)
    try:
        run = start.simulate(**settings(chosen), first_step=chosen.first_step, project=chosen.project)
    except IntegrationError as error:
        try:
            for path in _write(error.run, chosen):
                say(f"the results until then are in {path}")
        except VolterraError as second:
            say(f"error: {second}")
        raise
    written = _write(run, chosen)
    for words in run.warnings:
        say(f"warning: {words}")
    if chosen.json:
        print(json.dumps(_facts(start, run, chosen), indent=2))
    else:
        say(_story(run))
        for path in written:
            print(path)
    return DoubtfulRun.exit_code if chosen.strict and run.warnings else 0


def model_of(path: Path, options: Options) -> Model:
    """The model of a spec, or of the folder of a built module."""
    folder = path if path.is_dir() else run_build(path, options, None).folder
    model: Model = load(folder).model
    return model


def start_of(model: Model, chosen: argparse.Namespace) -> Start:
    """The start of the values given by name, sorted into parameters, signals, coordinates and rates; what was moved is told."""
    known = model.description.signals
    signals = {name: value for name, value in chosen.values if name in known}
    params = {name: value for name, value in chosen.values if name not in known}
    rates, coordinates = {}, {}
    for name, value in chosen.initial:
        if name.startswith("der(") and name.endswith(")"):
            rates[name[4:-1].strip()] = value
        else:
            coordinates[name] = value
    start = model.start(coordinates, rates, params, signals)
    if start.moved:
        say("\n".join(["start: projected on the constraints", *move_lines(start.moved)]))
    return start


def _write(run: Any, chosen: argparse.Namespace) -> list[Path]:
    if run is None:
        return []
    written = []
    if chosen.out:
        written.append(run.save(chosen.out))
    if chosen.plot:
        written.append(run.plot(chosen.plot))
    if chosen.animate:
        with ended_in_order(), bar() as progress:
            written.append(run.animate(chosen.animate, progress=progress))
    return written


def _facts(start: Start, run: Run, chosen: argparse.Namespace) -> dict[str, Any]:
    return {
        "name": start.model.name,
        "t_end": float(run.t[-1]),
        "samples": len(run.t),
        "integrator": run.statistics.integrator,
        "status": run.status.words,
        **{name: value for name, value in asdict(run.statistics).items() if name != "integrator"},
        "events": [{"name": event.name, "t": event.t} for event in run.events],
        "final": dict(zip(start.model.states, map(float, run.z[-1]), strict=True)),
        "drift": {name: float(abs(values).max()) for name, values in run.drift().items()},
        "warnings": list(run.warnings),
        "moved": {name: list(pair) for name, pair in start.moved.items()},
        "parameters": start.parameters,
        "out": str(chosen.out) if chosen.out else None,
        "plot": str(chosen.plot) if chosen.plot else None,
    }


def _counted(run: Run) -> str:
    counts = Counter(event.name for event in run.events)
    return ", ".join(f"{name} {count} times" if count > 1 else name for name, count in counts.items())


def _story(run: Run) -> str:
    from volterra_cg.runtime import Status

    statistics = run.statistics
    lines = [
        f"{run.description.name}: t = {run.t[0]:g} to {run.t[-1]:g}, {statistics.steps} steps of {statistics.integrator},"
        f" {statistics.rhs_calls} evaluations, {statistics.seconds:.3f} s"
    ]
    lines += [f"{statistics.integrator} was chosen: {statistics.chosen}"] if statistics.chosen else []
    lines += [run.message] if run.status is Status.EVENT else []
    lines += [f"events: {_counted(run)}"] if run.events else []
    if statistics.projections:
        lines.append(
            f"{statistics.projections} projections, the largest correction {statistics.largest_correction:.1e}"
        )
    state = zip(run.description.states, run.z[-1], strict=True)
    lines.append("final state: " + ", ".join(f"{name} = {value:.9g}" for name, value in state))
    drift = [f"{name} {abs(values).max():.1e}" for name, values in run.drift().items()]
    return "\n".join([*lines, *([f"largest drift: {', '.join(drift)}"] if drift else [])])
