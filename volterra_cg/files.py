"""Files and folders written aside and renamed, so that a kill or a full disk leaves the old one or the new one."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from volterra_cg.errors import OptionError, WriteError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PREFIX = ".volterra_cg-"  # of folders that are written in and go away
OLD = 86400.0  # seconds after which such a folder is nobody's where folders cannot be locked

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CLOSED = {errno.EACCES, errno.EPERM, errno.EROFS}


def unwritten(what: object, error: Exception) -> OptionError:
    """What to raise where a file cannot be written: who named the place is at fault, or the file system."""
    number, words = getattr(error, "errno", None), getattr(error, "strerror", None) or str(error)
    named = getattr(error, "filename", None)
    message = f"{what} cannot be written: {words}" + (f": '{named}'" if named and str(named) != str(what) else "")
    if number in FULL or os.strerror(errno.ENOSPC) in words:  # libraries of formats hide the number in their words
        return WriteError(f"{message}; free some space, or name a file on another disk")
    if number in CLOSED:
        return WriteError(f"{message}; name a file in a folder of your own")
    return OptionError(message)


@contextmanager
def replacing(path: Path, *, tidy: bool = True) -> Iterator[Path]:
    """A place to write a file to, which then takes the place of `path`; if anything fails `path` stays as it was."""
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():  # a device or a pipe has nothing to lose
        yield target
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only", str(target))
    with aside(target.parent, tidy=tidy) as folder:
        fresh = folder / target.name
        yield fresh
        with fresh.open("rb+") as stream:
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, fresh)
        fresh.replace(target)


@contextmanager
def aside(parent: Path, *, tidy: bool = True) -> Iterator[Path]:
    """A new folder in `parent`, removed at the end; `tidy` removes what killed processes left there, too."""
    if tidy:
        clear(parent)
    folder, lock = _locked_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _release(lock)


def clear(parent: Path) -> None:
    """Remove the folders of killed processes."""
    try:
        names = [name for name in os.listdir(parent) if is_aside(name)]  # noqa: PTH208 - names alone
    except OSError:  # whoever writes there will be told
        return
    for folder in (parent / name for name in names):
        lock = _abandoned(folder)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            _release(lock)


def is_aside(name: str) -> bool:
    """Whether this is the name of a folder that goes away."""
    return name.startswith(PREFIX)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process holds the folder; where folders cannot be locked there is no waiting."""
    lock = _open(folder)
    try:
        if lock >= 0:
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        _release(lock)


def exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step, if this system can."""
    if sys.platform != "linux":
        return False
    try:
        swap = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    here, both = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(swap(here, os.fsencode(one), here, os.fsencode(other), both) == 0)


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """A new folder and its lock, which the system drops when this process dies."""
    while True:
        folder, lock = _new_folder(parent), -1
        try:
            lock = _open(folder)
            if lock < 0:
                return folder, lock
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), folder.stat()):
                return folder, lock
        except (BlockingIOError, FileNotFoundError):
            pass  # another process took it for abandoned before it was locked
        except OSError:  # no locks on this file system
            return folder, lock
        _release(lock)


def _new_folder(parent: Path) -> Path:
    """A new folder; where none can be made, `parent` is named, which the caller knows."""
    try:
        return Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))  # noqa: TID251 - this is the place
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(parent)) from None


def _abandoned(folder: Path) -> int | None:
    """The lock of a folder that nobody holds; None if somebody does, or if it is not ours."""
    try:
        found = folder.lstat()
        mine = stat.S_ISDIR(found.st_mode) and (fcntl is None or found.st_uid == os.geteuid())
        lock = _open(folder) if mine else -1
    except OSError:
        return None
    if not mine:
        return None
    try:
        if lock >= 0:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
    except BlockingIOError:
        _release(lock)
        return None
    except OSError:
        pass
    if time.time() - found.st_mtime > OLD:
        return lock
    _release(lock)
    return None


def _open(folder: Path) -> int:
    """A descriptor to lock, or -1 where there are no such locks."""
    return -1 if fcntl is None else os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


def _release(lock: int) -> None:
    if lock >= 0:
        os.close(lock)
