"""Packages that come with an extra, imported where they are used; whoever lacks one is told what to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from volterra_cg.errors import OptionError

PACKAGES = {
    "control": "control",
    "matplotlib": "plot",
    "h5netcdf": "data",
    "mujoco": "robots",
    "pandas": "data",
    "pyarrow": "data",
    "xarray": "data",
}


def extra(module: str) -> Any:
    """A module of such a package."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        raise OptionError(
            f"this needs {package}, which is not installed: pip install 'volterra-cg[{PACKAGES[package]}]'"
        ) from error
