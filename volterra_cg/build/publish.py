"""Put a finished module where it can be imported, whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from volterra_cg.errors import BuildError
from volterra_cg.files import aside, exchange, locked

from .cache import write_files

REPORT = "report.json"
OURS = {".c", ".h", ".pyx", ".py", ".so", ".pyd"}  # endings of the files that a build writes


def publish(out: Path, name: str, files: Mapping[str, bytes]) -> Path:
    """Make <out>/<name> hold exactly these files; refuses to replace a folder that is not one of ours."""
    target = out.absolute() / name
    if _is_current(target, files):
        return target
    _refuse_foreign(target)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with locked(out), aside(out) as folder:
            _refuse_foreign(target)
            fresh = folder / "new"
            write_files(fresh, files)
            _carry_over(target, fresh)
            _swap(fresh, target, folder / "old")
    except OSError as error:
        raise BuildError(f"{target} cannot be written: {error}; choose another folder") from error
    return target


def is_ours(folder: Path) -> bool:
    """Whether a folder holds a generated model."""
    try:
        report = json.loads((folder / REPORT).read_text())
    except (OSError, ValueError):
        return False
    return isinstance(report, dict) and "abi" in report and "name" in report


def _carry_over(target: Path, fresh: Path) -> None:
    """Bring along what somebody else put into the folder."""
    for path in target.iterdir() if target.is_dir() else ():
        mine = path.suffix in OURS or path.name in {REPORT, "__pycache__"}
        if mine or (fresh / path.name).exists():
            continue
        copy = shutil.copytree if path.is_dir() else shutil.copy2
        copy(path, fresh / path.name)


def _swap(fresh: Path, target: Path, old: Path) -> None:
    """Rename the new folder into place, in one step where the system can; if it fails the old one is put back."""
    if not target.exists():
        fresh.rename(target)
        return
    if exchange(fresh, target):
        return
    target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        old.rename(target)
        raise


def _refuse_foreign(target: Path) -> None:
    if not os.path.lexists(target) or (target.is_dir() and not target.is_symlink() and is_ours(target)):
        return
    raise BuildError(
        f"{target} exists and holds no generated model, so it is left alone; move it, or give another name or folder"
    )


def _is_current(target: Path, files: Mapping[str, bytes]) -> bool:
    try:
        present = {path.name for path in target.iterdir() if path.name != "__pycache__"}
        return present >= set(files) and all((target / name).read_bytes() == text for name, text in files.items())
    except OSError:
        return False
