"""The rows of a batch solved with a model: on threads, or in parts on an executor, processes of this machine or a cluster.

What travels is the model's sources and plain arrays; each worker builds the model where it is, or finds it in its cache.
"""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TYPE_CHECKING

import numpy as np

from volterra_cg.errors import ImpossibleParameters, OptionError, SingularConfiguration, StartError, WorkerError

from .batch import Batch, Outcome, blank, chunks, finish, solve
from .charted import solve_each
from .start import projected
from .status import Status
from .table import functions

if TYPE_CHECKING:
    from volterra_cg.build import Texts

    from .model import Model

WORKERS = 16  # an executor does not say how many it has; parts are cut for so many


def solve_rows(model: Model, batch: Batch, threads: int = 1) -> Outcome:
    """What becomes of all rows; the same for each whichever others are in the batch."""
    room = blank_rows(model, batch)  # first, because projection takes long
    started = _projected(model, batch) if model.description.project else batch
    if model.description.one_by_one:
        return solve_each(model, started, threads, room)
    return solve(model.table, _sizes(model), started, threads, room)


def blank_rows(model: Model, batch: Batch) -> Outcome:
    """An outcome to be filled."""
    return blank(batch, _sizes(model), model.description.one_by_one)


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


def solve_part(texts: Texts, part: Batch) -> Outcome:
    """What a worker does: build or load the model, and solve the rows of one part on one thread."""
    from volterra_cg.build import unpack

    return solve_rows(unpack(texts).model, part)


def solve_on(executor: Executor, model: Model, batch: Batch) -> Outcome:
    """Have all rows of a batch solved; what one part raises, and Ctrl-C, cancels those that wait."""
    from volterra_cg.build import pack

    if model.folder is None:
        raise OptionError(f"the model {model.name} does not know its sources, so it can be solved on threads only")
    texts, whole = pack(model.folder, model.report), blank_rows(model, batch)
    places: dict[Future[Outcome], tuple[int, int]] = {}

    def take(part: Future[Outcome]) -> None:
        whole.put(part.result(), *places.pop(part))  # and let go of its memory

    try:
        for rows in chunks(len(batch), WORKERS):
            places[executor.submit(solve_part, texts, batch.part(*rows))] = rows
        finish(places, take)
    except (BrokenExecutor, CancelledError) as error:
        raise WorkerError(
            f"{len(places)} parts of the trajectories were not computed, because the workers are gone"
            f" ({type(error).__name__}{f': {error}' if str(error) else ''}): start new ones and simulate again"
        ) from error
    return whole
