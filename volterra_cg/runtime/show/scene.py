"""One description of what is where over a run, for all pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volterra_cg import stl
from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.runtime.description import unknown

from . import shapes
from .shapes import Solid

if TYPE_CHECKING:
    from volterra_cg.runtime.run import Run

TRIANGLES = 24_000  # of all meshes together, about
PARTICLE = 0.03  # the radius of a particle, beside the size of the scene
NO_MODEL = "this run was loaded from a file and has no model: give it one, as volterra_cg.load(path, model)"


@dataclass(frozen=True, eq=False)
class Body:
    """A solid that moves: `at`, shape (T, 3), and `axes`, shape (T, 3, 3), whose columns are its own axes."""

    name: str
    solid: Solid
    at: Vector
    axes: Vector
    hides: bool = False  # others are inside of it, so that it is drawn to be seen through


@dataclass(frozen=True, eq=False)
class Line:
    """A line from `first` to `second`, shape (T, 3) each; `body` is the number of the body that it is part of, or -1."""

    kind: str
    name: str
    first: Vector
    second: Vector
    body: int = -1


@dataclass(frozen=True, eq=False)
class Arrow:
    """A vector at a point, shape (T, 3) each."""

    name: str
    at: Vector
    vector: Vector

    @property
    def largest(self) -> float:
        """Its largest size, of the times where it is finite."""
        sizes = np.linalg.norm(self.vector, axis=1)
        return float(sizes[np.isfinite(sizes)].max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that moves, at the times t; `up` is against gravity, and `ground` says whether there is any."""

    name: str
    t: Vector
    bodies: tuple[Body, ...]
    lines: tuple[Line, ...]
    joints: Vector  # (T, joints, 3)
    arrows: tuple[Arrow, ...]
    up: Vector
    ground: bool

    @cached_property
    def normal(self) -> Vector | None:
        """The direction that nothing moves along, if there is one: of a plane mechanism."""
        places = np.concatenate([self._places.reshape(-1, 3), self.joints.reshape(-1, 3)])
        spread = np.ptp(places, axis=0)
        flat = [k for k in range(3) if spread[k] <= 1e-9 * max(1e-300, spread.max())]
        turns = [body.axes for body in self.bodies if len(body.axes)]
        for k in flat:
            if all(np.abs(axes[:, k, k] - 1).max() < 1e-9 for axes in turns) and abs(self.up[k]) < 0.5:
                return np.asarray(np.eye(3)[k])
        return None

    @cached_property
    def _places(self) -> Vector:
        """Every point at every time, shape (T, points, 3)."""
        found = [body.at for body in self.bodies] + [end for line in self.lines for end in (line.first, line.second)]
        return np.stack(found, axis=1) if found else np.zeros((len(self.t), 1, 3))

    @cached_property
    def middle(self) -> Vector:
        """The middle of all that is ever seen."""
        low, high = self._places.min(axis=(0, 1)), self._places.max(axis=(0, 1))
        return np.asarray((low + high) / 2)

    @cached_property
    def radius(self) -> float:
        """How far from the middle anything ever is."""
        reach = max((body.solid.reach for body in self.bodies), default=0.0)
        return float(np.linalg.norm(self._places - self.middle, axis=2).max() + reach) or 1.0

    def halves(self, rows: Vector) -> Vector:
        """How far from the middle anything ever is along these directions, shape (directions,)."""
        away = [np.abs((body.at - self.middle) @ rows.T).max(axis=0) + body.solid.reach for body in self.bodies]
        away.append(np.abs((self._places - self.middle) @ rows.T).max(axis=(0, 1)))
        if self.ground:
            away.append(np.abs(rows @ self.up) * abs(self.floor - self.middle @ self.up))
        return np.asarray(np.max(away, axis=0))

    @cached_property
    def size(self) -> float:
        """The size of the mechanism itself, however far it travels."""
        return _size(self._places, [body.solid.reach for body in self.bodies])

    @cached_property
    def centre(self) -> Vector:
        """The middle of the bodies at each time, shape (T, 3)."""
        low, high = self._places.min(axis=1), self._places.max(axis=1)
        return np.asarray((low + high) / 2)

    @cached_property
    def floor(self) -> float:
        """The height at which the ground is drawn: that of the origin where all is above it and near, else below everything."""
        lowest = min((float((body.at @ self.up).min()) - body.solid.reach for body in self.bodies), default=0.0)
        return 0.0 if 0 < lowest < 2 * self.radius else lowest

    @property
    def travels(self) -> bool:
        """Whether it goes so far that a picture must follow it."""
        return self.radius > 3 * self.size


def _hides(body: Body, others: list[Body]) -> bool:
    """Whether a smaller body, from which it never parts, has its centre where this one has, inside of it."""
    return body.solid.encloses and any(
        other.solid.reach < body.solid.reach and np.abs(other.at - body.at).max() <= 0.05 * body.solid.reach
        for other in others
        if other is not body
    )


def _size(places: Vector, reaches: list[float]) -> float:
    centre = (places.min(axis=1) + places.max(axis=1)) / 2
    own = float(np.linalg.norm(places - centre[:, np.newaxis], axis=2).max())
    return own + max(reaches, default=0.0) or 1.0


def scene_of(run: Run, meshes: Mapping[str, str | Path] | None = None, rows: Any = None) -> Scene:
    """The scene of a run, or of some of its rows; `meshes` are STL files that stand for bodies, by name."""
    if run.source is None:
        raise OptionError(NO_MODEL)
    told = run.description.report.get("scene") or {}
    which = slice(None) if rows is None else rows
    t = run.t[which]
    if not told or not len(t):
        raise OptionError("there is nothing to draw")
    numbers = run.source.handle.scene_along(t, _moving(run, which))
    reader = _Reader(numbers, told, dict(meshes or {}))
    up = -reader.vector(told["gravity"])[0] if told["gravity"] is not None else np.array([0.0, 0.0, 1.0])
    ground = bool(told["gravity"] is not None and np.linalg.norm(up) > 0)
    bodies, bars = reader.bodies()
    joints = [reader.vector(place) for place in told["joints"]]
    scene = Scene(
        run.description.name,
        t,
        bodies,
        reader.lines(bars),
        np.stack(joints, axis=1) if joints else np.empty((len(t), 0, 3)),
        tuple(Arrow(a["name"], reader.vector(a["at"]), reader.vector(a["vector"])) for a in told["arrows"]),
        up / np.linalg.norm(up) if ground else np.array([0.0, 0.0, 1.0]),
        ground,
    )
    upright = replace(scene, up=np.array([0.0, 1.0, 0.0]))  # a plane mechanism without gravity is drawn as on paper
    return upright if not ground and scene.normal is None and upright.normal is not None else scene


def _moving(run: Run, which: Any) -> Vector:
    """Coordinates, rates and signals, row by row; the rates are those of the run, whichever chart it was in."""
    columns = [run.signals[name][which] for name in run.description.signals]
    return np.column_stack([run.q[which], run.y[which, run.description.output("rates").where], *columns])


@dataclass
class _Reader:
    """Takes numbers of a scene apart."""

    numbers: Vector
    told: Mapping[str, Any]
    meshes: dict[str, str | Path]

    def vector(self, place: int) -> Vector:
        """A point or vector over time."""
        return self.numbers[:, place : place + 3]

    def bodies(self) -> tuple[tuple[Body, ...], dict[str, int]]:
        """The bodies, and the frames whose arms stand for one that has no solid, by the number of that body."""
        told = self.told["bodies"]
        for name in self.meshes:
            if name not in [entry["name"] for entry in told]:
                raise unknown("body", name, [entry["name"] for entry in told])
        known = [self._solid(entry) for entry in told]
        lines = [self.vector(line[end]) for line in self.told["lines"] for end in ("first", "second")]
        places = np.stack([*(self.vector(entry["at"]) for entry in told), *lines], axis=1)
        size = _size(places, [each.reach for each in known if each is not None])
        heaviest = max(float(self.numbers[0, entry["mass"]]) for entry in told)
        arms = {line.get("frame") for line in self.told["lines"] if line["kind"] == "arm"}
        bars = {e["frame"]: k for k, e in enumerate(told) if known[k] is None and e.get("frame") in arms}
        found = []
        for number, (entry, solid) in enumerate(zip(told, known, strict=True)):
            share = (float(self.numbers[0, entry["mass"]]) / heaviest) ** (1 / 3) if heaviest > 0 else 1.0
            radius = PARTICLE * size * max(0.4, share) * (0.5 if number in bars.values() else 1.0)
            count = len(self.numbers)
            axes = np.broadcast_to(np.eye(3), (count, 3, 3))
            if "axes" in entry:
                axes = self.numbers[:, entry["axes"] : entry["axes"] + 9].reshape(count, 3, 3)
            found.append(Body(entry["name"], solid or shapes.sphere(radius), self.vector(entry["at"]), axes))
        return tuple(replace(body, hides=_hides(body, found)) for body in found), bars

    def _solid(self, entry: Mapping[str, Any]) -> Solid | None:
        """What is drawn of a body, about its centre."""
        if entry["name"] in self.meshes:
            return shapes.read_stl(self.meshes[entry["name"]], self._share)
        made, first = self._own(entry), self.numbers[0]
        if made is None or "moved" not in entry:
            return made
        at, turned = np.split(first[entry["moved"] : entry["moved"] + 12], [3])
        return replace(made, corners=made.corners @ turned.reshape(3, 3).T + at)

    @cached_property
    def _share(self) -> int:
        """How many triangles a mesh may have, so that all together are drawn in time and fit into a page."""
        count = sum("mesh" in entry or entry["name"] in self.meshes for entry in self.told["bodies"])
        return max(200, TRIANGLES // max(1, count))

    def _own(self, entry: Mapping[str, Any]) -> Solid | None:
        first = self.numbers[0]
        if "mesh" in entry:
            corners = stl.unpacked(entry["mesh"]) * first[entry["scale"]]
            return shapes.of_triangles(stl.simpler(corners, self._share))
        if "shape" in entry:
            sizes = first[entry["sizes"] : entry["sizes"] + entry["count"]]
            return shapes.solid(entry["shape"], [float(size) for size in sizes], entry["axis"])
        if "inertia" in entry:
            tensor = first[entry["inertia"] : entry["inertia"] + 9].reshape(3, 3)
            return shapes.of_inertia(float(first[entry["mass"]]), tensor, entry.get("spin"))
        return None

    def lines(self, bars: Mapping[str, int]) -> tuple[Line, ...]:
        """All lines; those that stand for a body know it."""
        return tuple(
            Line(
                line["kind"],
                line["name"],
                self.vector(line["first"]),
                self.vector(line["second"]),
                bars.get(line.get("frame", ""), -1),
            )
            for line in self.told["lines"]
        )
