"""What lanes gain: rhs in a loop beside its vector form, and simulate_many beside single runs, on one core.

python -m benchmarks.many [model]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from volterra_cg import compile as compiled
from volterra_cg import driver
from volterra_cg.build.toolchain import MODEL_FLAGS
from volterra_cg.clock import Clock
from volterra_cg.emit.sources import Sources
from volterra_cg.options import Options
from volterra_cg.runtime.integration import StepControl, states

HERE = Path(__file__).parent
HEADERS = HERE.parent / "volterra_cg" / "headers"
AVX2 = "(instructions[0] == 'f' || instructions[3] == '2')"  # and "fma"
INSTRUCTIONS = {"baseline": "0", "AVX2": AVX2, "AVX-512": f"(instructions[3] == '5' || {AVX2})"}
ROWS, SINGLE = 2000, 100


def kernels(sources: Sources) -> None:
    """Nanoseconds an evaluation, by the instructions that the vector form may use."""
    values = [*sources.report["parameters"].values(), *sources.report["signals"].values()]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.files.items():
            (Path(folder) / name).write_text(text)
        for name, chosen in INSTRUCTIONS.items():
            command = ["gcc", *MODEL_FLAGS, f"-DVCG_SUPPORTS(instructions)={chosen}", f"-I{HEADERS}"]
            files = [f"{folder}/{name}" for name in sources.files if name.endswith(".c")]
            command += [f"-DMODEL=vcg_model_{sources.name}", *files, str(HERE / "lanes.c")]
            subprocess.run([*command, "-o", f"{folder}/lanes", "-lm"], check=True)
            said = subprocess.run(
                [f"{folder}/lanes"], input="\n".join(map(repr, values)), capture_output=True, text=True, check=True
            )
            rhs, lanes = map(float, said.stdout.split())
            print(f"{name:>10}: rhs {rhs:6.1f} ns, rhs_lanes {lanes:6.1f} ns, ratio {rhs / lanes:.2f}")


def runs(spec: Path, end: float) -> None:
    """Microseconds a trajectory, every integrator, with 2 results and with 10 a second."""
    model = compiled(spec)
    random = np.random.default_rng(0)
    coordinate = model.coordinates[0]
    values = model.default.z0[0] + 0.01 * random.standard_normal(ROWS)
    starts = [model.start(q={coordinate: value}) for value in values[:SINGLE]]
    for integrator in ("dop853", "ode45", "rk4"):
        for count in (2, int(10 * end) + 1):
            times, step = np.linspace(0.0, end, count), 0.01 if integrator == "rk4" else None
            settings = {"rtol": 1e-9, "atol": 1e-9, "integrator": integrator, "t_eval": times, "max_step": step}
            many = best(lambda: model.simulate_many(**settings, q={coordinate: values}, workers=1))  # noqa: B023
            control = StepControl(integrator, 1e-9, 1e-9, step)
            single = best(lambda: [states(start, times, control) for start in starts])  # noqa: B023
            ratio = single / SINGLE / (many / ROWS)
            print(f"{integrator:>7}, {count:4} results: single {1e6 * single / SINGLE:8.1f} us, many {1e6 * many / ROWS:8.1f} us,"
                  f" ratio {ratio:.2f}")  # fmt: skip


def best(work) -> float:  # type: ignore[no-untyped-def]
    """The least processor seconds of three."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)


if __name__ == "__main__":
    path = HERE / "models" / f"{(sys.argv[1:] or ['three_bodies'])[0]}.toml"
    kernels(driver.generate(path, Options(), Clock()))
    runs(path, 50.0)
