"""invariance: a node that does not depend on an input by meaning is computed as if that input were zero.

Before: m*cos(x)**2 + m*sin(x)**2. After: m. No form is taken whose divisors vanish there or whose meaning changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volterra_cg.program.field import Field, IdenticallyZero
from volterra_cg.program.nodes import Array, Fingerprint, Input, Item, Node, Role, topological
from volterra_cg.program.rewrite import remake, rewrite
from volterra_cg.program.types import Program


def invariance(program: Program) -> Program:
    """Free every node of the inputs that it only seems to depend on."""
    order = topological(program.listed)
    inputs = [n for n in order if isinstance(n, Input) and n.role is not Role.PARAMETER]
    seeming = _seeming(order, inputs)
    real = _real(order, inputs, seeming)
    special: dict[int, dict[Node, Node | None]] = {}

    def choose(old: Node, new: Node) -> Node:
        free = seeming[old] & ~real[old]
        if not free or isinstance(old, Array):
            return new
        if free not in special:
            variables = [x for i, x in enumerate(inputs) if free >> i & 1]
            special[free] = _specialised(order, variables, lambda node: bool(seeming[node] & free))
        simpler = special[free][old]
        return simpler if simpler is not None and simpler.fingerprint == old.fingerprint else new

    made = rewrite(program.listed, choose)
    return program.mapped(made.__getitem__)


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
