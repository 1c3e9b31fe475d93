"""Types of the compiled run by calls."""

from collections.abc import Callable, Mapping

from numpy.typing import ArrayLike

from volterra_cg.arrays import Vector

from .handle import Handle

class Steps:
    z: Vector
    def _open(
        self,
        handle: Handle,
        integrator: str,
        places: dict[str, int],
        t0: float,
        z0: ArrayLike,
        *,
        rtol: float,
        atol: ArrayLike,
        max_step: float = 0.0,
        first_step: float = 0.0,
        max_steps: int = ...,
        kinks: bool = True,
        project: bool = False,
        rates: int = 0,
        watches: tuple[tuple[int, int, bool, int, int], ...] = (),
        samples: tuple[tuple[int, Vector, Vector], ...] = (),
        functions: dict[int, tuple[str, Callable[[float, Vector], float]]] = ...,
        start_rates: ArrayLike | None = None,
    ) -> None: ...
    @property
    def t(self) -> float: ...
    @property
    def signals(self) -> Vector: ...
    def step(self, dt: float, inputs: Mapping[str, float] | ArrayLike | None = None) -> Vector: ...
    def reset(self) -> Vector: ...
    def _kept(self) -> Vector: ...
    def _restore(self, kept: Vector) -> None: ...
    def _measured(self) -> Vector: ...
    def _happened(self) -> Vector: ...
