"""What every road hands on."""

from __future__ import annotations

from dataclasses import dataclass

from volterra_cg.program.nodes import Node
from volterra_cg.program.types import Check


@dataclass(frozen=True)
class Solution:
    """The unknowns as nodes, and the divisors they rest on.

    `rates` are functions of time, states, parameters and momenta; `speed_rates` and `accelerations` may hold rates as inputs.
    """

    rates: tuple[Node, ...]
    speed_rates: tuple[Node, ...]
    accelerations: tuple[Node, ...]
    checks: tuple[Check, ...]
