"""Types of the compiled integrators."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

STATUSES: tuple[str, ...]

class Bound:
    def __init__(self, table: object, parameters: ArrayLike, signals: ArrayLike, momenta: ArrayLike) -> None: ...
    def integrate(
        self, method: str, z0: ArrayLike, times: ArrayLike, rtol: float, atol: float, max_step: float
    ) -> tuple[NDArray[np.float64], dict[str, Any]]: ...
    def repeat(self, times: ArrayLike, states: ArrayLike, loops: int) -> float: ...
