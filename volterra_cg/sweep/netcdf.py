"""The results of a sweep as one NetCDF 3 file, which xarray and most programs read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.errors import OptionError
from volterra_cg.runtime import Status

from .chunks import Parts
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


def endings(path: Path) -> dict[str, int]:
    """How many runs of a file ended in which way."""
    with library()(path, "r", mmap=False) as file:
        name = next(name for name in ("sweep_status", "status") if hasattr(file.variables.get(name), "flag_meanings"))
        counts = np.bincount(file.variables[name].data.reshape(-1), minlength=max(Status) + 1)
    return {status.words: int(counts[status]) for status in Status if counts[status]}


def _key(job: Job) -> str:
    return json.dumps(job.facts())


def write(path: Path, job: Job, parts: Parts) -> None:
    """Write all chunks; the file appears only when it is whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with library()(temporary, "w", version=2) as file:
            _Writer(file, job).write(parts)
        temporary.replace(path)
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


class _Writer:
    """Fills one open file."""

    def __init__(self, file: Any, job: Job) -> None:
        self._file = file
        self._job = job
        self._columns = [*job.description.states, *job.outputs]
        self._taken = {TIME, *self._columns}

    def write(self, parts: Parts) -> None:
        """Dimensions, what varies, what does not, and the results."""
        self._file.title = self._job.description.name
        self._file.sweep = _key(self._job)
        self._file.createDimension(TIME, len(self._job.times))
        self._store(TIME, (TIME,), self._job.times, "s")
        dimensions = tuple(self._axes())
        self._constants()
        status = self._file.createVariable(self._name("status", "sweep_"), "i", dimensions)
        status.long_name = "how the run ended"
        status.flag_values = np.array(list(Status), dtype=np.int32)
        status.flag_meanings = " ".join(each.name.lower() for each in Status)
        results = [self._variable(name, (*dimensions, TIME), self._unit(name)) for name in self._columns]
        for first, last in parts:
            chunk = parts.load(first, last)
            if chunk is None:
                raise OptionError(f"a part of the sweep is gone from {parts.folder}: run the same command again")
            status.data.reshape(-1)[first:last] = chunk.status
            values = np.concatenate([chunk.z, chunk.y], axis=2)
            for number, result in enumerate(results):
                result.data.reshape(self._job.grid.size, -1)[first:last] = values[:, :, number]

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
