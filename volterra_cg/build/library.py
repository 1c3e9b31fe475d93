"""A shared library of a built model and an adapter to somebody else's interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from volterra_cg.errors import BuildError

from .cache import Cache, read_files
from .keys import extension_key
from .publish import REPORT, is_ours
from .toolchain import find_toolchain

COMPILED = (".c", ".h")


def library(folder: Path, kind: str, adapter: Callable[[Mapping[str, Any]], str], cache: Cache | None = None) -> Path:
    """Compile the model in a folder with the adapter that its report gives; kept in the cache as <name>_<kind>."""
    if not is_ours(folder):
        raise BuildError(f"{folder} holds no generated model")
    store = Cache() if cache is None else cache
    given = read_files(folder)
    report = json.loads(given[REPORT])
    files = {name: text for name, text in given.items() if name.endswith(COMPILED)}
    models, added = sorted(name for name in files if name.endswith(".c")), f"_{kind}.c"
    files[added] = adapter(report).encode()
    name = f"{report['name']}_{kind}"

    def make() -> dict[str, bytes]:
        from .compiler import compile_library

        return dict([compile_library(name, (*models, added), files)])

    place, _ = store.keep("extensions", extension_key(files, find_toolchain().identity), name, make)
    return next(path for path in place.iterdir() if path.stem == name)
