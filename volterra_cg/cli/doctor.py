"""doctor: can this machine build, and if not, what would help."""

from __future__ import annotations

import platform
from collections.abc import Callable

from volterra_cg.build.cache import Cache
from volterra_cg.build.keys import library_version
from volterra_cg.build.toolchain import find_toolchain
from volterra_cg.errors import BuildError
from volterra_cg.version import __version__

from .terminal import say

REQUIRED = ("numpy", "sympy", "cython", "setuptools", "jinja2", "pydantic", "tree-sitter", "tree-sitter-toml")
OPTIONAL = {"matplotlib": "for figures: pip install 'volterra-cg[plot]'"}
C_FILE = b'#include "vcg_probe.h"\nint vcg_probe(void) { return VCG_PROBE; }\n'
PYX_FILE = b'cdef extern from "vcg_probe.h":\n    int vcg_probe()\nanswer = vcg_probe()\n'
HEADER_FILE = b"#define VCG_PROBE 42\nextern int vcg_probe(void);\n"


def doctor() -> int:
    """Try everything a build needs; the exit code is 4 if something is missing."""
    print(f"volterra-cg {__version__}, Python {platform.python_version()} on {platform.platform()}")
    sound = [_try(name, probe) for name, probe in PROBES.items()]
    for library, use in OPTIONAL.items():
        found = library_version(library)
        print(f"{'ok' if found != 'missing' else '--':<5} {library}: {found if found != 'missing' else use}")
    say("all is well" if all(sound) else "something is missing, see above")
    return 0 if all(sound) else BuildError.exit_code


def _try(name: str, probe: Callable[[], str]) -> bool:
    try:
        print(f"{'ok':<5} {name}: {probe()}")
    except BuildError as error:
        print(f"{'FAIL':<5} {name}: {error}")
        return False
    return True


def _compiler() -> str:
    tools = find_toolchain()
    return f"{' '.join(tools.command)} ({tools.version})"


def _compilation() -> str:
    from volterra_cg.build.compiler import compile_module

    name, _ = compile_module("vcg_probe", {"vcg_probe.c": C_FILE, "vcg_probe.h": HEADER_FILE, "_model.pyx": PYX_FILE})
    return f"a small module compiles to {name}"


def _libraries() -> str:
    versions = {name: library_version(name) for name in REQUIRED}
    missing = [name for name, version in versions.items() if version == "missing"]
    if missing:
        raise BuildError(f"missing {', '.join(missing)}; pip install {' '.join(missing)}")
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _runtime() -> str:
    try:
        from volterra_cg.runtime import handle
    except ImportError as error:
        raise BuildError(f"the compiled part is missing ({error}); install the package again with pip") from error
    return f"{handle.Handle.__name__} loads"


def _cache() -> str:
    cache = Cache()
    with cache.lock("doctor"):
        return f"{cache.root} can be written"


PROBES: dict[str, Callable[[], str]] = {
    "libraries": _libraries,
    "compiled runtime": _runtime,
    "C compiler": _compiler,
    "compilation": _compilation,
    "cache": _cache,
}
