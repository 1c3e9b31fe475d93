"""Where the time of a build goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STAGES = ("read", "derive", "optimise", "emit", "compile")
Listener = Callable[[str, float | None], None]


class Clock:
    """Seconds by stage: `with clock("derive"): ...`; stages may repeat and add up.

    A listener hears (stage, None) when a stage begins and (stage, seconds) when it ends.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self._begin = time.perf_counter()
        self._seconds: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        self._listener = listener

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        if self._listener:
            self._listener(stage, None)
        begin = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - begin
            self._seconds[stage] = self._seconds.get(stage, 0.0) + spent
            if self._listener:
                self._listener(stage, spent)

    def seconds(self) -> dict[str, float]:
        """Seconds spent in each stage so far, and since the clock was made as `total`."""
        return {**self._seconds, "total": time.perf_counter() - self._begin}
