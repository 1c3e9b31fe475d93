"""A compiler for mechanics: from a TOML spec to a compiled module of the reduced Volterra equations of motion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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

    from .builder import Mechanism
    from .options import Options
    from .runtime import Model, Run
    from .spec import entities

__all__ = [
    "BuildError",
    "IntegrationError",
    "InternalError",
    "Mechanism",
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
    "load",
    "to_toml",
]


def __dir__() -> list[str]:
    return __all__


def load(path: str | os.PathLike[str], model: Model | None = None) -> Run:
    """The run that `run.save` wrote to a .nc, .npz, .mat or .parquet file; with its model it can be drawn too."""
    from .runtime import archive

    return archive.load(path, model)


def compile(  # noqa: A001
    path: str | os.PathLike[str],
    formulation: str | None = None,
    name: str | None = None,
    jacobian: bool = False,
    allow_include: Sequence[str | os.PathLike[str]] = (),
) -> Model:
    """Build the model of a spec, or take it from the cache, and load it; with `jacobian` it has derivatives too.

    The spec may include others below its own folder and below those of `allow_include`.
    """
    from pathlib import Path

    from . import driver

    return driver.model(Path(path), _options(formulation, name, jacobian, allow_include))


def library(
    path: str | os.PathLike[str],
    target: str,
    formulation: str | None = None,
    name: str | None = None,
    jacobian: bool = True,
    allow_include: Sequence[str | os.PathLike[str]] = (),
) -> Path:
    """The shared library of a model for another program, such as "casadi", from the cache or compiled.

    `path` is a spec, or the folder of a built model, to which the later arguments do not apply.
    """
    from functools import partial
    from pathlib import Path

    from . import build, driver
    from .emit.adapter import adapter
    from .targets import require_library

    require_library(target)
    given = Path(path)
    options = _options(formulation, name, jacobian, allow_include)
    folder = given if given.is_dir() else driver.build(given, options).folder
    return build.library(folder, target, partial(adapter, target))


def to_toml(mechanism: Mechanism | entities.Mechanism[Any]) -> str:
    """A mechanism as a spec: one made by the builder as it was told, another with its short forms spelled out."""
    from .builder import Mechanism

    if isinstance(mechanism, Mechanism):
        return mechanism.to_toml()
    from .builder import written

    return written(mechanism)


def __getattr__(name: str) -> Any:
    """The builder, imported when it is first asked for."""
    if name == "Mechanism":
        from .builder import Mechanism

        return Mechanism
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _options(
    formulation: str | None, name: str | None, jacobian: bool, allow_include: Sequence[str | os.PathLike[str]]
) -> Options:
    from pathlib import Path

    from .options import REDUCED, Options

    allowed = (allow_include,) if isinstance(allow_include, str | os.PathLike) else allow_include
    return Options(formulation or REDUCED, name, jacobian=jacobian, allow_include=tuple(map(Path, allowed)))
