"""Derivatives of programs, forward mode, as nodes of the same graph: along a direction, or by several inputs at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from volterra_cg.program.nodes import (
    LDL,
    LU,
    Array,
    Call,
    Const,
    Input,
    Inverse,
    Item,
    Node,
    Product,
    Solve,
    Sum,
    topological,
)


class Derivative:
    """The derivative along a direction: `direction` gives the rate of change of each input that changes."""

    def __init__(self, direction: Mapping[Node, Node]) -> None:
        self._rates: dict[Node, Node] = dict(direction)
        self._support = 0
        for node in direction:
            self._support |= node.support

    def __call__(self, root: Node) -> Node:
        """The derivative of one node."""
        if root not in self._rates:
            for node in topological([root], self._support):
                if node not in self._rates:
                    self._rates[node] = self._rule(node)
        return self._rate(root)

    def _rate(self, node: Node) -> Node:
        """The derivative of a node that has been met, or is made of nothing that changes."""
        return self._rates.get(node, node.graph.zero)

    def all(self, roots: Sequence[Node]) -> tuple[Node, ...]:
        """The derivatives of several nodes."""
        return tuple(self(root) for root in roots)

    def _rule(self, node: Node) -> Node:
        graph = node.graph
        rates = [self._rate(arg) for arg in node.args]
        if all(rate.is_zero for rate in rates) and not isinstance(node, (Solve, Item)):
            return graph.zero
        match node:
            case Sum():
                return graph.combine(zip(node.coefficients, rates, strict=True))
            case Product():
                return _product_rule(node, rates)
            case Inverse():
                return -rates[0] * node * node
            case Call():
                return _chain_rule(node, rates)
            case Item():
                return self._solve_rule(node)
            case Const() | Input():
                return graph.zero
            case LU() | LDL() | Solve():
                return graph.zero  # their items carry the derivative
            case _:
                assert_never(node)

    def _solve_rule(self, node: Item) -> Node:
        """From A x = b: A x' = b' - A' x, with the same factorisation."""
        graph, solve = node.graph, node.args[0]
        matrix, right = solve.args[0], solve.args[1:]
        solution = graph.solve_for(matrix, right)
        change = [
            self._rate(b) - graph.dot([self._rate(entry) for entry in row], solution)
            for row, b in zip(matrix.rows, right, strict=True)
        ]
        if all(entry.is_zero for entry in change):
            return graph.zero
        return graph.solve_for(matrix, change)[node.position]


class Gradients:
    """The derivatives by several inputs, each node's as those that are not zero.

    What a node changes by with one of its arguments is made once and shared by all inputs.
    """

    def __init__(self, by: Sequence[Node]) -> None:
        self._rows: dict[Node, dict[Node, Node]] = {node: {node: node.graph.one} for node in by}
        self._solved: dict[Node, dict[Node, tuple[Node, ...]]] = {}

    def all(self, roots: Sequence[Node]) -> list[Mapping[Node, Node]]:
        """The derivatives of several nodes."""
        for node in topological(roots):
            if node not in self._rows:
                row = self._rule(node)
                self._rows[node] = {x: slope for x, slope in row.items() if not slope.is_zero}
        return [self._rows[root] for root in roots]

    def _rule(self, node: Node) -> dict[Node, Node]:
        if isinstance(node, Item):
            return {x: items[node.position] for x, items in self._solved[node.args[0]].items()}
        if isinstance(node, Solve):
            self._solved[node] = self._solve_rule(node)
        if isinstance(node, (Array, Const, Input)):
            return {}  # of an array, the items carry the derivative
        changing = [(k, self._rows[arg]) for k, arg in enumerate(node.args) if self._rows[arg]]
        terms: dict[Node, list[tuple[Fraction, Node]]] = {}
        for k, row in changing:
            number, partial = _partial(node, k)
            for x, slope in row.items():
                terms.setdefault(x, []).append((number, node.graph.multiply(partial, slope)))
        return {x: node.graph.combine(parts) for x, parts in terms.items()}

    def _solve_rule(self, solve: Solve) -> dict[Node, tuple[Node, ...]]:
        """From A x = b: A x' = b' - A' x, with the same factorisation."""
        graph = solve.graph
        matrix, right = solve.args[0], solve.args[1:]
        solution = graph.solve_for(matrix, right)
        inputs = dict.fromkeys(x for arg in (*matrix.args, *right) for x in self._rows[arg])
        found = {}
        for x in inputs:
            change = [
                self._slope(b, x) - graph.dot([self._slope(entry, x) for entry in row], solution)
                for row, b in zip(matrix.rows, right, strict=True)
            ]
            if not all(entry.is_zero for entry in change):
                found[x] = graph.solve_for(matrix, change)
        return found

    def _slope(self, node: Node, x: Node) -> Node:
        return self._rows[node].get(x, node.graph.zero)


def _partial(node: Sum | Product | Inverse | Call, position: int) -> tuple[Fraction, Node]:
    """The derivative of a node by one of its arguments, as an exact number times a node."""
    graph = node.graph
    match node:
        case Sum():
            return node.coefficients[position], graph.one
        case Product():
            exponents = list(node.exponents)
            exponents[position] -= 1
            rest = [graph.power(arg, exponent) for arg, exponent in zip(node.args, exponents, strict=True)]
            return Fraction(node.exponents[position]), graph.multiply(*rest)
        case Inverse():
            return Fraction(-1), node * node
        case Call():
            rates = [graph.one if k == position else graph.zero for k in range(len(node.args))]
            return Fraction(1), _chain_rule(node, rates)
        case _:
            assert_never(node)


def _product_rule(node: Product, rates: Sequence[Node]) -> Node:
    graph = node.graph
    terms = []
    for position, rate in enumerate(rates):
        if rate.is_zero:
            continue
        exponents = list(node.exponents)
        exponents[position] -= 1
        rest = [graph.power(arg, exponent) for arg, exponent in zip(node.args, exponents, strict=True)]
        terms.append((Fraction(node.exponents[position]), graph.multiply(rate, *rest)))
    return graph.combine(terms)


def _chain_rule(node: Call, rates: Sequence[Node]) -> Node:
    graph, name, x = node.graph, node.function, node.args[0]
    if name == "hold":
        return rates[0]
    if name == "atan2":
        y, x = node.args
        return (rates[0] * x - rates[1] * y) / (x * x + y * y)
    if name == "pow":
        base, exponent = node.args
        root = (
            isinstance(exponent, Const) and exponent.value < 1
        )  # its slope is infinite at zero: a divisor to be watched
        slope = exponent * (node / base if root else graph.call("pow", base, exponent - 1))
        return slope * rates[0] + (graph.zero if rates[1].is_zero else node * graph.call("log", base) * rates[1])
    return rates[0] * _slope(node, name, x)


def _slope(node: Node, name: str, x: Node) -> Node:
    """df/dx of the functions of one argument."""
    if name not in _SLOPES:
        raise AssertionError(f"no derivative of {name}")
    return _SLOPES[name](node, x)


_SLOPES: Mapping[str, Callable[[Node, Node], Node]] = {  # from f(x) and x
    "sin": lambda _, x: x.graph.call("cos", x),
    "cos": lambda _, x: -x.graph.call("sin", x),
    "tan": lambda f, _: 1 + f * f,
    "asin": lambda _, x: x.graph.inverse(x.graph.call("sqrt", 1 - x * x)),
    "acos": lambda _, x: -x.graph.inverse(x.graph.call("sqrt", 1 - x * x)),
    "atan": lambda _, x: x.graph.inverse(1 + x * x),
    "sinh": lambda _, x: x.graph.call("cosh", x),
    "cosh": lambda _, x: x.graph.call("sinh", x),
    "tanh": lambda f, _: 1 - f * f,
    "exp": lambda f, _: f,
    "log": lambda _, x: x.graph.inverse(x),
    "sqrt": lambda f, _: f.graph.inverse(2 * f),
    "abs": lambda _, x: x.graph.call("sign", x),
    "sign": lambda _, x: x.graph.zero,
}
