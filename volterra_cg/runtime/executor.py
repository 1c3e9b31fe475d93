"""The rows of a batch in parts on an executor: processes of this machine, or the machines of a cluster.

What travels is the model's sources and plain arrays; each worker builds the model where it is, or finds it in its cache.
"""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TYPE_CHECKING

from volterra_cg.errors import OptionError, WorkerError

from .batch import Batch, Outcome, chunks, finish
from .rows import blank_rows, solve_rows

if TYPE_CHECKING:
    from volterra_cg.build import Texts

    from .model import Model

WORKERS = 16  # an executor does not say how many it has; parts are cut for so many


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
