"""Bits: an import leaves the floating-point environment alone; runs, threads and compilers' levels give the same numbers."""

import ctypes
import hashlib
import itertools
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.fixtures.table import COMPILERS, HEADERS
from tests.trust.calls import TRIAL
from tests.trust.models import paths, sources
from tests.trust.progress import PROGRESS
from tests.trust.tally import Tally

LEVELS = ("-O0", "-O1", "-O2", "-O3")
STATES = 40
ENVIRONMENT = """
import ctypes, sys
libm = ctypes.CDLL("libm.so.6")
def state():
    buffer = ctypes.create_string_buffer(64)
    assert libm.fegetenv(buffer) == 0
    x87, mxcsr = int.from_bytes(buffer[0:2], "little"), int.from_bytes(buffer[28:32], "little")
    return x87 & 0x0F3F, mxcsr & ~0x3F, libm.fegetround()  # control without the flags of what has happened
before = state()
import numpy
import volterra_cg, volterra_cg.runtime
model = volterra_cg.compile(sys.argv[1])
run = model.simulate(0.5)
model.simulate_many(0.5, params={"l": [0.4, 0.5, 0.6]})
assert 5e-324 * 1.0 != 0.0 and sys.float_info.min / 4 != 0.0, "small numbers are flushed to zero"
assert state() == before, (before, state())
import hashlib
print(hashlib.sha256(run.z.tobytes()).hexdigest())
"""


def environment(tally):
    """Import, build and run in processes of their own; the numbers are the same each time."""
    said = []
    for seed in ("0", "1"):
        command = [sys.executable, "-c", ENVIRONMENT, str(TRIAL)]
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        if answer.returncode:
            tally.fail(f"the environment: {answer.stderr[-500:]}")
            return
        said.append(answer.stdout)
    if len(set(said)) > 1:
        tally.fail(f"two runs differ: {said}")
    else:
        tally.add("environments untouched, runs equal", 2)


def threads(tally, dice):
    """An ensemble on different numbers of threads."""
    import volterra_cg

    model = volterra_cg.compile(TRIAL)
    lengths = [dice.uniform(0.3, 0.7) for _ in range(50)]
    found = {model.simulate_many(1.0, params={"l": lengths}, workers=count).z.tobytes() for count in (1, 2, 3, 8)}
    if len(found) > 1:
        tally.fail("threads differ")
    else:
        tally.add("numbers of threads equal", 4)


def compiled(made, compiler, level):
    """The C of a model as a library."""
    folder = Path(tempfile.mkdtemp())
    for name, text in made.files.items():
        (folder / name).write_text(text)
    out = folder / "model.so"
    written = [str(folder / name) for name in made.files if name.endswith(".c")]
    flags = ["-std=c11", "-shared", "-fPIC", level, "-ffp-contract=off", "-iquote", str(HEADERS)]
    subprocess.run([compiler, *flags, *written, "-o", str(out), "-lm"], check=True)
    return ctypes.CDLL(str(out))


def digest(library, made, seed):
    """What rhs gives at random states near the start, as a hash."""
    from volterra_cg.runtime.table import Table

    table = Table.in_dll(library, f"vcg_model_{made.name}")
    dice, where = np.random.default_rng(seed), np.zeros(1, dtype=np.intc)
    p, signals = (np.array([*made.report[name].values(), 0.0], dtype=float) for name in ("parameters", "signals"))
    w, g, scratch = (np.zeros(size + 1) for size in (table.prepared, table.momenta, table.scratch))
    q, qd, z, dz = (np.zeros(size + 1) for size in (table.coordinates, table.coordinates, table.states, table.states))
    table.prepare(*_pointers(p, w, where))
    table.initial(*_pointers(p, q, qd, where))
    found = hashlib.sha256()
    for _ in range(STATES):
        q[:-1] += dice.normal(size=len(q) - 1) * 0.05
        qd[:-1] += dice.normal(size=len(q) - 1) * 0.05
        status = table.start(0.1, *_pointers(q, qd, w, z, g, where))
        status += 10 * table.rhs(0.1, *_pointers(z, dz, w, g, signals, scratch, where))
        found.update(bytes([status]) + dz.tobytes())
    return found.hexdigest()


def _pointers(*arrays):
    from volterra_cg.runtime.table import DOUBLES, INTS

    return [array.ctypes.data_as(INTS if array.dtype == np.intc else DOUBLES) for array in arrays]


def bits(seed, count):
    """The row of bits: the environment, threads, and the C of `count` models at all levels."""
    tally = Tally()
    environment(tally)
    threads(tally, random.Random(seed))
    for number, path in enumerate(paths()[:count]):
        PROGRESS.told(number, count, len(tally.failures))
        made = sources(path)
        levels = LEVELS if count > 1 else LEVELS[::3]
        found = {digest(compiled(made, *how), made, seed) for how in itertools.product(COMPILERS, levels)}
        if len(found) > 1:
            tally.fail(f"{made.name}: levels or compilers differ")
        else:
            tally.add("levels of compilers equal", len(COMPILERS) * len(levels))
    return tally
