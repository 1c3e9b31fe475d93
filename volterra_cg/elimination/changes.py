"""What the events of a spec make of a state: coordinates, rates and parameters after each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volterra_cg.formulations.inertia import mass_matrix
from volterra_cg.kinematics.types import EventChange, Kinematics
from volterra_cg.program.nodes import Node
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Check, Entry

LABEL = "the mass matrix and the constraints of an impact"


def changes(kinematics: Kinematics, known: Mapping[Node, Node]) -> tuple[tuple[Entry, ...], tuple[Check, ...]]:
    """The function `changes` and its divisors, if an event changes anything; `known` are the rates of a state."""
    if not any(event.any for event in kinematics.events):
        return (), ()
    blocks: list[Node] = []
    checks: dict[Check, None] = {}
    for event in kinematics.events:
        rates: Sequence[Node] = kinematics.inputs.rates
        if event.gap is not None:
            rates, check = _rebound(kinematics, event)
            checks[check] = None
        blocks += _set(kinematics.inputs.coordinates, event.coordinates)
        blocks += _set(rates, event.rates)
        blocks += _set(kinematics.inputs.parameters, event.parameters)
    return (Entry("changes", tuple(substitute(blocks, known))),), tuple(checks)


def _set(before: Sequence[Node], given: Mapping[int, Node]) -> list[Node]:
    return [given.get(number, node) for number, node in enumerate(before)]


def _rebound(kinematics: Kinematics, event: EventChange) -> tuple[tuple[Node, ...], Check]:
    """The rates after an impact without friction, by Newton's law.

    The impulse acts along the gradient J of the gap and the constraints answer: M Δq' = J^T Λ + a^T μ with a Δq' = 0,
    and Λ such that the gap opens at the restitution times the speed J q' + b at which it closed. A gap that no admissible
    motion changes gives values that are not finite, for this event alone.
    """
    graph, rates, gap = kinematics.graph, kinematics.inputs.rates, event.gap
    assert gap is not None
    assert event.restitution is not None
    count, rows = len(rates), kinematics.constraints
    upper = [[*row, *(-c.columns.get(j, graph.zero) for c in rows)] for j, row in enumerate(mass_matrix(kinematics))]
    lower = [[*(c.columns.get(k, graph.zero) for k in range(count)), *[graph.zero] * len(rows)] for c in rows]
    slope = [gap.columns.get(j, graph.zero) for j in range(count)]
    answer = graph.solve([*upper, *lower], [*slope, *[graph.zero] * len(rows)])
    impulse = -(1 + event.restitution) * gap.value * graph.inverse(graph.dot(slope, answer[:count]))
    after = tuple(rate + impulse * change for rate, change in zip(rates, answer, strict=False))
    return after, Check(answer[0].args[0].args[0], LABEL)
