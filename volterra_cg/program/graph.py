"""The graph that makes nodes: one object per value, simplified as far as neighbours or a constant fingerprint tell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from volterra_cg.program.field import Field, constant_value
from volterra_cg.program.nodes import Input, Node, Role

ONE = Fraction(1)
MINUS = Fraction(-1)
NONE = Fraction(0)
Scalar = Node | int | Fraction


class Graph:
    """Makes and remembers nodes; `seed` chooses the random points of their fingerprints."""

    def __init__(self, seed: int = 0) -> None:
        self.field = Field(seed)
        self._known: dict[tuple[str, tuple[int, ...], Any], Node] = {}
        self.zero = self.const(0)
        self.one = self.const(1)
        self.pi = self.make("call", (), "pi")

    def make(self, kind: str, args: tuple[Node, ...], data: Any) -> Node:
        """The one node of this kind, arguments and data, or the constant that it is by meaning."""
        key = (kind, tuple([arg.number for arg in args]), _key(data) if kind == "sum" else data)
        node = self._known.get(key)
        if node is None:
            marks = self.field.marks(kind, args, data, _marks, None)
            value = None if kind == "const" else constant_value(marks)
            node = Node(self, len(self._known), kind, args, data, marks) if value is None else self.const(value)
            self._known[key] = node
        return node

    def const(self, value: int | Fraction) -> Node:
        """An exact number."""
        return self.make("const", (), Fraction(value))

    def input(self, role: Role, index: int, name: str) -> Node:
        """A value given at run time."""
        return self.make("input", (), Input(role, index, name))

    def _wrap(self, value: Scalar) -> Node:
        return value if isinstance(value, Node) else self.const(value)

    # --- sums -----------------------------------------------------------------------------------------------------

    def add(self, *values: Scalar) -> Node:
        """The sum of the values."""
        return self.combine((ONE, self._wrap(value)) for value in values)

    def scale(self, coefficient: Fraction, node: Node) -> Node:
        """An exact number times a node."""
        if coefficient is ONE:
            return node
        return self.combine([(coefficient, node)])

    def combine(self, terms: Iterable[tuple[Fraction, Node]], constant: Fraction = NONE) -> Node:
        """The sum constant + Σ coefficient * node, with like terms collected and a common sign or number drawn out."""
        collected: dict[Node, Fraction] = {}
        for coefficient, node in terms:
            if node.kind == "const":
                constant += coefficient * node.data
                continue
            if node.kind == "sum" and len(node.args) == 1 and not node.data[1]:
                coefficient, node = times(coefficient, node.data[0][0]), node.args[0]
            known = collected.get(node)
            collected[node] = coefficient if known is None else known + coefficient
        pairs = sorted([(n, c) for n, c in collected.items() if c.numerator], key=_pair_number)
        if not pairs:
            return self.const(constant)
        if len(pairs) == 1 and not constant:
            return self._scaled(pairs[0][1], pairs[0][0])
        common = self._common([c for _, c in pairs] + ([constant] if constant else []))
        nodes = tuple(node for node, _ in pairs)
        if common is ONE:
            return self.make("sum", nodes, (tuple([c for _, c in pairs]), constant))
        if common is MINUS:
            inner = self.make("sum", nodes, (tuple([-c for _, c in pairs]), -constant))
        else:
            inner = self.make("sum", nodes, (tuple([c / common for _, c in pairs]), constant / common))
        return self._scaled(common, inner)

    @staticmethod
    def _common(coefficients: Sequence[Fraction]) -> Fraction:
        """The sign, and the size if shared by all, to be drawn out of a sum."""
        first = coefficients[0]
        above, below = abs(first.numerator), first.denominator
        if any(abs(c.numerator) != above or c.denominator != below for c in coefficients):
            return ONE if first.numerator > 0 else MINUS
        return first if above != 1 or below != 1 else (ONE if first.numerator > 0 else MINUS)

    def _scaled(self, coefficient: Fraction, node: Node) -> Node:
        if coefficient is ONE or coefficient == 1 or node.is_zero:
            return node
        if node.kind == "const":
            return self.const(coefficient * node.data)
        return self.make("sum", (node,), ((coefficient,), NONE))

    # --- products -------------------------------------------------------------------------------------------------

    def multiply(self, *values: Scalar) -> Node:
        """The product of the values."""
        if len(values) == 2 and _is_plain(values[0]) and _is_plain(values[1]) and values[0] is not values[1]:
            return self.make("product", tuple(sorted(values, key=_number)), (1, 1))  # type: ignore[arg-type]
        coefficient, powers = ONE, dict[Node, int]()
        for value in values:
            number, node = split(self._wrap(value))
            if number is not ONE:
                coefficient = times(coefficient, number)
            if node is None:
                continue
            base, exponent = (node.args[0], node.data[0]) if _is_power(node) else (node, 1)
            powers[base] = powers.get(base, 0) + exponent
        if not coefficient:
            return self.zero
        return self._scaled(coefficient, self._product(powers))

    def _product(self, powers: dict[Node, int]) -> Node:
        for node in [n for n in powers if n.kind == "inverse" and n.args[0] in powers]:
            base = node.args[0]
            common = min(powers[node], powers[base])
            powers[node] -= common
            powers[base] -= common
        extra: list[Node] = []
        for node in [n for n in powers if n.kind == "call" and n.data == "sqrt" and powers[n] > 1]:
            extra.append(self.power(node.args[0], powers[node] // 2))
            powers[node] %= 2
        pairs = sorted([(n, e) for n, e in powers.items() if e], key=_pair_number)
        if extra:
            return self.multiply(*extra, *(self.power(n, e) for n, e in pairs))
        if not pairs:
            return self.one
        if len(pairs) == 1 and pairs[0][1] == 1:
            return pairs[0][0]
        return self.make("product", tuple(n for n, _ in pairs), tuple(e for _, e in pairs))

    def power(self, node: Node, exponent: int) -> Node:
        """An integer power."""
        if exponent == 1:
            return node
        if exponent < 0:
            return self.inverse(self.power(node, -exponent))
        return self.multiply(*[node] * exponent) if exponent else self.one

    def inverse(self, value: Scalar) -> Node:
        """The reciprocal; raises `IdenticallyZero` for what is zero by meaning."""
        number, node = split(self._wrap(value))
        if node is None and number:
            return self.const(1 / number)
        if node is None:
            return self.make("inverse", (self.zero,), None)
        inner = node.args[0] if node.kind == "inverse" else self.make("inverse", (node,), None)
        return self._scaled(1 / number, inner)

    def dot(self, left: Sequence[Node], right: Sequence[Node]) -> Node:
        """The sum of products."""
        return self.add(*(self.multiply(a, b) for a, b in zip(left, right, strict=True)))

    # --- functions and solves ---------------------------------------------------------------------------------------

    def call(self, name: str, *args: Scalar) -> Node:
        """An elementary function of its arguments."""
        nodes = tuple(self._wrap(arg) for arg in args)
        known = self._known_value(name, nodes)
        if known is not None:
            return known
        if name in ("sin", "cos", "tan", "abs"):
            number, node = split(nodes[0])
            if number < 0 and node is not None:
                positive = self.call(name, self._scaled(-number, node))
                return positive if name in ("cos", "abs") else -positive
        return self.make("call", nodes, name)

    def hold(self, node: Node) -> Node:
        """A node of parameters alone, kept in one piece: its number is not drawn out of products that it enters."""
        number, inner = split(node)
        if inner is None or abs(number) == 1:
            return node
        held = self.make("call", (self._scaled(abs(number), inner),), "hold")
        return held if number > 0 else -held

    def _known_value(self, name: str, args: tuple[Node, ...]) -> Node | None:
        """Exact values: at zero, of rationals, and of sin and cos at multiples of pi/2."""
        number, node = split(args[0])
        if name in ("sin", "cos") and node is self.pi and (2 * number).denominator == 1:
            quarter = int(2 * number) + (1 if name == "cos" else 0)
            return self.const((0, 1, 0, -1)[quarter % 4])
        if node is not None or len(args) > 1 or name == "hold":
            return None
        if number == 0 and name in ("sin", "tan", "asin", "atan", "sinh", "tanh", "sqrt", "abs", "sign"):
            return self.zero
        if number == 0 and name in ("cos", "cosh", "exp"):
            return self.one
        if name == "abs":
            return self.const(abs(number))
        if name == "sign":
            return self.const(1 if number > 0 else -1)
        if name == "sqrt" and number > 0:
            root = Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator))
            return self.const(root) if root * root == number else None
        return None

    def solve(self, matrix: Sequence[Sequence[Node]], right: Sequence[Node], kind: str = "factor") -> tuple[Node, ...]:
        """The solution of a square system, factorised at run time; equal matrices share one factorisation."""
        vector = self.make("solve", (self.factorised(matrix, kind), *right), len(right))
        return tuple(self.make("item", (vector,), position) for position in range(len(right)))

    def factorised(self, matrix: Sequence[Sequence[Node]], kind: str = "factor") -> Node:
        """The factorisation of a matrix at run time: LU with row pivoting, or as "root" the L D L^T of a definite one."""
        return self.make(kind, tuple(entry for row in matrix for entry in row), len(matrix))


def split(node: Node) -> tuple[Fraction, Node | None]:
    """A node as an exact number times a node; None stands for 1."""
    if node.kind == "const":
        return node.data, None
    if node.kind == "sum" and len(node.args) == 1 and not node.data[1]:
        return node.data[0][0], node.args[0]
    return ONE, node


def _key(data: tuple[tuple[Fraction, ...], Fraction]) -> tuple[int, ...]:
    """The numbers of a sum as integers, which hash faster than fractions."""
    return tuple([part for c in (*data[0], data[1]) for part in (c.numerator, c.denominator)])


def _number(node: Node) -> int:
    return node.number


def _pair_number(pair: tuple[Node, Any]) -> int:
    return pair[0].number


def times(left: Fraction, right: Fraction) -> Fraction:
    """The product of two numbers, of which one is mostly 1 or -1."""
    if left is ONE:
        return right
    if right is ONE:
        return left
    if left is MINUS:
        return -right
    return -left if right is MINUS else left * right


def _is_plain(value: Scalar) -> bool:
    """Whether a node enters a product as it is: no number to draw out, no power to gather, nothing to cancel."""
    if not isinstance(value, Node) or value.kind in ("const", "inverse"):
        return False
    if value.kind in ("sum", "product"):
        return len(value.args) > 1 or (value.kind == "sum" and bool(value.data[1]))
    return value.kind != "call" or value.data != "sqrt"


def _is_power(node: Node) -> bool:
    return node.kind == "product" and len(node.args) == 1


def _marks(node: Node) -> tuple[int, int]:
    return node.marks
