"""differentiate: the derivatives of a function by its inputs, as a function of a program of its own.

Forward mode on the form that the search has found, so that what is shared there is shared here; then merge, and share where
that lowers the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from volterra_cg.passes.merge import merge
from volterra_cg.passes.share import share
from volterra_cg.program.cost import foreseen
from volterra_cg.program.derivative import Gradients
from volterra_cg.program.nodes import Input, Inverse, Node, topological
from volterra_cg.program.types import Check, Entry, Program, Slopes

LARGE = 8000  # nodes; a larger program is merged alone


def differentiate(program: Program, slopes: Slopes, *, merged: bool = True, shared: bool = True) -> Program:
    """The program of one function: the derivatives asked for, merged, and shared where that is cheaper."""
    graph, values = program.graph, program.entry(slopes.of).results
    rows = Gradients(slopes.by).all(values)
    results = tuple(row.get(x, graph.zero) for row in rows for x in slopes.by)
    derived = Program(graph, (Entry(slopes.name, results),), _checks(program.checks, values, results))
    if merged:
        derived = merge(derived)
    if not shared or len(topological(derived.roots)) > LARGE:
        return derived
    return min(derived, merge(share(derived)), key=lambda form: foreseen(form.entry(slopes.name).results))


def together(program: Program, others: Sequence[Program]) -> Program:
    """One program with the functions of several; what the first has prepared and watches keeps its place."""
    entries, checks, prepared = list(program.entries), list(program.checks), dict.fromkeys(program.prepared)
    for other in others:
        watched = {check.divisor for check in checks}
        entries += other.entries
        checks += [check for check in other.checks if check.divisor not in watched]
        prepared |= dict.fromkeys(other.prepared)
    return replace(program, entries=tuple(entries), checks=tuple(checks), prepared=tuple(prepared))


def _checks(known: Sequence[Check], values: Sequence[Node], results: Sequence[Node]) -> tuple[Check, ...]:
    """The divisors of a function that its derivatives keep, and those that only the derivatives have.

    New ones of parameters alone are not watched: they must not keep a model from running.
    """
    below = topological(results)
    present, before = set(below), {node for node in topological(values) if isinstance(node, Inverse)}
    kept = [check for check in known if check.divisor in present]
    fresh = [node.args[0] for node in below if isinstance(node, Inverse) and node not in before]
    moving = [divisor for divisor in fresh if not divisor.is_parameter_only]
    watched = {check.divisor for check in kept}
    return (*kept, *(Check.of(node, _label(node)) for node in dict.fromkeys(moving) if node not in watched))


def _label(divisor: Node) -> str:
    names = [n.name for n in topological([divisor]) if isinstance(n, Input) and not n.is_parameter_only]
    return f"a divisor of the derivatives in {', '.join(names)} is zero"
