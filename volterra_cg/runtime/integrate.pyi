"""Types of the compiled integrators."""

from collections.abc import Callable, Iterable
from typing import Any

from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector

from .handle import Handle

Measure = Callable[[list[float]], Vector]

class Dense:
    @property
    def pieces(self) -> int: ...
    def __call__(self, t: ArrayLike) -> Vector: ...

def integrate(
    handle: Handle,
    integrator: str,
    z0: ArrayLike,
    times: ArrayLike,
    *,
    rtol: float,
    atol: ArrayLike,
    max_step: float = 0.0,
    first_step: float = 0.0,
    max_steps: int = ...,
    by_rows: bool = True,
    leave: int = 0,
    kinks: bool = True,
    project: bool = False,
    dense: bool = False,
    rates: int = 0,
    watches: tuple[tuple[int, int, bool, int, int], ...] = (),
    samples: tuple[tuple[int, Vector, Vector], ...] = (),
    functions: dict[int, tuple[str, Callable[[float, Vector], float]]] = ...,
    controller: Callable[[float, Vector, list[float], Measure], Iterable[tuple[int, float]]] | None = None,
    switches: Vector | None = None,
    outputs: bool = True,
    start_rates: ArrayLike | None = None,
) -> tuple[Vector, Vector, Vector | None, Dense | None, Vector, Vector, dict[str, Any]]: ...
def repeat(handle: Handle, times: ArrayLike, states: ArrayLike, loops: int) -> float: ...
