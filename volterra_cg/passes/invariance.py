"""invariance: a node that does not depend on an input by meaning is computed as if that input were zero.

Before: m*cos(x)**2 + m*sin(x)**2. After: m. No form is taken whose meaning changes, or which divides
by something that the node does not divide by: nobody would watch it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volterra_cg.program.field import PRIME, Field, IdenticallyZero
from volterra_cg.program.nodes import Array, Fingerprint, Input, Inverse, Item, Node, Role, topological
from volterra_cg.program.rewrite import remake, rewrite
from volterra_cg.program.types import Program


def invariance(program: Program) -> Program:
    """Free every node of the inputs that it only seems to depend on."""
    order = topological(program.listed)
    inputs = [n for n in order if isinstance(n, Input) and n.role is not Role.PARAMETER]
    seeming = _seeming(order, inputs)
    real = _real(order, inputs, seeming)
    special: dict[int, dict[Node, Node | None]] = {}
    divisors = _Divisors()

    def choose(old: Node, new: Node) -> Node:
        free = seeming[old] & ~real[old]
        if not free or isinstance(old, Array):
            return new
        if free not in special:
            variables = [x for i, x in enumerate(inputs) if free >> i & 1]
            special[free] = _specialised(order, variables, lambda node: bool(seeming[node] & free))
        simpler = special[free][old]
        if simpler is None or simpler.fingerprint != old.fingerprint or not divisors.within(simpler, old):
            return new
        return simpler

    made = rewrite(program.listed, choose)
    return program.mapped(made.__getitem__)


class _Divisors:
    """What lies in divisors below nodes, by meaning."""

    def __init__(self) -> None:
        self._below: dict[Node, frozenset[Fingerprint]] = {}

    def within(self, node: Node, other: Node) -> bool:
        """Whether all that `node` divides by, `other` divides by too, but for what depends on parameters alone."""
        return self._of(node) <= self._of(other)

    def _of(self, root: Node) -> frozenset[Fingerprint]:
        for node in topological([root]):
            if node not in self._below:
                own = (
                    [_absolute(node.args[0])]
                    if isinstance(node, Inverse) and not node.args[0].is_parameter_only
                    else []
                )
                found = [self._below[arg] for arg in node.args if self._below[arg]]
                self._below[node] = found[0] if len(found) == 1 and not own else frozenset(own).union(*found)
        return self._below[root]


def _absolute(node: Node) -> Fingerprint:
    """The fingerprint of a node or of its opposite, the same for both."""
    opposite = (-node.fingerprint[0] % PRIME, -node.fingerprint[1] % PRIME)
    return min(node.fingerprint, opposite)


def _seeming(order: list[Node], inputs: Sequence[Input]) -> dict[Node, int]:
    """The inputs below each node, as bits."""
    below: dict[Node, int] = {node: 1 << i for i, node in enumerate(inputs)}
    for node in order:
        if node not in below:
            bits = 0
            for arg in node.args:
                bits |= below[arg]
            below[node] = bits
    return below


def _real(order: list[Node], inputs: Sequence[Input], seeming: dict[Node, int]) -> dict[Node, int]:
    """The inputs that each node depends on by meaning, as bits; solves are taken to depend on all they seem to."""
    bits = dict.fromkeys(order, 0)
    for i, variable in enumerate(inputs):
        field = Field(variable.graph.field.seed, frozenset([variable]))
        changed: dict[Node, Fingerprint] = {}
        for node in order:
            if not seeming[node] >> i & 1:
                continue
            if isinstance(node, Array):
                bits[node] |= 1 << i
            elif node is variable or isinstance(node, Item) or any(arg in changed for arg in node.args):
                fingerprint = field.fingerprint(node, _among(changed))
                if fingerprint != node.fingerprint:
                    changed[node] = fingerprint
                    bits[node] |= 1 << i
    return bits


def _among(changed: dict[Node, Fingerprint]) -> Callable[[Node], Fingerprint]:
    """The fingerprints of nodes, some of which have changed."""
    return lambda node: changed.get(node, node.fingerprint)


def _specialised(
    order: list[Node], variables: Sequence[Input], moved: Callable[[Node], bool]
) -> dict[Node, Node | None]:
    """All nodes with some inputs at zero, None where a divisor vanishes; those not `moved` seem to know nothing of them."""
    made: dict[Node, Node | None] = dict.fromkeys(variables, variables[0].graph.zero)
    for node in order:
        if node in made:
            continue
        if not moved(node):
            made[node] = node
            continue
        args = [made[arg] for arg in node.args]
        if any(arg is None for arg in args):
            made[node] = None
            continue
        try:
            made[node] = remake(node, [arg for arg in args if arg is not None])
        except IdenticallyZero:
            made[node] = None
    return made
