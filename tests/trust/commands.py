"""Commands forked from a process that has imported everything, so that one costs only its own work."""

import atexit
import importlib
import os
import sys
import time
import traceback
from pathlib import Path

HEAVY = (  # what the commands import themselves
    "volterra_cg.cli.main", "volterra_cg.cli.simulate", "volterra_cg.cli.sweep", "volterra_cg.cli.report",
    "volterra_cg.driver", "volterra_cg.derivation", "volterra_cg.report", "volterra_cg.build.compiler",
    "volterra_cg.runtime.archive",
    "matplotlib.figure", "matplotlib.backends.backend_agg", "h5netcdf", "pandas", "pyarrow.parquet", "scipy.io", "xarray",
)  # fmt: skip
FOREIGN = 99  # the exit code of what not even `main` caught


def ready():
    """Import all that commands need."""
    for name in HEAVY:
        importlib.import_module(name)


def started(arguments, folder, said, environment):
    """The number of a process that runs a command."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return process
    code = FOREIGN
    try:
        os.setpgid(0, 0)
        os.chdir(folder)
        os.environ.update(environment)
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(out, stream)
        code = importlib.import_module("volterra_cg.cli.main").main([str(word) for word in arguments])
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else FOREIGN
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(process, seconds=600.0):
    """The exit code of a process, below 0 for a signal; None if it does not end."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(process, 9)
    os.waitpid(process, 0)
    return None


def finished(arguments, folder, environment):
    """A command to its end: exit code, what it said, seconds."""
    said, begin = Path(f"{folder}.said"), time.monotonic()
    code = ended(started(arguments, folder, said, environment))
    return code, said.read_text(errors="replace"), time.monotonic() - begin
