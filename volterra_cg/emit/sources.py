"""The texts of generated files: filled in from templates, and handed to the build; no files yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined


@dataclass(frozen=True)
class Sources:
    """A generated model as text.

    `files` maps file names to contents, ready to be written into one folder: <name>.c, for large models
    the files of its parts, <name>.h, _model.pyx,
    __init__.py and report.json. `report` is the parsed report.json: all that the runtime and the command line need to
    know of the model.
    """

    name: str
    files: Mapping[str, str]
    report: Mapping[str, Any]


def rendered(template: str, **variables: Any) -> str:
    """A template with its variables filled in; one that is missing is an error."""
    return _templates().get_template(template).render(**variables)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FunctionLoader(lambda name: (files("volterra_cg.templates") / name).read_text()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,  # the texts are C and Python, not HTML
    )
