"""The stage that is under way, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from volterra_cg.clock import Listener

ERASE = "\r\x1b[K"


@contextmanager
def progress() -> Iterator[Listener | None]:
    """A listener for a clock that writes one changing line to stderr, and removes it at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    try:
        yield _show
    finally:
        sys.stderr.write(ERASE)
        sys.stderr.flush()


def _show(stage: str, seconds: float | None) -> None:
    text = f"{stage} ..." if seconds is None else f"{stage} {seconds:.2f} s"
    sys.stderr.write(f"{ERASE}{text}")
    sys.stderr.flush()
