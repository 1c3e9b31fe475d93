"""Results as tables of pandas and datasets of xarray, with units and where they come from as attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.extras import extra

from .description import Description
from .status import Status

if TYPE_CHECKING:
    from .run import Run
    from .runs import Runs

TIME, SAMPLE = "t", "sample"


def frame(run: Run) -> Any:
    """A run as a DataFrame: one row for each time, one column for each name but t; units and provenance in `attrs`."""
    table = extra("pandas").DataFrame(
        {name: run[name] for name in run.names if name != TIME}, index=extra("pandas").Index(run.t, name=TIME)
    )
    table.attrs = {**run.provenance, "units": run.description.units_of(run.names)}
    return table


def dataset(run: Run) -> Any:
    """A run as a Dataset over t; parameters are numbers in it."""
    variables = {name: (TIME, run[name], _unit(run.description, name)) for name in run.names if name != TIME}
    return _dataset(variables, {TIME: (TIME, run.t, {"units": "s"})}, run.parameters, run.description, run.provenance)


def frame_of_many(runs: Runs, names: Sequence[str] | None) -> Any:
    """An ensemble as a DataFrame: one row for each trajectory and time, NaN where a trajectory did not get there."""
    pandas, columns = extra("pandas"), many_columns(runs, names)
    index = pandas.MultiIndex.from_product([range(len(runs)), runs.t], names=[SAMPLE, TIME])
    table = pandas.DataFrame({name: values.reshape(-1) for name, values in columns.items()}, index=index)
    for name, values in runs.parameters.items():
        if name not in columns:
            table[name] = np.repeat(values, len(runs.t))
    table.attrs = {**runs.provenance, "units": runs.model.description.units_of(table.columns)}
    return table


def dataset_of_many(runs: Runs, names: Sequence[str] | None) -> Any:
    """An ensemble as a Dataset over sample and t; parameters, how each trajectory ended and where, over sample."""
    description = runs.model.description
    columns = many_columns(runs, names)
    variables: dict[str, Any] = {
        name: ((SAMPLE, TIME), values, _unit(description, name)) for name, values in columns.items()
    }
    meanings = {
        "flag_values": np.array([int(each) for each in Status], dtype=np.int32),
        "flag_meanings": " ".join(each.name.lower() for each in Status),
    }
    status = np.asarray(runs.status, dtype=np.int32)
    variables[_free("status", columns)] = (SAMPLE, status, {"long_name": "how the run ended", **meanings})
    variables[_free("ended", columns)] = (SAMPLE, runs.ended, {"long_name": "the time of the last step", "units": "s"})
    coordinates = {SAMPLE: (SAMPLE, np.arange(len(runs)), {}), TIME: (TIME, runs.t, {"units": "s"})}
    return _dataset(variables, coordinates, runs.parameters, description, runs.provenance)


def many_columns(runs: Runs, names: Sequence[str] | None) -> dict[str, Vector]:
    """Columns of all trajectories, shape (N, times): the states, or any that a run has."""
    states = {name: runs.z[:, :, k] for k, name in enumerate(runs.model.states)}
    if names is None:
        return states
    asked = {name: states.get(name, np.full(runs.z.shape[:2], np.nan)) for name in names}
    for i in range(len(runs)) if set(asked) - set(states) else ():
        if runs.reached[i]:
            run = runs.run(i)
            for name in set(asked) - set(states):
                asked[name][i, : len(run.t)] = run[name]
    return asked


def _dataset(
    variables: dict[str, Any],
    coordinates: dict[str, Any],
    parameters: Mapping[str, Any],
    description: Description,
    attributes: Mapping[str, Any],
) -> Any:
    taken = {*variables, *coordinates}
    for name, value in parameters.items():
        dimensions = (SAMPLE,) if np.ndim(value) else ()
        coordinates[f"parameter_{name}" if name in taken else name] = (dimensions, value, _unit(description, name))
    return extra("xarray").Dataset(variables, coordinates, dict(attributes))


def _unit(description: Description, name: str) -> dict[str, str]:
    unit = description.unit_of(name)
    return {"units": unit} if unit else {}


def _free(name: str, taken: Mapping[str, Any]) -> str:
    return f"run_{name}" if name in taken else name
