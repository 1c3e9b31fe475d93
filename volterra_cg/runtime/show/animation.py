"""A run in motion, in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from volterra_cg.errors import OptionError
from volterra_cg.files import replacing, unwritten
from volterra_cg.runtime.arguments import number

from . import stills, viewer
from .scene import scene_of

if TYPE_CHECKING:
    from volterra_cg.runtime.run import Run


def animate(
    run: Run,
    path: Path,
    names: Sequence[str],
    speed: float,
    meshes: Mapping[str, str | Path] | None = None,
    progress: stills.Progress | None = None,
) -> Path:
    """Write a page or a film, by the suffix of the path."""
    if path.suffix not in (".html", ".gif", ".mp4"):
        raise OptionError(f"a motion is written as .html, .gif or .mp4, which {path} is not")
    if not number("speed", speed) > 0:
        raise OptionError(f"the speed must be above zero, not {speed:g}")
    if path.suffix == ".html":
        write(path, viewer.page(run, names, meshes))
    else:
        stills.film(scene_of(run, meshes), path, speed, progress)
    return path


def write(path: Path, text: str) -> None:
    """Write a page beside its place and rename it."""
    try:
        with replacing(path) as fresh:
            fresh.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritten("the page", error) from error
