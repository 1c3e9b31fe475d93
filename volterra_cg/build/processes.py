"""Commands that end: within a time, and with all their children when whoever wants them gives up."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import IO

from volterra_cg.errors import BuildError, OptionError

VARIABLE = "VOLTERRA_CG_TIMEOUT"
SECONDS = 900.0  # for one run of the compiler
PAUSE = 0.005  # seconds between looks at a running command
GROUPS, OWN_GROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")  # where Linux tells what a container may use
KEPT = 1 << 20  # bytes of what a command says


@dataclass(frozen=True)
class Answer:
    """How a command ended and what it said, as text that can be shown."""

    status: int
    out: str
    err: str


def time_limit() -> float:
    """Seconds that the compiler may take for one file."""
    given = os.environ.get(VARIABLE, "").strip()
    try:
        seconds = float(given) if given else SECONDS
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise OptionError(f"{VARIABLE} is {given!r}, which is not a number of seconds above 0")
    return seconds


def cores() -> int:
    """How many commands can work at once: the processors that this process may use, or the time that its container has."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, math.ceil(min(allowed or 1, quota())))


def quota(groups: Path = GROUPS, own: Path = OWN_GROUP) -> float:
    """Seconds of processor time that Linux grants the control group of this process in a second."""
    try:
        names = [line.split(":", 2)[2] for line in own.read_text().splitlines() if line.startswith("0::")]
    except OSError:
        names = []
    folders = [groups, *(groups / part for name in names for part in _ancestors(name.strip("/")))]
    return min(map(_granted, folders))


def _ancestors(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[: k + 1]) for k in range(len(parts))]


def _granted(folder: Path) -> float:
    """The limit of one group, in version 2 of control groups or version 1; infinite if there is none."""
    try:
        if (folder / "cpu.max").is_file():
            most, period = (folder / "cpu.max").read_text().split()
        else:
            most, period = ((folder / "cpu" / f"cpu.cfs_{what}_us").read_text() for what in ("quota", "period"))
        return float(most) / float(period) if float(most) > 0 else math.inf
    except (OSError, ValueError, ZeroDivisionError):  # "max" is no number
        return math.inf


def run(
    command: Sequence[str], seconds: float, env: Mapping[str, str] | None = None, halt: Event | None = None
) -> Answer:
    """Run a command; raises OSError if it does not start or takes too long, BuildError if `halt` is set."""
    process = subprocess.Popen(
        [*command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=None if env is None else dict(env),
        start_new_session=True,
    )
    try:
        streams = [_Stream(stream) for stream in (process.stdout, process.stderr) if stream is not None]
        status = _wait(process, seconds, halt or Event())
    except BaseException:
        _end(process)
        raise
    return Answer(status, *(stream.text() for stream in streams))


def _wait(process: subprocess.Popen[bytes], seconds: float, halt: Event) -> int:
    deadline = time.monotonic() + seconds
    while (status := process.poll()) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"it did not end within {seconds:g} s and was stopped")
        if halt.wait(PAUSE):
            raise BuildError("stopped, since another part of the build failed")
    return status


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a command and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


class _Stream(Thread):
    """Reads what a command says, keeping the beginning, so that it can neither block nor fill the memory."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self._kept = bytearray()
        self.start()

    def run(self) -> None:
        with self._stream:
            while part := self._stream.read1(1 << 16):  # type: ignore[attr-defined]
                self._kept += part[: KEPT - len(self._kept)]

    def text(self) -> str:
        """All that was said; whoever still holds the stream after the command's end is not waited for."""
        self.join(1.0)
        said = bytes(self._kept).decode("utf-8", "replace")
        return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in said).strip()
