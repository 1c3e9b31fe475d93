"""The results of a sweep as one NetCDF 4 file, which xarray and most programs read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.errors import OptionError
from volterra_cg.extras import extra
from volterra_cg.files import replacing, unwritten
from volterra_cg.runtime import Status
from volterra_cg.runtime.provenance import provenance
from volterra_cg.runtime.tables import SAMPLE, TIME

from .chunks import Chunks
from .grid import Quantity, quantity
from .job import Job
from .stream import Stream

KEY = "sweep"  # the variable that says what was computed


def library() -> Any:
    """The package that reads and writes these files."""
    return extra("h5netcdf")


def is_of(path: Path, job: Job) -> bool:
    """Whether a file holds the results of a job."""
    try:
        with library().File(path, "r") as file:
            return _text(file.variables[KEY][...]) == _key(job)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return False


def endings(path: Path) -> tuple[dict[str, int], int]:
    """How many runs of a file ended in which way, and how many are doubtful."""
    with library().File(path, "r") as file:
        counts = np.bincount(_flags(file, "status"), minlength=max(Status) + 1)
        doubtful = int(_flags(file, "doubtful").sum())
    return {status.words: int(counts[status]) for status in Status if counts[status]}, doubtful


def _flags(file: Any, name: str) -> Any:
    """The flags of all runs; a state or a parameter of the model may have taken their name."""
    names = (f"sweep_{name}", name)
    there = [file.variables[each] for each in names if each in file.variables]
    return next(each for each in there if "flag_meanings" in each.attrs)[...].reshape(-1)


def _text(value: Any) -> str:
    value = value.item() if isinstance(value, np.ndarray) else value
    return value.decode() if isinstance(value, bytes) else str(value)


def _key(job: Job) -> str:
    return json.dumps(job.facts())


def write(path: Path, job: Job, chunks: Chunks) -> None:
    """Write all chunks; the file appears only when it is whole."""
    try:
        with replacing(path) as fresh, Stream(fresh) as stream:
            with library().File(stream, "w") as file:
                _Writer(file, job).write(chunks, stream)
            stream.require()
    except OSError as error:
        raise unwritten(path, error) from error


def boxes(first: int, last: int, shape: Sequence[int]) -> Iterator[tuple[slice, ...]]:
    """The points from `first` to before `last` of a grid, in order, as few boxes."""
    if not shape:
        if last > first:
            yield ()
        return
    inner = math.prod(shape[1:])
    low, before = divmod(first, inner)
    high, after = divmod(last, inner)
    if low == high:
        yield from ((slice(low, low + 1), *rest) for rest in boxes(before, after, shape[1:]))
        return
    if before:
        yield from ((slice(low, low + 1), *rest) for rest in boxes(before, inner, shape[1:]))
    if low + bool(before) < high:
        yield (slice(low + bool(before), high), *(slice(0, size) for size in shape[1:]))
    if after:
        yield from ((slice(high, high + 1), *rest) for rest in boxes(0, after, shape[1:]))


class _Writer:
    """Fills one open file."""

    def __init__(self, file: Any, job: Job) -> None:
        self._file = file
        self._job = job
        self._taken = {TIME, SAMPLE, KEY, *job.results}

    def write(self, chunks: Chunks, stream: Stream) -> None:
        """Dimensions, what varies, what does not, and the results."""
        job = self._job
        for name, value in provenance(job.description, job.integrator, *job.tolerances).items():
            self._file.attrs[name] = value
        variable = self._file.create_variable(KEY, (), h5py_text())
        variable[...] = _key(job)
        if not job.reduce:
            self._file.dimensions[TIME] = len(job.times)
            self._store(TIME, (TIME,), job.times, "s")
        dimensions = tuple(self._axes())
        self._constants()
        status = self._flag("status", dimensions, "how the run ended", [each.name.lower() for each in Status])
        about = "whether an invariant drifts by more than the tolerances allow"
        doubtful = self._flag("doubtful", dimensions, about, ["no", "yes"])
        inner = () if job.reduce else (TIME,)
        results = [self._variable(name, (*dimensions, *inner), self._unit(name)) for name in job.results]
        for first, last in chunks:
            stream.require()
            chunk = chunks.load(first, last)
            if chunk is None:
                raise OptionError(f"a part of the sweep is gone from {chunks.folder}: run the same command again")
            done = 0
            for box in boxes(first, last, job.grid.shape):
                sizes = tuple(part.stop - part.start for part in box)
                rows = slice(done, done := done + math.prod(sizes))
                status[box] = chunk.status[rows].reshape(sizes)
                doubtful[box] = chunk.doubtful[rows].reshape(sizes)
                for number, result in enumerate(results):
                    result[box] = chunk.values[rows, ..., number].reshape(*sizes, *chunk.values.shape[1:-1])

    def _flag(self, name: str, dimensions: tuple[str, ...], about: str, meanings: Sequence[str]) -> Any:
        variable = self._file.create_variable(self._name(name, "sweep_"), dimensions, "i4")
        variable.attrs["long_name"] = about
        variable.attrs["flag_values"] = np.arange(len(meanings), dtype=np.int32)
        variable.attrs["flag_meanings"] = " ".join(meanings)
        return variable

    def _axes(self) -> Iterator[str]:
        """The dimensions and the values of what varies; start values are told apart from states by their name."""
        sample = self._job.grid.sample
        if sample is not None:
            self._file.dimensions[SAMPLE] = sample.count
            yield SAMPLE
            for name, values in sample.columns.items():
                found = quantity(name, self._job.description)
                self._store(self._start_name(found), (SAMPLE,), values, self._unit(found.text))
        for axis in self._job.grid.axes:
            found = quantity(axis.name, self._job.description)
            name = self._start_name(found)
            self._file.dimensions[name] = len(axis.values)
            self._store(name, (name,), axis.values, self._unit(found.text))
            yield name

    def _start_name(self, found: Quantity) -> str:
        return self._name(*((found.name, "parameter_") if found.kind == "parameter" else (found.start, "start_")))

    def _constants(self) -> None:
        """Parameters and signals that do not vary, start values that are given."""
        job, description = self._job, self._job.description
        varied = {quantity(name, description).name for name in job.grid.names}
        given = {quantity(name, description).name: value for name, value in job.values.items()}
        for prefix, table in (("parameter_", description.parameters), ("signal_", description.signals)):
            for name, value in table.items():
                if name not in varied:
                    self._store(self._name(name, prefix), (), given.get(name, value), self._unit(name))
        for name, value in job.initial.items():
            found = quantity(name, description)
            self._store(self._name(found.start, "start_"), (), value, self._unit(found.text))

    def _variable(self, name: str, dimensions: tuple[str, ...], unit: str) -> Any:
        variable = self._file.create_variable(name, dimensions, "f8")
        if unit:
            variable.attrs["units"] = unit
        return variable

    def _store(self, name: str, dimensions: tuple[str, ...], values: object, unit: str) -> None:
        self._variable(name, dimensions, unit)[...] = values

    def _name(self, name: str, prefix: str) -> str:
        """A name that is not taken yet."""
        found = f"{prefix}{name}" if name in self._taken else name
        self._taken.add(found)
        return found

    def _unit(self, name: str) -> str:
        """The unit of a column, or of what is reduced from one."""
        return self._job.description.unit_of(name.partition(" ")[2] if self._job.reduce and " " in name else name)


def h5py_text() -> Any:
    """The type of a text of any length, which an attribute has no room for."""
    import h5py

    return h5py.string_dtype()
