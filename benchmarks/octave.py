"""Octave's ode45 on the paper's systems: python -m benchmarks.octave > tests/fixtures/octave_ode45.json

The equations are those of the checked-in C, line by line as Octave; the integrator is Octave's, whose control of steps differs
from MATLAB's and from ours. Octave must be installed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import volterra_cg as vcg

ROOT = Path(__file__).parents[1]
SYSTEMS = ("cart_pendulum", "three_bodies", "satellite_boom")
TIMES = (0.0, 2.5, 5.0, 7.5, 10.0)
TOLERANCES = ((1e-3, 1e-6), (1e-6, 1e-9), (1e-10, 1e-12))


def translated(name: str, function: str) -> str:
    """The body of a function of a checked-in model as Octave."""
    text = (ROOT / "generated" / name / f"{name}.c").read_text()
    found = re.search(rf"^static int {function}\(.*?^\{{\n(.*?)^\}}", text, re.M | re.S)
    assert found
    lines = []
    for line in found[1].splitlines():
        line = line.strip().removeprefix("const double ")
        if line.startswith(("(void)", "if (fabs", "return", "/*")):
            continue
        line = line.replace("fabs(", "abs(")
        lines.append(re.sub(r"(\w+)\[(\d+)\]", lambda m: f"{m[1]}({int(m[2]) + 1})", line))
    return "\n".join(lines)


def script(name: str, rtol: float, atol: float) -> str:
    """An Octave program that prints the states at the times."""
    start = vcg.compile(ROOT / "benchmarks" / "models" / f"{name}.toml").default
    vectors = {"p": start.parameters.values(), "g": start.momenta, "z0": start.z0, "times": TIMES}
    texts = {key: "[" + "; ".join(f"{value:.17g}" for value in values) + "]" for key, values in vectors.items()}
    return f"""1;
function dz = rhs(t, z)
global w g
dz = zeros(size(z));
{translated(name, "rhs")}
end
global w g
p = {texts["p"]}; g = {texts["g"]}; w = [];
{translated(name, "prepare")}
options = odeset("RelTol", {rtol!r}, "AbsTol", {atol!r});
[t, z] = ode45(@rhs, {texts["times"]}, {texts["z0"]}, options);
printf("%.17g ", z'); printf("\\n");
"""


def run(text: str) -> list[float]:
    """What an Octave program prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.m"
        path.write_text(text)
        answer = subprocess.run(["octave", "--no-gui", "-qf", path], capture_output=True, text=True, check=True)
    return [float(word) for word in answer.stdout.split()]


def main() -> int:
    """Print the fixture."""
    version = subprocess.run(["octave", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    runs = []
    for name in SYSTEMS:
        for rtol, atol in TOLERANCES:
            values = run(script(name, rtol, atol))
            width = len(values) // len(TIMES)
            rows = [values[k * width : (k + 1) * width] for k in range(len(TIMES))]
            runs.append({"model": name, "rtol": rtol, "atol": atol, "z": rows})
    json.dump(
        {"made_by": "python -m benchmarks.octave", "octave": version, "t": TIMES, "runs": runs}, sys.stdout, indent=1
    )
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
