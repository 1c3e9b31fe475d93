"""What every elimination order hands on."""

from __future__ import annotations

from dataclasses import dataclass

from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check


@dataclass(frozen=True)
class Solution:
    """The unknowns as nodes, and the divisors they rest on.

    `rates` are functions of time, states, parameters and momenta; `forcing`, `speed_rates` and `accelerations` may hold rates
    as inputs. An order that never forms W, X, M_NI and L_NI leaves them empty.
    """

    rates: tuple[Node, ...]
    speed_rates: tuple[Node, ...]
    accelerations: tuple[Node, ...]
    checks: tuple[Check, ...]
    transmission: tuple[tuple[Node, ...], ...] = ()  # W, row by row
    offset: tuple[Node, ...] = ()  # X
    mass: tuple[tuple[Node, ...], ...] = ()  # M_NI
    forcing: tuple[Node, ...] = ()  # L_NI
    solved_in: tuple[str, ...] = ()  # the quasi-velocities inside, where they are not those of the state
