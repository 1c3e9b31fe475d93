"""Legs: coordinates whose rates follow from few rows, while these hold more of the independent speeds.

A leg of a Stewart platform has three rates, and three rows close it. Its rates are functions of six independent speeds, but of
these through the three values y of the rows alone. So its inertia is written in y first: three by three instead of six by six.

| letter | meaning                                                                                   |
|--------|-------------------------------------------------------------------------------------------|
| q_D    | the coordinates of the leg                                                                |
| y      | what the rows ask of q_D'', linear in the rates v' of independent speeds: q_D'' = A_D^-1 y |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from volterra_cg.elimination.accelerations import Leg, Speeds
from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.program.nodes import Node

LEAST = 2  # rows; one row alone has nothing to gain


def with_legs(speeds: Speeds, solver: BlockSolver, moving: Sequence[int], given: int, right: Sequence[Node]) -> Speeds:
    """The same speeds with the rates of legs as unknowns of their own; the solver's columns are coordinates `moving`.

    The first `given` of its rows are those of the speeds; q'' where all v' vanish has the right sides `right`.
    """
    asked, biases = _asked(solver, given), dict[tuple[int, ...], list[Node]]()
    solver.sparse(dict(enumerate(right)), biases)
    rows, still, legs, number = list(speeds.rows), list(speeds.still), list[Leg](), speeds.count
    for columns, inverse in solver.explicit(given).items():
        values = asked.get(columns, [])
        if len(values) < LEAST or len({k for row in values for k in row}) <= len(values):
            continue
        legs.append(Leg(number, number + len(columns), inverse, values, biases[columns]))
        for i, column in enumerate(columns):
            rows[moving[column]], still[moving[column]] = {number + i: solver.graph.one}, solver.graph.zero
        number += len(columns) + len(values)
    return replace(speeds, rows=rows, still=still, legs=legs)


def _asked(solver: BlockSolver, given: int) -> dict[tuple[int, ...], list[dict[int, Node]]]:
    """What every inverse is multiplied with, over the speeds, by its unknowns."""
    asked: dict[tuple[int, ...], list[dict[int, Node]]] = {}
    for k in range(given):
        inside: dict[tuple[int, ...], list[Node]] = {}
        solver.sparse({k: solver.graph.one}, inside)
        for columns, values in inside.items():
            rows = asked.setdefault(columns, [{} for _ in values])
            for row, value in zip(rows, values, strict=True):
                if not value.is_zero:
                    row[k] = value
    return asked
