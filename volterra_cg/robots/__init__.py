"""Robots from other descriptions, as mechanisms."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from volterra_cg.errors import OptionError

from . import markup, mjcf, urdf
from .mechanism import Imported, mechanism

__all__ = ["Imported", "imported"]


def imported(path: Path, *, floating: bool = False, torques: bool = False, folder: Path | None = None) -> Imported:
    """The mechanism of a URDF or MJCF file; meshes are looked for below the folder of the spec to be written.

    Raises SpecError with everything that is wrong in the file.
    """
    is_mjcf = markup.read(path).tag == "mujoco"
    if is_mjcf and floating:
        raise OptionError("a file of MuJoCo says itself which bodies are free: leave out floating")
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are not finite are refused
        robot = mjcf.read(path) if is_mjcf else urdf.read(path)
        return mechanism(robot, path, floating=floating, torques=torques, folder=folder or Path())
