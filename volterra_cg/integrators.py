"""The integrators, in one table: options, help, messages, the docs and the C tables of the runtime are made from it.

A new one is a row here and a C file in runtime/integrators, NAME.c, that defines `vcg_NAME` and, if it runs in lanes,
`vcg_many_NAME`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Integrator:
    """`order` of the step and `dense_order` of the polynomial between steps; `lanes` if ensembles can use it."""

    name: str
    steps: str
    order: int
    dense_order: int
    reference: str
    adaptive: bool = True
    implicit: bool = False
    lanes: bool = True


TABLE = (
    Integrator(
        "dop853", "adaptive", 8, 7,
        "Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, II.5, II.6",
    ),
    Integrator(
        "ode45", "adaptive, with the controls that MATLAB documents", 5, 4,
        "Dormand, Prince, J. Comput. Appl. Math. 6 (1980)",
    ),
    Integrator("dopri5", "fixed", 5, 4, "the same pair", adaptive=False),
    Integrator(
        "rk4", "fixed", 4, 3,
        "Kutta, Z. Math. Phys. 46 (1901); Hermite's cubic between steps", adaptive=False,
    ),
    Integrator(
        "radau", "adaptive, implicit, for stiff mechanisms", 5, 3,
        "Hairer, Wanner, *Solving Ordinary Differential Equations II*, IV.8", implicit=True, lanes=False,
    ),
    Integrator(
        "gauss", "adaptive, its stages side by side in lanes, for smooth motion: no `abs`, `sign`, `min` or `max`", 16, 9,
        "Hairer, Lubich, Wanner, *Geometric Numerical Integration*, II.1, VIII.6; Antoñana, Makazaga, Murua, arXiv 2511.03655",
    ),
    Integrator("gauss_fixed", "fixed", 16, 9, "the same method", adaptive=False),
)  # fmt: skip
INTEGRATORS = tuple(row.name for row in TABLE)
IN_LANES = tuple(row.name for row in TABLE if row.lanes)
ADAPTIVE = tuple(row.name for row in TABLE if row.adaptive)
FIXED_STEP = tuple(row.name for row in TABLE if not row.adaptive)
IMPLICIT = tuple(row.name for row in TABLE if row.implicit)
EXPLICIT = tuple(row.name for row in TABLE if not row.implicit)
DEFAULT = INTEGRATORS[0]  # of ensembles
AUTO = "auto"  # the default of single runs: one of the table, by what runtime/choice.py finds
RTOL, ATOL = 1e-8, 1e-10  # the tolerances where neither the caller nor the spec names any
MATLAB = "ode45"  # which the paper used


def markdown() -> str:
    """The table of the docs."""
    lines = ["| integrator | steps | order | dense output | reference |", "|---|---|---|---|---|"]
    lines += [f"| `{r.name}` | {r.steps} | {r.order} | {r.dense_order} | {r.reference} |" for r in TABLE]
    return "\n".join(lines)


def header() -> str:
    """The lists that the C of the runtime is compiled with, one macro call an integrator."""
    rows = {"VCG_INTEGRATORS": INTEGRATORS, "VCG_MANY_INTEGRATORS": IN_LANES}
    lines = [f"#define {macro}(X) {' '.join(f'X({name})' for name in names)}" for macro, names in rows.items()]
    return "\n".join(["/* Written by setup.py from volterra_cg/integrators.py. */", *lines]) + "\n"
