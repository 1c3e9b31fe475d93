"""The compiled part of the package; everything else is in pyproject.toml."""

from pathlib import Path
from runpy import run_path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

RUNTIME = "volterra_cg/runtime"
INTERFACE = "volterra_cg/headers"
INTEGRATORS = f"{RUNTIME}/integrators"
HEADER = Path(INTEGRATORS, "integrators.h")  # the table of integrators, for the compiler
FILES = sorted(path.as_posix() for path in Path(INTEGRATORS).glob("*.c"))
HEADERS = [HEADER.as_posix(), *sorted(path.as_posix() for path in Path(INTEGRATORS).glob("*.h") if path != HEADER)]
# Steps are chosen by comparing sums of rounded numbers: no fused operations, so that a run is the same on any machine.
FLAGS = ["-O3", "-ffp-contract=off"]

table = run_path("volterra_cg/integrators.py")
text = table["header"]()
if not HEADER.exists() or HEADER.read_text() != text:
    HEADER.write_text(text)

handle = Extension(
    "volterra_cg.runtime.handle",
    [f"{RUNTIME}/handle.pyx"],
    include_dirs=[INTERFACE, numpy.get_include()],
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
    depends=[f"{INTERFACE}/vcg_model.h"],
)
ONE = [file for file in FILES if "/many" not in file]  # for one trajectory


def loops(name, files):
    """A part that holds integrators in C."""
    return Extension(
        f"volterra_cg.runtime.{name}",
        [f"{RUNTIME}/{name}.pyx", *files],
        include_dirs=[RUNTIME, INTERFACE],
        depends=[f"{INTERFACE}/vcg_model.h", *HEADERS],
        extra_compile_args=FLAGS,
    )


setup(
    ext_modules=cythonize(
        [handle, loops("bound", []), loops("integrate", ONE), loops("steps", ONE), loops("ensemble", FILES)]
    )
)
