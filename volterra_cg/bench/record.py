"""The results as plain data, with everything about the machine that they depend on."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from volterra_cg.build.keys import library_version
from volterra_cg.build.toolchain import MODEL_FLAGS, find_toolchain
from volterra_cg.version import __version__

from .compare import Measured, Settings, System
from .paper import CASES

LIBRARIES = ("sympy", "numpy", "cython", "setuptools")


def record(systems: Sequence[System], settings: Settings) -> dict[str, Any]:
    """One object for JSON."""
    return {
        "machine": machine(),
        "settings": asdict(settings),
        "systems": [_system(system) for system in systems],
    }


def machine() -> dict[str, Any]:
    """Processor, compiler, flags and versions."""
    tools = find_toolchain()
    return {
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": tools.version,
        "flags": " ".join(MODEL_FLAGS),
        "python": platform.python_version(),
        "versions": {"volterra-cg": __version__, **{name: library_version(name) for name in LIBRARIES}},
    }


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def _system(system: System) -> dict[str, Any]:
    report = system.measured[0].model.report
    return {
        "name": system.name,
        "sizes": {letter: report[letter] for letter in ("m", "r", "p", "s")},
        "t_end": system.t_end,
        "dt": system.dt,
        "control": asdict(system.control),
        "formulations": [_formulation(system, measured) for measured in system.measured],
        "refused": dict(system.refused),
    }


def _formulation(system: System, measured: Measured) -> dict[str, Any]:
    case = CASES.get(system.name)
    printed = case.columns.get(measured.label) if case else None
    reference = system.reference
    return {
        "formulation": measured.label,
        "equations": measured.model.report["equations"],
        "states": measured.model.report["states"],
        "cpu_seconds": measured.timing.median,
        "cpu_seconds_quartiles": list(measured.timing.quartiles),
        "cpu_ratio": measured.timing.beside(reference.timing) if reference else None,
        **measured.norms,
        "operations": measured.operations,
        "ns_per_rhs": measured.ns_per_rhs,
        "rhs_calls": measured.run.statistics.rhs_calls,
        "steps": measured.run.statistics.steps,
        "failed_steps": measured.run.statistics.rejections,
        "instructions": measured.instructions,
        "paper": asdict(printed) if printed else None,
    }
