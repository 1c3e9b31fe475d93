"""The figures of the paper for any mechanism: drifts, errors and coordinates over time, made to be printed.

Formulations are told apart by marker and dash as well as by shade, and markers are staggered, so that curves that lie on
each other still show who they are. Errors swing through zero; a curve shows the largest size in each stretch of time.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.files import replacing
from volterra_cg.runtime.show import stills
from volterra_cg.runtime.show.scene import scene_of

from .compare import Measured, System
from .models import DENSE, LABELS, REFERENCE
from .paper import CASES
from .tables import ordered

SUFFIXES = (".pdf", ".png")
WIDTH, HEIGHT = 6.3, 3.4  # inches; a text column and a half
SHOTS = 6  # snapshots
MARKS = 10  # markers on a curve
STRETCHES = 125  # of time, in each of which the largest error is shown
FLOOR = 1e-17  # percent; what is smaller is not drawn on a logarithmic axis
STYLE: dict[Any, Any] = {
    "font.family": "serif",
    "font.serif": ["STIXGeneral", "DejaVu Serif"],
    "mathtext.fontset": "stix",
    "font.size": 9.5,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "legend.frameon": False,
    "savefig.dpi": 220,
    "pdf.fonttype": 42,
    "svg.hashsalt": "volterra_cg",
}


@dataclass(frozen=True)
class Look:
    """How the curve of a formulation is drawn."""

    colour: str
    marker: str
    dash: Any = "-"
    width: float = 0.9
    name: str = ""


# of the classical formulations, in the order of their table; where there are more, the looks come again
CLASSICAL = (
    Look("#b2182b", "o"),
    Look("#ef8a62", "s", (0, (4, 2))),
    Look("#8c510a", "^", (0, (1, 1.5))),
    Look("#5e3c99", "D", (0, (4, 2))),
    Look("#998ec3", "v", (0, (1, 1.5))),
    Look("#2166ac", "P"),
    Look("#1b7837", "X", (0, (6, 2, 1, 2))),
    Look("#c51b7d", "p", (0, (4, 2))),
    Look("#01665e", "h", (0, (1, 1.5))),
    Look("#bf812d", "<"),
)
LOOKS = {
    **{
        label: replace(look, name="–".join(author.capitalize() for author in label.split("-")))
        for label, look in zip(LABELS, itertools.cycle(CLASSICAL), strict=False)
    },
    DENSE: Look("#777777", ">", (0, (4, 2)), name="reduced Volterra, dense"),
    REFERENCE: Look("#000000", "*", "-", 1.3, "reduced Volterra"),
}
ERRORS = {
    "energy": "energy drift [%]",
    "constraint": "constraint error",
    "momentum": "momentum error [%]",
}


def figures(system: System, folder: Path) -> list[Path]:
    """Draw all figures of a system; returns the files."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise OptionError("drawing needs matplotlib: pip install 'volterra-cg[plot]'") from error
    written: list[Path] = []
    with mpl.rc_context(STYLE):
        for kind, label in ERRORS.items():
            curves = _curves(system, kind)
            if curves:
                figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
                _errors(figure, curves, label)
                written += _saved(figure, folder, system.name, kind)
        figure = Figure(layout="constrained")
        _coordinates(figure, system)
        written += _saved(figure, folder, system.name, "coordinates")
        figure, scene = Figure(figsize=(WIDTH, 4.4), layout="constrained"), scene_of(_drawn(system).run)
        stills.strip(figure, scene, np.linspace(0, len(scene.t) - 1, SHOTS).astype(int).tolist())
        written += _saved(figure, folder, system.name, "snapshots")
    return written


def _saved(figure: Any, folder: Path, name: str, kind: str) -> list[Path]:
    """Named after the paper's figure where there is one; without a date, so that equal figures are equal files."""
    case = CASES.get(name)
    number = f"fig{case.figures[kind]:02d}_" if case and kind in case.figures else ""
    paths = [folder / f"{number}{name}_{kind}{suffix}" for suffix in SUFFIXES]
    for path in paths:
        stamp = {"CreationDate": None} if path.suffix == ".pdf" else {}
        with replacing(path) as fresh:
            figure.savefig(fresh, metadata=stamp)
    return paths


def _drawn(system: System) -> Measured:
    return system.reference or system.measured[-1]


def _curves(system: System, kind: str) -> list[tuple[Measured, Vector]]:
    """The size of an error over time; of several constraints, that of their vector."""
    curves = []
    for measured in ordered(system.measured):
        values = getattr(measured.errors, kind)
        if values is not None:
            size = np.linalg.norm(values, axis=1) if values.ndim == 2 else np.abs(values)
            curves.append((measured, size if kind == "constraint" else 100.0 * size))
    return curves


def _envelope(t: Vector, values: Vector) -> tuple[Vector, Vector]:
    """The largest value in each stretch of time, at the stretch's middle; what vanishes is not drawn."""
    parts = np.array_split(np.arange(len(t)), min(STRETCHES, len(t)))
    largest = np.array([values[part].max() for part in parts])
    return np.array([t[part].mean() for part in parts]), np.where(largest > FLOOR, largest, np.nan)


def _errors(figure: Any, curves: Sequence[tuple[Measured, Vector]], label: str) -> None:
    axis = figure.subplots()
    for number, (measured, values) in enumerate(curves):
        look = LOOKS[measured.label]
        t, shown = _envelope(measured.run.t, values)
        every = max(1, len(t) // MARKS)
        axis.plot(
            t,
            shown,
            color=look.colour,
            linestyle=look.dash,
            linewidth=look.width,
            marker=look.marker,
            markevery=((every * number) // len(curves), every),
            markersize=7 if look.marker == "*" else 4.5,
            markerfacecolor="white" if measured.label != REFERENCE else look.colour,
            markeredgewidth=0.9,
            zorder=3 if measured.label == REFERENCE else 2,
        )
    axis.set_yscale("log")
    axis.set_xlabel("$t$ [s]")
    axis.set_ylabel(label)
    axis.margins(x=0.02)
    axis.grid(True, which="major", color="#e3e3e3", linewidth=0.5)
    figure.legend(handles=_handles([m.label for m, _ in curves]), loc="outside right center", handlelength=3.2)


def _handles(labels: Sequence[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    return [
        Line2D(
            [],
            [],
            color=(look := LOOKS[label]).colour,
            linestyle=look.dash,
            linewidth=look.width,
            marker=look.marker,
            markersize=7 if look.marker == "*" else 4.5,
            markerfacecolor="white" if label != REFERENCE else look.colour,
            markeredgewidth=0.9,
            label=look.name,
        )
        for label in labels
    ]


def _coordinates(figure: Any, system: System) -> None:
    """One panel a coordinate, as the chosen formulation computes it."""
    run = _drawn(system).run
    names, units = run.description.coordinates, run.description.units
    columns = 1 if len(names) < 4 else 2
    rows = -(-len(names) // columns)
    figure.set_size_inches(WIDTH, 0.6 + 1.15 * rows)
    axes = figure.subplots(rows, columns, sharex=True, squeeze=False).T.ravel()
    for axis, name, values in zip(axes, names, run.q.T, strict=False):
        axis.plot(run.t, values, color="black", linewidth=0.9)
        unit = units.get(name)
        axis.set_ylabel(f"{_symbol(name)} [{unit}]" if unit else _symbol(name))
        axis.grid(True, color="#e3e3e3", linewidth=0.5)
        axis.margins(x=0.01)
    for axis in axes[len(names) :]:
        axis.set_visible(False)
    for column in range(columns):
        shown = [axis for axis in axes[column * rows : (column + 1) * rows] if axis.get_visible()]
        shown[-1].set_xlabel("$t$ [s]")
        shown[-1].tick_params(labelbottom=True)
    figure.align_ylabels()


GREEK = ("alpha", "beta", "gamma", "delta", "theta", "phi", "psi", "rho", "sigma", "omega", "epsilon")


def _symbol(name: str) -> str:
    """A coordinate's name as a letter of mathematics: theta1 as θ with an index."""
    head = name.rstrip("0123456789")
    index = name[len(head) :]
    letter = rf"\{head}" if head in GREEK else head if len(head) == 1 else rf"\mathrm{{{head}}}"
    return f"${letter}_{{{index}}}$" if index else f"${letter}$"
