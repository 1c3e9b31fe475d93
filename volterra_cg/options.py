"""What a user may choose about a build, in one frozen piece that also keys the cache."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

from volterra_cg.errors import OptionError

FORMULATIONS = (
    "reduced-volterra",
    "lagrange",
    "maggi",
    "udwadia-kalaba",
    "boltzmann-hamel",
    "volterra",
    "kane",
    "routh",
)


TAKEN = ("Python", "_model")  # names that the generated files use themselves
HEADERS = "vcg_"  # what the names of our own headers begin with
ORDERS = (
    "auto",
    "dense",
    "composite",
    "composite from leaves",
    "recursive",
    "recursive from leaves",
    "mixed",
    "multipliers",
)


@dataclass(frozen=True)
class Options:
    """`name` replaces the spec's own; `formulation` is one of `FORMULATIONS`, `order` of `ORDERS`.

    `optimise` is a level from 0 to 3. With `jacobian` the model has derivatives too.
    """

    formulation: str = "reduced-volterra"
    name: str | None = None
    order: str = "auto"
    optimise: int = 3
    jacobian: bool = False

    def __post_init__(self) -> None:
        if self.formulation not in FORMULATIONS:
            raise OptionError(f"no formulation is called {self.formulation!r}; there are {', '.join(FORMULATIONS)}")
        if self.order not in ORDERS:
            raise OptionError(f"no elimination order is called {self.order!r}; there are {', '.join(ORDERS)}")
        if self.optimise not in range(4):
            raise OptionError(f"the level of optimisation is 0, 1, 2 or 3, not {self.optimise}")
        if self.order != "auto" and self.formulation != FORMULATIONS[0]:
            raise OptionError(f"{self.formulation} solves its own matrix; --order is for {FORMULATIONS[0]}")
        if self.name is not None and not is_model_name(self.name):
            raise OptionError(f"a module cannot be called {self.name!r}: give a Python name of letters, digits and _")


def is_model_name(name: str) -> bool:
    """Whether a model can have a name: it becomes a Python module and a C header."""
    taken = keyword.iskeyword(name) or name in TAKEN or name.startswith(HEADERS)
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)) and not taken
