"""Work and precision: python -m benchmarks.precision [MODEL ...] [-o FILE].

For each model and three integrators, with tolerances from 1e-2 to 1e-13: the error at the end beside a reference, and the
shortest of several runs, on one core. The table has the time in which each of them comes as near to the reference as dop853
does with the tolerance of the row, interpolated between its own tolerances.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import volterra_cg as vcg
from volterra_cg.runtime import Model, Status
from volterra_cg.runtime.integration import StepControl, Wishes, integrate

from .chains import cart_chain, space_chain

MODELS = Path(__file__).parent / "models"
CHAINS = {"16 links on a cart": (cart_chain, 16, 5.0), "8 boxes in space": (space_chain, 8, 10.0)}
ENDS = {"three_bodies": 50.0, "satellite_boom": 50.0, "cart_pendulum": 10.0, "rolling_disc": 10.0, "andrews": 0.03}
INTEGRATORS = ("gauss", "dop853", "ode45")
TOLERANCES = 10.0 ** -np.arange(2, 13.5, 0.5)
ASKED = (1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
ROUNDS = 60
Curve = NDArray[np.float64]  # rows of an error and the seconds that it takes


def model_of(name: str) -> tuple[Model, float]:
    """A model, and how long to simulate it."""
    if name not in CHAINS:
        return vcg.compile(MODELS / f"{name}.toml"), ENDS[name]
    text, count, end = CHAINS[name]
    with TemporaryDirectory() as folder:
        spec = Path(folder) / "chain.toml"
        spec.write_text(text(count))
        return vcg.compile(spec), end


def curves(model: Model, end: float, rounds: int) -> dict[str, Curve]:
    """Errors and times of all integrators, which take turns so that other load meets them alike."""
    start, rows = model.start(), [0.0, end]
    reference = integrate(start, rows, StepControl("dop853", 3e-15, 3e-15), Wishes()).z[-1]
    found = {name: np.full((len(TOLERANCES), 2), np.nan) for name in INTEGRATORS}
    for _ in range(rounds):
        for name, rows_of in found.items():
            for curve, tolerance in zip(rows_of, TOLERANCES, strict=True):
                run = integrate(start, rows, StepControl(name, tolerance, tolerance), Wishes(raises=False))
                if run.status is Status.DONE:
                    curve[0] = np.abs((run.z[-1] - reference) / (1 + np.abs(reference))).max()
                    curve[1] = np.fmin(curve[1], run.statistics.seconds)
    return found


def seconds_for(curve: Curve, error: float) -> float:
    """The time for an error: the cheapest way to it or below, interpolated where two tolerances straddle it."""
    known = curve[np.isfinite(curve).all(axis=1)]
    near = known[known[:, 0] <= error]
    if not len(near):
        return float("nan")
    best = near[np.argmin(near[:, 1])]
    worse = known[(known[:, 0] > error) & (known[:, 1] < best[1])]
    if not len(worse):
        return float(best[1])
    other = worse[np.argmax(worse[:, 1])]
    part = np.log(error / other[0]) / np.log(best[0] / other[0])
    return float(np.exp((1 - part) * np.log(other[1]) + part * np.log(best[1])))


def table(name: str, found: dict[str, Curve]) -> list[str]:
    """A row for each accuracy: that of dop853 with the tolerance asked for."""
    lines = []
    for asked in ASKED:
        error = found["dop853"][np.argmin(np.abs(np.log(TOLERANCES / asked))), 0]
        times = [seconds_for(found[integrator], error) for integrator in INTEGRATORS]
        ratio = min(times[1:]) / times[0]
        lines.append(
            f"| {name} | {asked:.0e} | {error:.1e} | "
            + " | ".join(f"{1e3 * t:.3g}" for t in times)
            + f" | {ratio:.2f} |"
        )
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=[*ENDS, *CHAINS])
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args(arguments)
    head = f"| model | rtol of dop853 | error | {' ms | '.join(INTEGRATORS)} ms | best of the others / gauss |"
    lines = [head, "|---" * (4 + len(INTEGRATORS)) + "|"]
    for name in options.models:
        model, end = model_of(name)
        lines += table(name, curves(model, end, options.rounds))
        print("\n".join(lines[-len(ASKED) :]), flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
