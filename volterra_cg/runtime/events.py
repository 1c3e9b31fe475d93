"""Events of a run: what to watch, and what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from .arguments import mapping
from .description import Description, unknown

DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}


@dataclass(frozen=True)
class Event:
    """Zero crossings of an output to watch for; a terminal one ends the run."""

    direction: str = "both"
    terminal: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.direction, str) or self.direction not in DIRECTIONS:
            raise unknown("direction", self.direction, DIRECTIONS)


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An event that took place, with the states before and after it, which differ if it changes the state."""

    name: str
    t: float
    before: Vector
    after: Vector


@dataclass(frozen=True)
class Watch:
    """What the compiled loop looks at: a place in y, and the event of the spec that takes place there, or -1.

    `rate` is where the rate of change of that output stands in y if it is the gap of an impact, or -1.
    """

    name: str
    output: int
    direction: int
    terminal: bool
    change: int
    rate: int = -1

    @property
    def numbers(self) -> tuple[int, int, bool, int, int]:
        """As the loop takes it."""
        return self.output, self.direction, self.terminal, self.change, self.rate


def watches(description: Description, given: Mapping[str, Event | None] | None) -> tuple[Watch, ...]:
    """The events of the spec and those given; one given by the name of the spec's takes its place, None removes it."""
    mapping("events", given)
    chosen = dict(given or {})
    found = []
    for number, own in enumerate(description.events):
        event = chosen.pop(own.name, Event(own.direction, own.terminal))
        if event is not None:
            change, rate = number if own.changes else -1, description.gap_rate(own.name)
            found.append(_watch(own.name, description.scalar(own.output), event, change, rate))
    for name, event in chosen.items():
        if event is None:
            raise unknown("event", name, [own.name for own in description.events])
        found.append(_watch(name, description.scalar(name), event, -1))
    return tuple(found)


def _watch(name: str, output: int, event: object, change: int, rate: int = -1) -> Watch:
    if not isinstance(event, Event):
        raise OptionError(f"the event {name} must be given as Event(direction, terminal), not {event!r}")
    return Watch(name, output, DIRECTIONS[event.direction], event.terminal, change, rate)


def occurrences(found: Vector, names: tuple[str, ...], states: int) -> tuple[Occurrence, ...]:
    """From rows of (watch, t, before, after)."""
    return tuple(
        Occurrence(names[int(row[0])], float(row[1]), row[2 : 2 + states].copy(), row[2 + states :].copy())
        for row in found
    )
