"""Many simulations over a grid of parameters and start values, kept in one NetCDF file."""

from __future__ import annotations

from .grid import Axis, Grid, axis
from .job import Job
from .sweep import Outcome, Progress, sweep

__all__ = ["Axis", "Grid", "Job", "Outcome", "Progress", "axis", "sweep"]
