"""What a user may choose about a build, in one frozen piece that also keys the cache."""

from __future__ import annotations

from dataclasses import dataclass

METHODS = (
    "reduced-volterra",
    "lagrange",
    "maggi",
    "udwadia-kalaba",
    "boltzmann-hamel",
    "volterra",
    "kane",
    "routh",
)


@dataclass(frozen=True)
class Options:
    """`name` replaces the spec's own; `method` is one of `METHODS`."""

    method: str = "reduced-volterra"
    name: str | None = None
