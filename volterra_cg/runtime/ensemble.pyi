from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from volterra_cg.arrays import Vector

Numbers = NDArray[Any]

LANES: int

def has_lanes(table: object) -> bool: ...
def start_rows(
    table: object,
    t: float,
    parameters: Vector,
    signals: Vector,
    given: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    q: Vector,
    qd: Vector,
    z: Vector,
    momenta: Vector,
    layout: tuple[int, int, int, int, int],
    tolerance: float,
    status: Numbers,
    where: Numbers,
    residual: Vector,
    first: int,
    last: int,
) -> None: ...
def run_rows(
    table: object,
    integrator: str,
    settings: tuple[float, Vector, float, int, bool],
    times: Vector,
    samples: Sequence[tuple[int, Vector, Vector]],
    parameters: Vector,
    signals: Vector,
    momenta: Vector,
    z: Vector,
    status: Numbers,
    where: Numbers,
    reached: Numbers,
    ended: Vector,
    counts: Numbers,
    stop: Numbers,
    first: int,
    last: int,
) -> None: ...
