"""When each value is known, in processor cycles from the call, if nothing but its operands holds it up.

Sums and products are computed from left to right and rounded after each step, so the order of their operands decides how
long the last one waits: early ones go first.
"""

from __future__ import annotations

from collections.abc import Sequence

from volterra_cg.program.nodes import FACTORED, Node

STEP, DIVISION, FUNCTION = 4, 14, 30  # cycles of an addition or multiplication, a division, a sine and cosine


def ready(nodes: Sequence[Node]) -> dict[Node, int]:
    """The cycle at which each node is known; nodes come after their arguments, and what is not listed is known at once."""
    known: dict[Node, int] = {}
    for node in nodes:
        known[node] = _ready(node, known)
    return known


def _ready(node: Node, known: dict[Node, int]) -> int:
    operands = [known.get(arg, 0) for arg in node.args]
    if node.kind == "sum":
        operands = [t + STEP * (abs(c) != 1) for c, t in zip(node.data[0], operands, strict=True)]
        return _chained([*operands, *([0] if node.data[1] else [])])
    if node.kind == "product":
        return _chained([t for t, exponent in zip(operands, node.data, strict=True) for _ in range(exponent)])
    last = max(operands, default=0)
    if node.kind in ("inverse", *FACTORED, "solve"):
        return last + DIVISION * (node.data or 1)
    return last + (FUNCTION if node.kind == "call" and node.data != "hold" else 0)


def _chained(operands: Sequence[int]) -> int:
    """When a sum or product is known whose operands are taken in the order in which they come."""
    first, *rest = sorted(operands)
    for operand in rest:
        first = max(first, operand) + STEP
    return first
