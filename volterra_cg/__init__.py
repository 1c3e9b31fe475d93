"""A compiler for mechanics: from a TOML spec to a compiled module of the reduced Volterra equations of motion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .errors import (
    BuildError,
    IntegrationError,
    InternalError,
    ModelError,
    OptionError,
    SingularConfiguration,
    SpecError,
    StartError,
    VolterraError,
    WorkerError,
)
from .version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from .emit.sources import Sources
    from .runtime import Model

__all__ = [
    "BuildError",
    "IntegrationError",
    "InternalError",
    "ModelError",
    "OptionError",
    "SingularConfiguration",
    "SpecError",
    "StartError",
    "VolterraError",
    "WorkerError",
    "__version__",
    "compile",
    "library",
]


def compile(  # noqa: A001
    path: str | os.PathLike[str], formulation: str | None = None, name: str | None = None, jacobian: bool = False
) -> Model:
    """Build the model of a spec, or take it from the cache, and load it; with `jacobian` it has derivatives too."""
    from .build import load

    model: Model = load(_built(path, formulation, name, jacobian)).model
    return model


def library(
    path: str | os.PathLike[str],
    target: str,
    formulation: str | None = None,
    name: str | None = None,
    jacobian: bool = True,
) -> Path:
    """The shared library of a model for another program, such as "casadi", from the cache or compiled.

    `path` is a spec, or the folder of a built model, to which the later arguments do not apply.
    """
    from functools import partial
    from pathlib import Path

    from . import build
    from .emit.adapter import adapter
    from .targets import require_library

    require_library(target)
    folder = Path(path) if Path(path).is_dir() else _built(path, formulation, name, jacobian)
    return build.library(folder, target, partial(adapter, target))


def _built(path: str | os.PathLike[str], formulation: str | None, name: str | None, jacobian: bool) -> Path:
    """The folder of a spec's model in the cache."""
    from pathlib import Path

    from .build import build
    from .clock import Clock
    from .options import REDUCED, Options

    spec, clock = Path(path), Clock()
    options = Options(formulation or REDUCED, name, jacobian=jacobian)

    def generate() -> Sources:
        from .driver import generate

        return generate(spec, options, clock)

    return build(spec, options, None, generate, clock).folder
