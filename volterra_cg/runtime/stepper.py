"""Runs by calls, for loops that learn or that hardware drives: one step, with new inputs, at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector
from volterra_cg.errors import IntegrationError, Interrupted, OptionError, StartError

from .arguments import finite, numbers
from .controller import State
from .events import Occurrence, occurrences
from .integration import StepControl, Wishes, loop_options, refuse
from .status import Status, message
from .steps import Steps

if TYPE_CHECKING:
    from .start import Start


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Where a stepper is: all numbers that its further course depends on."""

    t: float
    z: Vector
    numbers: Vector
    belongs: tuple[Any, ...]  # to a model, an integrator and its settings


class Stepper(Steps):
    """A motion that goes on by calls of `step`; `t` and `z` are where it is, and s["theta"] reads any column there.

    `z` is one array, which every call changes and nobody else can.
    """

    start: Start
    status: Status
    message: str

    def __init__(self, start: Start, control: StepControl, wishes: Wishes) -> None:
        refuse(start, control, wishes)
        options = loop_options(start, control, wishes)
        self.start, self._watched = start, tuple(watch.name for watch in wishes.watches)
        report, watched = start.model.report, tuple(watch.numbers for watch in wishes.watches)
        made = tuple(report.get(key) for key in ("name", "spec", "formulation", "arithmetic"))
        self._belongs = made, start.model.states, control, self._watched, watched, wishes.project
        places = {name: place for place, name in enumerate(start.signals)}
        self._open(start.handle, control.integrator, places, start.t0, start.z0, **options)
        self.reset()

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value:.4g}" for name, value in zip(self.start.model.states, self.z, strict=True))
        return f"<Stepper of {self.start.model.name} at t = {self.t:.9g}: {values}>"

    @property
    def x(self) -> State:
        """The present state as a controller sees it, to be kept: its outputs are those of now."""
        y = self._measured()
        return State(self.start.model.description, self.t, self.z.copy(), lambda: y)

    def __getitem__(self, name: str) -> Any:
        return State(self.start.model.description, self.t, self.z, self._measured)[name]

    @property
    def events(self) -> tuple[Occurrence, ...]:
        """The events of the last call of `step`."""
        return occurrences(self._happened(), self._watched, len(self.z))

    def checkpoint(self) -> Checkpoint:
        """Where it is, for `restore`: the same steps from there give the same bits."""
        if self.status is not Status.DONE:
            raise OptionError(f"there is nothing to go on from: {self.message}")
        return Checkpoint(self.t, self.z.copy(), self._kept(), self._belongs)

    def restore(self, checkpoint: Checkpoint) -> Vector:
        """Go back to a checkpoint of this stepper, or of another of the same model and settings; returns `z`."""
        if not isinstance(checkpoint, Checkpoint):
            raise TypeError(f"restore takes what checkpoint() gave, not {checkpoint!r}")
        if checkpoint.belongs != self._belongs:
            raise OptionError(
                "the checkpoint is of another model, integrator, tolerance or event: make the stepper alike"
            )
        self._restore(checkpoint.numbers)
        return self.z

    def _chosen(self, inputs: Mapping[str, float] | ArrayLike) -> Vector:
        """All signals, with the inputs in their place; refuses what cannot be set."""
        known, varying = tuple(self.start.signals), self.start.inputs.varying
        given = inputs if isinstance(inputs, Mapping) else self._named(inputs, known)
        values = self.signals
        for name, value in given.items():
            if name not in known:
                raise self.start.model.description.no_signal(name)
            if name in varying:
                raise OptionError(f"the start gives {name} as samples or as a function: bind a number to it")
            values[known.index(name)] = finite(f"the signal {name}", value)
        return values

    def _named(self, inputs: ArrayLike, known: tuple[str, ...]) -> dict[str, float]:
        values = numbers("inputs", inputs)
        if values.shape != (len(known),):
            names = ", ".join(known) or "no signals"
            raise OptionError(
                f"inputs must be a dict by name, or an array of shape ({len(known)},) of {names}, not {values.shape}"
            )
        return dict(zip(known, values, strict=True))

    def _end(self, told: dict[str, Any]) -> None:
        """Take note of how a call ended; raises what it failed with."""
        self.status = Status(told["status"])
        if isinstance(told["error"], KeyboardInterrupt):
            self.status = Status.INTERRUPTED
        if self.status is Status.INCONSISTENT and told["watch"] < 0:
            self.message = f"the gap of the impact {self._watched[told['closed']]} is closed"
            raise StartError(f"{self.message} at t = {self.t:.9g}: start with an open gap, or leave the impact out")
        description = self.start.model.description
        self.message = message(description, told | {"status": int(self.status)}, self._watched, np.asarray(self.z))
        if self.status is Status.INTERRUPTED:
            raise Interrupted(self.message, self.t, None, self.status) from told["error"]
        if told["error"] is not None:
            raise told["error"]
        if not self.status.ok:
            raise IntegrationError(self.message, self.t, None, self.status)

    def _refuse(self) -> NoReturn:
        raise OptionError(f"the motion has ended, {self.message}: go back with reset() or restore()")
