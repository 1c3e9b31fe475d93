"""What emission hands to the build: texts and a description, no files yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sources:
    """A generated model as text.

    `files` maps file names to contents, ready to be written into one folder: <name>.c, <name>.h, _model.pyx,
    __init__.py and report.json. `report` is the parsed report.json: all that the runtime and the command line need to
    know of the model.
    """

    name: str
    files: Mapping[str, str]
    report: Mapping[str, Any]
