"""A built model as external functions of CasADi."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volterra_cg.emit.sources import rendered
from volterra_cg.version import __version__


def adapter(report: Mapping[str, Any]) -> str:
    """The C file that gives a model, known by its report, the interface of CasADi's `external`."""
    momenta = next(output["size"] for output in report["outputs"] if output["name"] == "momenta")
    sizes = {
        "coordinates": report["m"],
        "states": report["states"],
        "momenta": momenta,
        "parameters": len(report["parameters"]),
        "signals": len(report["signals"]),
    }
    name = report["name"]
    return rendered(
        "_casadi.c.j2",
        name=name,
        symbol=f"vcg_model_{name}",
        version=__version__,
        sizes=sizes,
        jacobian="jacobian" in report["operations"],
    )
