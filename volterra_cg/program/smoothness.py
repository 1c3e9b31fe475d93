"""Whether values change smoothly with what they are made of, or have kinks and jumps somewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from volterra_cg.program.graph import split
from volterra_cg.program.nodes import Call, Node, Product, topological

_KINKED = frozenset(("abs", "sign", "atan2"))  # min and max are made of abs; atan2 jumps from pi to -pi
_ROOTS = frozenset(("sqrt", "pow"))


def smooth(results: Iterable[Node]) -> bool:
    """Whether no kink or jump is in the results, except of parameters alone."""
    return not any(_has_kink(node) for node in topological(results))


def _has_kink(node: Node) -> bool:
    """Whether a node has a kink or a jump of its own; the root of a square is a size, as abs is."""
    if not isinstance(node, Call) or node.is_parameter_only:
        return False
    return node.function in _KINKED or (node.function in _ROOTS and _is_square(node.args[0]))


def _is_square(node: Node) -> bool:
    """Whether a node is a product of even powers, but for numbers and parameters."""
    powers: Counter[Node] = Counter()
    waiting = [(node, 1)]
    while waiting:
        factor, exponent = waiting.pop()
        _, bare = split(factor)
        if isinstance(bare, Product):
            waiting += [(arg, power * exponent) for arg, power in zip(bare.args, bare.exponents, strict=True)]
        elif bare is not None and not bare.is_parameter_only:
            powers[bare] += exponent
    return all(power % 2 == 0 for power in powers.values())
