"""The runtime beside others': python -m benchmarks.runtime [-o FILE].

Fifty seconds of the paper's second system, on one core, at equal final error: each integrator is given the loosest of a row of
tolerances with which it comes at least as near to the reference as ours does, and the shortest of several runs counts. Then
one call of the right side from Python, and the throughput of many trajectories. A peer that is absent says so.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import volterra_cg as vcg

from .study.algebra import Math
from .study.mechanisms import at_state, mechanism

SPEC = Path(__file__).parent / "models" / "three_bodies.toml"
END = 50.0
REPEATS = 7
TOLERANCES = 10.0 ** -np.arange(3, 16.5, 0.5)
State = NDArray[np.float64]
Solve = Callable[[float], Callable[[], State]]  # tolerance -> a run that gives the last state


class Subject:
    """The model, its start and its equations by hand."""

    def __init__(self) -> None:
        self.model = vcg.compile(SPEC)
        self.z0 = np.array(self.model.z0)
        self.momenta = [float(value) for value in self.model.momenta]

    def rows(self, z: Sequence[Any], math: Math) -> list[Any]:
        """dz/dt of the reduced form, written by hand over any kind of expression."""
        what = mechanism("three_bodies")
        assert what is not None
        names = list(self.model.coordinates)
        return what.rates(at_state(z, names, self.momenta, 0.0, math), names)


# --- integrators: each gives a function of a tolerance, which gives a run ------------------------------------------------------


def ours(subject: Subject, integrator: str) -> Solve:
    def at(tolerance: float) -> Callable[[], State]:
        def run() -> State:
            simulate = subject.model.simulate
            return np.asarray(
                simulate(END, rtol=tolerance, atol=tolerance, integrator=integrator, t_eval=[0.0, END]).z[-1]
            )

        return run

    return at


def heyoka(subject: Subject) -> Solve:
    import heyoka as hy

    z = hy.make_vars(*(f"z{k}" for k in range(len(subject.z0))))
    rows = subject.rows(z, Math(hy.sin, hy.cos, hy.sqrt))
    system = [(a, b if isinstance(b, hy.expression) else hy.expression(float(b))) for a, b in zip(z, rows, strict=True)]

    def at(tolerance: float) -> Callable[[], State]:
        integrator = hy.taylor_adaptive(system, list(subject.z0), tol=tolerance, compact_mode=False)

        def run() -> State:
            integrator.time = 0.0
            integrator.state[:] = subject.z0
            integrator.propagate_until(END)
            return np.array(integrator.state)

        return run

    return at


def jitcode(subject: Subject, integrator: str) -> Solve:
    import jitcode as package
    import symengine

    z = [package.y(k) for k in range(len(subject.z0))]
    rows = subject.rows(z, Math(symengine.sin, symengine.cos, symengine.sqrt))
    system = package.jitcode(rows, verbose=False)
    system.generate_f_C(do_cse=True)
    system.compile_C(extra_compile_args=["-O2", "-ffp-contract=off", "-fno-math-errno"])

    def at(tolerance: float) -> Callable[[], State]:
        def run() -> State:
            system.set_initial_value(subject.z0, 0.0)
            system.set_integrator(integrator, rtol=tolerance, atol=tolerance, nsteps=10**7)
            return np.array(system.integrate(END))

        return run

    at.call = lambda: system.f  # type: ignore[attr-defined]
    return at


def scipy_with(function: Callable[[float, State], State], z0: State, integrator: str) -> Solve:
    from scipy.integrate import solve_ivp

    def at(tolerance: float) -> Callable[[], State]:
        def run() -> State:
            rtol = max(tolerance, 2.3e-14)
            return np.asarray(solve_ivp(function, (0.0, END), z0, integrator, rtol=rtol, atol=tolerance).y[:, -1])

        return run

    return at


def lambdified(subject: Subject) -> Callable[[float, State], State]:
    import sympy

    z = sympy.symbols(f"z:{len(subject.z0)}")
    function = sympy.lambdify(z, subject.rows(z, Math(sympy.sin, sympy.cos, sympy.sqrt)), "math", cse=True)
    return lambda _, state: np.array(function(*state))


# --- measuring -------------------------------------------------------------------------------------------------------------


def shortest(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """Seconds of the quickest of several runs."""
    taken = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def error(z: State, reference: State) -> float:
    return float(np.max(np.abs(z - reference) / np.maximum(1.0, np.abs(reference))))


def matched(solve: Solve, target: float, reference: State) -> tuple[float, float, Callable[[], State]] | None:
    """The loosest tolerance with an error of at most the target: tolerance, error, run."""
    for tolerance in TOLERANCES:
        run = solve(float(tolerance))
        found = error(run(), reference)
        if found <= target:
            return float(tolerance), found, run
    return None


def candidates(subject: Subject) -> Iterator[tuple[str, str, Callable[[], Solve]]]:
    """Name, the package that it needs, and how to make it."""
    yield "heyoka taylor_adaptive", "heyoka", lambda: heyoka(subject)
    yield "JiTCODE dopri5", "jitcode", lambda: jitcode(subject, "dopri5")
    yield "JiTCODE dop853", "jitcode", lambda: jitcode(subject, "dop853")
    function, z0 = lambdified(subject), subject.z0
    for integrator in ("RK45", "DOP853"):
        yield f"SciPy {integrator}, our rhs", "scipy", lambda m=integrator: scipy_with(subject.model.rhs, z0, m)  # type: ignore[misc]
        yield f"SciPy {integrator}, lambdify", "scipy", lambda m=integrator: scipy_with(function, z0, m)  # type: ignore[misc]


def integrations(subject: Subject) -> list[str]:
    """The table of times at equal final error."""
    reference = ours(subject, "dop853")(3e-16)()
    second = heyoka(subject)(1e-18)() if find_spec("heyoka") else ours(subject, "dop853")(1e-15)()
    lines = [f"Reference: dop853 at 3e-16; heyoka at 1e-18 differs from it by {error(second, reference):.1e}.", ""]
    lines += ["| rtol | integrator | its rtol | final error | ms | beside ours |", "|---|---|---|---|---|---|"]
    made = {name: (make() if find_spec(package) else None) for name, package, make in candidates(subject)}
    for asked in (1e-6, 1e-12):
        own = {m: (ours(subject, m)(asked), m) for m in ("gauss", "ode45", "dop853")}
        errors = {m: error(run(), reference) for m, (run, _) in own.items()}
        times = {m: shortest(run, 3 * REPEATS) for m, (run, _) in own.items()}
        best = min(times, key=lambda m: times[m])
        target, ours_ms = errors[best], times[best]
        for m in own:
            numbers = f"{asked:.0e} | {errors[m]:.1e} | {1e3 * times[m]:.3f} | {times[m] / ours_ms:.2f}"
            lines.append(f"| {asked:.0e} | **ours, {m}** | {numbers} |")
        for name, solve in made.items():
            lines.append(_row(name, solve, asked, target, reference, ours_ms))
            print(lines[-1], flush=True)
    return lines


def _row(name: str, solve: Solve | None, asked: float, target: float, reference: State, ours_s: float) -> str:
    if solve is None:
        return f"| {asked:.0e} | {name} | | | absent | |"
    found = matched(solve, target, reference)
    if found is None:
        return f"| {asked:.0e} | {name} | | above {target:.1e} | | |"
    tolerance, reached, run = found
    seconds = shortest(run, 3 if "lambdify" in name else REPEATS)
    return f"| {asked:.0e} | {name} | {tolerance:.1e} | {reached:.1e} | {1e3 * seconds:.3f} | {seconds / ours_s:.1f} |"


def calls(subject: Subject) -> list[str]:
    """One call of the right side from Python, with memory for the result where the peer takes it."""
    z, out = subject.z0.copy(), np.empty_like(subject.z0)
    rhs, count = subject.model.rhs, 20000
    functions: dict[str, Callable[[], object]] = {"ours, rhs(t, z, out)": lambda: rhs(0.0, z, out)}
    if find_spec("jitcode"):
        peer = jitcode(subject, "dopri5").call()  # type: ignore[attr-defined]
        functions["JiTCODE, f(t, y)"] = lambda: peer(0.0, z)

    def loop(function: Callable[[], object]) -> float:
        return shortest(lambda: [function() for _ in range(count)], 15) / count * 1e9

    empty = loop(lambda: None)
    times = {name: loop(function) - empty for name, function in functions.items()}
    first = next(iter(times.values()))
    lines = ["| call | ns | ours beside it |", "|---|---|---|"]
    return lines + [f"| {name} | {ns:.0f} | {first / ns:.2f} |" for name, ns in times.items()]


def many(subject: Subject, count: int = 4096, end: float = 10.0) -> list[str]:
    """Trajectories of different starts, one after the other and in lanes, on one core."""
    model = subject.model
    random = np.random.default_rng(0)
    rates = random.normal(scale=0.1, size=(count, len(model.coordinates)))
    q, qd = model.start().model.default.handle.initial()
    starts = [model.start(q=q, qd=qd + rate) for rate in rates[: count // 16]]

    def single() -> int:
        return sum(s.simulate(end, rtol=1e-9, atol=1e-9, t_eval=[0.0, end]).statistics.rhs_calls for s in starts)

    def together() -> Any:
        return model.simulate_many(end, rtol=1e-9, atol=1e-9, t_eval=[0.0, end], q=q, qd=qd + rates, workers=1)

    calls_one, runs = single(), together()
    one, lanes = shortest(single, 3) / calls_one, shortest(together, 3) / int(np.sum(runs.rhs_calls))
    return [
        "| path | ns per evaluation, integration included |", "|---|---|",
        f"| one after the other | {1e9 * one:.0f} |", f"| simulate_many, one core | {1e9 * lanes:.0f} |",
        "", f"{one / lanes:.1f} times the evaluations per second and core.",
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The runtime beside others'.")
    parser.add_argument("-o", "--out", type=Path, help="write the tables there as Markdown")
    chosen = parser.parse_args(arguments)
    subject = Subject()
    text = "\n\n".join("\n".join(part(subject)) for part in (calls, many, integrations)) + "\n"
    print(text)
    if chosen.out:
        chosen.out.write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
