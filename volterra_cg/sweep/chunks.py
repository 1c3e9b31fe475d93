"""Runs in chunks: each is computed as a whole and kept in a file of its own until all are there."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import IntegrationError, OptionError, SingularConfiguration, StartError
from volterra_cg.runtime import Run

from .job import Job, Start

OK = "ok"
STATUSES = (OK, "stopped", "singular", "inconsistent_start")


@dataclass(frozen=True, eq=False)
class Chunk:
    """Neighbouring runs: states, shape (runs, times, states), scalar outputs likewise, and numbers of `STATUSES`.

    What a run did not reach is NaN.
    """

    z: NDArray[np.float64]
    y: NDArray[np.float64]
    status: NDArray[np.int32]


def compute(job: Job, first: int, last: int, workers: int) -> Chunk:
    """The runs from `first` to before `last`."""
    times, columns = job.times, list(job.outputs.values())
    count = last - first
    z = np.full((count, len(times), len(job.description.states)), np.nan)
    y = np.full((count, len(times), len(columns)), np.nan)
    status = np.zeros(count, dtype=np.int32)
    with ThreadPoolExecutor(workers) as pool:
        try:
            for k, (run, word) in enumerate(pool.map(lambda start: _run(job, start), job.starts(first, last))):
                status[k] = STATUSES.index(word)
                if run is not None:
                    z[k, : len(run.t)], y[k, : len(run.t)] = run.z, run.y[:, columns]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return Chunk(z, y, status)


def _run(job: Job, start: Start) -> tuple[Run | None, str]:
    """One run, as far as it goes, and how it ended."""
    try:
        bound = job.model.start(start.q, start.qd, start.params, start.signals)
        return bound.simulate(job.t_end, job.dt, job.rtol, job.atol, job.method, max_step=job.max_step), OK
    except StartError:
        return None, "inconsistent_start"
    except SingularConfiguration:
        return None, "singular"
    except IntegrationError as error:
        return error.run if isinstance(error.run, Run) else None, "stopped"


class Parts:
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
            return {} if any(self.folder.glob("*.npz")) else None
        except (ValueError, OSError) as error:
            raise OptionError(f"{self.folder} cannot be read: {error}") from error

    def load(self, first: int, last: int) -> Chunk | None:
        """A chunk, if it is there and whole."""
        try:
            with self._file(first).open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                chunk = Chunk(stored["z"], stored["y"], stored["status"])
        except (FileNotFoundError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        return chunk if len(chunk.status) == last - first else None

    def store(self, first: int, chunk: Chunk) -> None:
        """Keep a chunk; a file that is there is whole."""
        try:
            self.folder.mkdir(exist_ok=True)
            if not (self.folder / "job.json").exists():
                self._write("job.json", json.dumps(self.job.facts(), indent=1).encode())
            temporary = self.folder / f"writing.{os.getpid()}"
            with temporary.open("wb") as stream:
                np.savez(stream, z=chunk.z, y=chunk.y, status=chunk.status)
            temporary.replace(self._file(first))
        except OSError as error:
            raise OptionError(f"{self.folder} cannot be written: {error.strerror}") from error

    def _write(self, name: str, data: bytes) -> None:
        temporary = self.folder / f"writing.{os.getpid()}"
        temporary.write_bytes(data)
        temporary.replace(self.folder / name)

    def _file(self, first: int) -> Path:
        return self.folder / f"{first:08d}.npz"

    def remove(self) -> None:
        """Take away the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
