"""The tolerances of a run: whose are taken, and which make no sense; the defaults are in `integrators.py`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.integrators import ATOL, RTOL

from .arguments import number, numbers
from .description import Description

MATLAB_RTOL, MATLAB_ATOL = 1e-3, 1e-6  # the defaults of MATLAB's ode45, which the paper used
FINEST = float(np.finfo(np.float64).eps)  # rtol, unless atol is large enough for errors to be measured by it
SMALLEST = 1e-100
TINIEST = 1e-300  # so that a state that is zero has a size to be measured by even without atol


def chosen_tolerances(description: Description, rtol: float | None, atol: ArrayLike | None) -> tuple[float, Vector]:
    """The relative tolerance and the absolute one, a number or one for each state: the caller's, the spec's or the default."""
    spec = description.simulation
    absolute = numbers("atol", spec.get("atol", ATOL) if atol is None else atol)
    return number("rtol", spec.get("rtol", RTOL) if rtol is None else rtol), absolute


def check_tolerances(rtol: float, atol: Vector | float) -> None:
    """Refuse tolerances by which no error can be measured."""
    absolute = [atol] if isinstance(atol, float) else atol.ravel().tolist()
    if not (0 < rtol < math.inf and all(0 <= each < math.inf for each in absolute)):
        told = absolute if np.ndim(atol) else f"{atol:g}"
        raise OptionError(f"tolerances must be positive and finite, not rtol = {rtol:g}, atol = {told}")
    if rtol < FINEST and min(absolute, default=math.inf) < SMALLEST:
        raise OptionError(
            f"rtol = {rtol:g} is below the precision of floating-point numbers: give at least {FINEST:.1e}, or a larger atol"
        )
