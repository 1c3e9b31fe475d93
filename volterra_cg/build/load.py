"""Import a module from a folder that is on no search path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from volterra_cg.errors import BuildError

from .cache import read_files
from .keys import content_key
from .publish import is_ours

_loaded: dict[Path, str] = {}  # the system keeps a loaded library by its path, whatever happens to the file


def load(folder: Path) -> ModuleType:
    """The generated package in a folder, under a name made of its content, so that different models never meet."""
    place = folder.resolve()
    if not is_ours(place):
        raise BuildError(f"{folder} holds no generated model")
    name = f"volterra_cg_model_{content_key(read_files(place))[:24]}"
    if _loaded.setdefault(place, name) != name:
        raise BuildError(f"{folder} has changed since it was loaded; a new Python process is needed to load it again")
    if name in sys.modules:
        return sys.modules[name]
    return _import(name, place)


def _import(name: str, place: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, place / "__init__.py", submodule_search_locations=[str(place)])
    if spec is None or spec.loader is None:
        raise BuildError(f"{place} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[loaded]
        if isinstance(error, ImportError):
            raise BuildError(f"{place} cannot be imported: {error}; build it again with this Python") from error
        raise
    return module
