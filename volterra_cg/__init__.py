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
)
from .version import __version__

if TYPE_CHECKING:
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
    "__version__",
    "compile",
]


def compile(  # noqa: A001
    path: str | os.PathLike[str], method: str | None = None, name: str | None = None, jacobian: bool = False
) -> Model:
    """Build the model of a spec, or take it from the cache, and load it; with `jacobian` it has derivatives too."""
    from pathlib import Path

    from .build import build, load
    from .clock import Clock
    from .options import METHODS, Options

    spec, clock = Path(path), Clock()
    options = Options(method or METHODS[0], name, jacobian=jacobian)

    def generate() -> Sources:
        from .driver import generate

        return generate(spec, options, clock)

    module = load(build(spec, options, None, generate, clock).folder)
    model: Model = module.model
    return model
