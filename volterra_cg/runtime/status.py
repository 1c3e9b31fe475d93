"""How a run ends, and how to say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .description import Description


class Status(IntEnum):
    """How a run ended, with the numbers of status.h; all but the first two are failures."""

    DONE = 0
    EVENT = 1
    SINGULAR = 2
    NOT_FINITE = 3
    TOO_SMALL = 4
    TOO_MANY_STEPS = 5
    TOO_MANY_EVENTS = 6
    INTERRUPTED = 7
    NO_MEMORY = 8
    SIGNAL_ERROR = 9
    OFF_CONSTRAINTS = 10
    INCONSISTENT = 11
    FATAL = 12
    IMPOSSIBLE = 13
    NOT_CONVERGED = 14

    @property
    def ok(self) -> bool:
        """Whether the run went as asked."""
        return self in (Status.DONE, Status.EVENT)

    @classmethod
    def of(cls, words: str) -> Status:
        """The one of these words."""
        return next(status for status in cls if status.words == words)

    @property
    def words(self) -> str:
        """The name in plain words."""
        return self.name.lower().replace("_", " ")


REASONS = {
    Status.TOO_SMALL: "the tolerances ask for steps below the resolution of time",
    Status.NO_MEMORY: "there is not enough memory",
    Status.INTERRUPTED: "it was interrupted",
    Status.OFF_CONSTRAINTS: "projection finds no state on the constraints",
    Status.FATAL: "the model cannot be evaluated",
    Status.NOT_CONVERGED: (
        "the step is too long for the stages of gauss_fixed to be found: give a smaller max_step, or use radau if it is stiff"
    ),
}


def message(description: Description, told: Mapping[str, Any], names: Sequence[str], last: NDArray[np.float64]) -> str:
    """One line about the end of a run: what, when and where; `names` are those of the watched events."""
    status, t = Status(told["status"]), told["t"]
    if status is Status.DONE:
        return f"done at t = {t:.9g}"
    if status is Status.EVENT:
        return f"stopped at t = {t:.9g} by the event {names[told['watch']]}"
    state = ", ".join(f"{name} = {value:.6g}" for name, value in zip(description.states, last, strict=True))
    return f"the simulation stopped at t = {t:.9g}: {_reason(status, description, told, names)} (last state: {state})"


def _reason(status: Status, description: Description, told: Mapping[str, Any], names: Sequence[str]) -> str:
    where = told["where"]
    if status in (Status.SINGULAR, Status.TOO_SMALL):
        return vanishing(status, description, where, told.get("chart", 0))
    if status is Status.OFF_CONSTRAINTS and told.get("stray"):
        return f"the constraint {told['stray']}, which follows from the others in the spec, does not here"
    if status is Status.IMPOSSIBLE:
        return _impossible(description, names[told["watch"]], where)
    if status is Status.NOT_FINITE and told["output"] >= 0:
        return f"the output {description.label_of(told['output'])} is not finite"
    if status is Status.NOT_FINITE:
        return "the state or its derivative is not finite"
    if status is Status.TOO_MANY_STEPS:
        return f"{told['steps'] + told['rejections']} steps were not enough; give max_steps to allow more"
    if status is Status.TOO_MANY_EVENTS:
        return f"the event {names[told['watch']]} happens again and again while time hardly passes"
    if status is Status.SIGNAL_ERROR:
        return f"a signal failed: {told['error']!r}"
    if status is Status.INCONSISTENT:
        return _inconsistent(description, told, names)
    return REASONS[status]


def vanishing(status: Status, description: Description, where: int, chart: int) -> str:
    """Which divisor of a chart vanishes, or has become smallest where steps are too small, if one has."""
    if status is Status.SINGULAR:
        return description.check(where, chart)
    reason = REASONS[status]
    return reason if where < 0 else f"{reason}, on the way to a place where {description.check(where, chart)}"


def _impossible(description: Description, event: str, where: int) -> str:
    if where < 0:
        return f"the restitution of the impact {event} does not lie between 0 and 1"
    limit = description.limits[where]
    return f"the event {event} makes {limit.what} impossible: {limit.rule}"


def _inconsistent(description: Description, told: Mapping[str, Any], names: Sequence[str]) -> str:
    event, where = names[told["watch"]], told["where"]
    if told["closed"] >= 0:
        return f"the event {event} closes the gap of the impact {names[told['closed']]}"
    if where >= 0:
        return f"the event {event} leaves a rate of {description.coordinates[where]} that the constraints do not allow"
    return f"the event {event} leaves coordinates off the constraints"
