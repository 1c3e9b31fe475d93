"""How long a user waits, from process start; the best of three, since machines have other things to do."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPEC = ROOT / "benchmarks" / "models" / "three_bodies.toml"
pytestmark = [pytest.mark.timing, pytest.mark.compiles]


def build(out, cache):
    """Seconds of a whole process that builds the spec, and what it says."""
    command = [sys.executable, "-m", "volterra_cg", "build", str(SPEC), "-o", str(out), "--json"]
    environment = {**os.environ, "VOLTERRA_CG_CACHE": str(cache)}
    begin = time.perf_counter()
    answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.perf_counter() - begin, json.loads(answer.stdout)


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
