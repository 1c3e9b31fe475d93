"""The files of a spec: itself and those that it includes. Read here without checking anything, for the keys of the cache."""

from __future__ import annotations

import tomllib
from pathlib import Path


def included(base: Path, name: str) -> Path:
    """The file that a spec names in [include]: its path begins at the spec that names it."""
    return base.parent / name


def texts(path: Path) -> list[bytes]:
    """The bytes of a spec and of all that it includes, each file once; raises OSError if there is no such spec."""
    found = {path.resolve(): path.read_bytes()}
    waiting = [path]
    while waiting:
        base = waiting.pop()
        for name in _names(found[base.resolve()]):
            file = included(base, name)
            if file.resolve() not in found and file.is_file():
                found[file.resolve()] = file.read_bytes()
                waiting.append(file)
    return list(found.values())


def _names(text: bytes) -> list[str]:
    """What a spec includes; nothing if it cannot be read, which its reader tells."""
    if b"include" not in text:
        return []
    try:
        given = tomllib.loads(text.decode()).get("include", {})
    except (ValueError, AttributeError):
        return []
    entries = given.values() if isinstance(given, dict) else ()
    names = (entry.get("spec") if isinstance(entry, dict) else entry for entry in entries)
    return [name for name in names if isinstance(name, str)]
