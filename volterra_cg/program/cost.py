"""The cost of a program. One operation is one +, -, *, / or elementary function executed in a call.

A sign change is free, the reciprocal that a single product uses is a division, a run-time solve counts as executed, and
so do the tests of divisors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from volterra_cg.program.nodes import Fixed, Node, topological
from volterra_cg.program.types import Program


@dataclass(frozen=True)
class Operations:
    """Operations by kind."""

    add: int = 0
    mul: int = 0
    div: int = 0
    function: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.add + self.mul + self.div + self.function

    def __add__(self, other: Operations) -> Operations:
        return Operations(
            self.add + other.add, self.mul + other.mul, self.div + other.div, self.function + other.function
        )


def uses(nodes: Sequence[Node], results: Sequence[Node]) -> Counter[Node]:
    """How often each of the nodes is an operand or a result; a square is two operands. What is given is not counted."""
    count = Counter(results)
    for node in nodes:
        count.update(node.args)
        if node.kind == "product":
            count.update(arg for arg, exponent in zip(node.args, node.data, strict=True) if exponent > 1)
    computed = set(nodes)
    return Counter({node: times for node, times in count.items() if node in computed})


def divides(node: Node, count: Counter[Node]) -> Node | None:
    """The reciprocal that a product can take as a division: computed, of no other use, and with something to divide."""
    if node.kind != "product" or all(arg.kind == "inverse" for arg in node.args):
        return None
    return next(
        (a for a, e in zip(node.args, node.data, strict=True) if a.kind == "inverse" and e == 1 and count[a] == 1), None
    )


def total(nodes: Sequence[Node], results: Sequence[Node]) -> Operations:
    """The cost of computing nodes, each once."""
    count = uses(nodes, results)
    merged = {divisor for node in nodes if (divisor := divides(node, count)) is not None}
    return sum((operations(node, count) for node in nodes if node not in merged), Operations())


def operations(node: Node, count: Counter[Node]) -> Operations:
    """The cost of one node, given its arguments."""
    match node.kind:
        case "sum":
            coefficients, constant = node.data
            scaled = sum(abs(c) != 1 for c in coefficients)
            return Operations(add=len(coefficients) - 1 + bool(constant), mul=scaled)
        case "product":
            steps = sum(power_steps(exponent) for exponent in node.data) + len(node.args) - 1
            division = divides(node, count) is not None
            return Operations(mul=steps - division, div=int(division))
        case "inverse":
            return Operations(div=1)
        case "call":
            return Operations(function=0 if node.data in ("pi", "hold") else 1)
        case "factor":
            n = node.data
            pairs = (n - 1) * n * (2 * n - 1) // 6
            return Operations(add=pairs, mul=pairs + n, div=n * (n - 1) // 2)
        case "root":
            n = node.data
            triples = (n - 1) * n * (n + 1) // 6
            return Operations(add=triples, mul=triples + n * (n - 1) // 2, div=n)
        case "solve":
            n = node.data
            scaled = node.args[0].kind == "root"
            return Operations(add=n * (n - 1), mul=n * (n - 1) + n * scaled, div=n * (not scaled))
    return Operations()


def power_steps(exponent: int) -> int:
    """Multiplications for an integer power by repeated squaring."""
    return exponent.bit_length() - 1 + bin(exponent).count("1") - 1


def of_entry(program: Program, name: str) -> Operations:
    """The cost of a call of one function, prepared values taken as given."""
    results = program.entry(name).results
    stored = set(program.prepared)
    needed = {node for node in results if node not in stored}
    order = topological(results)
    for node in reversed(order):
        if node in needed:
            needed.update(arg for arg in node.args if arg not in stored)
    return total([node for node in order if node in needed], results)


def foreseen(results: Sequence[Node]) -> int:
    """The operations that results will take once all that depends on parameters alone is prepared."""
    order = topological(results)
    fixed = Fixed()
    moving = [node for node in order if not fixed(node)]
    count = uses(moving, results)
    merged = {divisor for node in moving if (divisor := divides(node, count)) is not None}
    return sum(_foreseen(node, fixed, count) for node in moving if node not in merged)


def _foreseen(node: Node, fixed: Fixed, count: Counter[Node]) -> int:
    if node.kind == "product":
        steps = sum(power_steps(e) + 1 for arg, e in zip(node.args, node.data, strict=True) if not fixed(arg))
        own = any(fixed(arg) for arg in node.args)
        taken = sum(not fixed(arg) and count[arg] <= 1 and _has_fixed(arg, fixed) for arg in node.args) if own else 0
        return int(steps - 1 + own - taken)
    if node.kind == "sum":
        coefficients, constant = node.data
        terms = [(c, arg) for c, arg in zip(coefficients, node.args, strict=True) if not fixed(arg)]
        scaled = sum(abs(c) != 1 and not _has_fixed(arg, fixed) for c, arg in terms)
        return int(len(terms) - 1 + bool(constant or len(terms) < len(coefficients)) + scaled)
    return operations(node, count).total


def _has_fixed(node: Node, fixed: Fixed) -> bool:
    return node.kind == "product" and any(fixed(arg) for arg in node.args)
