"""An interpreter of programs, the oracle beside compiled code: numpy floats, complex ones, arrays, or mpmath numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, assert_never

import numpy as np

from volterra_cg.program.nodes import LDL, LU, Call, Const, Input, Inverse, Item, Node, Product, Solve, Sum, topological


class Arithmetic(Protocol):
    """The number system an interpretation runs in."""

    pi: Any

    def given(self, value: Any) -> Any: ...
    def number(self, numerator: int, denominator: int) -> Any: ...
    def function(self, name: str) -> Callable[..., Any]: ...
    def solve(self, matrix: list[list[Any]], right: list[Any]) -> Sequence[Any]: ...


class Doubles:
    """IEEE doubles through numpy; arrays are carried elementwise."""

    pi = np.pi
    _names: ClassVar = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}

    def given(self, value: Any) -> Any:
        return value

    def number(self, numerator: int, denominator: int) -> float:
        return numerator / denominator

    def function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(np, self._names.get(name, name))
        return function

    def solve(self, matrix: list[list[Any]], right: list[Any]) -> Sequence[Any]:
        size = len(right)
        entries = np.stack(np.broadcast_arrays(*(entry for row in matrix for entry in row), *right), axis=-1)
        square = entries[..., : size * size].reshape(*entries.shape[:-1], size, size)
        solution = np.linalg.solve(square, entries[..., size * size :, np.newaxis])[..., 0]
        return list(np.moveaxis(solution, -1, 0))


class Complex(Doubles):
    """Complex doubles whose imaginary parts are small: what is not analytic is taken from the side of the real part."""

    def function(self, name: str) -> Callable[..., Any]:
        own: Mapping[str, Callable[..., Any]] = {
            "abs": lambda x: np.sign(np.real(x)) * x,
            "sign": lambda x: np.sign(np.real(x)),
            "atan2": self._angle,
        }
        return own.get(name) or super().function(name)

    @staticmethod
    def _angle(y: Any, x: Any) -> Any:
        turn = (np.real(x) * np.imag(y) - np.real(y) * np.imag(x)) / (np.real(x) ** 2 + np.real(y) ** 2)
        return np.arctan2(np.real(y), np.real(x)) + 1j * turn


class Digits:
    """mpmath numbers of a given number of decimal digits."""

    _names: ClassVar = {"abs": "fabs", "pow": "power"}

    def __init__(self, digits: int) -> None:
        import mpmath

        self._context = mpmath.MPContext()
        self._context.dps = digits
        self.pi = +self._context.pi

    def given(self, value: Any) -> Any:
        return self._context.convert(value)

    def number(self, numerator: int, denominator: int) -> Any:
        return self._context.mpf(numerator) / denominator

    def function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self._context, self._names.get(name, name))
        return function

    def solve(self, matrix: list[list[Any]], right: list[Any]) -> Sequence[Any]:
        return list(self._context.lu_solve(self._context.matrix(matrix), self._context.matrix(right)))


def interpret(roots: Sequence[Node], values: Mapping[Node, Any], arithmetic: Arithmetic | None = None) -> list[Any]:
    """The values of the roots, given those of the inputs."""
    return interpreter(roots, arithmetic)(values)


def interpreter(
    roots: Sequence[Node], arithmetic: Arithmetic | None = None
) -> Callable[[Mapping[Node, Any]], list[Any]]:
    """A function that gives the values of the roots for those of the inputs; made once where they are asked for often."""
    system = arithmetic or Doubles()
    order = topological(roots)
    rules: dict[Node, Callable[[Sequence[Any]], Any]] = {}

    def values_of(values: Mapping[Node, Any]) -> list[Any]:
        known: dict[Node, Any] = {node: system.given(value) for node, value in values.items()}
        for node in order:
            if node not in known:
                if node not in rules:
                    rules[node] = _rule(node, system)
                known[node] = rules[node]([known[arg] for arg in node.args])
        return [known[root] for root in roots]

    return values_of


def _rule(node: Node, system: Arithmetic) -> Callable[[Sequence[Any]], Any]:
    """The value of a node as a function of those of its arguments."""
    match node:
        case Const():
            number = system.number(node.value.numerator, node.value.denominator)
            return lambda _: number
        case Sum():
            constant = system.number(node.constant.numerator, node.constant.denominator)
            weights = [None if c == 1 else system.number(c.numerator, c.denominator) for c in node.coefficients]
            return lambda args: sum((v if c is None else c * v for c, v in zip(weights, args, strict=True)), constant)
        case Product():
            one, exponents = system.number(1, 1), node.exponents
            return lambda args: math.prod(
                (v if e == 1 else v**e for v, e in zip(args, exponents, strict=True)), start=one
            )
        case Inverse():
            return lambda args: 1 / args[0]
        case Call():
            return _called(node.function, system)
        case LU() | LDL():
            size = node.size
            return lambda args: [args[size * k : size * (k + 1)] for k in range(size)]
        case Solve():
            return lambda args: system.solve(args[0], list(args[1:]))
        case Item():
            position = node.position
            return lambda args: args[0][position]
        case Input():
            raise KeyError(f"no value given for {node.name}")
        case _:
            assert_never(node)


def _called(name: str, system: Arithmetic) -> Callable[[Sequence[Any]], Any]:
    if name == "hold":
        return lambda args: args[0]
    if name == "pi":
        return lambda _: system.pi
    function = system.function(name)
    return lambda args: function(*args)
