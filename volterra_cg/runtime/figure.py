"""Plots of a run over time: panels by unit and scale, or phase portraits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.extras import extra
from volterra_cg.files import replacing, unwritten

from .description import unknown

if TYPE_CHECKING:
    from .run import Run

COLOURS = ("#1f5f8b", "#d1603d", "#3b8f5a", "#8a4f9e", "#c79a2b", "#4aa3a2", "#a63d57", "#6b6b6b")
INK, FAINT = "#2b2b2b", "#d9d9d9"
LINES = len(COLOURS)  # of a panel, at most
SCALES = 100.0  # lines whose sizes differ by more get panels of their own
FLOOR = 1e-17  # relative drift that is drawn; rounding is about 1e-16
SUFFIXES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".eps")
PHASE, DRIFT, ALL = "phase", "drift", "all"


@dataclass(frozen=True)
class Panel:
    """Curves over t, or one over another; `logarithmic` ones are sizes."""

    title: str
    curves: dict[str, tuple[Vector, Vector]]
    x: str
    y: str = ""
    logarithmic: bool = False


def draw(run: Run, path: Path) -> Path:
    """Everything about a run, in a file."""
    path = path if path.suffix else path.with_name(f"{path.name}.png")
    saved(figure(run, (ALL,)), path)
    return path


def saved(made: Any, path: Path, **options: Any) -> None:
    """Write a figure beside its place and rename it."""
    try:
        with replacing(path) as fresh:
            made.savefig(fresh, dpi=160, **options)
    except (ValueError, OSError) as error:
        raise unwritten("the figure", error) from error


def is_path(run: Run, given: object) -> bool:
    """Whether this is a file to draw to, and no name of a column."""
    return isinstance(given, Path) or (
        isinstance(given, str) and given not in run.names and Path(given).suffix.lower() in SUFFIXES
    )


def figure(run: Run, names: Sequence[str]) -> Any:
    """A matplotlib Figure of columns by name; "phase", "drift" and "all" are more than a column."""
    made = panels(run, names or (ALL,))
    drawn = blank((9.0, 1.1 + 2.3 * len(made)))
    axes = drawn.subplots(len(made), 1, squeeze=False)[:, 0]
    for axis, panel in zip(axes, made, strict=True):
        _draw(axis, panel, run)
    drawn.suptitle(run.description.name, x=0.01, ha="left", color=INK, fontsize=14, fontweight="bold")
    return drawn


def blank(size: tuple[float, float], layout: str = "constrained") -> Any:
    """A figure without pyplot, which keeps every figure alive."""
    made = extra("matplotlib.figure").Figure(figsize=size, layout=layout)
    extra("matplotlib.backends.backend_agg").FigureCanvasAgg(made)
    return made


def panels(run: Run, names: Iterable[str]) -> list[Panel]:
    """The panels of some names, in the order asked for."""
    found: list[Panel] = []
    columns: list[str] = []
    for name in names:
        word, _, which = name.partition(" ")
        if name in run.names:
            columns.append(name)
        elif word == PHASE:
            found += _portraits(run, [which] if which else run.description.coordinates)
        elif name == DRIFT:
            found += drifts(run)
        elif name == "energy":  # the motion does not conserve it, but it has parts
            columns += ["kinetic_energy", "potential_energy"]
        elif name == ALL:
            found += everything(run)
        else:
            raise unknown("column", name, [*run.names, PHASE, DRIFT, ALL])
    return grouped(run, "", columns) + found


def everything(run: Run) -> list[Panel]:
    """Coordinates, quasi-velocities, energies, outputs, signals and the drift of the invariants."""
    told = run.description
    kinds = {
        "coordinates": told.coordinates,
        "quasi-velocities": told.quasi_velocities,
        "energy": ("kinetic_energy", "potential_energy"),
        "outputs": [name for name in told.user_columns if name in run.names],
        "signals": tuple(run.signals),
    }
    return [panel for kind, names in kinds.items() for panel in grouped(run, kind, names)] + drifts(run)


def grouped(run: Run, kind: str, names: Sequence[str]) -> list[Panel]:
    """Panels of one unit and one scale each, and no more lines than can be told apart."""
    groups: list[tuple[str, float, list[str]]] = []
    for name in dict.fromkeys(names):
        unit, size = run.description.unit_of(name), float(np.abs(run[name]).max(initial=0.0))
        for known, scale, members in groups:
            near = not (size and scale) or 1 / SCALES < size / scale < SCALES
            if known == unit and near and len(members) < LINES:
                members.append(name)
                break
        else:
            groups.append((unit, size, [name]))
    return [
        Panel(kind or ", ".join(members), {name: (run.t, run[name]) for name in members}, "t [s]", unit)
        for unit, _, members in groups
    ]


def drifts(run: Run) -> list[Panel]:
    """How far each invariant is from its value at the start, or after the last event that changes the motion."""
    kept = {name: (run.t, np.maximum(values, FLOOR)) for name, values in drift_between_events(run).items()}
    names = list(kept)
    return [
        Panel("drift of invariants, relative", {name: kept[name] for name in names[k : k + LINES]}, "t [s]", "", True)
        for k in range(0, len(names), LINES)
    ]


def drift_between_events(run: Run) -> dict[str, Vector]:
    """The sizes of relative drifts; an impact changes energy and momenta at once, which is no drift."""
    changing = {event.name for event in run.description.events if event.changes}
    times = [event.t for event in run.events if event.name in changing]
    stretch = np.searchsorted(times, run.t, side="right")
    result = {}
    for name in run.description.invariants:
        values = run.y[:, run.description.index_of(name)]
        first = values[np.searchsorted(stretch, stretch)]
        result[name] = np.abs(values - first) / np.maximum(1.0, np.abs(first))
    return result


def _portraits(run: Run, names: Sequence[str]) -> list[Panel]:
    found = []
    for name in names:
        rate = f"der({name})"
        if name not in run.description.coordinates:
            raise unknown("coordinate", name, run.description.coordinates)
        x, y = (label(run, each) for each in (name, rate))
        found.append(Panel(f"phase portrait of {name}", {name: (run[name], run[rate])}, x, y))
    return found


def label(run: Run, name: str) -> str:
    """A name with its unit."""
    unit = run.description.unit_of(name)
    return f"{name} [{unit}]" if unit else name


def _draw(axis: Any, panel: Panel, run: Run) -> None:
    for number, (name, (x, y)) in enumerate(panel.curves.items()):
        axis.plot(x, y, color=COLOURS[number % LINES], linewidth=1.2, label=name.replace("_", " "))
    if panel.logarithmic:
        axis.set_yscale("log")
    else:
        axis.ticklabel_format(axis="y", useOffset=False)  # whole numbers, and none to be added in the head
    over_time = panel.x.startswith("t ")
    for event in run.events if over_time else ():
        axis.axvline(event.t, color=FAINT, linewidth=0.8, zorder=0)
    unit = f" [{panel.y}]" if over_time and panel.y else ""
    axis.set_title(f"{panel.title.replace('_', ' ')}{unit}", loc="left", fontsize=10, color=INK)
    axis.set_xlabel(panel.x, color=INK, fontsize=9)
    if not over_time:
        axis.set_ylabel(panel.y, color=INK, fontsize=9)
    axis.grid(True, color=FAINT, linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(colors=INK, labelsize=9)
    axis.margins(x=0.0 if over_time else 0.05)
    if panel.curves and over_time:
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9, labelcolor=INK)
