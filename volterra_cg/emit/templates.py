"""The texts of generated files, filled in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined


@cache
def _templates() -> Environment:
    return Environment(
        loader=FunctionLoader(lambda name: (files("volterra_cg.templates") / name).read_text()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,  # the texts are C and Python, not HTML
    )


def rendered(template: str, **variables: Any) -> str:
    """A template with its variables filled in; one that is missing is an error."""
    return _templates().get_template(template).render(**variables)
