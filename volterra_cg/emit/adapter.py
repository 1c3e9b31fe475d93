"""A built model behind the interface of another program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from volterra_cg.emit.sources import rendered
from volterra_cg.version import __version__


def adapter(target: str, report: Mapping[str, Any]) -> str:
    """The C file that makes a library of a model, known by its report; the template is that of the target."""
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
        f"_{target}.c.j2",
        name=name,
        symbol=f"vcg_model_{name}",
        version=__version__,
        sizes=sizes,
        jacobian="jacobian" in report["operations"],
    )
