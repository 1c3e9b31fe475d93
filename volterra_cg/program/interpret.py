"""An interpreter of programs, the oracle beside the compiled code: numpy floats or arrays, or mpmath at any precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from volterra_cg.program.nodes import Node, topological


class Arithmetic(Protocol):
    """The number system an interpretation runs in."""

    pi: Any

    def number(self, numerator: int, denominator: int) -> Any: ...
    def function(self, name: str) -> Callable[..., Any]: ...
    def solve(self, matrix: list[list[Any]], right: list[Any]) -> Sequence[Any]: ...


class Doubles:
    """IEEE doubles through numpy; arrays are carried elementwise."""

    pi = np.pi
    _names = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}

    def number(self, numerator: int, denominator: int) -> float:
        return numerator / denominator

    def function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(np, self._names.get(name, name))
        return function

    def solve(self, matrix: list[list[Any]], right: list[Any]) -> Sequence[Any]:
        solution: Sequence[Any] = np.linalg.solve(np.array(matrix, dtype=float), np.array(right, dtype=float))
        return solution


class Digits:
    """mpmath numbers of a given number of decimal digits."""

    _names = {"abs": "fabs", "pow": "power"}

    def __init__(self, digits: int) -> None:
        import mpmath

        self._context = mpmath.MPContext()
        self._context.dps = digits
        self.pi = +self._context.pi

    def number(self, numerator: int, denominator: int) -> Any:
        return self._context.mpf(numerator) / denominator

    def function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self._context, self._names.get(name, name))
        return function

    def solve(self, matrix: list[list[Any]], right: list[Any]) -> Sequence[Any]:
        return list(self._context.lu_solve(self._context.matrix(matrix), self._context.matrix(right)))


def interpret(roots: Sequence[Node], values: Mapping[Node, Any], arithmetic: Arithmetic | None = None) -> list[Any]:
    """The values of the roots, given those of the inputs."""
    system = arithmetic or Doubles()
    known: dict[Node, Any] = dict(values)
    for node in topological(roots):
        if node not in known:
            known[node] = _value(node, known, system)
    return [known[root] for root in roots]


def _value(node: Node, known: Mapping[Node, Any], system: Arithmetic) -> Any:
    args = [known[arg] for arg in node.args]
    match node.kind:
        case "const":
            return system.number(node.data.numerator, node.data.denominator)
        case "sum":
            total = system.number(node.data[1].numerator, node.data[1].denominator)
            for coefficient, value in zip(node.data[0], args, strict=True):
                total = total + system.number(coefficient.numerator, coefficient.denominator) * value
            return total
        case "product":
            result = system.number(1, 1)
            for value, exponent in zip(args, node.data, strict=True):
                result = result * value**exponent
            return result
        case "inverse":
            return 1 / args[0]
        case "call":
            return system.function(node.data)(*args) if args else system.pi
        case "factor":
            return [args[node.data * k : node.data * (k + 1)] for k in range(node.data)]
        case "solve":
            return system.solve(args[0], args[1:])
        case "item":
            return args[0][node.data]
    raise KeyError(f"no value given for {node}")
