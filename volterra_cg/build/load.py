"""Import a model: from a folder that is on no search path, or from texts that travelled, compiled where they arrive."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from volterra_cg.errors import BuildError
from volterra_cg.version import __version__

from .build import rebuild
from .cache import Cache, read_files
from .keys import content_key
from .publish import REPORT, is_ours
from .toolchain import MODULE, extension_suffix

SUFFIXES = (".c", ".h", ".pyx", ".py")

_loaded: dict[Path, str] = {}  # the system keeps a loaded library by its path, whatever happens to the file
_models: dict[str, ModuleType] = {}  # of this process, made of texts, by key
_lock = threading.Lock()


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


class _Source(SourceFileLoader):
    """Compiles the source each time: bytecode that lies beside it is neither read nor written."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def _import(name: str, place: Path) -> ModuleType:
    """Import the two files that a build makes, by their paths: others in the folder are not looked at."""
    source, extension = str(place / "__init__.py"), str(place / f"{MODULE}{extension_suffix()}")
    try:
        module = _begun(name, _Source(name, source), [str(place)])
        inner = _begun(f"{name}.{MODULE}", ExtensionFileLoader(f"{name}.{MODULE}", extension))
        setattr(module, MODULE, inner)
        for each in (inner, module):
            each.__spec__.loader.exec_module(each)  # type: ignore[union-attr]
    except BaseException as error:
        for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[loaded]
        if isinstance(error, ImportError):
            raise BuildError(f"{place} cannot be imported: {error}; build it again with this Python") from error
        raise
    return module


def _begun(name: str, loader: SourceFileLoader | ExtensionFileLoader, within: list[str] | None = None) -> ModuleType:
    """A module that is known but not yet run."""
    spec = importlib.util.spec_from_file_location(name, loader.path, loader=loader, submodule_search_locations=within)
    if spec is None:
        raise BuildError(f"{loader.path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    return module


@dataclass(frozen=True)
class Texts:
    """The generated files of a model, compressed; `key` is that of their content, `version` that of this package."""

    name: str
    key: str
    version: str
    packed: bytes


def pack(folder: Path, report: Mapping[str, Any]) -> Texts:
    """The texts in the folder of a loaded model, which has to hold the model that was loaded."""
    if not is_ours(folder):
        raise BuildError(f"the sources of the model {report['name']} are gone from {folder}: build it again")
    files = {name: text for name, text in read_files(folder).items() if name.endswith(SUFFIXES) or name == REPORT}
    if json.loads(files[REPORT]) != report:
        raise BuildError(f"{folder} has changed since it was loaded; a new Python process is needed to load it again")
    told = json.dumps({name: text.decode("utf-8", "surrogateescape") for name, text in files.items()})
    return Texts(str(report["name"]), content_key(files), __version__, zlib.compress(told.encode()))


def unpack(texts: Texts, cache: Cache | None = None) -> ModuleType:
    """The module made of the texts, built once in a process and once in a cache; others who want it wait."""
    if texts.version != __version__:
        raise BuildError(
            f"the model {texts.name} comes from volterra_cg {texts.version}, and a worker has {__version__}:"
            " install the same version on all"
        )
    with _lock:
        if texts.key not in _models:
            told: dict[str, str] = json.loads(zlib.decompress(texts.packed))
            files = {name: text.encode("utf-8", "surrogateescape") for name, text in told.items()}
            _models[texts.key] = load(rebuild(files, cache))
        return _models[texts.key]
