"""Expressions of a spec: an allow-list over Python's syntax tree, with exact numbers.

Nothing here evaluates text. A string becomes a tree of the few nodes below, or an `ExpressionError` that points at one
of its characters.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from volterra_cg.spec.bounds import bound, raised_by

LARGE, SMALL = "floating-point numbers end at 1.8e308", "floating-point numbers begin at 5e-324"
_FAR = 400  # powers of ten, beyond which no floating-point number lies

# Number of arguments, least and most; None is any number.
SCALAR_FUNCTIONS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), (1, 1)),
    **dict.fromkeys(("exp", "log", "sqrt", "abs", "sign"), (1, 1)),
    "atan2": (2, 2),
    "min": (1, None),
    "max": (1, None),
}
KINEMATIC_FUNCTIONS: dict[str, tuple[int, int | None]] = {
    "der": (1, 1),
    "velocity": (1, 1),
    "position": (1, 2),
    "omega": (1, 1),
    "dot": (2, 2),
    "cross": (2, 2),
    "norm": (1, 1),
    "reaction": (1, 1),
    "moment": (1, 1),
}
BODY_FUNCTIONS: dict[str, tuple[int, int | None]] = {  # of some bodies, or of all; a vector but the energy
    "momentum": (0, None),
    "angular_momentum": (1, None),
    "kinetic_energy": (0, None),
    "mass_center": (0, None),
}
FUNCTIONS = SCALAR_FUNCTIONS | KINEMATIC_FUNCTIONS | BODY_FUNCTIONS
LATER = frozenset({"moment", *BODY_FUNCTIONS})  # functions that came after names were given; they may be names as well
OF_NAMES = frozenset(
    {"velocity", "position", "omega", "reaction", "moment", *BODY_FUNCTIONS}
)  # whose arguments are no scalars
VELOCITIES = frozenset({"der", "velocity", "omega", "momentum", "angular_momentum", "kinetic_energy"})
VECTORS = frozenset({"velocity", "position", "omega", "cross", "momentum", "angular_momentum", "mass_center"})
AXES = ("x", "y", "z")


class ExpressionError(Exception):
    """A string is no expression; `at` counts its characters from 0."""

    def __init__(self, at: int, message: str, remedy: str = "") -> None:
        self.at, self.message, self.remedy = at, message, remedy
        super().__init__(message)


@dataclass(frozen=True)
class Number:
    """An exact number."""

    value: Fraction
    at: int = 0


@dataclass(frozen=True)
class Name:
    """A name: of a scalar, or of a frame or point as the argument of a kinematic function."""

    name: str
    at: int = 0


@dataclass(frozen=True)
class Negative:
    """The operand with its sign changed."""

    operand: Node
    at: int = 0


@dataclass(frozen=True)
class Binary:
    """`left operator right`, the operator one of + - * / **."""

    operator: str
    left: Node
    right: Node
    at: int = 0


@dataclass(frozen=True)
class Call:
    """A function of `FUNCTIONS` with its arguments."""

    function: str
    arguments: tuple[Node, ...]
    at: int = 0


@dataclass(frozen=True)
class AxisOf:
    """Unit vector number `index` of a frame."""

    frame: str
    index: int
    at: int = 0


Node = Number | Name | Negative | Binary | Call | AxisOf

_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": math.pow,
}
OWN: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "sign": lambda value: float((value > 0) - (value < 0)),
}
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def parse(text: str) -> Node:
    """The tree of an expression; raises ExpressionError."""
    if len(text) > bound("characters"):
        message = f"the expression is longer than {bound('characters')} characters"
        raise ExpressionError(0, message, f"name its parts; {raised_by('characters')}")
    if not text.strip():
        raise ExpressionError(0, "the expression is empty")
    if "#" in text:
        raise ExpressionError(text.index("#"), "'#' has no meaning in an expression", "put comments outside the quotes")
    start = len(text) - len(text.lstrip())
    flat = text[start:].replace("\n", " ").replace("\t", " ").rstrip()
    long = re.search(rf"\d{{{bound('digits') + 1},}}", flat)  # Python itself would refuse it in other words
    if long:
        message = f"this number has more than {bound('digits')} digits"
        raise ExpressionError(start + long.start(), message, f"round it; {raised_by('digits')}")
    try:
        return _Reader(flat, start).node(ast.parse(flat, mode="eval").body)
    except SyntaxError as error:
        at = min((error.offset or len(flat) + 1) - 1, len(flat))  # no offset: something is missing at the end
        raise ExpressionError(start + at, "this is not an expression", _syntax_remedy(flat)) from None
    except (ValueError, MemoryError, RecursionError):
        raise ExpressionError(0, "the expression cannot be read", "name its parts") from None


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in reading order."""
    yield node
    for child in children(node):
        yield from walk(child)


def children(node: Node) -> tuple[Node, ...]:
    """The operands or arguments of a node."""
    match node:
        case Negative(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments
        case _:
            return ()


def scalar_names(node: Node) -> Iterator[str]:
    """Names that stand for scalars, leaving out those of frames and points."""
    if isinstance(node, Name):
        yield node.name
    if isinstance(node, Call) and node.function in OF_NAMES:
        return
    for child in children(node):
        yield from scalar_names(child)


def is_derived(node: Node) -> bool:
    """Whether a parameter depends on others."""
    return any(name != "pi" for name in scalar_names(node))


def has_velocity(node: Node) -> bool:
    """Whether rates, velocities or angular velocities occur."""
    return any(isinstance(part, Call) and part.function in VELOCITIES for part in walk(node))


def exact(value: int | Decimal) -> Fraction:
    """A number of the file as it was written; raises ExpressionError if no floating-point number is near it."""
    if isinstance(value, Decimal) and not value.is_finite():
        raise ExpressionError(0, "a finite number is needed here")
    size = value.adjusted() if isinstance(value, Decimal) else 0
    try:
        double = math.inf if size > _FAR else 0.0 if size < -_FAR else float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double) or (double == 0 and value != 0):
        raise ExpressionError(0, "this number is out of range", SMALL if double == 0 else LARGE)
    return Fraction(value if double else 0)


def decimal(text: str) -> Decimal:
    """A number as it is written; infinite where not even decimals reach it."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("Infinity")


def evaluate(node: Node, values: Mapping[str, Node | float]) -> float:
    """The value of a constant, with parameters by name; raises ArithmeticError or ValueError where it has none."""
    match node:
        case Number(value=value):
            return float(value)
        case Name(name="pi"):
            return math.pi
        case Name(name=name):
            known = values[name]
            return known if isinstance(known, float) else evaluate(known, values)
        case Negative(operand=operand):
            return -evaluate(operand, values)
        case Binary(operator=sign, left=left, right=right):
            return float(OPERATIONS[sign](evaluate(left, values), evaluate(right, values)))
        case Call(function=function, arguments=arguments):
            apply = OWN.get(function) or getattr(math, function, None)
            if apply is None:
                raise ValueError(f"{function} has no value of its own")
            return float(apply(*(evaluate(argument, values) for argument in arguments)))
    raise ValueError("not a constant")


def _syntax_remedy(text: str) -> str:
    if text.count("(") != text.count(")"):
        return "count the parentheses"
    if "=" in text:
        return "an expression is what would stand on one side of an equation"
    if re.search(r"\d\s*(deg|degrees|°)(?![a-z])", text):
        return 'angles are in rad, e.g. "30*pi/180"'
    if re.search(r"[\w.)]\s+[\w.(]|\d[A-Za-z(]", text):
        return "is a * missing? A product is written with one, as 2*m"
    return 'e.g. "m*l**2/12"'


class _Reader:
    """Turns the syntax tree of one string into nodes."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.bytes = None if text.isascii() else text.encode()
        self.start = start
        self.depth = 0

    def node(self, tree: ast.expr) -> Node:
        self.depth += 1
        if self.depth > bound("operations"):
            message = f"the expression has more than {bound('operations')} operations in a row or inside one another"
            raise ExpressionError(self._at(tree), message, f"name its parts; {raised_by('operations')}")
        node = self._node(tree, self._at(tree))
        self.depth -= 1
        return node

    def _node(self, tree: ast.expr, at: int) -> Node:
        match tree:
            case ast.Constant():
                return self._number(tree, at)
            case ast.Name(id=name):
                return Name(name, at)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Negative(self.node(operand), at)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.node(operand)
            case ast.BinOp():
                return self._binary(tree, at)
            case ast.Call():
                return self._call(tree, at)
            case ast.Attribute():
                return self._axis(tree, at)
        raise ExpressionError(at, *_refusal(tree))

    def _number(self, tree: ast.Constant, at: int) -> Node:
        text = self.text[self._at(tree) - self.start : self._column(tree.end_col_offset or 0)]
        if not _NUMBER.fullmatch(text):
            raise ExpressionError(
                at, f"{text} is not a number of this language", "write it in decimals, as 12.5 or 1e-3"
            )
        try:
            return Number(exact(decimal(text)), at)
        except ExpressionError as error:
            raise ExpressionError(at, error.message, error.remedy) from None

    def _binary(self, tree: ast.BinOp, at: int) -> Node:
        operator = _OPERATORS.get(type(tree.op))
        left = self.node(tree.left)
        if operator is None:
            is_power = isinstance(tree.op, ast.BitXor)
            sign_at = self.start + self._column(tree.left.end_col_offset or 0)
            sign_at += len(self.text[sign_at - self.start :]) - len(self.text[sign_at - self.start :].lstrip(" )"))
            raise ExpressionError(sign_at, "this operator is not allowed", "powers are written **" if is_power else "")
        return Binary(operator, left, self.node(tree.right), at)

    def _call(self, tree: ast.Call, at: int) -> Node:
        if not isinstance(tree.func, ast.Name):
            raise ExpressionError(at, "only functions of the language can be called", "e.g. sin(theta)")
        if tree.keywords:
            raise ExpressionError(self._at(tree.keywords[0].value), "arguments have no names here")
        return Call(tree.func.id, tuple(self.node(argument) for argument in tree.args), at)

    def _axis(self, tree: ast.Attribute, at: int) -> Node:
        if not isinstance(tree.value, ast.Name):
            raise ExpressionError(at, "'.' follows the name of a frame only", "e.g. N.x")
        if tree.attr not in AXES:
            dot = at + len(tree.value.id) + 1
            raise ExpressionError(
                dot, f"'{tree.value.id}.{tree.attr}' is not an axis", "a frame has the axes .x, .y and .z"
            )
        return AxisOf(tree.value.id, AXES.index(tree.attr), at)

    def _at(self, tree: ast.expr) -> int:
        return self.start + self._column(tree.col_offset)

    def _column(self, offset: int) -> int:
        """The character at an offset in bytes."""
        return offset if self.bytes is None else len(self.bytes[:offset].decode())


def _refusal(tree: ast.expr) -> tuple[str, str]:
    match tree:
        case ast.Compare():
            return "comparisons are not allowed in an expression", "use min, max, sign or abs"
        case ast.List() | ast.Tuple():
            return "lists are not allowed inside an expression", "build vectors from axes, as 2*N.x + N.y"
        case ast.IfExp() | ast.BoolOp():
            return "conditions are not allowed in an expression", "use min, max, sign or abs"
    return "this is not allowed in an expression", "use numbers, names, + - * / ** and the functions of the language"
