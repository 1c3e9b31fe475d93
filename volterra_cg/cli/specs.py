"""check, derive and build."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from volterra_cg import driver
from volterra_cg.build import Built, library
from volterra_cg.clock import Clock
from volterra_cg.errors import OptionError, SpecError
from volterra_cg.options import FUSED, Options
from volterra_cg.targets import LIBRARIES

from .terminal import ended_in_order, progress, say


def check(chosen: argparse.Namespace) -> int:
    """Validate a spec and print what it amounts to."""
    from volterra_cg import derivation

    try:
        found = derivation.check(existing(chosen.spec), chosen.allow_include)
    except SpecError as error:
        if not chosen.json:
            raise
        print(json.dumps({"errors": [problem.as_dict() for problem in error.problems]}, indent=2))
        return error.exit_code
    print(json.dumps(found.as_dict(), indent=2) if chosen.json else found.text())
    return 0


def derive(chosen: argparse.Namespace) -> int:
    """Print the equations of a spec, or the quasi-velocities that it could have."""
    from volterra_cg import derivation

    options = Options(chosen.formulation, allow_include=tuple(chosen.allow_include))
    if chosen.choices:
        print(derivation.choices(existing(chosen.spec), options))
        return 0
    print(derivation.derive(existing(chosen.spec), options, chosen.to))
    return 0


def build_module(chosen: argparse.Namespace) -> int:
    """Publish the module of a spec, and make a library of it if asked for; print where it is."""
    allowed = tuple(chosen.allow_include)
    options = Options(
        chosen.formulation, chosen.name, chosen.order, chosen.optimise, chosen.jacobian, allowed, chosen.arithmetic
    )
    built = run_build(chosen.spec, options, chosen.out)
    made = {"library": str(_library(built, chosen.to))} if chosen.to in LIBRARIES else {}
    if chosen.explain:
        say(explanation(built.report))
    if chosen.json:
        print(json.dumps({**built.as_dict(), **made}, indent=2))
        return 0
    say(summary(built.report))
    say(timing(built))
    print(made.get("library", built.folder))
    return 0


def _library(built: Built, target: str) -> Path:
    from volterra_cg.emit.adapter import adapter

    return library(built.folder, target, partial(adapter, target))


def run_build(spec: Path, options: Options, out: Path | None) -> Built:
    """Build below `out`, or into the cache, showing the stages on a terminal."""
    with ended_in_order(), progress() as listener:
        return driver.build(existing(spec), options, out, Clock(listener))


def summary(report: Mapping[str, Any]) -> str:
    """A model in a few words."""
    operations = report["operations"]
    ignorable = ", ".join(report["ignorable"]) or "none"
    fused = f" in {report['instructions']} instructions" if report.get("arithmetic") == FUSED else ""
    jacobian = f", {operations['jacobian']} for the Jacobian" if "jacobian" in operations else ""
    return (
        f"{report['name']}: {report['m']} coordinates, {report['r']} constraints, ignorable: {ignorable}\n"
        f"{report['formulation']}: {report['equations']} equations, {report['states']} states,"
        f" {operations['total']} operations a call{fused}{jacobian}"
    )


def explanation(report: Mapping[str, Any]) -> str:
    """Operations of rhs by elimination order and by pass."""
    path = report["optimise"]
    lines = [f"order {name:<20} {count:>7} operations" for name, count in path["tried"].items()]
    lines.append(f"taken: {path['order']}")
    if path["solved_in"]:
        lines.append(f"solved in {', '.join(path['solved_in'])}")
    lines += [f"after {name:<20} {count:>7} operations" for name, count in path["history"].items()]
    return "\n".join(lines)


def timing(built: Built) -> str:
    """Where the time went."""
    spent = ", ".join(f"{stage} {value:.2f}" for stage, value in built.seconds.items() if value >= 0.005)
    return f"from the cache in {built.seconds['total']:.2f} s" if built.cached else f"seconds: {spent}"


def existing(spec: Path) -> Path:
    """Refuse a spec that is not a file."""
    if not spec.is_file():
        raise OptionError(f"there is no spec {spec}")
    return spec
