"""merge: nodes of equal meaning become one node.

Before: (cos(phi)**2*cos(theta) + sin(phi)**2*cos(theta)) beside cos(theta). After: cos(theta) alone.
A node never takes a form that divides by something the other form does not divide by.
"""

from __future__ import annotations

from volterra_cg.program.field import PRIME
from volterra_cg.program.nodes import Array, Call, Const, Factored, Fingerprint, Input, Inverse, Node, topological
from volterra_cg.program.rewrite import rewrite
from volterra_cg.program.types import Program


def merge(program: Program) -> Program:
    """Replace every node by the first of equal meaning, or by the opposite of one."""
    chosen: dict[Fingerprint, Node] = {}
    divisors = _Divisors()
    for node in topological(program.listed):
        if isinstance(node, Input):
            chosen[node.fingerprint] = node

    def choose(_: Node, node: Node) -> Node:
        if isinstance(node, (Array, Const)):
            return node
        if isinstance(node, Call) and node.function == "hold":
            chosen.setdefault(node.fingerprint, node)
            return node
        known = chosen.get(node.fingerprint)
        if known is None:
            opposite = chosen.get((-node.fingerprint[0] % PRIME, -node.fingerprint[1] % PRIME))
            if opposite is not None and divisors.within(opposite, node):
                return -opposite
        elif divisors.within(known, node):
            return known
        elif not divisors.within(node, known):
            return node
        chosen[node.fingerprint] = node
        return node

    made = rewrite(program.listed, choose)
    return program.mapped(made.__getitem__)


class _Divisors:
    """Which reciprocals and factorisations lie below a node, as bits of an integer."""

    def __init__(self) -> None:
        self._below: dict[Node, int] = {}
        self._bits: dict[Node, int] = {}

    def within(self, node: Node, other: Node) -> bool:
        """Whether all that `node` divides by, `other` divides by too."""
        return not self._of(node) & ~self._of(other)

    def _of(self, root: Node) -> int:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in self._below:
                stack.pop()
                continue
            unknown = [arg for arg in node.args if arg not in self._below]
            if unknown:
                stack += unknown
                continue
            bits = 0
            for arg in node.args:
                bits |= self._below[arg]
            if isinstance(node, (Inverse, Factored)):
                bits |= 1 << self._bits.setdefault(node, len(self._bits))
            self._below[node] = bits
        return self._below[root]
