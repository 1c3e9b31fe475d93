"""The compiled part of the package; everything else is in pyproject.toml."""

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

RUNTIME = "volterra_cg/runtime"
INTEGRATORS = f"{RUNTIME}/integrators"
SOURCES = (
    "loop", "results", "watch", "events", "changes", "project", "stepper", "lu",
    "dormand_prince", "ode45", "dopri5", "dop853", "rk4", "radau", "radau_stages",
)  # fmt: skip
HEADERS = ("status", "loop", "run", "stepper", "lu", "dormand_prince", "ode45_table", "dop853_table", "radau")
MANY = ("many", "many_steps", "many_start", "many_kernels", "many_ode45", "many_dop853", "many_rk4")
MANY_HEADERS = ("status", "many", "many_lanes", "many_kernels", "ode45_table", "dop853_table")
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

ensemble = Extension(
    "volterra_cg.runtime.ensemble",
    [f"{RUNTIME}/ensemble.pyx", *(f"{INTEGRATORS}/{name}.c" for name in MANY)],
    include_dirs=[RUNTIME],
    depends=[f"{RUNTIME}/vcg_model.h", *(f"{INTEGRATORS}/{name}.h" for name in MANY_HEADERS)],
    extra_compile_args=FLAGS,
)

setup(ext_modules=cythonize([handle, integrate, ensemble]))
