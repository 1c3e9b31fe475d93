"""powers: integer powers above the third become chains of squares.

Before: x**6. After: (x**2)**2 * x**2 with x**2 computed once.
"""

from __future__ import annotations

from volterra_cg.program.nodes import Node, Product
from volterra_cg.program.rewrite import rewrite
from volterra_cg.program.types import Program


def powers(program: Program) -> Program:
    """Leave no exponent above 3."""
    made = rewrite(program.listed, lambda _, node: _expanded(node) if isinstance(node, Product) else node)
    return program.mapped(made.__getitem__)


def _expanded(node: Product) -> Node:
    if max(node.exponents) <= 3:
        return node
    factors: dict[Node, int] = {}
    for base, exponent in zip(node.args, node.exponents, strict=True):
        while exponent > 3:
            if exponent % 2:
                factors[base] = factors.get(base, 0) + 1
            base, exponent = node.graph.product((base,), (2,)), exponent // 2
        factors[base] = factors.get(base, 0) + exponent
    pairs = sorted(factors.items(), key=lambda pair: pair[0].number)
    return node.graph.product(tuple(n for n, _ in pairs), tuple(e for _, e in pairs))
