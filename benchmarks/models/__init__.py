"""The specs that are measured, and the numbers in them."""

from __future__ import annotations

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent


def numbers(name: str) -> dict[str, float]:
    """The parameters of a spec that have a plain value."""
    listed = tomllib.loads((FOLDER / f"{name}.toml").read_text())["parameters"]
    values = {key: entry["value"] if isinstance(entry, dict) else entry for key, entry in listed.items()}
    return {key: float(value) for key, value in values.items() if isinstance(value, int | float)}
