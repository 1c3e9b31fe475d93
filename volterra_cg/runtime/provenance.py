"""Where numbers come from: what a file of results says about how they were made."""

from __future__ import annotations

import platform

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.integrators import FIXED_STEP
from volterra_cg.version import __version__

from .description import Description


def provenance(
    description: Description, integrator: str, rtol: float | None, atol: Vector | float | None
) -> dict[str, str | float | Vector]:
    """The model, the versions and the settings behind some results; None is what is not known or means nothing."""
    report = description.report
    made: dict[str, str | float | Vector] = {
        "title": description.name,
        "spec": str(report.get("spec", "")),
        "formulation": str(report.get("formulation", "")),
        "compiled_by": f"volterra_cg {report.get('generator', '')}".strip(),
        "run_by": f"volterra_cg {__version__}, numpy {np.__version__}, Python {platform.python_version()}",
        "arithmetic": f"float64, {report.get('arithmetic', 'separate')}",
        "integrator": integrator,
    }
    if integrator not in FIXED_STEP and rtol is not None and atol is not None:
        made |= {"rtol": float(rtol), "atol": _one(np.asarray(atol, dtype=np.float64))}
    return made


def _one(values: Vector) -> float | Vector:
    """A number where all are the same."""
    return float(values.flat[0]) if values.size and (values == values.flat[0]).all() else values
