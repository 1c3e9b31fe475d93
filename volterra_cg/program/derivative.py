"""Directional derivatives of programs, forward mode: each node's is made once, as nodes of the same graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from volterra_cg.program.nodes import Node, topological


class Derivative:
    """The derivative along a direction: `direction` gives the rate of change of each input that changes."""

    def __init__(self, direction: Mapping[Node, Node]) -> None:
        self._rates: dict[Node, Node] = dict(direction)

    def __call__(self, root: Node) -> Node:
        """The derivative of one node."""
        for node in topological([root]):
            if node not in self._rates:
                self._rates[node] = self._rule(node)
        return self._rates[root]

    def all(self, roots: Sequence[Node]) -> tuple[Node, ...]:
        """The derivatives of several nodes."""
        return tuple(self(root) for root in roots)

    def _rule(self, node: Node) -> Node:
        graph = node.graph
        rates = [self._rates[arg] for arg in node.args]
        if all(rate.is_zero for rate in rates) and node.kind not in ("solve", "item"):
            return graph.zero
        match node.kind:
            case "sum":
                return graph.combine(zip(node.data[0], rates, strict=True))
            case "product":
                return _product_rule(node, rates)
            case "inverse":
                return -rates[0] * node * node
            case "call":
                return _chain_rule(node, rates)
            case "item":
                return self._solve_rule(node)
            case "factor" | "root" | "solve":
                return graph.zero  # their items carry the derivative
        raise AssertionError(f"no derivative of {node.kind}")

    def _solve_rule(self, node: Node) -> Node:
        """From A x = b: A x' = b' - A' x, with the same factorisation."""
        graph, solve = node.graph, node.args[0]
        factor, right = solve.args[0], solve.args[1:]
        size = solve.data
        rows = [factor.args[size * k : size * (k + 1)] for k in range(size)]
        solution = graph.solve(rows, right, factor.kind)
        change = [
            self._rates[b] - graph.dot([self._rates[entry] for entry in row], solution)
            for row, b in zip(rows, right, strict=True)
        ]
        if all(entry.is_zero for entry in change):
            return graph.zero
        position: int = node.data
        return graph.solve(rows, change, factor.kind)[position]


def _product_rule(node: Node, rates: Sequence[Node]) -> Node:
    graph = node.graph
    terms = []
    for position, rate in enumerate(rates):
        if rate.is_zero:
            continue
        exponents = list(node.data)
        exponents[position] -= 1
        rest = [graph.power(arg, exponent) for arg, exponent in zip(node.args, exponents, strict=True)]
        terms.append((Fraction(node.data[position]), graph.multiply(rate, *rest)))
    return graph.combine(terms)


def _chain_rule(node: Node, rates: Sequence[Node]) -> Node:
    graph, name, x = node.graph, node.data, node.args[0]
    if name == "hold":
        return rates[0]
    if name == "atan2":
        y, x = node.args
        return (rates[0] * x - rates[1] * y) / (x * x + y * y)
    if name == "pow":
        base, exponent = node.args
        slope = exponent * graph.call("pow", base, exponent - 1)
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
