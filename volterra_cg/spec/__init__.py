"""Specs: TOML files that describe a mechanism, read into the entities of a mechanism, with their places in the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from volterra_cg.spec.places import Places, Spec

__all__ = ["Places", "Spec", "json_schema", "parse", "read"]

# The reader and its libraries are imported only when needed: a build found in the cache never gets there.


def read(path: Path | str, allow_include: Sequence[Path] = ()) -> Spec:
    """Read and check a spec file, which may include others below its folder and those that are allowed.

    Raises SpecError with every problem in it.
    """
    from volterra_cg.spec import reader

    return reader.read(path, allow_include)


def parse(text: str, file: str = "spec.toml", allow_include: Sequence[Path] = ()) -> Spec:
    """Read and check the text of a spec; `file` is the name that its problems show."""
    from volterra_cg.spec import reader

    return reader.parse(text, file, allow_include)


def json_schema() -> dict[str, Any]:
    """The JSON schema of the language, for editors."""
    from volterra_cg.spec import schema

    return schema.json_schema()
