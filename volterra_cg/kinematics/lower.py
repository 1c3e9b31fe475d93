"""From sympy to the program: scalars become nodes, kinematic quantities get their meaning from the motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

import sympy

from volterra_cg.errors import ModelError
from volterra_cg.kinematics.axes import Axes, Parts
from volterra_cg.kinematics.motion import FrameMotion, PointMotion
from volterra_cg.kinematics.types import Inputs
from volterra_cg.program.field import IdenticallyZero, UndefinedAngle
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node, Role
from volterra_cg.system import vectors
from volterra_cg.system.released import internal_forces
from volterra_cg.system.types import TIME, System, rate_symbol, reaction_symbol, symbol

_FUNCTIONS = {
    name: name
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sign")
} | {"Abs": "abs"}


class Lowering:
    """Turns expressions of a system into nodes; `frames` and `points` are filled while the motion is being derived."""

    def __init__(self, graph: Graph, symbols: Mapping[sympy.Symbol, Node], axes: Axes) -> None:
        self.graph = graph
        self.axes = axes
        self.frames: dict[str, int] = {}
        self.frame_motions: dict[int, FrameMotion] = {}
        self.points: dict[str, PointMotion] = {}
        self._known: dict[sympy.Basic, Node] = dict(symbols)

    def scalar(self, expression: sympy.Expr) -> Node:
        """The node of a scalar expression."""
        if expression not in self._known:
            self._known[expression] = self._rule(expression)
        return self._known[expression]

    def _rule(self, e: sympy.Expr) -> Node:
        graph = self.graph
        if isinstance(e, vectors.Dot):
            return self.axes.dot(self.vector(e.args[0]), self.vector(e.args[1]))
        if e is sympy.pi:
            return graph.pi
        if e.is_Rational:
            return graph.const(Fraction(int(e.p), int(e.q)))
        if e.is_Float:
            return graph.const(Fraction(float(e)))
        if e is sympy.E:
            return graph.call("exp", 1)
        if e.is_Symbol:
            raise ModelError(f"the symbol {e} is neither a coordinate nor a parameter, signal or time")
        return self._operation(e, [self.scalar(arg) for arg in e.args])

    def _operation(self, e: sympy.Expr, args: list[Node]) -> Node:
        graph = self.graph
        if e.is_Add:
            return graph.add(*args)
        if e.is_Mul:
            return graph.multiply(*args)
        if e.is_Pow:
            return self._power(e.args[1], args[0], args[1])
        if isinstance(e, sympy.Min | sympy.Max):
            return self._extreme(args, isinstance(e, sympy.Max))
        name = _FUNCTIONS.get(type(e).__name__)
        if name is None:
            raise ModelError(f"the function {type(e).__name__} is not supported in a model")
        return graph.call(name, *args)

    def _power(self, exponent: sympy.Expr, base: Node, node: Node) -> Node:
        if exponent.is_Integer:
            return self.graph.power(base, int(exponent))
        if exponent.is_Rational and exponent.q == 2:
            return self.graph.power(self.graph.call("sqrt", base), int(exponent.p))
        return self.graph.call("pow", base, node)

    def _extreme(self, args: list[Node], largest: bool) -> Node:
        """max(a, b) = (a + b + |a - b|) / 2, so that derivatives need no special case."""
        result = args[0]
        for other in args[1:]:
            gap = self.graph.call("abs", result - other)
            result = (result + other + (gap if largest else -gap)) * Fraction(1, 2)
        return result

    def triple(self, expressions: tuple[sympy.Expr, sympy.Expr, sympy.Expr]) -> tuple[Node, Node, Node]:
        """The nodes of three components."""
        x, y, z = (self.scalar(expression) for expression in expressions)
        return (x, y, z)

    def hold(self, expression: sympy.Expr) -> Node:
        """The node of a scalar, in one piece if it is made of parameters alone."""
        node = self.scalar(expression)
        return self.graph.hold(node) if node.is_parameter_only else node

    def held(self, expressions: tuple[sympy.Expr, sympy.Expr, sympy.Expr]) -> tuple[Node, Node, Node]:
        """Three components, each in one piece if it is made of parameters alone."""
        x, y, z = (self.hold(expression) for expression in expressions)
        return (x, y, z)

    def vector(self, vector: sympy.Basic) -> Parts:
        """The parts of a vector expression."""
        rules: dict[type, Callable[..., Parts]] = {
            vectors.Axis: lambda frame, index: ((self.frames[frame.name], self._unit(int(index))),),
            vectors.Position: lambda p, o: self.axes.add(
                self.points[p.name].position, self._minus(self.points[o.name].position)
            ),
            vectors.Velocity: lambda point: self.points[point.name].velocity,
            vectors.AngularVelocity: self._spin,
            vectors.Scaled: lambda factor, inner: self.axes.scale(self.scalar(factor), self.vector(inner)),
            vectors.VectorSum: lambda *terms: self.axes.add(*(self.vector(term) for term in terms)),
            vectors.Cross: lambda a, b: self.axes.cross(self.vector(a), self.vector(b)),
        }
        return rules[type(vector)](*vector.args)

    def _unit(self, index: int) -> tuple[Node, Node, Node]:
        x, y, z = (self.graph.const(int(i == index)) for i in range(3))
        return (x, y, z)

    def _minus(self, parts: Parts) -> Parts:
        return self.axes.scale(self.graph.const(-1), parts)

    def _spin(self, frame: sympy.Symbol) -> Parts:
        number = self.frames[frame.name]
        return self.axes.vector([(number, self.frame_motions[number].spin)])


@contextmanager
def placed(table: str, name: str) -> Iterator[None]:
    """Blame an entry of the spec for a divisor that is zero by meaning."""
    try:
        yield
    except UndefinedAngle as error:
        message = f"{name} takes the angle of a direction that is zero everywhere"
        raise ModelError(
            message, (table, name), "atan2(0, 0) is no angle; a turn needs an axis that the frames turn about"
        ) from error
    except IdenticallyZero as error:
        message = f"{name} divides by something that is zero everywhere"
        raise ModelError(message, (table, name), "write it without that division") from error


def inputs_of(system: System, graph: Graph) -> Inputs:
    """The inputs of the program of a system."""
    names = [coordinate.name for coordinate in system.coordinates]
    free = [parameter.name for parameter in system.parameters if not parameter.fixed]
    return Inputs(
        time=graph.input(Role.TIME, 0, "t"),
        coordinates=tuple(graph.input(Role.COORDINATE, i, name) for i, name in enumerate(names)),
        rates=tuple(graph.input(Role.RATE, i, name) for i, name in enumerate(names)),
        parameters=tuple(graph.input(Role.PARAMETER, i, name) for i, name in enumerate(free)),
        signals=tuple(graph.input(Role.SIGNAL, i, signal.name) for i, signal in enumerate(system.signals)),
    )


def symbols_of(system: System, graph: Graph, inputs: Inputs) -> dict[sympy.Symbol, Node]:
    """The nodes that the symbols of a system stand for."""
    symbols: dict[sympy.Symbol, Node] = {TIME: inputs.time}
    for coordinate, value, rate in zip(system.coordinates, inputs.coordinates, inputs.rates, strict=True):
        symbols |= {symbol(coordinate.name): value, rate_symbol(coordinate.name): rate}
    free = iter(inputs.parameters)
    for parameter in system.parameters:
        if parameter.fixed:
            symbols[symbol(parameter.name)] = Lowering(graph, {}, Axes(graph)).scalar(parameter.value)
        else:
            symbols[symbol(parameter.name)] = next(free)
    for number, name in enumerate([*(row.name for row in system.constraints), *internal_forces(system)]):
        symbols[reaction_symbol(name)] = graph.input(Role.REACTION, number, name)
    return symbols | {symbol(signal.name): node for signal, node in zip(system.signals, inputs.signals, strict=True)}
