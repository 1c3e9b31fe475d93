"""Commands that are killed: the old file or the new one is there, and the next call leaves nothing else."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5netcdf
import numpy as np
import pytest

from tests.fixtures.broken import command as program
from tests.fixtures.broken import running

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
KILLS = 2
COMMANDS = {
    "run.csv": ["simulate", "{spec}", "-o", "run.csv"],
    "out.nc": ["sweep", "{spec}", "--vary", "l=0.2:0.4:300", "-o", "out.nc"],
    "out/cart_pendulum": ["build", "{spec}", "-o", "out"],
}


def whole(path):
    """Reads all of a result."""
    if path.suffix == ".csv":
        assert np.isfinite(np.loadtxt(path, delimiter=",", skiprows=1)).all()
    elif path.suffix == ".nc":
        with h5netcdf.File(path, "r") as file:
            assert file.variables["status"].shape == (300,)
    else:
        assert {"report.json", "__init__.py", "cart_pendulum.c"} <= {each.name for each in path.iterdir()}


@pytest.mark.compiles
@pytest.mark.parametrize("result", COMMANDS)
def test_a_command_that_is_killed_loses_nothing(result, tmp_path, workshop, compiled):
    compiled("cart_pendulum")
    spec = shutil.copy(MODELS / "cart_pendulum.toml", tmp_path)
    folder, dice = tmp_path / "here", random.Random(result)
    folder.mkdir()
    command = [sys.executable, "-m", "volterra_cg", *(word.format(spec=spec) for word in COMMANDS[result])]
    environment = os.environ | {"VOLTERRA_CG_CACHE": str(workshop / "cache")}

    def start():
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def finish():
        begin = time.monotonic()
        process = start()
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        return time.monotonic() - begin

    taken, complete = finish(), sorted(folder.iterdir())
    whole(folder / result)
    for _ in range(KILLS):
        if result == "out.nc":
            (folder / result).unlink(missing_ok=True)  # a sweep that is done is not done again
        elif result.startswith("out/"):
            (folder / result / "__init__.py").write_text("edited")  # nor is a module that is as it should be
        process = start()
        time.sleep(taken * dice.uniform(0.5, 1.0))
        process.kill()
        process.communicate()
        if (folder / result).exists() or result != "out.nc":
            whole(folder / result)
    finish()
    whole(folder / result)
    assert sorted(folder.iterdir()) == complete


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_build_that_is_asked_to_end_takes_its_compilers_along(number, tmp_path, workshop):
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("does not apply: processes are looked up in /proc")
    compiler = program(tmp_path / "cc", '[ "$1" = --version ] && exit 0\nwhile :; do sleep 0.05; done')
    command = [sys.executable, "-m", "volterra_cg", "build", str(MODELS / "cart_pendulum.toml")]
    environment = os.environ | {"VOLTERRA_CG_CACHE": str(workshop / "cache"), "CC": str(compiler)}
    before = signal.signal(number, signal.default_int_handler)  # nohup and the background have commands ignore some
    try:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
    finally:
        signal.signal(number, before)
    deadline = time.monotonic() + 120
    while not running(str(compiler)) and time.monotonic() < deadline:
        time.sleep(0.02)
    begin = time.monotonic()
    process.send_signal(number)
    try:
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert time.monotonic() - begin < 2.0
    assert process.returncode == 128 + number
    while running(str(compiler)) and time.monotonic() - begin < 2.0:  # what was killed takes a moment to be gone
        time.sleep(0.02)
    assert running(str(compiler)) == []
