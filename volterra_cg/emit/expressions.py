"""Nodes as C expressions: which get a variable, what it is called, and how the rest is written inline."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from volterra_cg.emit.printer import function
from volterra_cg.program.cost import divides
from volterra_cg.program.nodes import LDL, LU, Call, Const, Input, Inverse, Item, Node, Product, Solve, Sum

LONGEST = 96  # characters of an expression that may still be put into another
SUM, PRODUCT, ATOM = range(3)  # how tightly a text binds


def literal(value: Fraction) -> str:
    """A double that reads back as the nearest to the exact number."""
    return repr(float(value))


def identifier(prefix: str, name: str, number: int) -> str:
    """A C name from a user's name, or from its number where that cannot stand in C."""
    return f"{prefix}_{name}" if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", name) else f"{prefix}{number}"


class Expressions:
    """Writes nodes in terms of the variables declared so far."""

    def __init__(
        self, count: Counter[Node], own: set[Node], leaves: Mapping[Node, str], ready: Mapping[Node, int]
    ) -> None:
        self._count = count
        self._ready = ready  # when each node is known: operands that come late are written last
        self._own = own  # nodes that must have a variable
        self._names: dict[Node, str] = dict(leaves)
        self._inline: dict[Node, tuple[str, int]] = {}
        self._fresh = 0

    def name(self, node: Node) -> str:
        """A new variable for a node."""
        text = self._suggested(node)
        if text is None or text in self._names.values():
            text = f"x{self._fresh}"
            self._fresh += 1
        self._names[node] = text
        return text

    def set_name(self, node: Node, text: str) -> None:
        """Let a node be read from a place of its own."""
        self._names[node] = text

    def fresh(self, prefix: str) -> str:
        """A new name for an array."""
        self._fresh += 1
        return f"{prefix}{self._fresh - 1}"

    def _suggested(self, node: Node) -> str | None:
        if not isinstance(node, Call) or node.function not in ("sin", "cos"):
            return None
        inner = node.args[0]
        name = identifier(node.function, inner.name, inner.index) if isinstance(inner, Input) else ""
        return name if "_" in name else None

    def needs_variable(self, node: Node) -> bool:
        """Whether a node is to be declared; if not, its text is kept for its only user."""
        if node in self._names:
            return False
        if isinstance(node, Const):
            return False
        text, level = self.written(node)
        if self._count[node] > 1 or node in self._own or isinstance(node, (Call, Inverse)) or len(text) > LONGEST:
            return True
        self._inline[node] = (text, level)
        return False

    def text(self, node: Node, level: int = SUM) -> str:
        """A node as an operand that binds at least as tightly as `level`."""
        if node in self._names:
            return self._names[node]
        if isinstance(node, Const):
            value = literal(node.value)
            return value if node.value >= 0 or level == SUM else f"({value})"
        text, own = self._inline[node] if node in self._inline else self.written(node)
        return text if own >= level else f"({text})"

    def written(self, node: Node) -> tuple[str, int]:
        """The right side of a node's declaration, and how tightly it binds."""
        match node:
            case Sum():
                return self._sum(node)
            case Product():
                return self._product(node), PRODUCT
            case Inverse():
                return f"1.0/{self.text(node.args[0], ATOM)}", PRODUCT
            case Call():
                return self._call(node), ATOM
            case Const() | Input() | LU() | LDL() | Solve() | Item():
                raise AssertionError(f"{node} is no expression")
            case _:
                assert_never(node)

    def _call(self, node: Call) -> str:
        if not node.args:
            return "3.141592653589793"
        if node.function == "hold":
            return self.text(node.args[0], ATOM)
        return function(node.function, [self.text(arg) for arg in node.args])

    def _sum(self, node: Sum) -> tuple[str, int]:
        constant = node.constant
        pairs = sorted(zip(node.coefficients, node.args, strict=True), key=lambda pair: self._ready.get(pair[1], 0))
        terms = [(literal(abs(constant)), constant < 0)] if constant else []
        terms += [(self._term(abs(c), arg), c < 0) for c, arg in pairs]
        first = next((k for k, (_, negative) in enumerate(terms) if not negative), 0)  # no sign change where it can be
        terms.insert(0, terms.pop(first))
        text = ("-" if terms[0][1] else "") + terms[0][0]
        for term, negative in terms[1:]:
            text += (" - " if negative else " + ") + term
        return text, PRODUCT if len(terms) == 1 and not terms[0][1] else SUM

    def _term(self, size: Fraction, node: Node) -> str:
        return self.text(node, PRODUCT) if size == 1 else f"{literal(size)}*{self.text(node, PRODUCT)}"

    def _product(self, node: Product) -> str:
        divisor = divides(node, self._count)
        factors = []
        pairs = sorted(zip(node.args, node.exponents, strict=True), key=lambda pair: self._ready.get(pair[0], 0))
        for arg, exponent in pairs:
            if arg is not divisor:
                factors.extend([self.text(arg, ATOM)] * exponent)
        text = "*".join(factors)
        return text if divisor is None else f"{text}/{self.text(divisor.args[0], ATOM)}"
