"""The files of a spec: itself and those that it includes, regular files of limited size in folders that may be read.

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

    def included(self, base: Path, name: str) -> Path:
        """The file that the spec `base` names in [include], where its path begins; raises OSError if it may not be read."""
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
    """The bytes of a spec and of all that it may include, each file once; raises OSError if there is no such spec."""
    files = Files(path, allowed)
    files.content(path)
    waiting, seen = [path], {path.resolve()}
    while waiting and len(seen) <= bound("parts"):
        base = waiting.pop()
        for name in _names(files.content(base)):
            try:
                file = files.included(base, name)
                files.content(file)
            except OSError:  # which the reader tells
                continue
            if file.resolve() not in seen:
                seen.add(file.resolve())
                waiting.append(file)
    return list(files.known.values())


def _names(data: bytes) -> list[str]:
    """What a spec includes; nothing if it cannot be read, which its reader tells."""
    if b"include" not in data:
        return []
    try:
        text = data.decode()
        given = {} if excess(text) else tomllib.loads(text).get("include", {})
    except (ValueError, RecursionError):
        return []
    entries = given.values() if isinstance(given, dict) else ()
    names = (entry.get("spec") if isinstance(entry, dict) else entry for entry in entries)
    return [name for name in names if isinstance(name, str)]
