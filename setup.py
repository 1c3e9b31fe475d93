"""The compiled part of the package; everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

RUNTIME = "volterra_cg/runtime"
INTEGRATORS = f"{RUNTIME}/integrators"
# Steps are chosen by comparing sums of rounded numbers: no fused operations, so that a run is the same on any machine.
FLAGS = ["-O2", "-ffp-contract=off"]

handle = Extension(
    "volterra_cg.runtime.handle",
    [f"{RUNTIME}/handle.pyx"],
    include_dirs=[RUNTIME],
    depends=[f"{RUNTIME}/vcg_model.h"],
)
integrate = Extension(
    "volterra_cg.runtime.integrate",
    [f"{RUNTIME}/integrate.pyx", *(f"{INTEGRATORS}/{name}.c" for name in ("integrator", "ode45", "dop853", "rk4"))],
    include_dirs=[RUNTIME],
    depends=[f"{RUNTIME}/vcg_model.h", f"{INTEGRATORS}/integrator.h", f"{INTEGRATORS}/dop853_table.h"],
    extra_compile_args=FLAGS,
)

MANY = ("many", "many_start", "many_kernels", "many_ode45", "many_dop853", "many_rk4")
MANY_HEADERS = ("many", "many_lanes", "many_kernels", "ode45_table", "dop853_table")
ensemble = Extension(
    "volterra_cg.runtime.ensemble",
    [f"{RUNTIME}/ensemble.pyx", *(f"{INTEGRATORS}/{name}.c" for name in MANY)],
    include_dirs=[RUNTIME],
    depends=[f"{RUNTIME}/vcg_model.h", *(f"{INTEGRATORS}/{name}.h" for name in MANY_HEADERS)],
    extra_compile_args=FLAGS,
)

setup(ext_modules=cythonize([handle, integrate, ensemble]))
