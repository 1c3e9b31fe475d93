"""Sanitizers and valgrind over the C of every model and over the runtime."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from tests.fixtures.ensembles import harness, rows
from tests.fixtures.table import SANITIZERS, compiled_table, run_table
from tests.trust.apart import short
from tests.trust.models import paths, sources
from tests.trust.progress import PROGRESS
from tests.trust.tally import Tally

STATES = 5


def _given(made, dice):
    """Random input of the program that calls every function of a table."""
    parameters, signals = (np.array([*made.report[name].values()], dtype=float) for name in ("parameters", "signals"))
    count = len(made.report["coordinates"])
    return dice.uniform(0, 1), parameters, signals, dice.uniform(-1, 1, count), dice.uniform(-1, 1, count)


def functions(made, folder, seed):
    """Every function on arrays of exactly the promised sizes, under the sanitizers of addresses and undefined behaviour."""
    program, dice = compiled_table(made.files, made.name, folder, *SANITIZERS), np.random.default_rng(seed)
    for _ in range(STATES):
        run_table(program, *_given(made, dice))


def grind(made, folder, seed):
    """The same under valgrind, which also sees what was never written."""
    program, dice = compiled_table(made.files, made.name, folder, "-g"), np.random.default_rng(seed)
    numbers = "\n".join(repr(float(v)) for value in _given(made, dice) for v in np.atleast_1d(value))
    command = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", str(program)]
    answer = subprocess.run(command, input=numbers, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr[-2000:]


def _loop(flag):
    def run(made, folder, seed):
        program = harness(made, folder, *flag)
        for integrator in ("dop853", "gauss") if made.report["smooth"] else ("dop853",):
            assert rows(program, made, 60, 8, integrator) == rows(program, made, 60, 1, integrator)

    return run


CHECKS = {
    "ASan and UBSan, functions": functions,
    "valgrind, functions": grind,
    "TSan, 8 threads of the runtime": _loop(["-fsanitize=thread", "-g"]),
    "ASan and UBSan, 8 threads of the runtime": _loop(SANITIZERS),
}


def sanitizers(seed, count):
    """The row of sanitizers: `count` of all pairs of a model and a check."""
    tally, models = Tally(), paths()
    pairs = [(path, name) for path in models[:1] for name in CHECKS] + [
        (path, name) for path in models[1:] for name in CHECKS
    ]
    if not shutil.which("valgrind"):
        pairs = [(path, name) for path, name in pairs if "valgrind" not in name]
    for number, (path, name) in enumerate(pairs[:count]):
        PROGRESS.told(number, min(count, len(pairs)), len(tally.failures))
        made = sources(path)
        if made.report["events"] and "threads" in name:
            continue  # ensembles do not take them
        try:
            with tempfile.TemporaryDirectory() as folder:
                CHECKS[name](made, Path(folder), seed)
            tally.add(name)
        except (AssertionError, subprocess.CalledProcessError) as error:
            tally.fail(f"{path.stem}, {name}: {short(error)}")
    return tally
