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


ROADS = (
    "auto",
    "dense",
    "composite",
    "composite from leaves",
    "recursive",
    "recursive from leaves",
    "multipliers",
)


@dataclass(frozen=True)
class Options:
    """`name` replaces the spec's own; `method` is one of `METHODS`, `road` of `ROADS`; `optimise` is a level from 0 to 3."""

    method: str = "reduced-volterra"
    name: str | None = None
    road: str = "auto"
    optimise: int = 3
