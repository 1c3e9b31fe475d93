"""Which compiler, with which flags, for which Python; found out without importing setuptools or Cython."""

from __future__ import annotations

import os
import shlex
import shutil
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass

from volterra_cg.errors import BuildError

from .keys import library_version
from .processes import run

REMEDY = (
    "install gcc or clang, or name a compiler in the environment variable CC;"
    " one comes from PyPI: pip install ziglang, then CC='python -m ziglang cc' CFLAGS='-DVCG_SUPPORTS(x)=0'"
)
MODULE = "_model"  # the extension of a model
ANSWERS = 30.0  # seconds within which a compiler tells its version
# What compilers read besides the command line. Folders are searched where they are absolute only: what happens to lie
# in the folder that a build is started from must not become part of it.
FLAGS = (
    "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDSHARED", "ARCHFLAGS", "CCC_OVERRIDE_OPTIONS", "GCC_EXEC_PREFIX",
    "DYLD_INSERT_LIBRARIES", "LD_PRELOAD", "MACOSX_DEPLOYMENT_TARGET", "NIX_CFLAGS_COMPILE", "NIX_LDFLAGS", "SDKROOT",
)  # fmt: skip
SEARCHED = ("CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "LD_RUN_PATH", "COMPILER_PATH")
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
        *(f"{name}={environment().get(name, '')}" for name in (*FLAGS, *SEARCHED)),
        extension_suffix(),
        sysconfig.get_platform(),
        f"cython {library_version('cython')}",
    )
    return Toolchain(command, version.splitlines()[0] if version else "", "\n".join(parts))


def environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the compiler gets to see of an environment, by default that of this process."""
    seen = dict(os.environ if given is None else given)
    for name in SEARCHED:
        places = [place for place in seen.pop(name, "").split(os.pathsep) if os.path.isabs(place)]  # noqa: PTH117
        if places:
            seen[name] = os.pathsep.join(places)
    return seen


def extension_suffix() -> str:
    """What the file name of a compiled module ends in; holds the ABI of this Python."""
    return str(sysconfig.get_config_var("EXT_SUFFIX") or ".so")


def _version(command: tuple[str, ...]) -> str:
    try:
        answer = run([*command, "--version"], ANSWERS, environment())
    except OSError as error:
        raise BuildError(f"the C compiler {command[0]} does not run: {error}; {REMEDY}") from error
    if answer.status:
        raise BuildError(f"the C compiler {command[0]} does not work: {answer.err}; {REMEDY}")
    return answer.out
