"""A folder to compile in."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from volterra_cg.errors import BuildError
from volterra_cg.files import aside


@contextmanager
def temporary() -> Iterator[Path]:
    """A folder among the system's temporary files, removed at the end, or by the next build if this one is killed."""
    try:
        with aside(Path(tempfile.gettempdir())) as folder:
            yield folder
    except OSError as error:
        raise BuildError(
            f"temporary files cannot be written: {error}; set TMPDIR to a folder that has space and can be written"
        ) from error
