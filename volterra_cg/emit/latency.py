"""When each value is known, in processor cycles from the call, if nothing but its operands holds it up.

Sums and products are computed from left to right and rounded after each step, so the order of their operands decides how
long the last one waits: early ones go first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from volterra_cg.program.nodes import LDL, LU, Call, Const, Input, Inverse, Item, Node, Product, Solve, Sum

STEP, DIVISION, FUNCTION = 4, 14, 30  # cycles of an addition or multiplication, a division, a sine and cosine


def ready(nodes: Sequence[Node]) -> dict[Node, int]:
    """The cycle at which each node is known; nodes come after their arguments, and what is not listed is known at once."""
    known: dict[Node, int] = {}
    for node in nodes:
        known[node] = _ready(node, known)
    return known


def _ready(node: Node, known: dict[Node, int]) -> int:
    operands = [known.get(arg, 0) for arg in node.args]
    last = max(operands, default=0)
    match node:
        case Sum():
            operands = [t + STEP * (abs(c) != 1) for c, t in zip(node.coefficients, operands, strict=True)]
            return _chained([*operands, *([0] if node.constant else [])])
        case Product():
            return _chained([t for t, exponent in zip(operands, node.exponents, strict=True) for _ in range(exponent)])
        case Inverse():
            return last + DIVISION
        case LU() | LDL() | Solve():
            return last + DIVISION * node.size
        case Call():
            return last + (FUNCTION if node.function != "hold" else 0)
        case Const() | Input() | Item():
            return last
        case _:
            assert_never(node)


def _chained(operands: Sequence[int]) -> int:
    """When a sum or product is known whose operands are taken in the order in which they come."""
    first, *rest = sorted(operands)
    for operand in rest:
        first = max(first, operand) + STEP
    return first
