"""The tour: build the paper's three systems, simulate them, compare with reference values, then rerun the paper's tables.

Everything it makes goes to demo/: the built modules, trajectories and plots, and the tables and figures of `bench`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import volterra_cg as vcg
from volterra_cg.cli.main import main

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "demo"

# q(50) of the three systems, computed twice by independent routes (quad-precision extrapolation; double-precision DOP853).
REFERENCE = {
    "cart_pendulum": [1.573711300743, 1.567881369359, 154.0000004249],
    "three_bodies": [
        19.23366348634, 0.5868745048931, -4.084131792047, 1.266197879232, 3.318091828697, 7.641611979265, -11.30924125410,
        -10.79105620440,
    ],
    "satellite_boom": [
        -5.170947439784, 0.0801327191633, 0.4971636098007, 2.196424446505, 100.0010195014, 50.00245477832, -1.153498648572e-3,
    ],
}  # fmt: skip


def tour(name: str) -> list[str]:
    """Build and simulate one system; the row of the summary."""
    spec = ROOT / "benchmarks" / "models" / f"{name}.toml"
    command("build", str(spec), "-o", str(DEMO / "generated"))
    command("simulate", str(spec), "-o", str(DEMO / f"{name}.csv"), "--plot", str(DEMO / f"{name}.png"))
    model = vcg.compile(spec)
    run = model.simulate(50, dt=0.1, rtol=1e-12, atol=1e-12)
    report = model.report
    error = np.abs(run.q[-1] - REFERENCE[name]).max()
    drift = max(np.abs(values).max() for values in run.drift().values())
    sizes = [str(report[key]) for key in ("m", "r", "s", "equations", "states")]
    return [name, *sizes, str(report["operations"]["total"]), f"{error:.1e}", f"{drift:.1e}"]


def command(*arguments: str) -> None:
    """Run one command of volterra-cg, as a user would."""
    print(f"\n$ volterra-cg {' '.join(arguments)}", flush=True)
    if code := main(arguments):
        sys.exit(code)


def table(head: list[str], rows: list[list[str]]) -> str:
    """Rows under a head, in columns."""
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


if __name__ == "__main__":
    DEMO.mkdir(exist_ok=True)
    rows = [tour(name) for name in REFERENCE]
    head = ["system", "m", "r", "s", "equations", "states", "operations", "error of q(50)", "drift of invariants"]
    print("\nThe reduced Volterra equations at rtol = atol = 1e-12, against reference values:\n")
    print(table(head, rows))
    command("bench", "-o", str(DEMO / "bench"))
    pictures = sorted(str(path.relative_to(ROOT)) for path in DEMO.rglob("*.png"))
    print("\nFigures:", *pictures, sep="\n  ")
