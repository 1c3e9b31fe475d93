"""Many simulations over a grid of parameters and start values, kept in one NetCDF file."""

from __future__ import annotations

from .grid import Axis, Grid, axis, grid
from .job import Job
from .sample import Distribution, Sample, draw
from .sweep import Outcome, Progress, sweep

__all__ = ["Axis", "Distribution", "Grid", "Job", "Outcome", "Progress", "Sample", "axis", "draw", "grid", "sweep"]
