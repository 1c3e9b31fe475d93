"""What mechanisms take as they grow, beside Pinocchio and MuJoCo: python -m benchmarks.sizes [NAMES] [-o FILE].

Each is built in a process of its own, without cache: operations, instructions, seconds by stage, and the largest memory.
`processor s` are those of the whole build, imports and the C compiler included; other load on the machine changes them less.
Then a call of the right side is timed in a C loop, at states along the mechanism's own motion, in turn with others: `aba` or, of
closed loops, `constraintDynamics` and `lcaba` of Pinocchio, and `mj_forward` of MuJoCo without collisions, limits, actuators and
sensors. `differences` are the largest of their accelerations from ours, relative to the largest value, in this order.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import chains, loops, machines, robots
from benchmarks.twins import beside
from benchmarks.twins.told import twin
from volterra_cg import build, driver
from volterra_cg.clock import STAGES, Clock
from volterra_cg.options import Options
from volterra_cg.runtime import Model
from volterra_cg.runtime.table import functions

TREES = ("arm:6", "arm:7", "arm:6:1", "arm:7:1", "quadruped", "humanoid", "humanoid:ground", "humanoid:body", "tree:60")
CHAINS = ("open_chain:64", "open_chain:300", *(f"closed_chain:{n}" for n in (8, 16, 32, 64, 128)))
NETS = ("net:4", "net:5", "net:7", "net:10")
MACHINES = ("stewart", "stewart_joints", "delta", "delta_joints", "excavator", "car")
NAMES = (*TREES, *CHAINS, *NETS, *MACHINES, "free_bodies:50")
PEERS = {"aba": "Pinocchio ns", "constraintDynamics": "Pinocchio ns", "lcaba": "lcaba ns", "MuJoCo": "MuJoCo ns"}
TIMES = ["ns", "Pinocchio ns", "lcaba ns", "MuJoCo ns"]
HEAD = [
    "mechanism",
    "m, r, p, s",
    "operations",
    "instructions",
    *TIMES,
    "differences",
    *(f"{stage} s" for stage in STAGES),
    "processor s",
    "MB",
]
SPAN, STATES = 0.2, 16  # seconds of the motion that the states are of, and how many


def spec_of(name: str) -> str:
    """The text of a mechanism, such as net:4 or humanoid:body."""
    kind, *sizes = name.split(":")
    make: Callable[..., str] = next(getattr(m, kind) for m in (robots, machines, loops, chains) if hasattr(m, kind))
    return make(*(int(size) if size.isdecimal() else size for size in sizes))


def measured(name: str, libraries: Path) -> dict[str, Any]:
    """One row: build a mechanism, call it, and call its twins; `libraries` is where these are compiled."""
    text = spec_of(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spec.toml"
        path.write_text(text)
        clock = Clock()
        built = driver.build(path, Options(), Path(folder) / "out", clock, build.Cache(Path(folder) / "cache"))
        model: Model = build.load(built.folder).model
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        report = model.report
        row = {"mechanism": name, "operations": report["operations"]["total"], "instructions": report["instructions"]}
        row["m, r, p, s"] = ", ".join(str(report[letter]) for letter in "mrps")
        row |= {f"{stage} s": round(clock.seconds()[stage], 2) for stage in STAGES}
        row["processor s"] = round(sum(one.ru_utime + one.ru_stime for one in used), 1)
        row["MB"] = max(one.ru_maxrss for one in used) // 1024
        return row | compared(name, text, model, libraries)


def compared(name: str, text: str, model: Model, libraries: Path) -> dict[str, Any]:
    """Times of calls, and how far the accelerations of others are from ours."""
    holonomic = functions(model.address).holonomic > 0
    states = model.simulate(SPAN, dt=SPAN / (STATES - 1), project=holonomic).z
    beside.require_rates(model.default, states)
    found = twin(name, text)
    listed = beside.candidates(model.default, states, found, libraries)
    loop = beside.library(libraries)
    row = {PEERS.get(label, "ns"): round(ns) for label, ns in beside.nanoseconds(listed, loop).items()}
    apart = beside.differences(found[0], listed, loop) if found else {}
    row["differences"] = ", ".join(f"{apart[label]:.0e}" for label in PEERS if label in apart)
    return row


def main() -> None:
    """Measure each in a process of its own and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("-o", type=Path, help="where to write the table")
    parser.add_argument(
        "--libraries", type=Path, help="where the loops of others are compiled, or are since an earlier run"
    )
    parser.add_argument("--one", action="store_true", help="measure in this process and print JSON")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measured(arguments.names[0], arguments.libraries)))
        return
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        libraries = arguments.libraries or Path(folder)
        libraries.mkdir(parents=True, exist_ok=True)
        beside.pinocchio_library(libraries)
        for name in arguments.names:
            found = row(name, libraries)
            lines.append("| " + " | ".join(str(found.get(key, "")) for key in HEAD) + " |")
            print(lines[-1], flush=True)
            if arguments.o:
                arguments.o.write_text("\n".join(lines) + "\n")


def row(name: str, libraries: Path) -> dict[str, Any]:
    """The row of a mechanism, measured in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.sizes", name, "--one", "--libraries", str(libraries)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        print(answer.stderr, file=sys.stderr)
        return {"mechanism": name, "operations": "failed"}
    found: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
