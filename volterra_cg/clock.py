"""Where the time of a build goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

STAGES = ("read", "derive", "optimise", "emit", "compile")


@dataclass(frozen=True)
class Moment:
    """What is heard of a stage: that it lasts, and which part of it is done as far as that is known, or how long it took."""

    stage: str
    done: float = 0.0
    seconds: float | None = None


Listener = Callable[[Moment], None]


class Clock:
    """Seconds by stage: `with clock("derive"): ...`; stages may repeat and add up.

    A listener hears when a stage begins, which part of it is done where whoever works on it tells, and when it ends.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self._begin = time.perf_counter()
        self._seconds: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        self._listener = listener

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        self.tell(stage)
        begin = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - begin
            self._seconds[stage] = self._seconds.get(stage, 0.0) + spent
            self.tell(stage, 1.0, spent)

    def tell(self, stage: str, done: float = 0.0, seconds: float | None = None) -> None:
        """Let the listener know how far a stage is."""
        if self._listener:
            self._listener(Moment(stage, done, seconds))

    def seconds(self) -> dict[str, float]:
        """Seconds spent in each stage so far, and since the clock was made as `total`."""
        return {**self._seconds, "total": time.perf_counter() - self._begin}
