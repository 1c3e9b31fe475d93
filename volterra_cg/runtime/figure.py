"""The figure of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.files import replacing

if TYPE_CHECKING:
    from .run import Run

COLOURS = ("#1f5f8b", "#d1603d", "#3b8f5a", "#8a4f9e", "#c79a2b", "#4aa3a2", "#a63d57", "#6b6b6b")
OUTPUT_PANELS = 3  # more outputs than these share one panel
INK, FAINT = "#2b2b2b", "#d9d9d9"


def draw(run: Run, path: Path) -> Path:
    """One panel per kind of quantity over a shared time axis."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise OptionError("drawing needs matplotlib: pip install 'volterra-cg[plot]'") from error
    path = path if path.suffix else path.with_name(f"{path.name}.png")
    panels = _panels(run)
    figure = Figure(figsize=(9.0, 1.1 + 2.3 * len(panels)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (title, curves) in zip(axes, panels, strict=True):
        _panel(axis, title, run.t, curves)
    axes[-1].set_xlabel("t [s]", color=INK)
    figure.suptitle(run.description.name, x=0.01, ha="left", color=INK, fontsize=14, fontweight="bold")
    try:
        with replacing(path) as fresh:
            figure.savefig(fresh, dpi=160)
    except (ValueError, OSError) as error:
        raise OptionError(f"the figure cannot be written: {error}") from error
    return path


def _panels(run: Run) -> list[tuple[str, dict[str, Vector]]]:
    """Titles and curves; coordinates of different units get panels of their own."""
    description = run.description
    panels: list[tuple[str, dict[str, Vector]]] = []
    for kind, names, columns in (
        ("coordinates", description.coordinates, run.q),
        ("quasi-velocities", description.quasi_velocities, run.u),
    ):
        groups: dict[str, dict[str, Vector]] = {}
        for name, values in zip(names, columns.T, strict=True):
            groups.setdefault(description.units.get(name) or "", {})[name] = values
        panels.extend((f"{kind} [{unit}]" if unit else kind, curves) for unit, curves in groups.items())
    energies = {name.replace("_", " "): run[name] for name in ("kinetic_energy", "potential_energy")}
    panels.append(("energy", energies))
    asked = {name: run[name] for name, output in description.outputs.items() if output.user}
    apart = len(asked) <= OUTPUT_PANELS
    panels.extend([(name, {name: values}) for name, values in asked.items()] if apart else [("outputs", asked)])
    drift = {name: np.abs(values) for name, values in run.drift().items()}
    if drift:
        panels.append(("drift of invariants, relative", drift))
    return panels


def _panel(axis: Any, title: str, t: Vector, curves: dict[str, Vector]) -> None:
    logarithmic = title.startswith("drift")
    for number, (name, values) in enumerate(curves.items()):
        shown = np.where(values > 0, values, np.nan) if logarithmic else values
        axis.plot(t, shown, color=COLOURS[number % len(COLOURS)], linewidth=1.2, label=name)
    if logarithmic and any((values > 0).any() for values in curves.values()):
        axis.set_yscale("log")
    axis.set_title(title, loc="left", fontsize=10, color=INK)
    axis.grid(True, color=FAINT, linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(colors=INK, labelsize=9)
    axis.margins(x=0.0)
    if curves:
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9, labelcolor=INK)
