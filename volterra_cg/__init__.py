"""A compiler for mechanics: from a TOML spec to a compiled module of the reduced Volterra equations of motion."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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
    WriteError,
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
    "WriteError",
    "__version__",
    "compile",
    "from_robot",
    "from_sympy",
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
    path: str | os.PathLike[str] | Mechanism,
    formulation: str | None = None,
    name: str | None = None,
    jacobian: bool = False,
    allow_include: Sequence[str | os.PathLike[str]] = (),
    arithmetic: str | None = None,
) -> Model:
    """Build the model of a spec or mechanism, or take it from the cache; with `jacobian` it has derivatives too.

    The spec may include others below its own folder and below those of `allow_include`. `arithmetic` is "fused" or
    "separate".
    """
    from pathlib import Path

    from . import driver

    if not isinstance(path, str | os.PathLike):
        from .builder import Mechanism

        if not isinstance(path, Mechanism):
            raise OptionError(f"the path of a spec or a Mechanism is needed, not {path!r}")
        return path.compile(formulation, name=name, jacobian=jacobian, arithmetic=arithmetic)
    return driver.model(Path(path), _options(formulation, name, jacobian, allow_include, arithmetic))


def library(
    path: str | os.PathLike[str],
    target: str,
    formulation: str | None = None,
    name: str | None = None,
    jacobian: bool = True,
    allow_include: Sequence[str | os.PathLike[str]] = (),
    arithmetic: str | None = None,
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
    options = _options(formulation, name, jacobian, allow_include, arithmetic)
    folder = given if given.is_dir() else driver.build(given, options).folder
    return build.library(folder, target, partial(adapter, target))


def from_robot(path: str | os.PathLike[str], *, floating: bool = False, torques: bool = False) -> Mechanism:
    """A mechanism of a URDF or MJCF file; the base of a URDF is fixed or floating; `torques` drives joints."""
    from pathlib import Path

    from .robots import imported

    return imported(Path(path), floating=floating, torques=torques).mechanism


def from_sympy(
    method: Any = None,
    *,
    values: Mapping[Any, Any],
    name: str = "mechanism",
    frame: Any = None,
    bodies: Sequence[Any] = (),
    loads: Sequence[Any] = (),
    q: Sequence[Any] = (),
    u: Sequence[Any] = (),
    kd_eqs: Sequence[Any] = (),
    q_dependent: Sequence[Any] = (),
    configuration_constraints: Sequence[Any] = (),
    u_dependent: Sequence[Any] = (),
    velocity_constraints: Sequence[Any] = (),
) -> Mechanism:
    """A mechanism of sympy.physics.mechanics: of a KanesMethod, LagrangesMethod or System, or of bodies, loads and so on.

    `values` are numbers for symbols, and starts for coordinates and speeds. The other arguments are called as those of
    KanesMethod, and add to what the method tells.
    """
    from .builder import of_sympy

    return of_sympy(
        method,
        values,
        name,
        frame=frame,
        bodies=bodies,
        loads=loads,
        q=q,
        u=u,
        kd_eqs=kd_eqs,
        q_dependent=q_dependent,
        configuration_constraints=configuration_constraints,
        u_dependent=u_dependent,
        velocity_constraints=velocity_constraints,
    )


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
    formulation: str | None,
    name: str | None,
    jacobian: bool,
    allow_include: Sequence[str | os.PathLike[str]],
    arithmetic: str | None,
) -> Options:
    from pathlib import Path

    from .options import ARITHMETIC, REDUCED, Options

    given = (allow_include,) if isinstance(allow_include, str | os.PathLike) else allow_include
    allowed, rounded = tuple(map(Path, given)), arithmetic or ARITHMETIC
    return Options(formulation or REDUCED, name, jacobian=jacobian, allow_include=allowed, arithmetic=rounded)
