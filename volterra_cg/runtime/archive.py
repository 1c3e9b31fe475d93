"""Files of results: a table of columns, and beside it all else that a run knows, as JSON.

`FORMATS` has them all by suffix; each is written beside its place and renamed.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError
from volterra_cg.extras import extra
from volterra_cg.files import replacing, unwritten

from .description import ReadOnly, describe
from .events import Occurrence
from .run import Run, Statistics
from .status import Status
from .tables import TIME, dataset

if TYPE_CHECKING:
    from .model import Model
    from .runs import Runs

REST = "volterra_cg"  # the name of the JSON in a file
VERSION = 1
Columns = Mapping[str, Vector]


@dataclass(frozen=True)
class Table:
    """What is to be written: `columns` of equal length, `shown` to people, the rest as JSON, and as xarray has them."""

    columns: Columns
    shown: Callable[[], Columns]
    rest: str
    dataset: Callable[[], Any]


@dataclass(frozen=True)
class Format:
    """How a table is written and, where the file has room for the rest, read."""

    write: Callable[[Path, Table], None]
    read: Callable[[Path], tuple[Columns, str]] | None = None


def save(run: Run, path: str | Path) -> Path:
    """Write a run to a file of the format that its suffix names."""
    columns, rest = stored(run)
    table = Table(columns, lambda: {name: run[name] for name in run.names}, rest, lambda: dataset(run))
    return _written(Path(path), "results", table)


def save_many(runs: Runs, path: str | Path) -> Path:
    """Write the states of an ensemble, its parameters and endings."""

    def rows() -> Columns:
        table = runs.to_pandas().reset_index()
        return {name: table[name].to_numpy() for name in table.columns}

    return _written(Path(path), "many trajectories", Table(runs.arrays(), rows, "", runs.to_xarray))


def load(path: str | os.PathLike[str], model: Model | None = None) -> Run:
    """The run that a file holds, as it was saved; with its model it can be drawn too."""
    target = Path(path)
    chosen = _format(target, "results")
    if chosen.read is None:
        whole = ", ".join(suffix for suffix, each in FORMATS.items() if each.read)
        raise OptionError(f"{target} holds columns only: pandas or numpy read it; {whole} give a run back")
    if not target.is_file():
        raise OptionError(f"there is no file {target}")
    try:
        columns, rest = chosen.read(target)
        run = restored(columns, json.loads(rest))
    except OptionError:
        raise
    except Exception as error:  # each library has its own words for a file that it cannot read
        raise OptionError(f"{target} holds no run that volterra_cg has saved: {error}") from error
    return run if model is None else _attached(run, model)


def _attached(run: Run, model: Model) -> Run:
    """A run with the model that it came from."""
    if model.report.get("spec") != run.description.report.get("spec"):
        raise OptionError(f"the run is not of the model {model.name}: their specs differ")
    vars(run).update(
        source=model.start(params=run.parameters)
    )  # in place: a copy would forget what the file says besides
    return run


def stored(run: Run) -> tuple[dict[str, Vector], str]:
    """All columns of a run, and the rest as JSON, in which they are told apart."""
    columns, z = {TIME: run.t}, list(run.description.states)
    columns |= dict(zip(z, run.z.T, strict=True))
    given = [name for name in run.signals if name not in run.description.computed_signals]
    signals = {f"signal {name}" if name in columns else name: name for name in given}
    columns |= {column: run.signals[name] for column, name in signals.items()}
    names = {place: name for name, place in reversed([*run.description.places.items()])}
    y = []
    for place in range(run.y.shape[1]):
        name = names.get(place, run.description.label_of(place))
        y.append(name if name not in columns else f"output {place} {name}")
        columns[y[-1]] = run.y[:, place]
    rest = {
        "format": VERSION,
        "z": z,
        "y": y,
        "signals": signals,
        "report": run.description.report,
        "parameters": run.parameters,
        "statistics": asdict(run.statistics),
        "status": int(run.status),
        "message": run.message,
        "warnings": run.warnings,
        "tolerances": None if run.tolerances is None else [run.tolerances[0], run.tolerances[1].tolist()],
        "events": [
            {"name": e.name, "t": e.t, "before": e.before.tolist(), "after": e.after.tolist()} for e in run.events
        ],
    }
    return columns, json.dumps(rest)


def restored(columns: Columns, rest: Mapping[str, Any]) -> Run:
    """A run from what `stored` made of it."""
    if rest.get("format") != VERSION:
        raise ValueError(f"its format is {rest.get('format')}, and {VERSION} is known")
    t = np.asarray(columns[TIME], dtype=np.float64)
    z, y = (_stacked(columns, rest[part], len(t)) for part in ("z", "y"))
    tolerances = rest["tolerances"]
    run = Run(
        t,
        z,
        y,
        describe(rest["report"]),
        ReadOnly(rest["parameters"]),
        Statistics(**rest["statistics"]),
        Status(rest["status"]),
        rest["message"],
        tuple(Occurrence(e["name"], e["t"], np.array(e["before"]), np.array(e["after"])) for e in rest["events"]),
        tolerances=None if tolerances is None else (tolerances[0], np.array(tolerances[1])),
    )
    signals = {name: np.asarray(columns[column], dtype=np.float64) for column, name in rest["signals"].items()}
    vars(run).update(warnings=tuple(rest["warnings"]), signals=signals | run.description.signals_in(y))
    return run


def _stacked(columns: Columns, names: list[str], count: int) -> Vector:
    table = [np.asarray(columns[name], dtype=np.float64) for name in names]
    return np.column_stack(table) if table else np.empty((count, 0))


def _format(path: Path, what: str) -> Format:
    if path.suffix not in FORMATS:
        *others, last = FORMATS
        raise OptionError(f"{what} are written as {', '.join(others)} or {last}, which {path} is not")
    return FORMATS[path.suffix]


def require(path: Path) -> None:
    """Refuse a file of results that cannot be written, before anything is computed."""
    _format(path, "results")
    for module in NEEDS.get(path.suffix, ()):
        extra(module)


def _written(target: Path, what: str, table: Table) -> Path:
    chosen = _format(target, what)
    try:
        with replacing(target) as fresh:
            chosen.write(fresh, table)
    except OSError as error:
        raise unwritten("the results", error) from error
    return target


# --- the formats -------------------------------------------------------------------------------------------------------


def _write_csv(path: Path, table: Table) -> None:
    columns = table.shown()
    header = ",".join(f'"{name}"' if "," in name else name for name in columns)
    with path.open("wb") as stream:
        values = np.column_stack(list(columns.values()))
        np.savetxt(stream, values, fmt="%.17g", delimiter=",", header=header, comments="", encoding="utf-8")


def _write_npz(path: Path, table: Table) -> None:
    """Not by numpy.savez, which takes some names of columns for its own arguments."""
    arrays = {**table.columns, **({REST: np.array(table.rest)} if table.rest else {})}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, values in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asarray(values), allow_pickle=False)


def _read_npz(path: Path) -> tuple[Columns, str]:
    with np.load(path, allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files if name != REST}, str(kept[REST])


def _write_mat(path: Path, table: Table) -> None:
    """Names, and a matrix with a column for each: MATLAB allows few names of variables."""
    from scipy.io import savemat

    variables: dict[str, Any] = dict(table.columns)
    if table.rest:
        names = np.array(list(variables), dtype=object)
        variables = {"names": names, "table": np.column_stack(list(variables.values())), REST: table.rest}
    with path.open("wb") as stream:
        savemat(stream, variables)


def _read_mat(path: Path) -> tuple[Columns, str]:
    from scipy.io import loadmat

    kept = loadmat(path, chars_as_strings=True)
    names = [str(np.asarray(name).flat[0]) for name in kept["names"].reshape(-1)]
    return dict(zip(names, kept["table"].T, strict=True)), str(kept[REST].flat[0])


def _write_parquet(path: Path, table: Table) -> None:
    written = extra("pyarrow").table(dict(table.columns if table.rest else table.shown()))
    written = written.replace_schema_metadata({REST: table.rest}) if table.rest else written
    extra("pyarrow.parquet").write_table(written, path)


def _read_parquet(path: Path) -> tuple[Columns, str]:
    table = extra("pyarrow.parquet").read_table(path)
    rest = (table.schema.metadata or {})[REST.encode()].decode()
    return {name: table[name].to_numpy() for name in table.column_names}, rest


def _write_netcdf(path: Path, table: Table) -> None:
    """What `to_xarray` shows and, of a run, the columns that it leaves out and the rest, too long for an attribute."""
    extra("h5netcdf")
    data = table.dataset()
    if table.rest:
        hidden = {name: (TIME, values) for name, values in table.columns.items() if name not in data}
        data = data.assign({**hidden, REST: ((), table.rest)})
    path.write_bytes(data.to_netcdf(engine="h5netcdf"))  # by way of memory: HDF5 crashes on a full disk


def _read_netcdf(path: Path) -> tuple[Columns, str]:
    extra("h5netcdf")
    with extra("xarray").open_dataset(path, engine="h5netcdf", decode_times=False) as data:
        columns = {str(name): data[name].to_numpy() for name in data.variables if data[name].dims == (TIME,)}
        return columns, str(data[REST].item())


FORMATS = {
    ".nc": Format(_write_netcdf, _read_netcdf),
    ".csv": Format(_write_csv),
    ".npz": Format(_write_npz, _read_npz),
    ".mat": Format(_write_mat, _read_mat),
    ".parquet": Format(_write_parquet, _read_parquet),
}
NEEDS = {".nc": ("xarray", "h5netcdf"), ".parquet": ("pyarrow",)}
