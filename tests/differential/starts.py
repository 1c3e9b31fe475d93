"""Random starts of mechanisms that roll, skate, drive, turn by quaternions or close loops.

Each run is right to its tolerance, beside a tight one and by its energy, or it ends with a failure that names the cause.

python -m tests.differential.starts --count 1000 --seed 1
"""

import argparse
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.fixtures.charts import BEAD, BRICARD, FOUR_BAR
from tests.fixtures.specs import PARALLELOGRAM
from volterra_cg import driver
from volterra_cg.build.cache import Cache
from volterra_cg.errors import ModelError, SingularConfiguration, StartError
from volterra_cg.integrators import ADAPTIVE, IMPLICIT
from volterra_cg.options import Options
from volterra_cg.runtime import Status

ROOT = Path(__file__).parents[2]
FREE = "\n[start]\nproject = true\n"
SPAN = 2.0
TIGHT = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-12}
SHIFT = 1e-6  # of the rates of a start, to see how a motion magnifies errors
MARGIN = 300.0  # of an error, beside the tolerance and what the motion makes of it
TELLS = 1e-3  # the largest relative error that may be allowed
SHARPEST = 1e-12
NAMED = {Status.SINGULAR, Status.TOO_SMALL, Status.NOT_FINITE}  # failures whose message names a cause

HINGED = """
schema = 1
name = "hinged"
[bodies]
hull = { mass = 3, shape = { box = [1, 0.6, 0.4] } }
lid = { mass = 1, shape = { box = [0.8, 0.5, 0.1] } }
[joints]
flight = { type = "free", child = "hull", orientation = "quaternion" }
hinge = { type = "revolute", parent = "hull", child = "lid", axis = "x", at = [0, 0.3, 0.2], center = [0, 0.25, 0] }
[gravity]
N = [0, 0, -1]
"""

HEAVY_TOP = """
schema = 1
name = "heavy_top"
[bodies]
top = { mass = 2, inertia = { xx = 0.3, yy = 0.3, zz = 0.1 } }
[joints]
tip = { type = "spherical", child = "top", orientation = "quaternion", center = [0, 0, 0.4] }
[gravity]
N = [0, 0, -9.81]
"""

SKATER = """
schema = 1
name = "skater"
[coordinates]
x = { initial = 0 }
y = {}
heading = {}
arm = {}
[frames]
Skate = { rotate = [["z", "heading"]] }
Arm = { parent = "Skate", rotate = [["z", "arm"]] }
[points]
P = { at = ["x", "y", 0] }
G = { from = "P", in = "Skate", at = [0.2, 0.05, 0] }
H = { from = "P", in = "Arm", at = [0.5, 0, 0] }
[bodies]
skate = { mass = 2, center = "G", frame = "Skate", inertia = { zz = 0.3 } }
arm = { mass = 0.5, center = "H", frame = "Arm", inertia = { zz = 0.05 } }
[gravity]
N = [0, -2, 0]
[constraints]
blade = "dot(velocity(P), Skate.y)"
"""


def _read(path, *, speeds):
    """A shipped spec whose starts may be moved onto its constraints, with or without its own quasi-velocities."""
    tables = (ROOT / path).read_text().split("\n[")
    dropped = ("start]", "simulation]", *(() if speeds else ("quasi_velocities]",)))
    text = "\n[".join(table for table in tables if not table.startswith(dropped))
    return text + FREE


@dataclass(frozen=True)
class Family:
    """A mechanism, and how far its random starts are from that of its spec."""

    text: str
    reach: float
    rate: float = 2.0


FAMILIES = {
    "disc": Family(_read("benchmarks/models/rolling_disc.toml", speeds=False), 0.8),
    "disc in its own speeds": Family(_read("benchmarks/models/rolling_disc.toml", speeds=True), 0.8),
    "ball in a bowl": Family(_read("examples/ball_in_bowl.toml", speeds=False), 0.6),
    "sleigh": Family(_read("benchmarks/models/chaplygin_sleigh.toml", speeds=False), 2.0),
    "skater": Family(SKATER + FREE, 2.0),
    "car": Family(_read("benchmarks/models/car.toml", speeds=False), 0.7),
    "heavy top": Family(HEAVY_TOP + FREE, 1.0),
    "hinged pair": Family(HINGED + FREE, 1.0),
    "four-bar in its rocker's rate": Family(FOUR_BAR, 0.5, 5.0),
    "two four-bars": Family(_read("benchmarks/models/double_four_bar.toml", speeds=False), 0.3, 5.0),
    "bead": Family(BEAD + FREE, 0.5),
    "Bricard": Family(BRICARD, 0.3),
    "parallelogram": Family(PARALLELOGRAM + FREE, 0.3),
}


class Wrong(AssertionError):  # noqa: N818
    """A run that is not right and does not say so."""


def drawn(model, family, rng):
    """A random start on the constraints, at special angles now and then, and others beside it."""
    q0, _ = model.handle(list(model.parameters.values()), list(model.description.signals.values())).initial()
    count = len(q0)
    for _ in range(50):
        q = q0 + family.reach * rng.normal(size=count)
        special = rng.random(count) < 0.15
        q[special] = np.round(q[special] / (np.pi / 2)) * (np.pi / 2)
        rates = family.rate * rng.normal(size=count) * (rng.random(count) < 0.8)
        try:
            start = model.start(q=q, qd=rates)
            return start, _beside(start, rng)
        except (StartError, SingularConfiguration):
            continue
    raise AssertionError("no start satisfies the constraints")


def _beside(start, rng):
    """Starts beside another one: a little faster, and a little elsewhere."""
    rates = start.qd0
    if rates is None:
        rates = start.measured(start.t0, start.z0)[start.model.description.output("rates").where]
    q = start.z0[: len(rates)]
    near = SHIFT * rng.normal(size=(2, len(q)))
    return (
        start.model.start(q=q, qd=rates * (1 + SHIFT), project=False),
        start.model.start(q=q + near[0], qd=rates + near[1]),
    )


def _motion(run, count):
    """Coordinates and rates along a run, which no choice of quasi-velocities magnifies."""
    where = run.description.output("rates").where
    return np.hstack([run.z[:count, : len(run.description.coordinates)], run.y[:count, where]])


def _growth(tight, others):
    """What a motion makes of errors, from others beside it."""
    growth = 1.0
    for other in others:
        count = min(len(one.t) - (not one.ok) for one in (tight, other))
        exact = _motion(tight, count)
        apart = np.abs(_motion(other, count) - exact).max(initial=0.0)
        growth += apart / (SHIFT * (1.0 + np.abs(exact).max(initial=0.0)))
    return growth


def examine(start, beside, integrator, rtol):
    """How a run ends, in a word; raises Wrong where it is silently wrong.

    The tolerance is made smaller where a motion magnifies errors so much that a comparison would say nothing.
    """
    settings = {"t_eval": np.linspace(0, SPAN, 41), "raises": False, "max_steps": 200_000}
    tight = start.simulate(**settings, **TIGHT)
    growth = _growth(tight, [other.simulate(**settings, **TIGHT) for other in beside])
    rtol = max(min(rtol, TELLS / (MARGIN * growth)), SHARPEST)
    run = start.simulate(**settings, integrator=integrator, rtol=rtol, atol=rtol)
    _compare(run, tight, MARGIN * rtol * growth)
    if run.ok:
        if tight.status is Status.SINGULAR:
            raise Wrong(f"goes on where a tight run ends: {tight.message}")
        return "right"
    if run.status not in NAMED or "stopped at t = " not in run.message:
        raise Wrong(f"ends with {run.status.name}: {run.message}")
    return f"{run.status.name}{'' if tight.ok else ', as a tight run'}"


def _compare(run, tight, allowed):
    """Coordinates, rates and energy as far as both runs come; `allowed` is relative."""
    count = min(len(one.t) - (not one.ok) for one in (run, tight))
    exact = _motion(tight, count)
    off = np.abs(_motion(run, count) - exact).max(initial=0.0) / (1.0 + np.abs(exact).max(initial=0.0))
    if not off <= allowed:
        raise Wrong(f"off by {off:.1e}, allowed {allowed:.1e}")
    if "energy" in run.drift():
        energy = run["energy"][:count]
        lost = np.ptp(energy) / (1.0 + np.abs(energy).max())
        if not lost <= allowed:
            raise Wrong(f"energy off by {lost:.1e}, allowed {allowed:.1e}")


def attempt(model, family, seed):
    """One random start, simulated; what comes of it."""
    rng = np.random.default_rng(seed)
    start, beside = drawn(model, family, rng)
    integrators = ADAPTIVE if model.default.handle.has_jacobian else [name for name in ADAPTIVE if name not in IMPLICIT]
    integrator, rtol = str(rng.choice(integrators)), 10.0 ** -rng.uniform(4, 10)
    try:
        return examine(start, beside, integrator, rtol)
    except Wrong as error:
        raise Wrong(f"seed {seed}, {integrator}, rtol {rtol:.1e}: {error}") from None


def main():
    parser = argparse.ArgumentParser(description="random starts of mechanisms with singular configurations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", type=Path)
    asked = parser.parse_args()
    families = {name: one for name, one in FAMILIES.items() if asked.only in name}
    folder = asked.cache or Path(tempfile.mkdtemp())
    wrong = 0
    for number, (name, family) in enumerate(families.items()):
        path = folder / f"family_{number}.toml"
        path.write_text(family.text)
        try:
            model = driver.model(path, Options(jacobian=True), Cache(folder / "cache"))
        except ModelError as error:
            print(name, error)
            continue
        ends = Counter()
        for seed in range(asked.seed, asked.seed + -(-asked.count // len(families))):
            try:
                ends[attempt(model, family, seed)] += 1
            except Wrong as error:
                ends["WRONG"] += 1
                wrong += 1
                print(f"  {name}: {error}", flush=True)
        print(f"{name}: {dict(ends)}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
