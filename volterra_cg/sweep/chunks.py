"""Runs in chunks: each is computed as a whole and kept in a file of its own until all are there."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import ImpossibleParameters, OptionError, SingularConfiguration, StartError
from volterra_cg.files import is_aside, replacing, unwritten
from volterra_cg.runtime import Run, Runs, Status
from volterra_cg.runtime.bound import stop

from .job import Job, Start

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Kept:
    """How a run ended, and what is kept of it, if it began."""

    status: Status
    doubtful: bool = False
    values: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Chunk:
    """Neighbouring runs: results, shape (runs, times, columns) or reduced (runs, columns), and numbers of `Status`.

    What a run did not reach is NaN; a `doubtful` one, with 1, has warnings.
    """

    values: NDArray[np.float64]
    status: NDArray[np.int32]
    doubtful: NDArray[np.int32]


def compute(job: Job, first: int, last: int, workers: int | Executor) -> Chunk:
    """The runs from `first` to before `last`; the same with any workers."""
    count = last - first
    inner = () if job.reduce else (len(job.times),)
    values = np.full((count, *inner, len(job.results)), np.nan)
    status, doubtful = np.zeros((2, count), dtype=np.int32)
    ended = _together(job, first, last, workers) if job.together else _one_by_one(job, first, last, workers)
    for k, kept in enumerate(ended):
        status[k], doubtful[k] = kept.status, kept.doubtful
        if kept.values is not None:
            values[k, : len(kept.values)] = kept.values
    return Chunk(values, status, doubtful)


def _kept(job: Job, run: Run | None, status: Status) -> Kept:
    """What is kept of a run: its results at the times asked for, or what they are reduced to if it went as asked."""
    if run is None:
        return Kept(status)
    doubtful = bool(run.warnings)
    if job.reduce:
        numbers = [float(reduction(run)) for reduction in job.reductions.values()] if status.ok else None
        return Kept(status, doubtful, None if numbers is None else np.array(numbers))
    reached = _in_step(run.t, job.times)
    columns = list(job.outputs.values())
    return Kept(status, doubtful, np.hstack([run.z[:reached], run.y[:reached, columns]]))


def _in_step(t: NDArray[np.float64], times: NDArray[np.float64]) -> int:
    """How many rows are at the times asked for; a run that ended early has one more, where it did."""
    count = min(len(t), len(times))
    same = t[:count] == times[:count]
    return count if same.all() else int(np.argmin(same))


def _together(job: Job, first: int, last: int, workers: int | Executor) -> Iterator[Kept]:
    """Runs in the lanes of simulate_many, and their outputs."""
    start = job.columns(first, last)
    runs = job.model.simulate_many(
        job.ends, job.step, job.rtol, job.atol, job.integrator, q=start.q, qd=start.qd, params=start.params,
        signals=start.signals, max_step=job.max_step, max_steps=job.max_steps, workers=workers,
    )  # fmt: skip
    return _mapped(lambda i: _with_outputs(job, runs, i), range(len(runs)), workers if isinstance(workers, int) else 1)


def _with_outputs(job: Job, runs: Runs, i: int) -> Kept:
    """A run that ends, as single runs do, where an output is not finite."""
    status = Status(int(runs.status[i]))
    if not runs.reached[i]:
        return Kept(status)
    run = runs.run(i)
    finite = np.isfinite(run.y).all(axis=1)
    if finite.all():
        return _kept(job, run, status)
    reached = int(np.argmin(finite))
    return _kept(job, run.rows(slice(0, reached)), Status.NOT_FINITE)


def _one_by_one(job: Job, first: int, last: int, workers: int | Executor) -> Iterator[Kept]:
    if isinstance(workers, Executor):
        raise OptionError(
            "events and implicit integrators are computed here, one run after another: give a number of workers"
        )
    return _mapped(lambda start: _run(job, start), job.starts(first, last), workers)


def _run(job: Job, start: Start[float]) -> Kept:
    """One run, as far as it goes, and how it ended."""
    try:
        bound = job.model.start(start.q, start.qd, start.params, start.signals)
        run = bound.simulate(
            job.ends,
            job.step,
            job.rtol,
            job.atol,
            job.integrator,
            max_step=job.max_step,
            max_steps=job.max_steps,
            raises=False,
        )
    except ImpossibleParameters:
        return Kept(Status.IMPOSSIBLE)
    except StartError:
        return Kept(Status.INCONSISTENT)
    except SingularConfiguration:
        return Kept(Status.SINGULAR)
    return _kept(job, run, run.status)


def _mapped(function: Callable[[T], Kept], given: Iterable[T], threads: int) -> Iterator[Kept]:
    """The results in order; on Ctrl-C runs that have begun are ended, and the others left."""
    halt = Event()
    with ThreadPoolExecutor(threads, initializer=stop.set, initargs=(halt,)) as pool:
        try:
            yield from pool.map(function, given)
        except BaseException:
            halt.set()
            pool.shutdown(cancel_futures=True)
            raise


class Chunks:
    """The finished chunks of a job, in a folder beside its output."""

    def __init__(self, job: Job, out: Path) -> None:
        self.job = job
        self.folder = out.with_name(f"{out.name}.parts")

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The first and the last run but one of every chunk."""
        size, step = self.job.grid.size, self.job.chunk
        return ((first, min(first + step, size)) for first in range(0, size, step))

    def require_same(self) -> None:
        """Refuse what another sweep has left behind."""
        told = self._told()
        ours = json.loads(json.dumps(self.job.facts()))
        if told is None or told == ours:
            return
        different = [key for key in ours if told.get(key) != ours[key]]
        words = [
            "the model (its spec, or the version that compiled it)" if key == "model" else key for key in different
        ]
        raise OptionError(
            f"{self.folder} holds an unfinished sweep that differs in {' and '.join(words)}: run the same command as"
            " before to finish it, --restart to give it up, or choose another output"
        )

    def _told(self) -> Any:
        try:
            return json.loads((self.folder / "job.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            left = [path for path in self.folder.iterdir() if not is_aside(path.name)] if self.folder.is_dir() else []
            return {} if left else None
        except (ValueError, OSError) as error:
            raise OptionError(f"{self.folder} cannot be read: {error}") from error

    def load(self, first: int, last: int) -> Chunk | None:
        """A chunk, if it is there and whole."""
        try:
            with self._file(first).open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                chunk = Chunk(stored["values"], stored["status"], stored["doubtful"])
        except (FileNotFoundError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        return chunk if len(chunk.status) == last - first else None

    def store(self, first: int, chunk: Chunk) -> None:
        """Keep a chunk; a file that is there is whole."""
        try:
            self.folder.mkdir(exist_ok=True)
            if not (self.folder / "job.json").exists():
                with replacing(self.folder / "job.json") as fresh:
                    fresh.write_text(json.dumps(self.job.facts(), indent=1), encoding="utf-8")
            with replacing(self._file(first), tidy=False) as fresh, fresh.open("wb") as stream:
                np.savez(stream, values=chunk.values, status=chunk.status, doubtful=chunk.doubtful)
        except OSError as error:
            raise unwritten(self.folder, error) from error

    def _file(self, first: int) -> Path:
        return self.folder / f"{first:08d}.npz"

    def remove(self) -> None:
        """Take away the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
