"""Which compiler, with which flags, for which Python; found out without importing setuptools or Cython."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass

from volterra_cg.errors import BuildError

from .keys import library_version

REMEDY = "install gcc or clang, or name a compiler in the environment variable CC"
# Results must not depend on the machine: no fused operations, no fast-math. Only the init function is exported.
MODEL_FLAGS = ("-std=c11", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden", "-g0")
MODEL_WARNINGS = ("-Wall", "-Wextra")
WRAPPER_FLAGS = ("-O1", "-g0", "-w")


@dataclass(frozen=True)
class Toolchain:
    """A C compiler that answers; `identity` is all that a compiled result depends on besides its texts."""

    command: tuple[str, ...]
    version: str
    identity: str


def find_toolchain() -> Toolchain:
    """The compiler that setuptools will use: CC, or the one Python was built with."""
    named = os.environ.get("CC", "").strip() or sysconfig.get_config_var("CC") or "cc"
    try:
        command = tuple(shlex.split(named))
    except ValueError as error:
        raise BuildError(f"CC is {named!r}, which is no command: {error}; {REMEDY}") from error
    path = shutil.which(command[0])
    if path is None:
        raise BuildError(f"no C compiler: {command[0]} is not found; {REMEDY}")
    version = _version((path, *command[1:]))
    parts = (
        path,
        *command[1:],
        version,
        *MODEL_FLAGS,
        *MODEL_WARNINGS,
        *WRAPPER_FLAGS,
        os.environ.get("CFLAGS", ""),
        os.environ.get("CPPFLAGS", ""),
        os.environ.get("LDFLAGS", ""),
        os.environ.get("LDSHARED", ""),
        extension_suffix(),
        sysconfig.get_platform(),
        f"cython {library_version('cython')}",
    )
    return Toolchain(command, version.splitlines()[0] if version else "", "\n".join(parts))


def extension_suffix() -> str:
    """What the file name of a compiled module ends in; holds the ABI of this Python."""
    return str(sysconfig.get_config_var("EXT_SUFFIX") or ".so")


def _version(command: tuple[str, ...]) -> str:
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"the C compiler {command[0]} does not run: {error}; {REMEDY}") from error
    if answer.returncode:
        raise BuildError(f"the C compiler {command[0]} does not work: {answer.stderr.strip()}; {REMEDY}")
    return answer.stdout.strip()
