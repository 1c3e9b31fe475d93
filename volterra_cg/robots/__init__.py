"""Robots from other descriptions, as mechanisms."""

from __future__ import annotations

from pathlib import Path

from .mechanism import Imported, mechanism
from .urdf import read

__all__ = ["Imported", "imported"]


def imported(path: Path, *, floating: bool = False, torques: bool = False, folder: Path | None = None) -> Imported:
    """The mechanism of a URDF file; meshes are looked for below the folder of the spec to be written.

    Raises SpecError with everything that is wrong in the file.
    """
    return mechanism(read(path), floating=floating, torques=torques, folder=folder or Path())
