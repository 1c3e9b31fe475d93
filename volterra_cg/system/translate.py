"""From the nodes of a spec's expressions to sympy: scalars, vectors, and whole mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol, pi

from volterra_cg.spec.entities import Body, Mechanism
from volterra_cg.spec.expressions import (
    AXES,
    BODY_FUNCTIONS,
    AxisOf,
    Binary,
    Call,
    Name,
    Negative,
    Node,
    Number,
    scalar_names,
)
from volterra_cg.spec.names import is_vector
from volterra_cg.spec.tree import mapped
from volterra_cg.system import momenta
from volterra_cg.system.types import TIME, rate_symbol, reaction_symbol, symbol
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, Vector, Velocity
from volterra_cg.system.walk import symbols

_DIGITS = 400  # more than a floating-point number has before its point
_BEYOND = Rational(10) ** (2 * _DIGITS)
_OWN_NAMES: dict[str, Callable[..., Expr]] = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max}


def translated(mechanism: Mechanism[Node]) -> Mechanism[Expr]:
    """A mechanism with its expressions in sympy, in which derived parameters and signals are put in."""
    own_frames = {frame.name for frame in mechanism.frames}
    own_points = {point.name for point in mechanism.points}
    scalars: dict[str, Expr] = {"pi": pi, "t": TIME}
    for table in (mechanism.coordinates, mechanism.signals, mechanism.parameters):
        scalars |= {entity.name: symbol(entity.name) for entity in table}
    translator = Translator(
        scalars=scalars,
        rates={symbol(coordinate.name): rate_symbol(coordinate.name) for coordinate in mechanism.coordinates},
        frames={body.name: body.frame for body in mechanism.bodies if body.frame and body.name not in own_frames},
        points={body.name: body.center for body in mechanism.bodies if body.name not in own_points},
        bodies={body.name: body for body in mechanism.bodies},
    )
    _put_in_derived(mechanism, scalars, translator)
    scalars |= {each.name: translator.scalar(each.expression) for each in mechanism.signals if each.expression}
    found: Mechanism[Expr] = mapped(mechanism, translator.scalar)
    return found


def _put_in_derived(mechanism: Mechanism[Node], scalars: dict[str, Expr], translator: Translator) -> None:
    """Replace derived parameters by their expressions, those that others need first."""
    derived: dict[str, Node] = {each.name: each.value for each in mechanism.parameters if each.derived}
    needed = {name: set(scalar_names(value)) & derived.keys() for name, value in derived.items()}
    for name in TopologicalSorter(needed).static_order():
        scalars[name] = translator.scalar(derived[name])


@dataclass(frozen=True)
class Translator:
    """Holds what the names of a spec stand for. `rates` maps the symbols of coordinates to those of their rates."""

    scalars: Mapping[str, Expr]
    rates: Mapping[Symbol, Symbol]
    frames: Mapping[str, str]  # of bodies that stand for their frame
    points: Mapping[str, str]  # of bodies that stand for their center
    bodies: Mapping[str, Body[Node]] = field(default_factory=dict)

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
            case "kinetic_energy":
                return momenta.kinetic_energy(self._bodies(node.arguments))
            case "reaction":
                return reaction_symbol(_row(node.arguments[0]))
        function = _OWN_NAMES.get(node.function) or getattr(sympy, node.function)
        return function(*(self.scalar(argument) for argument in node.arguments))

    def rate(self, expression: Expr) -> Expr:
        """The time derivative of a function of coordinates and time."""
        present = symbols(expression)
        terms = [expression.diff(symbol) * rate for symbol, rate in self.rates.items() if symbol in present]
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
            case Call(function=function) if function in BODY_FUNCTIONS:
                return self._of_bodies(node)
            case Binary():
                return self._combined(node)
        raise TypeError(f"not a vector: {node}")

    def _of_bodies(self, node: Call) -> Vector:
        if node.function == "angular_momentum":
            point = self.vector(Call("position", node.arguments[:1]))
            return momenta.angular_momentum(point.args[0].name, self._bodies(node.arguments[1:]))
        sums = {"momentum": momenta.momentum, "mass_center": momenta.mass_center}
        return sums[node.function](self._bodies(node.arguments))

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

    def _bodies(self, names: Sequence[Node]) -> list[Body[Expr]]:
        return [mapped(self.bodies[name.name], self.scalar) for name in names if isinstance(name, Name)]

    def _point(self, name: str) -> str:
        return self.points.get(name, name)


def _row(node: Node) -> str:
    """The row of a constraint that the argument of reaction() names."""
    match node:
        case AxisOf(frame=name, index=index):
            return f"{name}.{AXES[index]}"
        case Name(name=name):
            return name
    raise TypeError(f"not a constraint: {node}")


def _combine(sign: str, left: Expr, right: Expr) -> Expr:
    operations: dict[str, Callable[[Any, Any], Expr]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "**": _power,
    }
    return operations[sign](left, right)


def _power(base: Expr, exponent: Expr) -> Expr:
    """A power; where its number would be beyond all floating-point numbers, one that is, for `numbers` to refuse."""
    number, _ = base.as_independent(*base.free_symbols, as_Add=False)
    digits = abs(sympy.log(abs(number), 10).n() * exponent) if exponent.is_Rational and number not in (0, 1, -1) else 0
    return _BEYOND if digits > _DIGITS else base**exponent
