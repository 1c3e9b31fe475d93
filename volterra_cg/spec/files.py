"""The files of a spec: itself, those that it includes and those of its meshes.

All are regular files of limited size in folders that may be read.

`texts` checks nothing else in them, for the keys of the cache.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from volterra_cg.errors import OptionError
from volterra_cg.spec.bounds import bound, raised_by
from volterra_cg.spec.scan import excess

_MEGABYTE = 2**20


class Refused(OSError):  # noqa: N818
    """A file that may not be read; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        self.remedy = remedy
        super().__init__(errno.EACCES, message)


@dataclass
class Files:
    """Reads the files of one spec: those below its folder and below the folders that a user `allowed` besides."""

    spec: Path
    allowed: Sequence[Path] = ()
    known: dict[Path, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in self.allowed:
            if not folder.is_dir():
                raise OptionError(f"there is no folder {folder} to include specs from")

    def named(self, base: Path, name: str) -> Path:
        """The file that the spec `base` names, where its path begins; raises OSError if it may not be read."""
        if not name.isprintable() or not name:
            raise Refused("this is not the name of a file")
        try:
            path = base.parent / name
            place = path.resolve()
            if any(place.is_relative_to(folder.resolve()) for folder in self.allowed):
                return path
            if Path(name).is_absolute() or not place.is_relative_to(self.spec.parent.resolve()):
                remedy = "move it there, or allow its folder with --allow-include"
                raise Refused(f"'{name}' is not below the folder of the spec", remedy)
        except (ValueError, RuntimeError) as error:  # not a name on this system, or links in a circle
            raise Refused("this is not the name of a file") from error
        return path

    def content(self, path: Path) -> bytes:
        """The bytes of a regular file; raises OSError if it cannot or may not be read."""
        place = path.resolve()
        if place not in self.known:
            left = bound("megabytes") * _MEGABYTE - sum(map(len, self.known.values()))
            self.known[place] = _content(path, left)
        return self.known[place]


def _content(path: Path, most: int) -> bytes:
    """A file that is looked at before and after it is opened: opening a device may do something, and a pipe waits."""
    _require_regular(path.stat())
    with os.fdopen(
        os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb"
    ) as file:
        _require_regular(os.fstat(file.fileno()))
        data = file.read(most + 1)
    if len(data) > most:
        message = f"specs are larger than {bound('megabytes')} megabytes, those that they include counted"
        raise Refused(message, raised_by("megabytes"))
    return data


def _require_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise Refused("this is not a regular file")


def texts(path: Path, allowed: Sequence[Path] = ()) -> list[bytes]:
    """The bytes of a spec and of all files that it may name, each once; raises OSError if there is no such spec."""
    files = Files(path, allowed)
    files.content(path)
    waiting, seen = [path], {path.resolve()}
    while waiting and len(seen) <= bound("parts"):
        base = waiting.pop()
        data = _data(files.content(base))
        for name, is_spec in [(name, True) for name in _included(data)] + [(name, False) for name in _meshes(data)]:
            try:
                file = files.named(base, name)
                files.content(file)
            except OSError:  # which the reader tells
                continue
            if is_spec and file.resolve() not in seen:
                seen.add(file.resolve())
                waiting.append(file)
    return list(files.known.values())


def _data(text: bytes) -> dict[str, Any]:
    """What a spec says; nothing if it names no files, or cannot be read, which its reader tells."""
    if b"include" not in text and b"mesh" not in text:
        return {}
    try:
        decoded = text.decode()
        return {} if excess(decoded) else tomllib.loads(decoded)
    except (ValueError, RecursionError):
        return {}


def _included(data: dict[str, Any]) -> list[str]:
    names = (entry.get("spec") if isinstance(entry, dict) else entry for entry in _entries(data, "include"))
    return [name for name in names if isinstance(name, str)]


def _meshes(data: dict[str, Any]) -> list[str]:
    drawn = (body.get("drawn") for body in _entries(data, "bodies") if isinstance(body, dict))
    names = (given.get("mesh") for given in drawn if isinstance(given, dict))
    return [name for name in names if isinstance(name, str)]


def _entries(data: dict[str, Any], table: str) -> list[Any]:
    given = data.get(table)
    return list(given.values()) if isinstance(given, dict) else []
