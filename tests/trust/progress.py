"""How far a row is, on the terminal of a long run."""

import sys
import time

LINE, FILE = 0.5, 60.0  # seconds between two of its lines on a terminal and elsewhere


class Progress:
    """Nothing is written before `begin`, so tests are silent."""

    def __init__(self):
        self._row, self._began, self._next = "", 0.0, 0.0

    def begin(self, row):
        """A row begins."""
        self._row, self._began, self._next = row, time.monotonic(), 0.0
        self._write(f"{row} ...")

    def told(self, done, count, failures=0):
        """So many of the row are done; not each call writes."""
        now = time.monotonic()
        if not self._row or now < self._next:
            return
        spent = now - self._began
        left = f", about {spent / done * (count - done):.0f} s left" if done else ""
        failed = f", {failures} failed" if failures else ""
        self._write(f"{self._row}: {done:,} of {count:,}{failed}, {spent:.0f} s{left}")
        self._next = now + (LINE if sys.stderr.isatty() else FILE)

    def failed(self, text):
        """One thing that was tried has failed."""
        if self._row:
            self._write(text + "\n" * sys.stderr.isatty())

    def end(self, text):
        """A row has ended."""
        self._row = ""
        self._write(f"{text}\n" if sys.stderr.isatty() else text)

    @staticmethod
    def _write(text):
        sys.stderr.write(f"\r\033[K{text}" if sys.stderr.isatty() else f"{text}\n")
        sys.stderr.flush()


PROGRESS = Progress()
