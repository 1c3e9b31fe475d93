"""What mechanisms take as they grow: python -m benchmarks.sizes [NAMES] [-o FILE].

Each is built in a process of its own, without cache: operations, seconds by stage, the largest memory, and the time of a call of
the right side from Python. Chains are computed by Pinocchio in the same process (`aba`, or `constraintDynamics` for closed ones),
called from Python too, at the same state; `difference` is the largest of accelerations, relative to the largest value.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import chains, loops
from volterra_cg import build, driver
from volterra_cg.clock import STAGES, Clock
from volterra_cg.options import Options
from volterra_cg.runtime import Model

Vector = NDArray[np.float64]
GRAVITY = 9.81
SIZES = ("open_chain:64", "open_chain:300", *(f"closed_chain:{n}" for n in (8, 16, 32, 64, 128)))
NAMES = (*SIZES, "net:4", "net:5", "net:7", "net:10", "stewart", "delta", "free_bodies:50")
HEAD = ["mechanism", "operations", *(f"{stage} s" for stage in STAGES), "MB", "us", "Pinocchio us", "difference"]


def spec_of(name: str) -> str:
    """The text of a mechanism, such as net:4."""
    kind, *sizes = name.split(":")
    make: Callable[..., str] = getattr(loops, kind, None) or getattr(chains, kind)
    return make(*map(int, sizes))


def measured(name: str) -> dict[str, Any]:
    """One row: build a mechanism and call it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spec.toml"
        path.write_text(spec_of(name))
        clock = Clock()
        built = driver.build(path, Options(), Path(folder) / "out", clock, build.Cache(Path(folder) / "cache"))
        model: Model = build.load(built.folder).model
        row: dict[str, Any] = {"mechanism": name, "operations": model.report["operations"]["total"]}
        row |= {f"{stage} s": round(clock.seconds()[stage], 2) for stage in STAGES}
        own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        row["MB"] = max(own, children) // 1024
        z = np.array(model.z0)
        count = len(model.coordinates)
        z[count:] = np.random.default_rng(1).uniform(-1, 1, len(z) - count)
        dz = np.array(model.rhs(0.0, z))
        row["us"] = round(1e6 * best(lambda: model.rhs(0.0, z)), 2)
        if name.split(":")[0] in ("open_chain", "closed_chain") and find_spec("pinocchio"):
            row |= beside_pinocchio(
                name, z[:count], dz, [u.removeprefix("der(").removesuffix(")") for u in model.quasi_velocities]
            )
    return row


def best(call: Callable[[], object], repeats: int = 7) -> float:
    """Seconds of a call, the least of several means."""
    begin = time.perf_counter()
    call()
    number = max(1, int(0.02 / (time.perf_counter() - begin)))

    def mean() -> float:
        begin = time.perf_counter()
        for _ in range(number):
            call()
        return (time.perf_counter() - begin) / number

    return min(mean() for _ in range(repeats))


def beside_pinocchio(name: str, q: Vector, dz: Vector, speeds: list[str]) -> dict[str, Any]:
    """Time and accelerations of a chain in relative angles, at the state of ours; ours are the rates of `speeds`."""
    import pinocchio as pin

    count, closed = len(q), name.startswith("closed")
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -GRAVITY, 0.0])
    link, joint = np.array([1.0, 0.0, 0.0]), 0
    for k in range(count):
        joint = model.addJoint(joint, pin.JointModelRZ(), pin.SE3(np.eye(3), link if k else 0 * link), f"q{k + 1}")
        rod = pin.Inertia(1.0, link / 2, np.diag([0.0, 1.0, 1.0]) / 12)
        model.appendBodyToJoint(joint, rod, pin.SE3.Identity())
    data = model.createData()
    angles, rates, force = np.diff(q, prepend=0.0), np.diff(dz[:count], prepend=0.0), np.zeros(count)
    call: Callable[[], Vector] = partial(pin.aba, model, data, angles, rates, force)
    if closed:
        tip, hook = pin.SE3(np.eye(3), link), pin.SE3(np.eye(3), np.array([0.7 * count, 0.0, 0.0]))
        rows = [pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, joint, tip, 0, hook, pin.LOCAL)]
        datas = [one.createData() for one in rows]
        pin.initConstraintDynamics(model, data, rows, datas)
        settings = pin.ProximalSettings(1e-12, 1e-12, 20)
        call = partial(pin.constraintDynamics, model, data, angles, rates, force, rows, datas, settings)
    theirs = np.cumsum(call())
    numbers = [int(name.removeprefix("q")) - 1 for name in speeds]
    ours = dz[count : count + len(speeds)]
    return {
        "Pinocchio us": round(1e6 * best(call), 2),
        "difference": f"{np.abs(ours - theirs[numbers]).max() / np.abs(theirs).max():.0e}",
    }


def main() -> None:
    """Measure each in a process of its own and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("-o", type=Path, help="where to write the table")
    parser.add_argument("--one", action="store_true", help="measure in this process and print JSON")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measured(arguments.names[0])))
        return
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    print("\n".join(lines))
    for name in arguments.names:
        command = [sys.executable, "-m", "benchmarks.sizes", name, "--one"]
        answer = subprocess.run(command, capture_output=True, text=True)
        row = json.loads(answer.stdout) if answer.returncode == 0 else {"mechanism": name, "operations": "failed"}
        lines.append("| " + " | ".join(str(row.get(key, "")) for key in HEAD) + " |")
        print(lines[-1], flush=True)
    if arguments.o:
        arguments.o.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
