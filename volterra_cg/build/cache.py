"""Folders kept under content keys: written aside, moved into place whole, checked when read."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from volterra_cg.errors import BuildError

VARIABLE = "VOLTERRA_CG_CACHE"
KINDS = ("sources", "extensions", "modules")
MANIFEST = "entry.json"


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
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("volterra_cg", appauthor=False))


class Cache:
    """Entries by kind and key; an entry never changes, so readers need no lock."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = default_root() if root is None else root

    def find(self, kind: str, key: str) -> Path | None:
        """The folder kept under a key, if there is one and every file in it is as it was written."""
        folder = self.root / kind / key
        try:
            files = json.loads((folder / MANIFEST).read_text())["files"]
            sound = all(_digest((folder / name).read_bytes()) == digest for name, digest in files.items())
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
            folder = self.root / "locks"
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / f"{name}.lock")
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
        freed = sum(entry.size for entry in self.entries())
        for kind in (*KINDS, "tmp"):
            shutil.rmtree(self.root / kind, ignore_errors=True)
        return freed

    def _write(self, kind: str, key: str, name: str, files: Mapping[str, bytes]) -> Path:
        target = self.root / kind / key
        manifest = {"name": name, "files": {file: _digest(content) for file, content in files.items()}}
        try:
            (self.root / "tmp").mkdir(parents=True, exist_ok=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.root / "tmp") as aside:
                folder = Path(aside) / "entry"
                write_files(folder, {**files, MANIFEST: json.dumps(manifest, indent=1).encode()})
                if target.exists():  # damaged, or find() would have taken it
                    target.rename(Path(aside) / "damaged")
                folder.rename(target)
        except OSError as error:
            raise _unusable(self.root, error) from error
        return target


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder of plain files."""
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def read_files(folder: Path) -> dict[str, bytes]:
    """The files of an entry, without its manifest."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != MANIFEST)
    return {name: (folder / name).read_bytes() for name in names}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _unusable(root: Path, error: OSError) -> BuildError:
    return BuildError(f"the cache at {root} cannot be used: {error}; set {VARIABLE} to a folder that can be written")
