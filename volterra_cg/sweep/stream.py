"""A file to write HDF5 to that never fails before its reader is done: a full disk would crash the HDF5 library."""

from __future__ import annotations

import io
from pathlib import Path


class Stream(io.RawIOBase):
    """A new file; what the disk does not take is kept in memory, and `require` raises why."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("w+b", buffering=0)
        self._place = 0
        self._size = 0
        self._kept: list[tuple[int, bytes]] = []
        self._error: OSError | None = None

    def require(self) -> None:
        """Raise what the disk refused, if anything."""
        if self._error is not None:
            raise self._error

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def truncate(self, size: int | None = None) -> int:
        self._size = self._place if size is None else size
        if self._error is None:
            try:
                self._file.truncate(self._size)
            except OSError as error:
                self._error = error
        return self._size

    def write(self, data: bytes) -> int:  # type: ignore[override]
        whole = bytes(data)
        done = self._stored(whole) if self._error is None else 0
        if done < len(whole):
            self._kept.append((self._place + done, whole[done:]))
        self._place += len(whole)
        self._size = max(self._size, self._place)
        return len(whole)

    def _stored(self, data: bytes) -> int:
        """How many bytes the disk takes."""
        done = 0
        try:
            self._file.seek(self._place)
            while done < len(data):
                done += self._file.write(data[done:])
        except OSError as error:
            self._error = error
        return done

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        count = max(0, min(len(buffer), self._size - self._place))
        self._file.seek(self._place)
        found = bytearray(self._file.read(count).ljust(count, b"\0"))
        for start, data in self._kept:
            first, last = max(start, self._place), min(start + len(data), self._place + count)
            if first < last:
                found[first - self._place : last - self._place] = data[first - start : last - start]
        buffer[:count] = bytes(found)
        self._place += count
        return count

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
