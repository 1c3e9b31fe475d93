"""What the paper printed: Tables 3, 6 and 9, the settings behind them and the numbers of its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Printed:
    """One column of a table."""

    states: int
    equations: int
    cpu_seconds: float
    energy_error: float
    momentum_error: float
    constraint_error: float | None = None


@dataclass(frozen=True)
class Case:
    """One system of the paper; `figures` are the numbers of its figures by what they show."""

    title: str
    table: int
    columns: Mapping[str, Printed]
    figures: Mapping[str, int]
    remark: str = ""


CASES: Mapping[str, Case] = {
    "cart_pendulum": Case(
        "Cart with a two-bar pendulum (Sec. 3.1)",
        3,
        {
            "lagrange": Printed(6, 3, 1.93, 6.05e-4, 3.83e-6, 7.51e-5),
            "maggi": Printed(6, 3, 1.72, 6.05e-4, 3.93e-6, 7.52e-5),
            "kane": Printed(5, 2, 1.87, 9.77e-5, 3.96e-5, 6.54e-15),
            "reduced-volterra": Printed(4, 1, 1.69, 3.55e-6, 2.41e-15, 0.0),
        },
        {"energy": 2, "constraint": 3, "momentum": 4, "coordinates": 5, "snapshots": 6},
    ),
    "three_bodies": Case(
        "Three connected bodies in space (Sec. 3.2)",
        6,
        {
            "lagrange": Printed(16, 8, 1.1, 2.96e-7, 1.55e-6),
            "maggi": Printed(16, 8, 0.99, 2.96e-7, 1.55e-6),
            "kane": Printed(16, 8, 0.68, 9.10e-9, 3.75e-8),
            "reduced-volterra": Printed(13, 5, 0.67, 6.36e-9, 0.0),
        },
        {"energy": 8, "momentum": 9, "coordinates": 10, "snapshots": 11},
    ),
    "satellite_boom": Case(
        "Satellite with a deployable boom (Sec. 3.3)",
        9,
        {
            "lagrange": Printed(15, 7, 0.59, 6.31e-14, 3.23e-14),
            "maggi": Printed(15, 7, 0.53, 6.18e-14, 3.75e-14),
            "kane": Printed(15, 7, 0.50, 5.01e-14, 3.74e-14),
            "reduced-volterra": Printed(12, 4, 0.48, 7.91e-15, 0.0),
        },
        {"energy": 13, "momentum": 14, "coordinates": 15, "snapshots": 16},
        "The errors of this table are rounding, not integration: in quadruple precision the norms of the energy error "
        "are 2.4e-14, 9.7e-17 and 2.6e-18 for Lagrange, Kane and the reduced form, so only the order of magnitude of "
        "the printed numbers means anything, and their last columns nothing.",
    ),
}


def specs() -> list[Path]:
    """The specs of the paper's systems: inside an installed package, or in the working copy beside it."""
    inside = PACKAGE / "bench" / "specs"
    folder = inside if inside.is_dir() else PACKAGE.parent / "benchmarks" / "models"
    return [folder / f"{name}.toml" for name in CASES]
