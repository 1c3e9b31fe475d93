"""The same spec gives the same bytes, whatever the order of sets in a process."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fixtures.specs import KNOTTED

ROOT = Path(__file__).parents[2]
SCRIPT = """
import hashlib, sys
from pathlib import Path
from volterra_cg.driver import generate
from volterra_cg.clock import Clock
from volterra_cg.options import Options
for spec in sys.argv[1:]:
    for name, text in sorted(generate(Path(spec), Options(jacobian=True), Clock()).files.items()):
        print(Path(spec).stem, name, hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(10, marks=pytest.mark.torture)])
def test_hash_seeds_give_one_text(tmp_path, count):
    (tmp_path / "knotted.toml").write_text(KNOTTED)
    models = ROOT / "benchmarks" / "models"
    specs = [str(models / f"{name}.toml") for name in ("cart_pendulum", "three_bodies", "satellite_boom")]
    specs.append(str(tmp_path / "knotted.toml"))

    def digest(seed):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", SCRIPT, *specs]
        said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT).stdout
        assert said.count("\n") > 6 * len(specs)  # the last one has charts, each with files of its own
        return hashlib.sha256(said.encode()).hexdigest()

    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(digest, range(count)))) == 1
