"""The compiled part of the package; everything else is in pyproject.toml."""

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

RUNTIME = "volterra_cg/runtime"
INTEGRATORS = f"{RUNTIME}/integrators"
SOURCES = (
    "loop", "results", "events", "changes", "project", "stepper", "lu",
    "dormand_prince", "ode45", "dopri5", "dop853", "rk4", "radau", "radau_stages",
)  # fmt: skip
HEADERS = ("loop", "run", "stepper", "lu", "dormand_prince", "dop853_table", "radau")
# Steps are chosen by comparing sums of rounded numbers: no fused operations, so that a run is the same on any machine.
FLAGS = ["-O3", "-ffp-contract=off"]

handle = Extension(
    "volterra_cg.runtime.handle",
    [f"{RUNTIME}/handle.pyx"],
    include_dirs=[RUNTIME, numpy.get_include()],
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
    depends=[f"{RUNTIME}/vcg_model.h"],
)
integrate = Extension(
    "volterra_cg.runtime.integrate",
    [f"{RUNTIME}/integrate.pyx", *(f"{INTEGRATORS}/{name}.c" for name in SOURCES)],
    include_dirs=[RUNTIME],
    depends=[f"{RUNTIME}/vcg_model.h", *(f"{INTEGRATORS}/{name}.h" for name in HEADERS)],
    extra_compile_args=FLAGS,
)

setup(ext_modules=cythonize([handle, integrate]))
