"""What a user may choose about a build, in one frozen piece that also keys the cache."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from pathlib import Path

from volterra_cg.errors import OptionError


@dataclass(frozen=True)
class Formulation:
    """How many equations it has, in which states, which matrix it solves and what holds by construction.

    `needs_ignorable` if it applies only to mechanisms that have an ignorable coordinate.
    """

    name: str
    equations: str
    states: str
    matrix: str
    holds: str
    needs_ignorable: bool = False


# Options, help, the benchmark, the docs and the tests are made from this. A new one is a row and a module in formulations/.
TABLE = (
    Formulation("reduced-volterra", "p - s", "q, u_NI", "M_NI", "both"),
    Formulation("lagrange", "m", "q, q'", "M, then a M^-1 a^T", "nothing"),
    Formulation("maggi", "m", "q, q'", "[W^T M; a], through W^T M W", "nothing"),
    Formulation("udwadia-kalaba", "m", "q, q'", "M, then A M^-1 A^T", "nothing"),
    Formulation("boltzmann-hamel", "p", "q, u", "d²T*/du²", "constraints on velocities"),
    Formulation("volterra", "p", "q, u", "d²T/du²", "constraints on velocities"),
    Formulation("kane", "p", "q, u", "partial velocities through mass", "constraints on velocities"),
    Formulation("routh", "m - s", "q, q' not of q_I", "M_11 - M_12 M_22^-1 M_21", "conserved momenta", True),
)
FORMULATIONS = tuple(row.name for row in TABLE)
REDUCED = FORMULATIONS[0]  # the default, and the only one whose elimination order is open

CHEAPEST = "auto"  # stands for the formulation of fewest operations

FUSED, SEPARATE = ARITHMETICS = ("fused", "separate")  # of rhs: products taken into sums and rounded once, or not
ARITHMETIC = FUSED  # the default

TAKEN = ("Python", "_model")  # names that the generated files use themselves
HEADERS = "vcg_"  # what the names of our own headers begin with
ORDERS = (
    "auto",
    "dense",
    "composite",
    "composite from leaves",
    "recursive",
    "recursive from leaves",
    "recursive in ground axes",
    "mixed",
    "multipliers",
    "shape",
    "loops",
    "loops in ground axes",
    "partial velocities",
    "momenta",
)


@dataclass(frozen=True)
class Options:
    """`name` replaces the spec's own; `formulation` is one of `FORMULATIONS` or `CHEAPEST`, `order` one of `ORDERS`.

    `optimise` is a level from 0 to 3. With `jacobian` the model has derivatives too. `allow_include` are folders from which
    a spec may include others, beside its own. `arithmetic` is one of `ARITHMETICS`.
    """

    formulation: str = REDUCED
    name: str | None = None
    order: str = "auto"
    optimise: int = 3
    jacobian: bool = False
    allow_include: tuple[Path, ...] = ()
    arithmetic: str = ARITHMETIC

    def __post_init__(self) -> None:
        if self.formulation not in (*FORMULATIONS, CHEAPEST):
            names = ", ".join((*FORMULATIONS, CHEAPEST))
            raise OptionError(f"no formulation is called {self.formulation!r}; there are {names}")
        if self.order not in ORDERS:
            raise OptionError(f"no elimination order is called {self.order!r}; there are {', '.join(ORDERS)}")
        if self.optimise not in range(4):
            raise OptionError(f"the level of optimisation is 0, 1, 2 or 3, not {self.optimise}")
        if self.arithmetic not in ARITHMETICS:
            raise OptionError(f"no arithmetic is called {self.arithmetic!r}; there are {', '.join(ARITHMETICS)}")
        if self.order != "auto" and self.formulation != REDUCED:
            raise OptionError(f"{self.formulation} solves its own matrix; --order is for {REDUCED}")
        if self.name is not None and not is_model_name(self.name):
            raise OptionError(f"a module cannot be called {self.name!r}: give a Python name of letters, digits and _")


def is_model_name(name: str) -> bool:
    """Whether a model can have a name: it becomes a Python module and a C header."""
    taken = keyword.iskeyword(name) or name in TAKEN or name.startswith(HEADERS)
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)) and not taken


def markdown() -> str:
    """The table of formulations for the docs."""
    lines = [
        "| formulation | equations | states | matrix solved | what holds by construction |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| `{r.name}` | {r.equations} | {r.states} | {r.matrix} | {r.holds} |" for r in TABLE]
    return "\n".join(lines)
