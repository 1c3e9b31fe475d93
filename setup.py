"""The compiled part of the package; everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

handle = Extension(
    "volterra_cg.runtime.handle",
    ["volterra_cg/runtime/handle.pyx"],
    include_dirs=["volterra_cg/runtime"],
    depends=["volterra_cg/runtime/vcg_model.h"],
)

setup(ext_modules=cythonize([handle]))
