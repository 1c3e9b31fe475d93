"""The graph that makes nodes: one object per value, simplified as far as neighbours or a constant fingerprint tell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeGuard, TypeVar

from volterra_cg.program.field import Field, UndefinedAngle, constant_value
from volterra_cg.program.nodes import (
    LDL,
    LU,
    Call,
    Const,
    Input,
    Inverse,
    Item,
    Node,
    Product,
    Role,
    Scalar,
    Solve,
    Sum,
    Value,
)

ONE = Fraction(1)
MINUS = Fraction(-1)
NONE = Fraction(0)
CHAIN = 1_000  # the largest power that is written as products; others are left to pow
Made = TypeVar("Made", bound=Node)
Matrix = TypeVar("Matrix", bound=LU | LDL)


class Graph:
    """Makes and remembers nodes; `seed` chooses the random points of their fingerprints."""

    def __init__(self, seed: int = 0) -> None:
        self.field = Field(seed)
        self.moving = 0  # the support of all inputs but parameters
        self._inputs = 0
        self._known: dict[tuple[Any, ...], Node] = {}  # by class, numbers of the arguments and what is the node's own
        self.zero: Node = self.const(0)
        self.one: Node = self.const(1)
        self.pi = self._call("pi", ())

    # --- nodes as they are given: the one that is known, or else a new one ------------------------------------------

    def const(self, value: int | Fraction) -> Const:
        """An exact number."""
        number = Fraction(value)
        key = (Const, number.numerator, number.denominator)  # integers hash faster than fractions
        known = self._known.get(key)
        return known if isinstance(known, Const) else self._kept(key, Const(self, number))

    def input(self, role: Role, index: int, name: str) -> Input:
        """A value given at run time."""
        key = (Input, role, index, name)
        known = self._known.get(key)
        if isinstance(known, Input):
            return known
        node = self._kept(key, Input(self, role, index, name))
        node.support = 1 << self._inputs
        self._inputs += 1
        if role is not Role.PARAMETER:
            self.moving |= node.support
        return node

    def sum(self, args: tuple[Node, ...], coefficients: tuple[Fraction, ...], constant: Fraction) -> Node:
        """The sum of arguments in the order of their numbers, nothing collected or drawn out."""
        numbers = [part for c in (*coefficients, constant) for part in (c.numerator, c.denominator)]
        key = (Sum, tuple([arg.number for arg in args]), tuple(numbers))
        return self._known.get(key) or self._meant(key, Sum(self, args, coefficients, constant))

    def product(self, args: tuple[Node, ...], exponents: tuple[int, ...]) -> Node:
        """The product of arguments in the order of their numbers, nothing cancelled or drawn out."""
        key = (Product, tuple([arg.number for arg in args]), exponents)
        return self._known.get(key) or self._meant(key, Product(self, args, exponents))

    def _inverse(self, divisor: Node) -> Node:
        key = (Inverse, divisor.number)
        return self._known.get(key) or self._meant(key, Inverse(self, divisor))

    def _call(self, function: str, args: tuple[Node, ...]) -> Node:
        key = (Call, tuple([arg.number for arg in args]), function)
        return self._known.get(key) or self._meant(key, Call(self, args, function))

    def factored(self, by: type[Matrix], entries: tuple[Node, ...]) -> Matrix:
        """The factorisation of a square matrix, given row by row, at run time."""
        key = (by, tuple([entry.number for entry in entries]))
        known = self._known.get(key)
        return known if isinstance(known, by) else self._kept(key, by(self, entries, math.isqrt(len(entries))))

    def solution(self, matrix: LU | LDL, right: tuple[Node, ...]) -> Solve:
        """The solution, in one piece, for a matrix that has been factorised."""
        key = (Solve, matrix.number, tuple([entry.number for entry in right]))
        known = self._known.get(key)
        return known if isinstance(known, Solve) else self._kept(key, Solve(self, matrix, right))

    def item(self, solve: Solve, position: int) -> Node:
        """One entry of a solution."""
        key = (Item, solve.number, position)
        return self._known.get(key) or self._meant(key, Item(self, solve, position))

    def _kept(self, key: tuple[Any, ...], node: Made) -> Made:
        """A new node, with its fingerprint and number."""
        node.fingerprint = self.field.fingerprint(node, _fingerprint)
        node.number = len(self._known)
        node.support = _support(node)
        self._known[key] = node
        return node

    def _meant(self, key: tuple[Any, ...], node: Node) -> Node:
        """A new node, or the constant that it is by meaning."""
        fingerprint = node.fingerprint = self.field.fingerprint(node, _fingerprint)
        value = constant_value(fingerprint)
        if value is not None:
            node = self.const(value)
        else:
            node.number = len(self._known)
            node.support = _support(node)
        self._known[key] = node
        return node

    def _wrap(self, value: Scalar) -> Node:
        return value if isinstance(value, Value) else self.const(value)

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
            if isinstance(node, Const):
                if node is not self.zero:
                    constant += times(coefficient, node.value)
                continue
            if isinstance(node, Sum) and len(node.args) == 1 and not node.constant:
                coefficient, node = times(coefficient, node.coefficients[0]), node.args[0]
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
            return self.sum(nodes, tuple([c for _, c in pairs]), constant)
        if common is MINUS:
            inner = self.sum(nodes, tuple([-c for _, c in pairs]), -constant)
        else:
            inner = self.sum(nodes, tuple([c / common for _, c in pairs]), constant / common)
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
        if coefficient is ONE or (coefficient.numerator == 1 == coefficient.denominator) or node.is_zero:
            return node
        if isinstance(node, Const):
            return self.const(coefficient * node.value)
        return self.sum((node,), (coefficient,), NONE)

    # --- products -------------------------------------------------------------------------------------------------

    def multiply(self, *values: Scalar) -> Node:
        """The product of the values."""
        if len(values) == 2:
            left, right = values
            if left is self.zero or right is self.zero:
                return self.zero
            if left is self.one or right is self.one:
                return self._wrap(right if left is self.one else left)
            if _is_plain(left) and _is_plain(right) and left is not right:
                return self.product((left, right) if left.number < right.number else (right, left), (1, 1))
        coefficient, powers = ONE, dict[Node, int]()
        for value in values:
            number, node = split(self._wrap(value))
            if number is not ONE:
                coefficient = times(coefficient, number)
            if node is None:
                continue
            if isinstance(node, Product) and len(node.args) == 1:
                base, exponent = node.args[0], node.exponents[0]
                powers[base] = powers.get(base, 0) + exponent
            else:
                powers[node] = powers.get(node, 0) + 1
        if not coefficient:
            return self.zero
        return self._scaled(coefficient, self._product(powers))

    def _product(self, powers: dict[Node, int]) -> Node:
        for node in [n for n in powers if isinstance(n, Inverse) and n.args[0] in powers]:
            base = node.args[0]
            common = min(powers[node], powers[base])
            powers[node] -= common
            powers[base] -= common
        extra: list[Node] = []
        for root in [n for n in powers if isinstance(n, Call) and n.function == "sqrt" and powers[n] > 1]:
            extra.append(self.power(root.args[0], powers[root] // 2))
            powers[root] %= 2
        pairs = sorted([(n, e) for n, e in powers.items() if e], key=_pair_number)
        if extra:
            return self.multiply(*extra, *(self.power(n, e) for n, e in pairs))
        if not pairs:
            return self.one
        if len(pairs) == 1 and pairs[0][1] == 1:
            return pairs[0][0]
        return self.product(tuple([n for n, _ in pairs]), tuple([e for _, e in pairs]))

    def power(self, node: Node, exponent: int) -> Node:
        """An integer power."""
        if exponent == 1:
            return node
        if exponent < 0:
            return self.inverse(self.power(node, -exponent))
        if exponent > CHAIN:
            return self.call("pow", node, exponent)
        return self.multiply(*[node] * exponent) if exponent else self.one

    def inverse(self, value: Scalar) -> Node:
        """The reciprocal; raises `IdenticallyZero` for what is zero by meaning."""
        number, node = split(self._wrap(value))
        if node is None and number:
            return self.const(1 / number)
        if node is None:
            return self._inverse(self.zero)
        inner = node.args[0] if isinstance(node, Inverse) else self._inverse(node)
        return self._scaled(1 / number, inner)

    def dot(self, left: Sequence[Node], right: Sequence[Node]) -> Node:
        """The sum of products."""
        return self.add(*(self.multiply(a, b) for a, b in zip(left, right, strict=True)))

    # --- functions and solves ---------------------------------------------------------------------------------------

    def call(self, name: str, *args: Scalar) -> Node:
        """An elementary function of its arguments."""
        nodes = tuple(self._wrap(arg) for arg in args)
        if name == "atan2" and all(node.is_zero for node in nodes):
            raise UndefinedAngle
        known = self._known_value(name, nodes)
        if known is not None:
            return known
        if name in ("sin", "cos", "tan", "abs"):
            number, node = split(nodes[0])
            if number < 0 and node is not None:
                positive = self.call(name, self._scaled(-number, node))
                return positive if name in ("cos", "abs") else -positive
        return self._call(name, nodes)

    def hold(self, node: Node) -> Node:
        """A node of parameters alone, kept in one piece: its number is not drawn out of products that it enters."""
        number, inner = split(node)
        if inner is None or abs(number) == 1:
            return node
        held = self._call("hold", (self._scaled(abs(number), inner),))
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

    def solve(
        self, matrix: Sequence[Sequence[Node]], right: Sequence[Node], by: type[LU] | type[LDL] = LU
    ) -> tuple[Node, ...]:
        """The solution of a square system, factorised at run time; equal matrices share one factorisation."""
        return self.solve_for(self.factorised(matrix, by), right)

    def solve_for(self, matrix: LU | LDL, right: Sequence[Node]) -> tuple[Node, ...]:
        """The solution for a matrix that has been factorised."""
        vector = self.solution(matrix, tuple(right))
        return tuple(self.item(vector, position) for position in range(len(right)))

    def factorised(self, matrix: Sequence[Sequence[Node]], by: type[LU] | type[LDL] = LU) -> LU | LDL:
        """The factorisation of a matrix at run time: with row pivoting, or as LDL that of a definite one."""
        return self.factored(by, tuple(entry for row in matrix for entry in row))


def split(node: Node) -> tuple[Fraction, Node | None]:
    """A node as an exact number times a node; None stands for 1."""
    if isinstance(node, Const):
        return node.value, None
    if isinstance(node, Sum) and len(node.args) == 1 and not node.constant:
        return node.coefficients[0], node.args[0]
    return ONE, node


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


def _is_plain(value: Scalar) -> TypeGuard[Node]:
    """Whether a node enters a product as it is: no number to draw out, no power to gather, nothing to cancel."""
    if isinstance(value, Product):
        return len(value.args) > 1
    if isinstance(value, Sum):
        return len(value.args) > 1 or bool(value.constant)
    if isinstance(value, Call):
        return value.function != "sqrt"
    return isinstance(value, Value) and not isinstance(value, (Const, Inverse))


def _support(node: Node) -> int:
    """The inputs that the arguments are made of."""
    support = 0
    for arg in node.args:
        support |= arg.support
    return support


def _fingerprint(node: Node) -> tuple[int, int]:
    return node.fingerprint
