"""What the events of a spec make of a state: coordinates, rates and parameters after each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from volterra_cg.formulations.inertia import mass_matrix
from volterra_cg.kinematics.types import EventChange, Kinematics
from volterra_cg.program.nodes import Node
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Check, Entry

LABEL = "the mass matrix and the constraints do not determine an impact"
LITTLE = Fraction(1, 10**16)


def changes(kinematics: Kinematics, known: Mapping[Node, Node]) -> tuple[tuple[Entry, ...], tuple[Check, ...]]:
    """The function `changes` and its divisors, if an event changes anything; `known` are the rates of a state."""
    if not any(event.any for event in kinematics.events):
        return (), ()
    blocks: list[Node] = []
    checks: dict[Check, None] = {}
    for event in kinematics.events:
        rates: Sequence[Node] = kinematics.inputs.rates
        if event.gap is not None:
            rates, found = _rebound(kinematics, event)
            checks |= dict.fromkeys(found)
        blocks += _set(kinematics.inputs.coordinates, event.coordinates)
        blocks += _set(rates, event.rates)
        blocks += _set(kinematics.inputs.parameters, event.parameters)
    return (Entry("changes", tuple(substitute(blocks, known))),), tuple(checks)


def _set(before: Sequence[Node], given: Mapping[int, Node]) -> list[Node]:
    return [given.get(number, node) for number, node in enumerate(before)]


def _rebound(kinematics: Kinematics, event: EventChange) -> tuple[tuple[Node, ...], list[Check]]:
    """The rates after an impact without friction, by Newton's law.

    The impulse acts along the gradient J of the gap and the constraints answer: M Δq' = J^T Λ + a^T μ with a Δq' = 0,
    and Λ such that the gap opens at the restitution times the speed J q' + b at which it closed. A gap that no admissible
    motion changes gives values that are not finite, for this event alone.
    """
    graph, rates, gap = kinematics.graph, kinematics.inputs.rates, event.gap
    assert gap is not None
    assert event.restitution is not None
    mass, rows, units, checks = _scaled(kinematics)
    none = [graph.zero] * len(rows)
    upper = [[*line, *(-row[j] for row in rows)] for j, line in enumerate(mass)]
    slope = [gap.columns.get(j, graph.zero) * unit for j, unit in enumerate(units)]
    matrix = [*upper, *([*row, *none] for row in rows)]
    shares = graph.solve(matrix, [*slope, *none])[: len(rates)]
    impulse = -(1 + event.restitution) * gap.value * graph.inverse(graph.dot(slope, shares))
    after = tuple(rate + impulse * unit * share for rate, unit, share in zip(rates, units, shares, strict=True))
    return after, [*checks, Check(graph.factorised(matrix), LABEL)]


def _scaled(kinematics: Kinematics) -> tuple[list[list[Node]], list[list[Node]], list[Node], list[Check]]:
    """M and a in units of the coordinates in which both are about 1, these units, and the divisors.

    The pivots of the factorisation are judged by size, and an angle in an orbit has 10^15 times the inertia of a door in
    the satellite. A coordinate may have no inertia of its own, as a part of a quaternion, so that it takes a little of
    the others'.
    """
    graph, mass = kinematics.graph, mass_matrix(kinematics)
    count = len(mass)
    little = LITTLE * graph.add(*(mass[j][j] for j in range(count)))
    units = [graph.inverse(graph.call("sqrt", mass[j][j] + little)) for j in range(count)]
    lines = [[units[j] * mass[j][k] * units[k] for k in range(count)] for j in range(count)]
    rows, checks = [], []
    for constraint in kinematics.constraints:
        row = [constraint.columns.get(j, graph.zero) * unit for j, unit in enumerate(units)]
        size = graph.call("sqrt", graph.dot(row, row))
        checks.append(
            Check.of(size, f"the constraint {constraint.name} holds no rate here, so that an impact is not determined")
        )
        rows.append([entry * graph.inverse(size) for entry in row])
    return lines, rows, units, checks
