"""The rows of a batch solved with a model, start values moved onto its constraints where the spec says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from volterra_cg.errors import ImpossibleParameters, SingularConfiguration, StartError

from .batch import Batch, Outcome, blank, solve
from .start import projected
from .status import Status
from .table import functions

if TYPE_CHECKING:
    from .model import Model


def solve_rows(model: Model, batch: Batch, threads: int = 1) -> Outcome:
    """What becomes of all rows; the same for each whichever others are in the batch."""
    room = blank_rows(model, batch)  # first, because projection takes long
    started = _projected(model, batch) if model.description.project else batch
    return solve(model.table, _sizes(model), started, threads, room)


def blank_rows(model: Model, batch: Batch) -> Outcome:
    """An outcome to be filled."""
    return blank(batch, _sizes(model))


def _sizes(model: Model) -> tuple[int, int]:
    return len(model.states), functions(model.address).momenta  # those that are embedded; others are only measured


def _projected(model: Model, batch: Batch) -> Batch:
    """The batch with start values moved onto the constraints, row by row; a row that cannot be has a status."""
    q, qd, status = batch.q.copy(), batch.qd.copy(), batch.status.copy()
    names, signals = list(model.description.parameters), list(model.description.signals.values())
    for row, values in enumerate(batch.parameters):
        try:
            initial = model.handle(values, signals).initial()
            starts = [
                np.where(flags, given[row], own)
                for flags, given, own in zip(batch.given, (q, qd), initial, strict=True)
            ]
            parameters = dict(zip(names, map(float, values), strict=True))
            q[row], qd[row] = projected(model, parameters, starts[0], starts[1], float(batch.times[0]))
        except ImpossibleParameters:
            continue  # as the row will say itself when it is started
        except (SingularConfiguration, StartError):
            status[row] = Status.INCONSISTENT
    given = np.ones(len(model.coordinates), dtype=np.bool_)
    return Batch(**{**vars(batch), "q": q, "qd": qd, "status": status, "given": (given, given)})
