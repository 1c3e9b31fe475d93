"""The two steps of a build, each of which the cache may save."""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volterra_cg import headers
from volterra_cg.clock import Clock
from volterra_cg.errors import OptionError
from volterra_cg.options import Options

from .cache import Cache, UnwritableCache, read_files, write_files
from .keys import content_key, extension_key, sources_key, spec_key
from .publish import REPORT, publish
from .temporary import temporary
from .toolchain import find_toolchain

if TYPE_CHECKING:
    from volterra_cg.emit.sources import Sources

_kept = ExitStack()  # folders that go when this process ends
atexit.register(_kept.close)


@dataclass(frozen=True)
class Built:
    """A module ready to import: `folder` is its package, `cached` says that nothing had to be derived or compiled."""

    name: str
    folder: Path
    report: Mapping[str, Any]
    cached: bool
    seconds: Mapping[str, float]

    def as_dict(self) -> dict[str, Any]:
        """The report with the facts of this build, as the command line prints it."""
        return {**self.report, "seconds": dict(self.seconds), "cached": self.cached, "module": str(self.folder)}


def build(
    spec: Path,
    options: Options,
    out: Path | None,
    generate: Callable[[], Sources],
    clock: Clock,
    cache: Cache | None = None,
) -> Built:
    """Make the module of a spec, below `out` or in the cache; `generate` is called only if the cache has no texts."""
    store = Cache() if cache is None else cache
    files, derived = _texts(spec, options, generate, store)
    report = json.loads(files[REPORT])
    name = str(report["name"])
    with clock("compile"):
        extension, compiled = _extension(name, files, store, lambda part: clock.tell("compile", part))
    files.update(extension)
    folder = _in_cache(name, files, store) if out is None else publish(out, name, files)
    return Built(name, folder, report, not (derived or compiled), clock.seconds())


def rebuild(files: Mapping[str, bytes], cache: Cache | None = None) -> Path:
    """The folder, in the cache, of the module whose texts are these; compiled if it is not there."""
    store = Cache() if cache is None else cache
    name = str(json.loads(files[REPORT])["name"])
    extension, _ = _extension(name, files, store)
    return _in_cache(name, {**files, **extension}, store)


def _texts(
    spec: Path, options: Options, generate: Callable[[], Sources], store: Cache
) -> tuple[dict[str, bytes], bool]:
    """The generated files and the runtime's headers, and whether they had to be derived."""
    try:
        key = sources_key(spec_key(spec, options.allow_include), options)
    except OSError as error:
        raise OptionError(f"the spec {spec} cannot be read: {error.strerror}") from error

    def make() -> dict[str, bytes]:
        sources = generate()
        texts = {name: text.encode() for name, text in sources.files.items()}
        return {**texts, **headers.texts()}

    folder, found = store.keep("sources", key, spec.stem, make)
    return read_files(folder), not found


def _extension(
    name: str, files: Mapping[str, bytes], store: Cache, told: Callable[[float], None] = lambda _: None
) -> tuple[dict[str, bytes], bool]:
    """The compiled extension, and whether it had to be compiled; `told` hears which part of that is done."""

    def make() -> dict[str, bytes]:
        from .compiler import compile_module

        return dict([compile_module(name, files, told)])

    folder, found = store.keep("extensions", extension_key(files, find_toolchain().identity), name, make)
    return read_files(folder), not found


def _in_cache(name: str, files: Mapping[str, bytes], store: Cache) -> Path:
    try:
        folder, _ = store.keep("modules", content_key(files), name, lambda: files)
    except UnwritableCache:  # which holds all that makes the module: that can stand elsewhere as long as this process
        folder = _kept.enter_context(temporary()) / name
        write_files(folder, files)
    return folder
