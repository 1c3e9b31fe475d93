"""From the nodes of a spec's expressions to sympy, scalars and vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol

from volterra_cg.spec.expressions import AXES, AxisOf, Binary, Call, Name, Negative, Node, Number
from volterra_cg.spec.types import Expression, Triple
from volterra_cg.system.types import TIME, reaction_symbol
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, Vector, VectorSum, Velocity

_OWN_NAMES: dict[str, Callable[..., Expr]] = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max}


def scalar_function(name: str) -> Callable[..., Expr]:
    """The sympy function of a name in the language."""
    function: Callable[..., Expr] = _OWN_NAMES.get(name) or getattr(sympy, name)
    return function


def _row(node: Node) -> str:
    """The row of a constraint that the argument of reaction() names."""
    match node:
        case AxisOf(frame=name, index=index):
            return f"{name}.{AXES[index]}"
        case Name(name=name):
            return name
    raise TypeError(f"not a constraint: {node}")


@dataclass(frozen=True)
class Translator:
    """Holds what the names of a spec stand for. `rates` maps the symbols of coordinates to those of their rates."""

    scalars: Mapping[str, Expr]
    rates: Mapping[Symbol, Symbol]
    frames: Mapping[str, str]  # of bodies that stand for their frame
    points: Mapping[str, str]  # of bodies that stand for their center

    def expr(self, expression: Expression) -> Expr:
        """A scalar."""
        return self.scalar(expression.node)

    def triple(self, parts: Triple) -> tuple[Expr, Expr, Expr]:
        """Three scalars."""
        first, second, third = (self.expr(part) for part in parts)
        return first, second, third

    def vector_in(self, frame: str, parts: Triple) -> Vector:
        """The vector of given components along the axes of a frame."""
        terms = [Scaled(part, Axis(frame, n)) for n, part in enumerate(self.triple(parts)) if part != 0]
        return terms[0] if len(terms) == 1 else VectorSum(*terms)

    def scalar(self, node: Node) -> Expr:
        """The sympy expression of a scalar node."""
        match node:
            case Number(value=value):
                return Rational(value.numerator, value.denominator)
            case Name(name=name):
                return self.scalars[name]
            case Negative(operand=operand):
                return -self.scalar(operand)
            case Binary(operator=sign, left=left, right=right):
                return _combine(sign, self.scalar(left), self.scalar(right))
            case Call():
                return self._call(node)
        raise TypeError(f"not a scalar: {node}")

    def _call(self, node: Call) -> Expr:
        match node.function:
            case "der":
                return self.rate(self.scalar(node.arguments[0]))
            case "dot":
                return Dot(self.vector(node.arguments[0]), self.vector(node.arguments[1]))
            case "norm":
                vector = self.vector(node.arguments[0])
                return sympy.sqrt(Dot(vector, vector))
            case "reaction":
                return reaction_symbol(_row(node.arguments[0]))
        return scalar_function(node.function)(*(self.scalar(argument) for argument in node.arguments))

    def rate(self, expression: Expr) -> Expr:
        """The time derivative of a function of coordinates and time."""
        terms = [expression.diff(symbol) * rate for symbol, rate in self.rates.items()]
        return sum(terms, start=expression.diff(TIME))

    def vector(self, node: Node) -> Vector:
        """The vector of a vector node."""
        match node:
            case AxisOf(frame=frame, index=index):
                return Axis(self.frames.get(frame, frame), index)
            case Negative(operand=operand):
                return -self.vector(operand)
            case Call(function="cross", arguments=(left, right)):
                return Cross(self.vector(left), self.vector(right))
            case Call(function="omega", arguments=(Name(name=frame),)):
                return AngularVelocity(self.frames.get(frame, frame))
            case Call(function="velocity", arguments=(Name(name=point),)):
                return Velocity(self._point(point))
            case Call(function="position", arguments=arguments):
                return Position(*(self._point(point.name) for point in arguments if isinstance(point, Name)))
            case Binary():
                return self._combined(node)
        raise TypeError(f"not a vector: {node}")

    def _combined(self, node: Binary) -> Vector:
        match node.operator:
            case "+":
                return self.vector(node.left) + self.vector(node.right)
            case "-":
                return self.vector(node.left) - self.vector(node.right)
            case "/":
                return Scaled(1 / self.scalar(node.right), self.vector(node.left))
        if is_vector(node.left):
            return Scaled(self.scalar(node.right), self.vector(node.left))
        return Scaled(self.scalar(node.left), self.vector(node.right))

    def _point(self, name: str) -> str:
        return self.points.get(name, name)


def is_vector(node: Node) -> bool:
    """Whether a checked node is a vector."""
    match node:
        case AxisOf():
            return True
        case Negative(operand=operand):
            return is_vector(operand)
        case Binary(left=left, right=right):
            return is_vector(left) or is_vector(right)
        case Call(function=function):
            return function in ("velocity", "position", "omega", "cross")
    return False


def _combine(sign: str, left: Expr, right: Expr) -> Expr:
    operations: dict[str, Callable[[Any, Any], Expr]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "**": lambda a, b: a**b,
    }
    return operations[sign](left, right)
