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
    system = arithmetic or Doubles()
    known: dict[Node, Any] = {node: system.given(value) for node, value in values.items()}
    for node in topological(roots):
        if node not in known:
            known[node] = _value(node, known, system)
    return [known[root] for root in roots]


def _value(node: Node, known: Mapping[Node, Any], system: Arithmetic) -> Any:
    args = [known[arg] for arg in node.args]
    match node:
        case Const():
            return system.number(node.value.numerator, node.value.denominator)
        case Sum():
            pairs = zip(node.coefficients, args, strict=True)
            scaled = [system.number(c.numerator, c.denominator) * v for c, v in pairs]
            return sum(scaled, system.number(node.constant.numerator, node.constant.denominator))
        case Product():
            return math.prod((v**e for v, e in zip(args, node.exponents, strict=True)), start=system.number(1, 1))
        case Inverse():
            return 1 / args[0]
        case Call():
            return _called(node.function, args, system)
        case LU() | LDL():
            return [args[node.size * k : node.size * (k + 1)] for k in range(node.size)]
        case Solve():
            return system.solve(args[0], args[1:])
        case Item():
            return args[0][node.position]
        case Input():
            raise KeyError(f"no value given for {node.name}")
        case _:
            assert_never(node)


def _called(name: str, args: Sequence[Any], system: Arithmetic) -> Any:
    if name == "hold":
        return args[0]
    return system.function(name)(*args) if args else system.pi
