"""A model as texts that travel: packed from its folder, compiled and loaded where they arrive."""

from __future__ import annotations

import json
import pickle
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from volterra_cg.errors import BuildError
from volterra_cg.version import __version__

from .build import rebuild
from .cache import Cache, read_files
from .keys import content_key
from .load import load
from .publish import REPORT, is_ours

SUFFIXES = (".c", ".h", ".pyx", ".py")

_models: dict[str, ModuleType] = {}  # of this process, by key
_lock = threading.Lock()


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
    return Texts(str(report["name"]), content_key(files), __version__, zlib.compress(pickle.dumps(files)))


def unpack(texts: Texts, cache: Cache | None = None) -> ModuleType:
    """The module made of the texts, built once in a process and once in a cache; others who want it wait."""
    if texts.version != __version__:
        raise BuildError(
            f"the model {texts.name} comes from volterra_cg {texts.version}, and a worker has {__version__}:"
            " install the same version on all"
        )
    with _lock:
        if texts.key not in _models:
            _models[texts.key] = load(rebuild(pickle.loads(zlib.decompress(texts.packed)), cache))
        return _models[texts.key]
