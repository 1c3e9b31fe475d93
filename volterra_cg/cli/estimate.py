"""How long a build will still take, by what its stages took so far and by what stages usually take beside each other."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from volterra_cg.clock import STAGES, Moment

# Seconds of stages of a build with 300 coordinates on two cores, beside each other; `read` says nothing about the others.
USUAL = {"derive": 2.0, "optimise": 6.0, "emit": 3.0, "compile": 9.0}
KNOWN = 0.1  # part of a stage from which on it tells best itself how long it lasts


@dataclass
class Estimate:
    """Hears what a clock tells, and says how many seconds are left."""

    now: Callable[[], float] = time.monotonic
    stage: str = ""  # the one under way, or the last
    _done: float = 1.0  # part of it
    _since: float = 0.0
    _spent: dict[str, float] = field(default_factory=dict)

    def hear(self, moment: Moment) -> None:
        """Take note of a stage that begins, goes on or ends."""
        if self._done == 1.0:
            self._since = self.now()
        self.stage, self._done = moment.stage, moment.done
        if moment.seconds is not None and moment.stage in USUAL:
            self._spent[moment.stage] = self._spent.get(moment.stage, 0.0) + moment.seconds

    def left(self) -> float | None:
        """Seconds until all stages are through; None while nothing is known."""
        spent, usual, rest = sum(self._spent.values()), sum(map(USUAL.__getitem__, self._spent)), 0.0
        if self._done < 1.0 and self.stage in USUAL:
            lasted = self.now() - self._since
            if self._done < KNOWN and not usual:
                return None
            whole = lasted / self._done if self._done >= KNOWN else max(USUAL[self.stage] * spent / usual, lasted)
            spent, usual, rest = spent + whole, usual + USUAL[self.stage], whole - lasted
        later = STAGES[STAGES.index(self.stage) + 1 :] if self.stage else ()
        return rest + spent / usual * sum(USUAL[stage] for stage in later) if usual else None
