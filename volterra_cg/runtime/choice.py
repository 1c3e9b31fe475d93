"""Which integrator a run takes if its caller names none: by tolerance, smoothness and what the model offers.

Never by the results that are asked for, nor by the processor: the same run has the same digits everywhere. Where steps turn
out to be short for another reason than accuracy, the run begins again with another one. docs/runtime.md has the measurements
behind the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .events import Watch
from .integration import STIFF, Choice

if TYPE_CHECKING:
    from .start import Start

LOOSE = 1e-5  # rtol, above which gauss gains little or loses
CUT_LOOSE, CUT_TIGHT = 1e-6, 1e-8  # where steps are cut: rtol down to which ode45 is best, and from which on gauss is
AFTER_GAUSS = (("dop853", "steps of gauss were short only for its stages to be found"),)
AFTER_DOP853 = (("radau", "the motion is stiff: steps of dop853 were short only to be stable"),)


def choose(start: Start, rtol: float, max_step: float | None, watches: Sequence[Watch]) -> tuple[Choice, ...]:
    """What a run takes, and what it begins again with where steps are short for another reason than accuracy."""
    first = _first(start, rtol, max_step, watches)
    # A controller or a function may have a memory, so that no time is asked for twice.
    if start.inputs.controller is not None or start.inputs.functions:
        return (first,)
    stiff = AFTER_DOP853 if start.handle.has_jacobian and rtol >= STIFF else ()
    after = {"gauss": (*AFTER_GAUSS, *stiff), "dop853": stiff}
    return first, *after.get(first[0], ())


def _first(start: Start, rtol: float, max_step: float | None, watches: Sequence[Watch]) -> Choice:
    rough = _roughness(start, watches)
    if rough:
        return "dop853", rough
    cut = _cut(start, max_step)
    if cut and rtol >= CUT_LOOSE:
        return "ode45", f"{cut}, and a step of ode45 takes the fewest evaluations"
    if cut and (rtol > CUT_TIGHT or start.inputs.controller is not None):
        return "dop853", cut
    if not start.handle.has_lanes:
        return "dop853", "the model has no vector form"
    if rtol > LOOSE:
        return "dop853", f"rtol is above {LOOSE:g}"
    return "gauss", "the motion is smooth, the tolerance tight, and the model has a vector form"


def _roughness(start: Start, watches: Sequence[Watch]) -> str:
    """Why steps should be few and forget the last one, if they should."""
    controller = start.inputs.controller
    if not start.model.description.smooth:
        return "the equations have kinks or jumps, as of abs, sign, min or max"
    if start.inputs.functions:
        return "a signal is a Python function, and dop853 calls it less often"
    if controller is not None and controller.period is None:
        return "a controller sets signals, and dop853 calls it less often"
    return "events change the state" if any(watch.change >= 0 for watch in watches) else ""


def _cut(start: Start, max_step: float | None) -> str:
    """What keeps steps short, other than accuracy, if something does."""
    if start.inputs.controller is not None:
        return "steps end where a controller sets signals"
    if start.inputs.samples:
        return "steps end at the corners of a sampled signal"
    return "max_step limits its steps" if max_step is not None else ""
