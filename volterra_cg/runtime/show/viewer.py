"""A run as one page for a browser: the viewer, its style and its data in one file that needs no network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.runtime.figure import COLOURS, Panel, everything, panels

from .scene import Arrow, Body, Scene, scene_of
from .stills import camera_of

if TYPE_CHECKING:
    from volterra_cg.runtime.run import Run

ROWS = 600  # at most
NUMBERS = 120_000  # of all curves together, about
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page(run: Run, names: Sequence[str] = (), meshes: Mapping[str, str | Path] | None = None) -> str:
    """The whole page of a run; `names` are the plots below the picture, by default of everything."""
    return document(run.description.name, f"<h1>{escape(run.description.name)}</h1>{embedded(run, names, meshes)}")


def document(title: str, body: str, style: str = "") -> str:
    """A page of its own; nothing may be fetched from elsewhere."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_text('viewer.css')}{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def embedded(run: Run, names: Sequence[str] = (), meshes: Mapping[str, str | Path] | None = None) -> str:
    """The viewer as part of a page."""
    return (
        '<div id="vcg-host" class="vcg"></div>\n'
        f'<script type="application/json" id="vcg-data">{_json(data(run, names, meshes))}</script>\n'
        f"<script>\n{_text('viewer.js')}\n"
        'vcg.start(JSON.parse(document.getElementById("vcg-data").textContent), document.getElementById("vcg-host"));\n'
        "</script>"
    )


def data(run: Run, names: Sequence[str] = (), meshes: Mapping[str, str | Path] | None = None) -> dict[str, Any]:
    """What the viewer is given."""
    rows = _rows(run)
    scene = scene_of(run, meshes, rows)
    made = panels(run, names) if names else everything(run)
    return {"scene": _scene(scene), "plots": [_panel(panel, rows) for panel in made if panel.x.startswith("t ")]}


def _rows(run: Run) -> Any:
    """Rows that are spread evenly in time, no more than fit into a page."""
    width = 8 * max(1, len(run.description.report.get("scene", {}).get("bodies", ()))) + len(run.names)
    count = int(np.clip(NUMBERS // width, 60, ROWS))
    if len(run.t) <= count:
        return np.arange(len(run.t))
    wanted = np.linspace(run.t[0], run.t[-1], count)
    return np.unique(np.abs(np.searchsorted(run.t, wanted)).clip(max=len(run.t) - 1))


def _scene(scene: Scene) -> dict[str, Any]:
    rows, steps = camera_of(scene, 0).rows, np.diff(scene.t)
    steps = np.where(steps > 0, steps, np.inf)[:, np.newaxis]
    speeds = [np.linalg.norm(np.diff(body.at, axis=0) / steps, axis=1).max(initial=0.0) for body in scene.bodies]
    return {
        "name": scene.name,
        "t": _numbers(scene.t, 9),
        "bodies": [_body(number, body) for number, body in enumerate(scene.bodies)],
        "lines": [
            {"kind": line.kind, "body": line.body, "first": _numbers(line.first), "second": _numbers(line.second)}
            for line in scene.lines
        ],
        "joints": [_numbers(scene.joints[:, k]) for k in range(scene.joints.shape[1])],
        "arrows": [_arrow(arrow) for arrow in scene.arrows],
        "up": _numbers(scene.up),
        "ground": scene.ground,
        "low": scene.floor,
        "middle": _numbers(scene.middle),
        "radius": scene.radius,
        "size": scene.size,
        "fastest": float(max(speeds, default=0.0)),
        "centre": _numbers(scene.centre),
        "travels": scene.travels,
        "normal": None if scene.normal is None else _numbers(scene.normal),
        "toward": _numbers(rows[2]),
        "half": None if scene.normal is None else _numbers(scene.halves(rows)),
    }


def _body(number: int, body: Body) -> dict[str, Any]:
    return {
        "name": body.name,
        "hides": body.hides,
        "colour": COLOURS[number % len(COLOURS)],
        "corners": _numbers(body.solid.corners),
        "triangles": [corner for triangle in body.solid.triangles for corner in triangle],
        "rings": [] if body.solid.round else [list(ring) for ring in body.solid.faces],
        "at": _numbers(body.at),
        "turn": _numbers(_turns(body.axes)),
    }


def _arrow(arrow: Arrow) -> dict[str, Any]:
    return {"at": _numbers(arrow.at), "vector": _numbers(arrow.vector), "largest": arrow.largest}


def _turns(axes: Vector) -> Vector:
    """Quaternions, each with the sign that is nearer to the one before."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_matrix(axes).as_quat()
    signs = np.where((found[1:] * found[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    return np.asarray(found * np.concatenate([[1.0], np.cumprod(signs)])[:, np.newaxis])


def _panel(panel: Panel, rows: Any) -> dict[str, Any]:
    return {
        "title": (next(iter(panel.curves)) if len(panel.curves) == 1 else panel.title).replace("_", " "),
        "unit": panel.y,
        "logarithmic": panel.logarithmic,
        "curves": [
            {"name": name.replace("_", " "), "values": _numbers(values[rows])}
            for name, (_, values) in panel.curves.items()
        ],
    }


def _numbers(values: Vector, digits: int = 7) -> list[float | None]:
    """Short numbers; what is not finite is null."""
    flat = np.asarray(values, dtype=np.float64).reshape(-1)
    return [float(f"{value:.{digits}g}") if np.isfinite(value) else None for value in flat]


def _json(value: Any) -> str:
    """JSON that no text in it can end: in HTML a script ends at the first </script>."""
    try:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:  # a page with such a number would show nothing
        raise OptionError("the motion cannot be drawn: it goes to places that are not finite") from None
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
