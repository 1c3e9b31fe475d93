"""An event-driven reference for impacts, latches and sampled signals: motions in closed form, nothing of the runtime.

Between events every coordinate is a polynomial of time, at most a cubic. The first zero of a gap is found by steps that
cannot pass it: with |g''| <= M, g(t + s) >= g + g' s - M s^2 / 2. Impacts follow Newton's law, one after the other in the
order of the spec as long as a closed gap closes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
TOUCHING = 1e-11  # gaps that count as closed
SHORTEST = 1e-5  # a flight below is the end of what is compared
ROUNDS = 1000
HALL, TOYS, CART, SLED = (
    """
schema = 1
name = "hall"
[parameters]
m = 0.7
g = 9.81
k = 0
A = 0
w = 1
e = 0.5
n1x = 1
n1y = 0
d1 = 0
n2x = -1
n2y = 0
d2 = 2
n3x = 0
n3y = -1
d3 = 3
level = 0.2
[coordinates]
x = { initial = 1 }
y = { initial = 1 }
[points]
P = { at = ["x", "y", 0] }
[bodies]
ball = { mass = "m", center = "P" }
[gravity]
N = [0, "-g", 0]
[events]
floor = { when = "y - k*x - A*sin(w*t)", restitution = "e" }
left = { when = "n1x*x + n1y*y + d1", restitution = "e" }
right = { when = "n2x*x + n2y*y + d2", restitution = "e" }
roof = { when = "n3x*x + n3y*y + d3", restitution = "e" }
level = { when = "sqrt(y - k*x - A*sin(w*t) + 1e-9) - level" }
""",
    """
schema = 1
name = "toys"
[parameters]
m1 = 1
m2 = 1
m3 = 1
d = 0.1
wall = 2
e = 1
m = 0.5
l = 1
g = 9.81
er = 0.5
[coordinates]
x1 = { initial = 0.2 }
x2 = { initial = 0.8 }
x3 = { initial = 1.4 }
y = { initial = 1 }
a = { initial = 0 }
[frames]
R = { rotate = [["z", "a"]] }
[points]
P1 = { at = ["x1", 0, 0] }
P2 = { at = ["x2", 0, 0] }
P3 = { at = ["x3", 0, 0] }
C = { at = [0, "y", 0] }
L = { from = "C", in = "R", at = ["-l/2", 0, 0] }
E = { from = "C", in = "R", at = ["l/2", 0, 0] }
[bodies]
one = { mass = "m1", center = "P1" }
two = { mass = "m2", center = "P2" }
three = { mass = "m3", center = "P3" }
rod = { mass = "m", center = "C", frame = "R", inertia = { zz = "m*l**2/12" } }
[gravity]
N = [0, "-g", 0]
[events]
left = { when = "x1", restitution = "e" }
first = { when = "x2 - x1 - d", restitution = "e" }
second = { when = "x3 - x2 - d", restitution = "e" }
right = { when = "wall - x3", restitution = "e" }
one_end = { when = "dot(position(L), N.y)", restitution = "er" }
other_end = { when = "dot(position(E), N.y)", restitution = "er" }
""",
    """
schema = 1
name = "cart"
[parameters]
m = 1
gain = 1
high = 2
on_at = 1
off_at = 0.5
low = -2
top = 3
e = 0.6
mark = 0.7
[signals]
F = 0
[coordinates]
x = { initial = 0 }
[points]
P = { at = ["x", 0, 0] }
[bodies]
cart = { mass = "m", center = "P" }
[forces]
drive = { at = "P", vector = ["gain*F", 0, 0] }
[events]
on = { when = "x - on_at", direction = "rising", set = { gain = "high" } }
off = { when = "x - off_at", direction = "falling", set = { gain = 1 } }
wall = { when = "x - low", restitution = "e" }
stop = { when = "top - x", direction = "falling", set = { "der(x)" = "-e*der(x)" } }
mark = { when = "x - mark" }
""",
    """
schema = 1
name = "sled"
[parameters]
m = 1
[signals]
F = 0
[coordinates]
x = { initial = 0 }
[points]
P = { at = ["x", 0, 0] }
[bodies]
cart = { mass = "m", center = "P" }
[forces]
drive = { at = "P", vector = ["F", 0, 0] }
""",
)


@dataclass
class Gap:
    """A function of (t, q, qd) and its rate; `curve` bounds its second derivative over a flight; `act` is what happens.

    `side` is where the motion is, 1 or -1, and `watch` which crossings count: -1 falling, 1 rising, 0 both. A `solid` one
    is an impact: it cannot be passed.
    """

    name: str
    value: Callable[[float, Vector], float]
    rate: Callable[[float, Vector, Vector], float]
    curve: Callable[[Motion], float]
    act: Callable[[Motion, float], None] | None = None
    watch: int = -1
    solid: bool = False
    side: int = 1


@dataclass
class Motion:
    """Coordinates as polynomials from t0 on: q + v s + a s^2 / 2 + j s^3 / 6."""

    t0: float
    q: Vector
    v: Vector
    a: Vector
    j: Vector

    def at(self, t: float) -> tuple[Vector, Vector]:
        s = t - self.t0
        return self.q + s * (self.v + s * (self.a / 2 + s * self.j / 6)), self.v + s * (self.a + s * self.j / 2)

    def go(self, t: float) -> None:
        self.q, self.v = self.at(t)
        self.a, self.t0 = self.a + (t - self.t0) * self.j, t


@dataclass
class Story:
    """What happened: (name, t) in order; until when it is certain; whether events came to a limit there."""

    events: list[tuple[str, float]] = field(default_factory=list)
    until: float = np.inf
    rests: bool = False


def crossing(gap: Gap, motion: Motion, end: float) -> float:
    """The first time after motion.t0 at which a gap leaves its side; infinity if none before `end`."""
    t, most, left = motion.t0, gap.curve(motion), False
    if most == 0:  # a straight line
        value, rate = gap.side * gap.value(t, motion.q), gap.side * gap.rate(t, motion.q, motion.v)
        found = t + max(value, 0.0) / -rate if rate < 0 else np.inf
        return found if found < end else np.inf
    while t < end:
        q, v = motion.at(t)
        value, rate = gap.side * gap.value(t, q), gap.side * gap.rate(t, q, v)
        if value <= 0 and rate < 0 and (left or gap.solid):
            return t
        value = max(value, 0.0)
        root = np.sqrt(rate * rate + 2 * most * value)
        safe = 2 * value / (root - rate) if rate < 0 else (root + rate) / most
        if rate < 0 and value < TOUCHING * 1e-2:
            return t + value / -rate
        t, left = t + max(safe, 1e-14 * max(1.0, t)), True
    return np.inf


def impacts(gaps: Sequence[Gap], motion: Motion, story: Story) -> bool:
    """Newton's law for every closed gap that closes, in order and repeated; False if that does not end."""
    t = motion.t0
    for _ in range(ROUNDS):
        again = False
        for gap in gaps:
            closed = gap.solid and abs(gap.value(t, motion.q)) < TOUCHING
            rate, size = gap.side * gap.rate(t, motion.q, motion.v), np.abs(motion.v).max()
            if gap.act and closed and rate < -1e-13 * (1 + size):
                gap.act(motion, t)
                story.events.append((gap.name, t))
                again = True
        if not again:
            return True
    return False


def follow(
    gaps: Sequence[Gap],
    motion: Motion,
    end: float,
    corners: Sequence[float] = (),
    bend: Callable[[Motion], object] = id,
    plastic: bool = False,
) -> Story:
    """Events up to `end`; at corners, and after every event, `bend` gives the motion its accelerations.

    A `plastic` impact closes a gap for good, which is the end of the story.
    """
    story, last = Story(), -np.inf
    stops = [*(c for c in corners if motion.t0 < c < end), end]
    bend(motion)
    for gap in gaps:
        gap.side = 1 if gap.solid or gap.value(motion.t0, motion.q) > 0 else -1
    if not impacts(gaps, motion, story):
        story.until, story.rests = motion.t0, True
    while motion.t0 < end and not story.rests:
        stop = next(c for c in stops if c > motion.t0)
        times = [crossing(gap, motion, stop) for gap in gaps]
        t = min([stop, *times])
        motion.go(t)
        if t < stop:
            gap = gaps[times.index(t)]
            if gap.solid or (gap.act and gap.name == "stop"):
                if t - last < SHORTEST:
                    story.until, story.rests = t, True
                    break
                last = t
            _happen(gap, gaps, motion, story)
            if plastic and gap.solid:
                story.until = t
                break
        bend(motion)
    return story


def _happen(gap: Gap, gaps: Sequence[Gap], motion: Motion, story: Story) -> None:
    if gap.solid:
        story.rests = not impacts(gaps, motion, story)
        return
    if gap.watch in (0, -gap.side):
        story.events.append((gap.name, motion.t0))
        if gap.act:
            gap.act(motion, motion.t0)
    if gap.side * gap.rate(motion.t0, motion.q, motion.v) < 0:
        gap.side = -gap.side


# --- the models ------------------------------------------------------------------------------------------------------


def hall(p: dict[str, float], q: Vector, v: Vector, end: float) -> Story:
    """A ball under gravity between a floor that slopes and shakes and three planes."""

    def reflect(normal: Vector, drift: Callable[[float], float]) -> Callable[[Motion, float], None]:
        def act(motion: Motion, t: float) -> None:
            speed = normal @ motion.v + drift(t)
            motion.v = motion.v - (1 + p["e"]) * speed / (normal @ normal) * normal

        return act

    def plane(name: str, normal: Vector, d: float) -> Gap:
        return Gap(
            name,
            lambda t, q: normal @ q + d,
            lambda t, q, v: normal @ v,
            lambda motion: abs(normal @ motion.a),
            reflect(normal, lambda t: 0.0),
            solid=True,
        )

    up, A, w = np.array([-p["k"], 1.0]), p["A"], p["w"]
    floor = Gap(
        "floor",
        lambda t, q: up @ q - A * np.sin(w * t),
        lambda t, q, v: up @ v - A * w * np.cos(w * t),
        lambda motion: abs(up @ motion.a) + A * w * w,
        reflect(up, lambda t: -A * w * np.cos(w * t)),
        solid=True,
    )
    level = Gap("level", lambda t, q: floor.value(t, q) + 1e-9 - p["level"] ** 2, floor.rate, floor.curve, watch=0)
    planes = [
        plane(name, np.array([p[f"n{i}x"], p[f"n{i}y"]]), p[f"d{i}"])
        for i, name in enumerate(("left", "right", "roof"), 1)
    ]
    motion = Motion(0.0, q, v, np.array([0.0, -p["g"]]), np.zeros(2))
    return follow([floor, *planes, level], motion, end, plastic=p["e"] == 0)


def toys(p: dict[str, float], q: Vector, v: Vector, end: float) -> tuple[Story, Motion]:
    """Three balls in a row between walls, and a rod over a floor."""
    masses = np.array([p["m1"], p["m2"], p["m3"], p["m"], p["m"] * p["l"] ** 2 / 12])

    def impact(slope: Callable[[Vector], Vector], e: float) -> Callable[[Motion, float], None]:
        def act(motion: Motion, t: float) -> None:
            row = slope(motion.q)
            motion.v = motion.v - (1 + e) * (row @ motion.v) / (row / masses @ row) * row / masses

        return act

    def linear(name: str, row: Sequence[float], d: float) -> Gap:
        slope = np.array([*row, 0.0, 0.0])
        return Gap(
            name,
            lambda t, q: slope @ q + d,
            lambda t, q, v: slope @ v,
            lambda motion: 0.0,
            impact(lambda q: slope, p["e"]),
            solid=True,
        )

    def tip(name: str, half: float) -> Gap:
        def slope(q: Vector) -> Vector:
            return np.array([0, 0, 0, 1, half * np.cos(q[4])])

        return Gap(
            name,
            lambda t, q: q[3] + half * np.sin(q[4]),
            lambda t, q, v: slope(q) @ v,
            lambda motion: p["g"] + abs(half) * motion.v[4] ** 2,
            impact(slope, p["er"]),
            solid=True,
        )

    gaps = [
        linear("left", [1, 0, 0], 0),
        linear("first", [-1, 1, 0], -p["d"]),
        linear("second", [0, -1, 1], -p["d"]),
        linear("right", [0, 0, -1], p["wall"]),
        tip("one_end", -p["l"] / 2),
        tip("other_end", p["l"] / 2),
    ]
    motion = Motion(0.0, q, v, np.array([0, 0, 0, -p["g"], 0]), np.zeros(5))
    return follow(gaps, motion, end, plastic=p["er"] == 0), motion


def cart(p: dict[str, float], q: float, v: float, force: tuple[Vector, Vector], end: float) -> tuple[Story, Motion]:
    """A cart that a sampled force drives, stronger from one place on and weaker again below another, between two walls."""
    gain, (times, values) = [p["gain"]], force

    def bend(motion: Motion) -> None:
        number = int(np.searchsorted(times, motion.t0, side="right"))
        inner = 0 < number < len(times)
        slope = (values[number] - values[number - 1]) / (times[number] - times[number - 1]) if inner else 0.0
        motion.a = np.array([gain[0] * np.interp(motion.t0, times, values) / p["m"]])
        motion.j = np.array([gain[0] * slope / p["m"]])

    def most(motion: Motion) -> float:
        return max(map(abs, values)) * max(abs(p["high"]), abs(p["gain"]), 1.0) / p["m"]

    def switch(to: float) -> Callable[[Motion, float], None]:
        return lambda motion, t: gain.__setitem__(0, to)

    def rebound(motion: Motion, t: float) -> None:
        motion.v = -p["e"] * motion.v

    def place(name: str, x: float, way: int = 1, **more: object) -> Gap:
        return Gap(name, lambda t, q: way * (q[0] - x), lambda t, q, v: way * v[0], most, **more)  # type: ignore[arg-type]

    gaps = [
        place("on", p["on_at"], act=switch(p["high"]), watch=1),
        place("off", p["off_at"], act=switch(1.0), watch=-1),
        place("wall", p["low"], act=rebound, solid=True),
        place("stop", p["top"], -1, act=rebound, watch=-1),
        place("mark", p["mark"], watch=0),
    ]
    motion = Motion(0.0, np.array([q]), np.array([v]), np.zeros(1), np.zeros(1))
    return follow(gaps, motion, end, times, bend), motion


def driven(m: float, force: tuple[Vector, Vector], end: float) -> tuple[float, float]:
    """Place and speed of a mass that starts at rest at 0 under a sampled force."""
    times = np.unique([0.0, *np.clip(force[0], 0.0, end), end])
    x = v = 0.0
    for t, after in pairwise(times):
        s, a, b = after - t, *(np.interp([t, after], *force) / m)
        x += s * (v + s * (2 * a + b) / 6)
        v += s * (a + b) / 2
    return x, v
