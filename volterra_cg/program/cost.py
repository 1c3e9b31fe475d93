"""The cost of a program. One operation is one +, -, *, / or elementary function executed in a call.

A sign change is free, the reciprocal that a single product uses is a division, a run-time solve counts as executed, and
so do the tests of divisors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import assert_never

from volterra_cg.program.nodes import (
    LDL,
    LU,
    Call,
    Const,
    Input,
    Inverse,
    Item,
    Node,
    Parametric,
    Product,
    Solve,
    Sum,
    topological,
)
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
        if isinstance(node, Product):
            count.update(arg for arg, exponent in zip(node.args, node.exponents, strict=True) if exponent > 1)
    computed = set(nodes)
    return Counter({node: times for node, times in count.items() if node in computed})


def divides(node: Node, count: Counter[Node]) -> Inverse | None:
    """The reciprocal that a product can take as a division: computed, of no other use, and with something to divide."""
    if not isinstance(node, Product) or all(isinstance(arg, Inverse) for arg in node.args):
        return None
    pairs = zip(node.args, node.exponents, strict=True)
    return next((a for a, e in pairs if isinstance(a, Inverse) and e == 1 and count[a] == 1), None)


def total(nodes: Sequence[Node], results: Sequence[Node]) -> Operations:
    """The cost of computing nodes, each once."""
    count = uses(nodes, results)
    merged = {divisor for node in nodes if (divisor := divides(node, count)) is not None}
    return sum((operations(node, count) for node in nodes if node not in merged), Operations())


def operations(node: Node, count: Counter[Node]) -> Operations:
    """The cost of one node, given its arguments."""
    match node:
        case Sum():
            scaled = sum(abs(c) != 1 for c in node.coefficients)
            return Operations(add=len(node.args) - 1 + bool(node.constant), mul=scaled)
        case Product():
            steps = sum(power_steps(exponent) for exponent in node.exponents) + len(node.args) - 1
            division = divides(node, count) is not None
            return Operations(mul=steps - division, div=int(division))
        case Inverse():
            return Operations(div=1)
        case Call():
            return Operations(function=0 if node.function in ("pi", "hold") else 1)
        case LU():
            n = node.size
            pairs = (n - 1) * n * (2 * n - 1) // 6
            return Operations(add=pairs, mul=pairs + n, div=n * (n - 1) // 2)
        case LDL():
            n = node.size
            triples = (n - 1) * n * (n + 1) // 6
            return Operations(add=triples, mul=triples + n * (n - 1) // 2, div=n)
        case Solve():
            n = node.size
            scaled = isinstance(node.args[0], LDL)
            return Operations(add=n * (n - 1), mul=n * (n - 1) + n * scaled, div=n * (not scaled))
        case Const() | Input() | Item():
            return Operations()
        case _:
            assert_never(node)


def power_steps(exponent: int) -> int:
    """Multiplications for an integer power by repeated squaring."""
    return exponent.bit_length() - 1 + bin(exponent).count("1") - 1


def of_entry(program: Program, name: str) -> Operations:
    """The cost of a call of one function, prepared values taken as given."""
    return total(_computed(program, name), program.entry(name).results)


def _computed(program: Program, name: str) -> list[Node]:
    """The nodes that a call of one function computes, prepared values taken as given."""
    results = program.entry(name).results
    stored = set(program.prepared)
    needed = {node for node in results if node not in stored}
    order = topological(results)
    for node in reversed(order):
        if node in needed:
            needed.update(arg for arg in node.args if arg not in stored)
    return [node for node in order if node in needed]


def instructions(program: Program, name: str) -> int:
    """The operations of a call of one function that are left after fusing: a product that sums take in is none of its own."""
    nodes, results = _computed(program, name), program.entry(name).results
    count, own = uses(nodes, results), {check.divisor for check in program.checks}
    products, taken = fusible(nodes, results, count, own), Counter[Node]()
    for node in nodes:
        if isinstance(node, Sum):
            terms = list(zip(node.coefficients, node.args, strict=True))
            inside = [arg for c, arg in terms if abs(c) != 1 or arg in products]
            taken.update(inside if node.constant or len(inside) < len(terms) else inside[1:])
    whole = (times == count[node] if node in products else times for node, times in taken.items())
    return total(nodes, results).total - sum(map(int, whole))


def fusible(nodes: Sequence[Node], results: Sequence[Node], count: Counter[Node], own: Collection[Node]) -> set[Node]:
    """The products that only sums use: they get no variable and, taken in, are no operations of their own.

    One that several sums use has no other factor there, with which each of them would multiply it again.
    """
    pairs = [pair for s in nodes if isinstance(s, Sum) for pair in zip(s.coefficients, s.args, strict=True)]
    terms, scaled = Counter(arg for _, arg in pairs), {arg for c, arg in pairs if abs(c) != 1}
    kept = {*own, *results}
    products = [node for node in nodes if isinstance(node, Product) and node not in kept and terms[node] == count[node]]
    alike = [node for node in products if count[node] == 1 or node not in scaled]
    return {node for node in alike if divides(node, count) is None}


def foreseen(results: Sequence[Node]) -> int:
    """The operations that results will take once all that depends on parameters alone is prepared."""
    order = topological(results)
    parametric = Parametric()
    moving = [node for node in order if not parametric(node)]
    count = uses(moving, results)
    merged = {divisor for node in moving if (divisor := divides(node, count)) is not None}
    return sum(_foreseen(node, parametric, count) for node in moving if node not in merged)


def _foreseen(node: Node, parametric: Parametric, count: Counter[Node]) -> int:
    if isinstance(node, Product):
        steps = sum(power_steps(e) + 1 for arg, e in zip(node.args, node.exponents, strict=True) if not parametric(arg))
        own = any(parametric(arg) for arg in node.args)
        alone = (arg for arg in node.args if not parametric(arg) and count[arg] <= 1) if own else ()
        taken = sum(_has_parametric(arg, parametric) for arg in alone)
        return int(steps - 1 + own - taken)
    if isinstance(node, Sum):
        terms = [(c, arg) for c, arg in zip(node.coefficients, node.args, strict=True) if not parametric(arg)]
        scaled = sum(abs(c) != 1 and not _has_parametric(arg, parametric) for c, arg in terms)
        return int(len(terms) - 1 + bool(node.constant or len(terms) < len(node.args)) + scaled)
    return operations(node, count).total


def _has_parametric(node: Node, parametric: Parametric) -> bool:
    return isinstance(node, Product) and any(parametric(arg) for arg in node.args)
