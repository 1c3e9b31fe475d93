"""The results of a sweep as one NetCDF 3 file, which xarray and most programs read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.errors import OptionError
from volterra_cg.files import replacing
from volterra_cg.runtime import Status

from .chunks import Chunks
from .grid import quantity
from .job import Job

TIME = "t"


def library() -> Any:
    """SciPy's class of NetCDF files."""
    try:
        from scipy.io import netcdf_file
    except ImportError as error:
        raise OptionError("NetCDF files are written by SciPy, which is not there: pip install scipy") from error
    return netcdf_file


def is_of(path: Path, job: Job) -> bool:
    """Whether a file holds the results of a job."""
    try:
        with library()(path, "r", mmap=False) as file:
            return bytes(getattr(file, "sweep", b"")).decode() == _key(job)
    except (OSError, ValueError, TypeError, IndexError, KeyError, AttributeError):
        return False


def endings(path: Path) -> tuple[dict[str, int], int]:
    """How many runs of a file ended in which way, and how many are doubtful."""
    with library()(path, "r", mmap=False) as file:
        counts = np.bincount(_flags(file, "status"), minlength=max(Status) + 1)
        doubtful = int(_flags(file, "doubtful").sum())
    return {status.words: int(counts[status]) for status in Status if counts[status]}, doubtful


def _flags(file: Any, name: str) -> Any:
    """The flags of all runs; a state or a parameter of the model may have taken their name."""
    names = (f"sweep_{name}", name)
    found = next(file.variables[each] for each in names if hasattr(file.variables.get(each), "flag_meanings"))
    return found.data.reshape(-1)


def _key(job: Job) -> str:
    return json.dumps(job.facts())


def write(path: Path, job: Job, chunks: Chunks) -> None:
    """Write all chunks; the file appears only when it is whole."""
    try:
        with replacing(path) as fresh, library()(fresh, "w", version=2) as file:
            _Writer(file, job).write(chunks)
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error


class _Writer:
    """Fills one open file."""

    def __init__(self, file: Any, job: Job) -> None:
        self._file = file
        self._job = job
        self._columns = [*job.description.states, *job.outputs]
        self._taken = {TIME, *self._columns}

    def write(self, chunks: Chunks) -> None:
        """Dimensions, what varies, what does not, and the results."""
        self._file.title = self._job.description.name
        self._file.sweep = _key(self._job)
        self._file.createDimension(TIME, len(self._job.times))
        self._store(TIME, (TIME,), self._job.times, "s")
        dimensions = tuple(self._axes())
        self._constants()
        status = self._flag("status", dimensions, "how the run ended", [each.name.lower() for each in Status])
        about = "whether an invariant drifts by more than the tolerances allow"
        doubtful = self._flag("doubtful", dimensions, about, ["no", "yes"])
        results = [self._variable(name, (*dimensions, TIME), self._unit(name)) for name in self._columns]
        for first, last in chunks:
            chunk = chunks.load(first, last)
            if chunk is None:
                raise OptionError(f"a part of the sweep is gone from {chunks.folder}: run the same command again")
            status.data.reshape(-1)[first:last] = chunk.status
            doubtful.data.reshape(-1)[first:last] = chunk.doubtful
            values = np.concatenate([chunk.z, chunk.y], axis=2)
            for number, result in enumerate(results):
                result.data.reshape(self._job.grid.size, -1)[first:last] = values[:, :, number]

    def _flag(self, name: str, dimensions: tuple[str, ...], about: str, meanings: Sequence[str]) -> Any:
        variable = self._file.createVariable(self._name(name, "sweep_"), "i", dimensions)
        variable.long_name = about
        variable.flag_values = np.arange(len(meanings), dtype=np.int32)
        variable.flag_meanings = " ".join(meanings)
        return variable

    def _axes(self) -> Iterator[str]:
        """The dimensions and the values of what varies; start values are told apart from states by their name."""
        for axis in self._job.grid.axes:
            found = quantity(axis.name, self._job.description)
            name = self._name(*((found.name, "parameter_") if found.kind == "parameter" else (found.start, "start_")))
            self._file.createDimension(name, len(axis.values))
            self._store(name, (name,), axis.values, self._unit(found.text))
            yield name

    def _constants(self) -> None:
        """Parameters and signals that do not vary, start values that are given."""
        job, description = self._job, self._job.description
        varied = {quantity(axis.name, description).name for axis in job.grid.axes}
        given = {quantity(name, description).name: value for name, value in job.values.items()}
        for prefix, table in (("parameter_", description.parameters), ("signal_", description.signals)):
            for name, value in table.items():
                if name not in varied:
                    self._store(self._name(name, prefix), (), given.get(name, value), self._unit(name))
        for name, value in job.initial.items():
            found = quantity(name, description)
            self._store(self._name(found.start, "start_"), (), value, self._unit(found.text))

    def _variable(self, name: str, dimensions: tuple[str, ...], unit: str) -> Any:
        variable = self._file.createVariable(name, "d", dimensions)
        if unit:
            variable.units = unit
        return variable

    def _store(self, name: str, dimensions: tuple[str, ...], values: object, unit: str) -> None:
        self._variable(name, dimensions, unit).data[...] = values

    def _name(self, name: str, prefix: str) -> str:
        """A name that is not taken yet."""
        found = f"{prefix}{name}" if name in self._taken else name
        self._taken.add(found)
        return found

    def _unit(self, name: str) -> str:
        """The unit of a parameter, signal or coordinate, or of the rate of one."""
        units = self._job.description.units
        if name.startswith("der(") and name[4:-1] in units:
            return f"{units[name[4:-1]]}/s"
        return units.get(name, "")
