"""What is said beside the results: messages, and on a terminal the stage under way or how much is done."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

from volterra_cg.cli.estimate import Estimate
from volterra_cg.clock import Listener, Moment

ERASE = "\r\x1b[K"
WIDTH = 40  # of a bar
LONG = 5.0  # seconds of a build that says how many are left
PAUSE = 0.5  # seconds between two looks at what is left


def say(text: str) -> None:
    """Tell the user something that is not the result."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def progress() -> Iterator[Listener | None]:
    """A listener for a clock that writes one changing line to stderr, and removes it at the end.

    What stages put in the place of stderr, to catch what others say, gets none of it.
    """
    stream = sys.stderr
    if not stream.isatty():
        yield None
        return
    estimate, begin, over = Estimate(), time.monotonic(), threading.Event()

    def listen(moment: Moment) -> None:
        estimate.hear(moment)
        _show(stream, moment, estimate, begin)

    def repeat() -> None:
        while not over.wait(PAUSE):
            _show(stream, Moment(estimate.stage), estimate, begin)

    clerk = threading.Thread(target=repeat, daemon=True)
    clerk.start()
    try:
        yield listen
    finally:
        over.set()
        clerk.join()
        stream.write(ERASE)
        stream.flush()


@contextmanager
def bar() -> Iterator[Callable[[int, int], None] | None]:
    """A function of what is done and what there is in all that draws a bar on stderr, removed at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    begin, first = time.monotonic(), list[int]()

    def draw(done: int, total: int) -> None:
        first[:] = first or [done]  # what an earlier run did says nothing about our speed
        speed = (done - first[0]) / max(time.monotonic() - begin, 1e-9)
        left = f", {(total - done) / speed:.0f} s left" if speed else ""
        full = WIDTH * done // total
        sys.stderr.write(f"{ERASE}[{'#' * full}{'.' * (WIDTH - full)}] {done} of {total}{left}")
        sys.stderr.flush()

    try:
        yield draw
    finally:
        sys.stderr.write(ERASE)
        sys.stderr.flush()


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end what is under way as Ctrl-C does, with the compilers that it started."""

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heeded = [each for each in numbers if signal.getsignal(each) == signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        heeded = []
    for each in heeded:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each in heeded:
            signal.signal(each, signal.SIG_DFL)


def _show(stream: TextIO, moment: Moment, estimate: Estimate, begin: float) -> None:
    text = f"{moment.stage} ..." if moment.seconds is None else f"{moment.stage} {moment.seconds:.2f} s"
    left, spent = estimate.left(), time.monotonic() - begin
    if left is not None and spent + left > LONG:
        text += f", {spent:.0f} s so far, about {left:.0f} s left"
    stream.write(f"{ERASE}{text}")
    stream.flush()
