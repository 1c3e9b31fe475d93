"""A row in processes of its own, with limits: what hangs, eats the memory or dies is told, and the rest goes on."""

import multiprocessing
import os
import resource
import signal
import sys
import traceback
import warnings
from contextlib import contextmanager

from tests.trust.progress import PROGRESS
from tests.trust.tally import Tally

GIGABYTES = 3.0  # of a whole batch, sympy and the caches of what was tried before among them
FORBIDDEN = (
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "subprocess.Popen",
    "pickle.find_class",
    "socket.connect",
)
MARK = "pwned"  # in every hostile text that would be code


class TooLong(BaseException):
    """More processor time than a thing that is tried may take."""


class Escaped(BaseException):
    """Something that is tried did what only a program may."""


class Watch:
    """Tells the process that waits what is being tried, and ends what takes too long."""

    def __init__(self, connection):
        self._connection, self.on = connection, False
        signal.signal(signal.SIGPROF, _too_long)
        sys.addaudithook(self._audit)

    def _audit(self, event, arguments):
        if self.on and (event in FORBIDDEN or (event == "exec" and MARK in _words(arguments[0]))):
            raise Escaped(f"{event}: {arguments!r:.200}")
        if self.on and event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
            raise Escaped(f"{event}: {arguments!r:.200}")

    @contextmanager
    def over(self, label, seconds, audited=True):
        """Try one thing."""
        self._connection.send(label)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        self.on = audited
        try:
            yield
        finally:
            self.on = False
            signal.setitimer(signal.ITIMER_PROF, 0)


def _words(code):
    """What a piece of code names and holds."""
    return repr((getattr(code, "co_names", ""), getattr(code, "co_consts", "")))


def _too_long(number, frame):
    raise TooLong


def batches(function, seed, count, size, seconds, gigabytes=GIGABYTES):
    """The tally of `function(watch, seed, numbers)` over all numbers, `size` of them in a process; `seconds` for each process."""
    whole = Tally()
    for first in range(0, count, size):
        numbers = range(first, min(first + size, count))

        def told(done, numbers=numbers):  # some are tried in two steps, which count as two
            PROGRESS.told(min(numbers.start + done, numbers.stop), count, len(whole.failures))

        whole.join(_apart(function, seed, numbers, seconds, gigabytes, told))
    return whole


def _apart(function, seed, numbers, seconds, gigabytes, told):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(function, seed, numbers, seconds, gigabytes, theirs), daemon=True)
    process.start()
    theirs.close()
    last, found, labels = "the beginning", None, 0
    try:
        while found is None:
            if not ours.poll(60 + 20 * seconds):  # of a clock on the wall, on a busy machine
                found = _lost(f"hangs at {last}")
            else:
                said = ours.recv()
                found, last = (said, last) if isinstance(said, Tally) else (None, said)
                labels += 1
                told(labels)
    except EOFError:
        process.join()
        found = _lost(f"the process died ({process.exitcode}) at {last}")
    process.kill()
    process.join()
    return found


def _lost(text):
    tally = Tally()
    tally.fail(text)
    return tally


def _work(function, seed, numbers, seconds, gigabytes, connection):
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * 2**30),) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)
    try:
        connection.send(function(Watch(connection), seed, numbers))
    except BaseException as error:
        connection.send(_lost(f"the row itself: {''.join(traceback.format_exception(error))[-2000:]}"))


def short(error):
    """An error with where it came from, in a line or two."""
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return f"{type(error).__name__}: {str(error)[:300]} [{where}]"
