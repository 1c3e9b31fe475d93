"""Which integrator a run takes if its caller names none: by tolerance, smoothness and what the model offers.

Never by the results that are asked for, nor by the processor: the same run has the same digits everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .events import Watch

if TYPE_CHECKING:
    from .start import Start

LOOSE = 1e-5  # rtol, above which gauss gains little or loses, see benchmarks/precision.py


def choose(start: Start, rtol: float, max_step: float | None, watches: Sequence[Watch]) -> tuple[str, str]:
    """The name of an integrator, and why it was taken."""
    against = _against_gauss(start, rtol, max_step, watches)
    if against:
        return "dop853", against
    return "gauss", "the motion is smooth, the tolerance tight, and the model has a vector form"


def _against_gauss(start: Start, rtol: float, max_step: float | None, watches: Sequence[Watch]) -> str:
    """Why gauss is not the one, if it is not."""
    if not start.handle.has_lanes:
        return "the model has no vector form"
    if rtol > LOOSE:
        return f"rtol is above {LOOSE:g}"
    if not start.model.description.smooth:
        return "the equations have kinks or jumps, as of abs, sign, min or max"
    if start.inputs.functions:
        return "a signal is a Python function, and dop853 calls it less often"
    controller = start.inputs.controller
    if controller is not None:
        often = "and dop853 calls it less often" if controller.period is None else "whose signals jump"
        return f"a controller sets signals, {often}"
    if start.inputs.samples:
        return "a sampled signal has corners"
    if any(watch.change >= 0 for watch in watches):
        return "events change the state"
    return "max_step limits its steps" if max_step is not None else ""
