"""Work and precision: python -m benchmarks.precision [MODEL ...] [--examples] [--peers] [-o FILE] [--plot FILE].

For each model and integrator, with tolerances from 1e-2 to 1e-13: the error at the end beside a reference, and the
shortest of several runs, on one core. The table has the time in which each of them comes as near to the reference as dop853
does with the tolerance of the row, interpolated between its own tolerances; the plot has all errors and times. Peers are SciPy's
integrators with the model's compiled rhs and, for case 2, heyoka with equations by hand.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import volterra_cg as vcg
from volterra_cg.runtime import Model, Start, Status
from volterra_cg.runtime.choice import choose
from volterra_cg.runtime.integration import StepControl, Wishes, integrate

from .chains import cart_chain, damped_chain, space_chain

MODELS = Path(__file__).parent / "models"
EXAMPLES = Path(__file__).parent.parent / "examples"
CHAINS = {
    "16 links on a cart": (cart_chain, 16, 5.0),
    "8 boxes in space": (space_chain, 8, 10.0),
    "3 links, stiff damper": (damped_chain, 3, 10.0),
}
ENDS = {"three_bodies": 50.0, "satellite_boom": 50.0, "cart_pendulum": 10.0, "rolling_disc": 10.0, "andrews": 0.03}
LONG = 5.0  # seconds of an example
INTEGRATORS = ("gauss", "dop853", "ode45", "radau", "auto")
SCIPY = ("DOP853", "RK45", "LSODA")
TOLERANCES = 10.0 ** -np.arange(2, 13.5, 0.5)
ASKED = (1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
ROUNDS = 60
FEW, SLOW, TOO_SLOW = (
    2,
    0.01,
    0.2,
)  # runs, and seconds of one, from which on no more are made, and no tighter tolerance is tried
State = NDArray[np.float64]
Curve = NDArray[np.float64]  # rows of an error and the seconds that it takes
Solve = Callable[[float], tuple[State, float] | None]  # of a tolerance: the last state and seconds


def model_of(name: str) -> tuple[Model, float]:
    """A model, and how long to simulate it."""
    if name in ENDS:
        return vcg.compile(MODELS / f"{name}.toml", jacobian=True), ENDS[name]
    if name not in CHAINS:
        return vcg.compile(EXAMPLES / f"{name}.toml", jacobian=True), LONG
    text, count, end = CHAINS[name]
    with TemporaryDirectory() as folder:
        spec = Path(folder) / "chain.toml"
        spec.write_text(text(count))
        return vcg.compile(spec, jacobian=True), end


# --- integrators -------------------------------------------------------------------------------------------------------------


def ours(start: Start, end: float, name: str) -> Solve:
    def solve(tolerance: float) -> tuple[State, float] | None:
        (first, _), *others = choose(start, tolerance, None, ()) if name == "auto" else ((name, ""),)
        control = StepControl(first, tolerance, tolerance, others=tuple(others))
        run = integrate(start, [start.t0, end], control, Wishes(raises=False))
        return (run.z[-1], run.statistics.seconds) if run.status is Status.DONE else None

    return solve


def scipys(start: Start, end: float, name: str) -> Solve:
    from scipy.integrate import solve_ivp

    def solve(tolerance: float) -> tuple[State, float] | None:
        begin = time.perf_counter()
        rtol = max(tolerance, 2.3e-14)
        run = solve_ivp(start.rhs, (start.t0, end), start.z0, name, t_eval=[end], rtol=rtol, atol=tolerance)
        return (run.y[:, -1], time.perf_counter() - begin) if run.success else None

    return solve


def heyokas() -> Solve:
    from .runtime import Subject, heyoka

    at = heyoka(Subject())
    made: dict[float, Callable[[], State]] = {}

    def solve(tolerance: float) -> tuple[State, float] | None:
        if tolerance not in made:
            made[tolerance] = at(tolerance)
        run = made[tolerance]
        begin = time.perf_counter()
        z = run()
        return z, time.perf_counter() - begin

    return solve


def solvers(name: str, start: Start, end: float, peers: bool) -> dict[str, Solve]:
    """All integrators of ours and, if asked for, those of others that are installed."""
    found = {integrator: ours(start, end, integrator) for integrator in INTEGRATORS}
    if peers and find_spec("scipy"):
        found |= {f"SciPy {method}": scipys(start, end, method) for method in SCIPY}
    if peers and name == "three_bodies" and find_spec("heyoka"):
        found["heyoka"] = heyokas()
    return found


# --- measuring -------------------------------------------------------------------------------------------------------------


def curves(start: Start, end: float, found: dict[str, Solve], rounds: int) -> dict[str, Curve]:
    """Errors and times of all integrators, which take turns so that other load meets them alike."""
    reference = integrate(start, [start.t0, end], StepControl("dop853", 3e-15, 3e-15), Wishes()).z[-1]
    measured = {name: np.full((len(TOLERANCES), 2), np.nan) for name in found}
    for turn in range(rounds):
        for name, rows in measured.items():
            for row, tolerance in zip(rows, TOLERANCES, strict=True):
                if turn >= FEW and not row[1] < SLOW:
                    continue
                last = found[name](tolerance)
                if last is not None:
                    row[0] = np.abs((last[0] - reference) / (1 + np.abs(reference))).max()
                    row[1] = np.fmin(row[1], last[1])
                if row[1] > TOO_SLOW:
                    break
    return measured


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
        times = {integrator: seconds_for(curve, error) for integrator, curve in found.items()}
        best = min(times[integrator] for integrator in INTEGRATORS[1:-1] if times[integrator] > 0)
        shown = " / ".join(f"{1e3 * t:.3g}" for t in times.values())
        lines.append(f"| {name} | {asked:.0e} | {error:.1e} | {shown} | {best / times['gauss']:.2f} |")
    return lines


def plot(found: dict[str, dict[str, Curve]], file: Path) -> None:
    """A panel for each model: time over error, a line for each integrator."""
    from matplotlib.figure import Figure

    columns = min(3, len(found))
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(4 * columns, 3.2 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, (model, lines) in zip(panels, found.items(), strict=False):
        for integrator, curve in lines.items():
            style = "-o" if integrator in INTEGRATORS else "--"
            panel.loglog(curve[:, 0], 1e3 * curve[:, 1], style, markersize=3, linewidth=1, label=integrator)
        panel.set(title=model, xlabel="error at the end", ylabel="ms")
        panel.invert_xaxis()
        panel.grid(alpha=0.3)
    for panel in panels[len(found) :]:
        panel.set_visible(False)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower right", fontsize="small")
    figure.savefig(file, dpi=110)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[*ENDS, *CHAINS])
    parser.add_argument("--examples", action="store_true", help="all mechanisms of examples/ too")
    parser.add_argument("--peers", action="store_true", help="SciPy and heyoka too")
    parser.add_argument("-o", "--output", type=Path, help="write the table there as Markdown")
    parser.add_argument("--plot", type=Path, help="draw errors and times to this file")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args(arguments)
    names = [*options.models, *(sorted(p.stem for p in EXAMPLES.glob("*.toml")) if options.examples else [])]
    lines: list[str] = []
    found = {}
    for name in names:
        model, end = model_of(name)
        start = model.start()
        found[name] = curves(start, end, solvers(name, start, end, options.peers), options.rounds)
        head = (
            f"| model | rtol of dop853 | error | ms of {' / '.join(found[name])} | best of ours without gauss / gauss |"
        )
        lines += [head, "|---|---|---|---|---|", *table(name, found[name]), ""]
        print("\n".join(lines[-len(ASKED) - 3 :]), flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    if options.plot:
        plot(found, options.plot)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
