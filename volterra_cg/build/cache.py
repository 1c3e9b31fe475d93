"""Folders kept under content keys: written aside, moved into place whole, checked when read.

Code is loaded from here, so nobody else may be able to write here.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from volterra_cg.errors import BuildError
from volterra_cg.files import aside

VARIABLE = "VOLTERRA_CG_CACHE"
KINDS = ("sources", "extensions", "modules")
MANIFEST = "entry.json"
IGNORED = {"__pycache__"}  # what Python may add to an entry, and load.py does not read
OTHERS = stat.S_IWGRP | stat.S_IWOTH
REMEDY = f"set {VARIABLE} to a folder of your own"


class UnwritableCache(BuildError):  # noqa: N818
    """The cache may be read, but nothing can be added."""


@dataclass(frozen=True)
class Entry:
    """One kept folder, for listing."""

    kind: str
    key: str
    name: str
    size: int
    age: float  # seconds since it was written
    path: Path


def default_root() -> Path:
    """The user's cache directory, or what VOLTERRA_CG_CACHE says."""
    chosen = os.environ.get(VARIABLE)
    try:
        if chosen:
            return Path(chosen).expanduser().absolute()
        import platformdirs

        root = Path(platformdirs.user_cache_dir("volterra_cg", appauthor=False))
    except RuntimeError as error:
        raise BuildError(f"the cache has no place: {error}; {REMEDY}") from error
    if not root.is_absolute():
        raise BuildError(f"the cache has no place, since there is no home folder; {REMEDY}")
    return root


class Cache:
    """Entries by kind and key; an entry never changes, so readers need no lock."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = default_root() if root is None else root

    def find(self, kind: str, key: str) -> Path | None:
        """The folder kept under a key, if there is one that holds what was written, all of it and nothing else."""
        self._require_trust(kind)
        folder = self.root / kind / key
        try:
            files = json.loads((folder / MANIFEST).read_text())["files"]
            present = {path.name for path in folder.iterdir()} - IGNORED
            sound = (
                present == {*files, MANIFEST}
                and not any(_distrust(path) for path in (folder, *(folder / name for name in present)))
                and all(_digest((folder / name).read_bytes()) == digest for name, digest in files.items())
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return folder if sound else None

    def keep(self, kind: str, key: str, name: str, make: Callable[[], Mapping[str, bytes]]) -> tuple[Path, bool]:
        """The folder under a key, made if it is missing, and whether it was there; others who want it wait."""
        found = self.find(kind, key)
        if found:
            return found, True
        with self.lock(f"{kind}-{key}"):
            found = self.find(kind, key)
            if found:
                return found, True
            return self._write(kind, key, name, make()), False

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """A lock between processes that the system drops when its holder dies."""
        from filelock import FileLock

        try:
            lock = FileLock(self._folder("locks") / f"{name}.lock")
            lock.acquire()
        except OSError as error:
            raise _unusable(self.root, error) from error
        try:
            yield
        finally:
            lock.release()

    def entries(self) -> list[Entry]:
        """Everything kept, newest first."""
        found = []
        for kind in KINDS:
            for manifest in (self.root / kind).glob(f"*/{MANIFEST}"):
                try:
                    name, age = json.loads(manifest.read_text())["name"], time.time() - manifest.stat().st_mtime
                    size = sum(file.stat().st_size for file in manifest.parent.iterdir())
                except (OSError, ValueError, KeyError):
                    continue
                found.append(Entry(kind, manifest.parent.name, name, size, age, manifest.parent))
        return sorted(found, key=lambda entry: (entry.age, entry.kind, entry.key))

    def clear(self) -> int:
        """Remove every entry; returns how many bytes that freed."""
        self._require_trust()
        freed = sum(entry.size for entry in self.entries())
        for kind in (*KINDS, "tmp"):
            shutil.rmtree(self.root / kind, ignore_errors=True)
        return freed

    def _write(self, kind: str, key: str, name: str, files: Mapping[str, bytes]) -> Path:
        target = self.root / kind / key
        manifest = {"name": name, "files": {file: _digest(content) for file, content in files.items()}}
        try:
            self._folder(kind)
            with aside(self._folder("tmp")) as place:
                folder = place / "entry"
                write_files(folder, {**files, MANIFEST: json.dumps(manifest, indent=1).encode()})
                for path in (folder, *folder.iterdir()):
                    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
                if os.path.lexists(target):  # damaged, or find() would have taken it
                    target.rename(place / "damaged")
                folder.rename(target)
        except OSError as error:
            raise _unusable(self.root, error) from error
        return target

    def _folder(self, name: str) -> Path:
        """A folder of the cache, made if it is missing, that nobody else can write."""
        folder = self.root / name
        for path in (*reversed(folder.parents), folder):
            if not path.exists():
                path.mkdir(mode=0o777 & ~OTHERS, exist_ok=True)
        self._require_trust(name)
        return folder

    def _require_trust(self, name: str = "") -> None:
        """Refuse a cache that others could have written to: what is in it is run."""
        for path in (self.root.parent, self.root, self.root / name):
            try:
                reason = _open_to_all(path) if path == self.root.parent else _distrust(path)
            except OSError:  # nothing there, or nothing that can be read
                continue
            if reason and not (path == self.root and _taken(path)):
                raise BuildError(f"the cache at {self.root} is not trusted, since {path} {reason}; or {REMEDY}")


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder of plain files."""
    folder.mkdir(parents=True)
    for name, content in files.items():
        if Path(name).name != name:
            raise BuildError(f"{name!r} is not the name of a file")
        (folder / name).write_bytes(content)


def read_files(folder: Path) -> dict[str, bytes]:
    """The files of an entry, without its manifest."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != MANIFEST)
    return {name: (folder / name).read_bytes() for name in names}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _distrust(path: Path) -> str:
    """Why somebody else may have written to a file or folder, and what to do about it; empty if nobody may have."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return f"is a link: name the folder itself in {VARIABLE}"
    if os.name == "nt":  # permissions are told in another way there
        return ""
    if found.st_uid not in (os.geteuid(), 0):
        return f"belongs to another user (number {found.st_uid}): remove it"
    if found.st_mode & OTHERS:
        return f"can be written by others: remove it, or if you trust what is in it, chmod -R go-w {path}"
    return ""


def _taken(folder: Path) -> bool:
    """Close an empty folder of our own to others, such as `mkdir` makes for whoever has a umask of 002; whether it was one."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or any(folder.iterdir()):
        return False
    folder.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
    return not any(folder.iterdir())  # nobody was faster


def _open_to_all(parent: Path) -> str:
    """Why anybody could put another folder in the place of one that is in `parent`."""
    mode = parent.stat().st_mode
    removable = mode & stat.S_IWOTH and not mode & stat.S_ISVTX and os.name != "nt"
    return f"can be written by everybody: chmod o-w {parent}" if removable else ""


def _unusable(root: Path, error: OSError) -> BuildError:
    kind = UnwritableCache if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM) else BuildError
    space = "free some space (volterra-cg cache clear empties the cache), or "
    first = space if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return kind(f"the cache at {root} cannot be used: {error}; {first}set {VARIABLE} to a folder that can be written")
