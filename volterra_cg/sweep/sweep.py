"""A sweep from the first chunk to the file, or from where an earlier one stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from volterra_cg.errors import OptionError
from volterra_cg.extras import extra
from volterra_cg.runtime.arguments import count
from volterra_cg.runtime.status import Status

from . import chunks, netcdf
from .job import Job


@dataclass(frozen=True)
class Outcome:
    """The file, how many of its runs were computed now, how many of all ended in which way, and how many are doubtful."""

    path: Path
    computed: int
    endings: Mapping[str, int]
    doubtful: int

    def to_xarray(self) -> Any:
        """The file as an xarray Dataset, read."""
        with extra("xarray").open_dataset(self.path, engine="h5netcdf", decode_times=False) as data:
            return data.drop_vars(netcdf.KEY).load()

    def to_pandas(self) -> Any:
        """The same as a pandas DataFrame, one row for each combination and time."""
        return self.to_xarray().to_dataframe()

    @property
    def short(self) -> int:
        """How many runs did not get as far as they were asked to."""
        return sum(count for words, count in self.endings.items() if not Status.of(words).ok)

    def text(self) -> str:
        """The same in a sentence."""
        total = sum(self.endings.values())
        words = [f"{count} {word}" for word, count in self.endings.items()]
        kept = "" if self.computed == total else f", {total - self.computed} of them before"
        return f"{total} runs{kept}: {', '.join(words)}"


Progress = Callable[[int, int], None]  # runs done, runs in all
SUFFIX = ".nc"


def sweep(
    job: Job, out: str | Path, workers: int | Executor = 1, progress: Progress | None = None, *, restart: bool = False
) -> Outcome:
    """Compute the runs of a job that are not there yet and write them all to a file.

    Finished chunks are kept in a folder beside the file until it is written, so that the same call goes on after an
    interruption. With `restart`, what an earlier sweep left is thrown away. `workers` are threads, or an executor as of
    simulate_many.
    """
    path = Path(out)
    parts = chunks.Chunks(job, path)
    _require(path)
    workers = workers if isinstance(workers, Executor) else count("workers", workers)
    if restart:
        parts.remove()
    elif path.exists():
        if netcdf.is_of(path, job):
            return Outcome(path, 0, *netcdf.endings(path))
        raise OptionError(f"{path} is there and not of this sweep: choose another output, or --restart to replace it")
    parts.require_same()
    computed = _compute(job, parts, workers, progress)
    netcdf.write(path, job, parts)
    parts.remove()
    return Outcome(path, computed, *netcdf.endings(path))


def _compute(job: Job, parts: chunks.Chunks, workers: int | Executor, progress: Progress | None) -> int:
    """Compute the chunks that are not there and say how many runs they were."""
    computed = 0
    for first, last in parts:
        if parts.load(first, last) is None:
            parts.store(first, chunks.compute(job, first, last, workers))
            computed += last - first
        if progress:
            progress(last, job.grid.size)
    return computed


def _require(path: Path) -> None:
    """Refuse what could only fail after all was computed."""
    netcdf.library()
    if path.suffix != SUFFIX:
        raise OptionError(f"the results of a sweep are written as {SUFFIX}, which {path} is not")
    if not path.absolute().parent.is_dir():
        raise OptionError(f"there is no folder {path.parent}")
    if path.is_dir():
        raise OptionError(f"{path} is a folder")
