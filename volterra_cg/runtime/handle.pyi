"""Types of the compiled handle."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Handle:
    def __init__(
        self,
        table: object,
        checks: Sequence[str],
        parameters: ArrayLike,
        signals: ArrayLike = (),
        momenta: ArrayLike | None = None,
    ) -> None: ...
    @property
    def sizes(self) -> dict[str, int]: ...
    @property
    def momenta(self) -> NDArray[np.float64]: ...
    def initial(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def start(self, t: float, q: ArrayLike, qd: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def rhs(
        self, t: float, z: ArrayLike, out: NDArray[Any] | None = None, signals: ArrayLike | None = None
    ) -> NDArray[np.float64]: ...
    def outputs(self, t: float, z: ArrayLike, signals: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def matrices(
        self, t: float, z: ArrayLike, signals: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def changes(self, t: float, z: ArrayLike, signals: ArrayLike | None = None) -> NDArray[np.float64]: ...
