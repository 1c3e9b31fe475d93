"""merge: nodes of equal meaning become one node.

Before: (cos(phi)**2*cos(theta) + sin(phi)**2*cos(theta)) beside cos(theta). After: cos(theta) alone.
A node never takes a form that divides by something that its own form does not divide by, or that is written with a rate or
an acceleration that its own form is not written with: they cancel in some forms, and functions of the state are not given them.
"""

from __future__ import annotations

from collections.abc import Iterable

from volterra_cg.program.field import PRIME
from volterra_cg.program.nodes import Array, Call, Const, Factored, Fingerprint, Input, Inverse, Node, Role, topological
from volterra_cg.program.rewrite import rewrite
from volterra_cg.program.types import Program

LACKING = (Role.RATE, Role.ACCELERATION, Role.REACTION)  # inputs that functions of the state are not given


def merge(program: Program) -> Program:
    """Replace every node by the first of equal meaning, or by the opposite of one."""
    chosen: dict[Fingerprint, Node] = {}
    inputs = [node for node in topological(program.listed) if isinstance(node, Input)]
    chosen |= {node.fingerprint: node for node in inputs}
    needs = _Needs(inputs)

    def choose(_: Node, node: Node) -> Node:
        if isinstance(node, (Array, Const)):
            return node
        if isinstance(node, Call) and node.function == "hold":
            chosen.setdefault(node.fingerprint, node)
            return node
        known = chosen.get(node.fingerprint)
        if known is None:
            opposite = chosen.get((-node.fingerprint[0] % PRIME, -node.fingerprint[1] % PRIME))
            if opposite is not None and needs.within(opposite, node):
                return -opposite
        elif needs.within(known, node):
            return known
        elif not needs.within(node, known):
            return node
        chosen[node.fingerprint] = node
        return node

    made = rewrite(program.listed, choose)
    return program.mapped(made.__getitem__)


class _Needs:
    """Which reciprocals and factorisations, and which inputs that some functions lack, lie below a node, as bits of integers."""

    def __init__(self, inputs: Iterable[Input]) -> None:
        self._lacking = sum(node.support for node in inputs if node.role in LACKING)
        self._below: dict[Node, int] = {}
        self._bits: dict[Node, int] = {}

    def within(self, node: Node, other: Node) -> bool:
        """Whether `other` needs all that `node` needs."""
        return not node.support & ~other.support & self._lacking and not self._of(node) & ~self._of(other)

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
