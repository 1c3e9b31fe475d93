"""The C interface between a model and what runs it: the runtime is compiled with these files, and each model gets a copy."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def texts() -> dict[str, bytes]:
    """The headers by file name."""
    return {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.h"))}
