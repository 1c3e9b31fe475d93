"""Pictures of a scene by matplotlib, seen from far away: snapshots, strips of them, and films."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.extras import extra
from volterra_cg.files import replacing, unwritten
from volterra_cg.runtime.figure import COLOURS, INK, blank

from .hidden import hidden, stretches
from .scene import Body, Line, Scene

LIGHT = np.array([0.35, -0.45, 0.82])
GROUND = "#c9cdd2"
ELEVATION, AZIMUTH = 20.0, -58.0  # degrees
FILM_WIDTH = 5.0  # inches
FRAMES = 25  # a second of a film
MOST = 400  # frames of a film
COILS = 8
Polygon = tuple[float, Vector, Any, Any]  # nearness, corners in the picture, face, edge
Progress = Callable[[int, int], None]  # of frames done and frames in all


@dataclass(frozen=True)
class Camera:
    """Rows are the directions to the right, up and towards the eye; `half` is half the height of the picture."""

    rows: Vector
    centre: Vector
    half: float

    def seen(self, points: Vector) -> Vector:
        """Points in the picture: right, up, nearness."""
        return np.asarray((points - self.centre) @ self.rows.T)


def camera_of(scene: Scene, row: int, margin: float = 1.12) -> Camera:
    """The view of a scene: along its normal if it is plane, else from above and aside; it follows what travels."""
    up = scene.up
    if scene.normal is not None:
        right = np.cross(up, scene.normal)
        toward = scene.normal * np.sign(right[np.argmax(np.abs(right))])  # the axes point right and up
    else:
        side = np.eye(3)[int(np.argmin(np.abs(up)))]
        first = side - (side @ up) * up
        first = first / np.linalg.norm(first)
        second = np.cross(up, first)
        turn, rise = np.radians(AZIMUTH), np.radians(ELEVATION)
        toward = np.cos(rise) * (np.cos(turn) * first + np.sin(turn) * second) + np.sin(rise) * up
    right = np.cross(up, toward)
    right = right / np.linalg.norm(right)
    rows = np.array([right, np.cross(toward, right), toward])
    follow = scene.travels
    centre, half = (scene.centre[row], scene.size) if follow else (scene.middle, scene.radius)
    if scene.normal is not None and not follow:
        half = min(half, float(scene.halves(rows[:2]).max()))
    return Camera(rows, centre, half * margin)


def draw(axis: Any, scene: Scene, row: int, camera: Camera | None = None, *, trails: bool = True) -> None:
    """A scene at one time, into axes of matplotlib."""
    collections = extra("matplotlib.collections")
    camera = camera or camera_of(scene, row)
    _ground(axis, scene, camera, collections)
    faces: list[Polygon] = []
    solid: list[Vector] = []
    for number, body in enumerate(scene.bodies):
        corners = camera.seen(body.solid.corners @ body.axes[row].T + body.at[row])
        faces += _faces(body, corners, row, COLOURS[number % len(COLOURS)])
        if not body.hides:
            solid.append(corners[body.solid.triangles])
        if trails:
            path, colour = camera.seen(body.at[: row + 1]), COLOURS[number % len(COLOURS)]
            axis.plot(path[:, 0], path[:, 1], color=colour, linewidth=0.7, alpha=0.45, zorder=1)
    for zorder, polygons in ((2, faces), (3, _lines(scene, row, camera, solid))):
        polygons.sort(key=lambda item: item[0])
        axis.add_collection(
            collections.PolyCollection(
                [item[1] for item in polygons],
                facecolors=[item[2] for item in polygons],
                edgecolors=[item[3] for item in polygons],
                linewidths=0.4,
                zorder=zorder,
            )
        )
    joints = camera.seen(scene.joints[row])
    axis.plot(joints[:, 0], joints[:, 1], "o", color="white", markeredgecolor=INK, markersize=3.5, zorder=4)
    _arrows(axis, scene, row, camera)
    _triad(axis, camera)
    axis.set(xlim=(-camera.half, camera.half), ylim=(-camera.half, camera.half))
    axis.set_aspect("equal")
    axis.set_axis_off()


def _ground(axis: Any, scene: Scene, camera: Camera, collections: Any) -> None:
    """A grid below everything, in space; a line, in a plane."""
    if not scene.ground or scene.travels:
        return
    foot = scene.middle + (scene.floor - scene.middle @ scene.up) * scene.up
    across = np.cross(scene.up, camera.rows[2])
    across = across / np.linalg.norm(across)
    deep = np.cross(across, scene.up)
    reach, steps = 1.1 * scene.radius, np.linspace(-1, 1, 9)
    ends = [(foot - reach * across, foot + reach * across)]
    if scene.normal is None:
        ends = [(foot + reach * (s * across - deep), foot + reach * (s * across + deep)) for s in steps]
        ends += [(foot + reach * (s * deep - across), foot + reach * (s * deep + across)) for s in steps]
    segments = [camera.seen(np.array(pair))[:, :2] for pair in ends]
    axis.add_collection(collections.LineCollection(segments, colors=GROUND, linewidths=0.6, zorder=0))


def _faces(body: Body, corners: Vector, row: int, colour: str) -> list[Polygon]:
    """The faces of a body, each in its shade of the colour."""
    base = np.array(extra("matplotlib.colors").to_rgb(colour))
    normals = body.solid.normals @ body.axes[row].T
    lit = np.maximum(0.0, normals @ LIGHT) / np.linalg.norm(LIGHT)
    parts = np.where(normals.any(axis=1), 0.62 + 0.38 * lit, 0.82)
    found: list[Polygon] = []
    for ring, part in zip(body.solid.faces, parts, strict=True):
        face = corners[list(ring)]
        shade = (*(part * base), 0.3) if body.hides else tuple(part * base)
        found.append((float(face[:, 2].mean()), face[:, :2], shade, shade if body.solid.round else INK))
    return found


def _lines(scene: Scene, row: int, camera: Camera, solid: list[Vector]) -> list[Polygon]:
    """What is seen of the lines: they are cut where a body hides them."""
    if not scene.lines:
        return []
    ends = np.array([(line.first[row], line.second[row]) for line in scene.lines])
    shares = np.linspace(0, 1, 4 * COILS + 1)[:, np.newaxis]
    paths = [(1 - shares) * first + shares * second for first, second in camera.seen(ends)]
    front = np.concatenate(solid) if solid else np.empty((0, 3, 3))
    seen = ~hidden(np.concatenate(paths), front, 1e-6 * camera.half).reshape(len(paths), -1)
    width = max(0.02 * camera.half, 1e-12)
    found: list[Polygon] = []
    for line, path, visible in zip(scene.lines, paths, seen, strict=True):
        for first, last in stretches(visible):
            found += _line(line, path, slice(first, last + 1), width)
    return found


def _line(line: Line, path: Vector, part: slice, width: float) -> list[Polygon]:
    """A part of a line in the picture."""
    along = path[-1, :2] - path[0, :2]
    length = float(np.linalg.norm(along))
    if length < 1e-12:
        return []
    across = np.array([-along[1], along[0]]) / length
    flat, depth = path[part, :2], float(path[part, 2].mean())
    if line.kind == "spring":
        waves = np.array([0, 1, 0, -1] * COILS + [0])[part] * 1.6 * width
        coils = flat + waves[:, np.newaxis] * across
        return [(depth, np.vstack([coils, coils[::-1]]), "none", INK)]
    side = width * (0.9 if line.body >= 0 else 0.28 if line.kind == "arm" else 0.5) * across
    colour = COLOURS[line.body % len(COLOURS)] if line.body >= 0 else "#8d939b"
    corners = np.array([flat[0] + side, flat[-1] + side, flat[-1] - side, flat[0] - side])
    return [(depth, corners, colour, INK if line.body >= 0 else colour)]


def _arrows(axis: Any, scene: Scene, row: int, camera: Camera) -> None:
    """Forces, the largest of the run a third of the picture long."""
    for arrow in scene.arrows:
        largest = arrow.largest
        if largest <= 0 or not np.isfinite(arrow.vector[row]).all():
            continue
        start = arrow.at[row]
        a, b = camera.seen(np.array([start, start + arrow.vector[row] / largest * camera.half / 3]))[:, :2]
        style = {"arrowstyle": "-|>", "color": "#b2182b", "linewidth": 1.1}
        axis.annotate("", b, a, arrowprops=style, zorder=5)


def _triad(axis: Any, camera: Camera) -> None:
    """The directions of the inertial axes, in a corner."""
    origin = np.array([-0.86, -0.86]) * camera.half
    for direction, name in zip(camera.rows.T, "xyz", strict=True):
        flat = direction[:2]
        if np.linalg.norm(flat) > 0.15:
            tip = origin + 0.12 * camera.half * flat
            axis.plot(*zip(origin, tip, strict=True), color="#888888", linewidth=0.8, zorder=6)
            axis.text(
                *(origin + 0.17 * camera.half * flat), name, fontsize=7, color="#666666", ha="center", va="center"
            )


def snapshot(scene: Scene, row: int) -> Any:
    """A figure of one time."""
    made = blank((5.0, 5.2))
    axis = made.subplots()
    draw(axis, scene, row)
    axis.set_title(f"{scene.name}, t = {round(scene.t[row], _digits(scene)):.12g} s", fontsize=10, color=INK)
    return made


def strip(made: Any, scene: Scene, rows: Sequence[int], columns: int = 3) -> None:
    """Several times side by side, all at one scale, into a figure."""
    axes = made.subplots(-(-len(rows) // columns), columns, squeeze=False).ravel()
    for axis, row in zip(axes, rows, strict=False):
        draw(axis, scene, row, trails=False)
        title = f"$t$ = {scene.t[row]:.3g} s"
        if scene.travels:
            x, y, z = np.round(scene.centre[row], 1) + 0.0
            title += f", centre at\n({x:.1f}, {y:.1f}, {z:.1f}) m"
        axis.set_title(title, fontsize=8)


def film(scene: Scene, path: Path, speed: float = 1.0, progress: Progress | None = None) -> None:
    """A .gif or .mp4 of the whole scene, `speed` times as fast as it was; `progress` hears of every frame."""
    animation = extra("matplotlib.animation")
    writers = {".gif": "pillow", ".mp4": "ffmpeg"}
    writer = writers[path.suffix]
    if not animation.writers.is_available(writer):
        raise OptionError(
            f"{path.suffix} files are written by {writer}, which is not installed: install it, or write .html"
        )
    span = float(scene.t[-1] - scene.t[0]) / speed
    count = int(np.clip(span * FRAMES, 2, MOST))
    rows = np.unique(np.searchsorted(scene.t, np.linspace(scene.t[0], scene.t[-1], count)).clip(max=len(scene.t) - 1))
    made = blank((FILM_WIDTH, FILM_WIDTH), layout="none")
    axis = made.add_axes((0.0, 0.0, 1.0, 0.95))  # a place of its own: a layout would be found anew for every frame
    clock = made.text(0.02, 0.96, "", fontsize=10, color=INK)
    played = animation.writers[writer](fps=max(1.0, len(rows) / max(span, 1e-9)))
    try:
        with replacing(path) as fresh, played.saving(made, str(fresh), 90):
            for number, row in enumerate(rows, start=1):
                for artist in (*axis.lines, *axis.collections, *axis.texts):
                    artist.remove()
                draw(axis, scene, int(row))
                clock.set_text(f"t = {scene.t[row]:.{_digits(scene)}f} s")
                played.grab_frame()
                if progress is not None:
                    progress(number, len(rows))
    except OSError as error:
        raise unwritten("the film", error) from error


def _digits(scene: Scene) -> int:
    """How many digits after the point tell times of a scene apart."""
    span = float(scene.t[-1] - scene.t[0])
    return int(np.clip(3 - np.floor(np.log10(span)), 0, 9)) if span > 0 else 2
