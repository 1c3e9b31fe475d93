"""Snapshots of the paper's three systems in motion, drawn from their coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.runtime import Run

INK, BODY, OTHER = "#222222", "#9db8d2", "#f0c27b"
SHOTS = 6
Placed = tuple[Sequence[Vector], str]  # the faces of a body and its colour


def cart_pendulum(figure: Any, run: Run) -> None:
    """The cart, its two bars and the wheel at their end, at six instants."""
    figure.set_size_inches(6.3, 4.4)
    length = run.parameters["l"]
    reach = 2.35 * length
    for axis, row in zip(figure.subplots(2, 3).ravel(), _instants(run, 8.0), strict=True):
        first, second, x = run.q[row]
        pivot = np.array([x, -0.1])
        elbow = pivot + length * np.array([np.sin(first), -np.cos(first)])
        tip = elbow + length * np.array([np.sin(second), -np.cos(second)])
        axis.axhline(pivot[1] - 0.075, color="#bbbbbb", linewidth=0.8, zorder=0)
        _cart(axis, pivot)
        for a, b, colour in ((pivot, elbow, BODY), (elbow, tip, OTHER)):
            axis.plot(*zip(a, b, strict=True), color=INK, linewidth=5.6, solid_capstyle="round", zorder=2)
            axis.plot(*zip(a, b, strict=True), color=colour, linewidth=4.2, solid_capstyle="round", zorder=3)
        along = 0.04 * np.array([np.sin(second), -np.cos(second)])
        axis.plot(*zip(tip - along, tip + along, strict=True), color=INK, linewidth=2.2, zorder=4)
        for point in (pivot, elbow):
            axis.plot(*point, "o", color="white", markeredgecolor=INK, markersize=3.5, zorder=5)
        axis.set_xlim(x - reach, x + reach)
        axis.set_ylim(pivot[1] - reach, pivot[1] + reach)
        axis.set_aspect("equal")
        axis.tick_params(labelsize=7)
        axis.set_title(f"$t$ = {run.t[row]:.2f} s", fontsize=9)
    figure.supxlabel("horizontal [m]", fontsize=9)
    figure.supylabel("vertical [m]", fontsize=9)


def _cart(axis: Any, pivot: Vector) -> None:
    from matplotlib.patches import Circle, Rectangle

    corner = pivot - np.array([0.14, 0.045])
    axis.add_patch(Rectangle(corner, 0.28, 0.09, facecolor="#e6e6e6", edgecolor=INK, linewidth=0.9))
    for side in (-0.085, 0.085):
        place = pivot + np.array([side, -0.058])
        axis.add_patch(Circle(place, 0.017, facecolor="white", edgecolor=INK, linewidth=0.9, zorder=2))


def three_bodies(figure: Any, run: Run) -> None:
    """The box and its two plates, seen from the box's own centre."""
    a, b, c = (run.parameters[name] for name in ("a", "b", "c"))
    box = _box(a, b, c)
    plate = _box(a, 0.06, c)

    def bodies(q: Vector) -> list[Placed]:
        turn = _rotation(*q[:3])
        first, second = _about_z(q[3]), _about_z(-q[4])
        hinges = np.array([a / 2, -b / 2, 0]), np.array([a / 2, b / 2, 0])
        arm = np.array([-a / 2, 0, 0])
        placed: list[Placed] = [(_moved(box, turn), BODY)]
        for rotation, hinge in ((first, hinges[0]), (second, hinges[1])):
            placed.append((_moved(plate, turn @ rotation, turn @ (hinge + rotation @ arm)), OTHER))
        return placed

    _space(figure, run, bodies, 2.6)


def satellite_boom(figure: Any, run: Run) -> None:
    """The satellite and the mass on its boom, seen from the satellite's centre."""
    side, first = run.parameters["l"], run.parameters["a"]

    def bodies(q: Vector) -> list[Placed]:
        turn = _rotation(*q[:3])
        reach = side / 2 + first + q[3]
        boom = _box(0.06, 0.06, reach - side / 2)
        tip = _box(0.42, 0.42, 0.42)
        return [
            (_moved(_box(side, side, side), turn), BODY),
            (_moved(boom, turn, turn @ np.array([0, 0, (reach + side / 2) / 2])), INK),
            (_moved(tip, turn, turn @ np.array([0, 0, reach])), OTHER),
        ]

    _space(figure, run, bodies, 3.0)


SCENES: Mapping[str, Callable[[Any, Run], None]] = {
    "cart_pendulum": cart_pendulum,
    "three_bodies": three_bodies,
    "satellite_boom": satellite_boom,
}


def _instants(run: Run, end: float | None = None) -> Vector:
    """Rows of the snapshots, evenly spread up to a time."""
    last = len(run.t) - 1 if end is None else int(np.searchsorted(run.t, min(end, run.t[-1])))
    return np.linspace(0, last, SHOTS).astype(int)


def _space(figure: Any, run: Run, bodies: Callable[[Vector], list[Placed]], reach: float) -> None:
    """Six views in space, all at one scale; positions of the centre go into the titles."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    figure.set_size_inches(6.3, 4.3)
    axes = figure.subplots(2, 3, subplot_kw={"projection": "3d"}).ravel()
    for axis, row in zip(axes, _instants(run), strict=True):
        faces, colours = [], []
        for shape, colour in bodies(run.q[row]):
            faces += list(shape)
            colours += [_shaded(colour, face) for face in shape]
        solid = Poly3DCollection(faces, facecolors=colours, edgecolors=INK, linewidths=0.5)
        solid.set_clip_on(False)
        axis.add_collection3d(solid)
        axis.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-reach, reach))
        axis.set_box_aspect((1, 1, 1), zoom=1.5)
        axis.set_axis_off()
        axis.view_init(elev=22, azim=-58)
        _triad(axis, reach)
        x, y, z = np.round(run.q[row][-3:], 1) + 0.0
        axis.set_title(f"$t$ = {run.t[row]:.0f} s, centre at\n({x:.1f}, {y:.1f}, {z:.1f}) m", fontsize=8)


def _triad(axis: Any, reach: float) -> None:
    """The directions of the inertial axes, in a corner of the view."""
    origin = reach * np.array([-0.75, -0.75, -0.85])
    for direction, name in zip(np.eye(3), "XYZ", strict=True):
        axis.plot(*zip(origin, origin + 0.3 * reach * direction, strict=True), color="#888888", linewidth=0.8)
        axis.text(*(origin + 0.42 * reach * direction), name, fontsize=7, color="#666666", ha="center", va="center")


def _shaded(colour: str, face: Vector) -> tuple[float, float, float]:
    """A colour made darker where the face turns from the light."""
    from matplotlib.colors import to_rgb

    normal = np.cross(face[1] - face[0], face[2] - face[1])
    light = np.array([0.35, -0.55, 0.75])
    part = 0.62 + 0.38 * abs(float(normal @ light)) / float(np.linalg.norm(normal) * np.linalg.norm(light))
    r, g, b = to_rgb(colour)
    return (part * r, part * g, part * b)


def _box(a: float, b: float, c: float) -> list[Vector]:
    """The six faces of a box about the origin."""
    corners = {signs: np.array(signs) * (a / 2, b / 2, c / 2) for signs in product((-1, 1), repeat=3)}
    faces = []
    for axis in range(3):
        for sign in (-1, 1):
            ring = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
            faces.append(np.array([corners[(*pair[:axis], sign, *pair[axis:])] for pair in ring]))
    return faces


def _moved(faces: Sequence[Vector], turn: Vector, shift: Vector | None = None) -> list[Vector]:
    return [face @ turn.T + (0.0 if shift is None else shift) for face in faces]


def _about_z(angle: float) -> Vector:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _rotation(psi: float, theta: float, phi: float) -> Vector:
    """Rz(psi) Ry(theta) Rx(phi)."""
    c, s = np.cos(theta), np.sin(theta)
    about_y = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    c, s = np.cos(phi), np.sin(phi)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    turn: Vector = _about_z(psi) @ about_y @ about_x
    return turn
