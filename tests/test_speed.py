"""How long a build takes, from process start, in processor seconds of the process and of its compilers.

On an idle machine that is what a user waits; a clock on the wall would measure the tests that run beside this one.
"""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPEC = ROOT / "benchmarks" / "models" / "three_bodies.toml"
pytestmark = [pytest.mark.timing, pytest.mark.compiles]


def build(out, cache):
    """Processor seconds of a whole process that builds the spec, and what it says."""
    command = [sys.executable, "-m", "volterra_cg", "build", str(SPEC), "-o", str(out), "--json"]
    environment = {**os.environ, "VOLTERRA_CG_CACHE": str(cache)}
    begin = children()
    answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return children() - begin, json.loads(answer.stdout)


def children():
    """Processor seconds of all processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best(limit, measure):
    """The least of up to three times; stops at the first that is good enough."""
    times = []
    for _ in range(3):
        times.append(measure())
        if times[-1] < limit:
            break
    return min(times)


def test_a_cold_build_takes_less_than_five_seconds(tmp_path):
    runs = iter(range(3))

    def cold():
        seconds, said = build(tmp_path / "out", tmp_path / f"cache{next(runs)}")
        assert not said["cached"]
        return seconds

    assert best(5.0, cold) < 5.0


def test_a_second_build_takes_less_than_half_a_second(tmp_path):
    first = build(tmp_path / "out", tmp_path / "cache")[1]

    def again():
        seconds, said = build(tmp_path / "out", tmp_path / "cache")
        assert said["cached"]
        assert said["module"] == first["module"]
        return seconds

    assert best(0.5, again) < 0.5
