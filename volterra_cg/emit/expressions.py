"""Nodes as C expressions: which get a variable, what it is called, and how the rest is written inline.

Sums and products are computed from left to right and rounded after each step, so the order of their operands decides how
long the last one waits: those that are known early go first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from volterra_cg.emit.fusing import Fma, Term, chained
from volterra_cg.emit.printer import function
from volterra_cg.emit.statements import ATOM, PRODUCT, SUM, Code, code, joined, named
from volterra_cg.program.cost import divides, fusible
from volterra_cg.program.nodes import LDL, LU, Call, Const, Input, Inverse, Item, Node, Product, Solve, Sum

LONGEST = 96  # characters of an expression that may still be put into another
STEP, DIVISION, FUNCTION = 4, 14, 30  # cycles of an addition or multiplication, a division, a sine and cosine


def literal(value: Fraction) -> str:
    """A double that reads back as the nearest to the exact number."""
    return repr(float(value))


def identifier(prefix: str, name: str, number: int) -> str:
    """A C name from a user's name, or from its number where that cannot stand in C."""
    return f"{prefix}_{name}" if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", name) else f"{prefix}{number}"


class Expressions:
    """Writes nodes in terms of the variables declared so far.

    `fma`, for a function with fused arithmetic, gives what writes a fused operation of a sum.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        count: Counter[Node],
        own: set[Node],
        leaves: Mapping[Node, Code],
        results: Sequence[Node] = (),
        fma: Callable[[Node], Fma] | None = None,
    ) -> None:
        self._count = count
        self._fma = fma
        self._fusible = fusible(nodes, results, count, own) if fma else set()
        self._taken_in: set[tuple[Node, Node]] = set()  # terms that are products, and the sums that take them in
        self._ready = ready(nodes)  # operands that come late are written last
        # nodes that must have a variable, such as factors of a product that is written several times
        self._own = own | {arg for node in self._fusible if count[node] > 1 for arg in node.args}
        self._codes: dict[Node, Code] = dict(leaves)
        self._taken = {known.text for known in leaves.values()}
        self._inline: dict[Node, tuple[Code, int]] = {}
        self._fresh = 0

    def name(self, node: Node) -> str:
        """A new variable for a node."""
        name = self._suggested(node)
        if name is None or name in self._taken:
            name = self.fresh("x")
        self.set_code(node, named(name))
        return name

    def set_code(self, node: Node, known: Code) -> None:
        """Let a node be read from a place of its own."""
        self._codes[node] = known
        self._taken.add(known.text)

    def fresh(self, prefix: str) -> str:
        """A new name of our own."""
        self._fresh += 1
        return f"{prefix}{self._fresh - 1}"

    def _suggested(self, node: Node) -> str | None:
        if not isinstance(node, Call) or node.function not in ("sin", "cos"):
            return None
        inner = node.args[0]
        name = identifier(node.function, inner.name, inner.index) if isinstance(inner, Input) else ""
        return name if "_" in name else None

    def needs_variable(self, node: Node) -> bool:
        """Whether a node is to be declared; if not, its expression is kept for its only user."""
        if node in self._codes:
            return False
        if isinstance(node, Const) or node in self._fusible:
            return False
        made, level = self.written(node)
        if self._count[node] > 1 or node in self._own or isinstance(node, (Call, Inverse)) or len(made.text) > LONGEST:
            return True
        self._inline[node] = (made, level)
        return False

    def code(self, node: Node, level: int = SUM) -> Code:
        """A node as an operand that binds at least as tightly as `level`."""
        if node in self._codes:
            return self._codes[node]
        if isinstance(node, Const):
            value = literal(node.value)
            return Code(value if node.value >= 0 or level == SUM else f"({value})")
        made, own = self._inline[node] if node in self._inline else self.written(node)
        return made if own >= level else code("(", made, ")")

    def written(self, node: Node) -> tuple[Code, int]:
        """The right side of a node's declaration, and how tightly it binds."""
        match node:
            case Sum():
                return self._sum(node)
            case Product():
                return self._product(node), PRODUCT
            case Inverse():
                return code("1.0/", self.code(node.args[0], ATOM)), PRODUCT
            case Call():
                return self._call(node), ATOM
            case Const() | Input() | LU() | LDL() | Solve() | Item():
                raise AssertionError(f"{node} is no expression")
            case _:
                assert_never(node)

    def _call(self, node: Call) -> Code:
        if not node.args:
            return Code("3.141592653589793")
        if node.function == "hold":
            return self.code(node.args[0], ATOM)
        given = [self.code(arg) for arg in node.args]
        return Code(function(node.function, [each.text for each in given]), joined("", given).names)

    def _sum(self, node: Sum) -> tuple[Code, int]:
        constant = node.constant
        if self._fma is not None:
            return self._fused_sum(node, self._fma(node))
        pairs = sorted(zip(node.coefficients, node.args, strict=True), key=lambda pair: self._ready.get(pair[1], 0))
        terms = [(Code(literal(abs(constant))), constant < 0)] if constant else []
        terms += [(self._term(abs(c), arg), c < 0) for c, arg in pairs]
        first = next((k for k, (_, negative) in enumerate(terms) if not negative), 0)  # no sign change where it can be
        terms.insert(0, terms.pop(first))
        pieces = ["-" if terms[0][1] else "", terms[0][0]]
        for term, negative in terms[1:]:
            pieces += [" - " if negative else " + ", term]
        return code(*pieces), PRODUCT if len(terms) == 1 and not terms[0][1] else SUM

    def _fused_sum(self, node: Sum, fma: Fma) -> tuple[Code, int]:
        """A sum that takes its products into fused operations; how many these are is noted."""
        pairs = sorted(zip(node.coefficients, node.args, strict=True), key=lambda pair: self._ready.get(pair[1], 0))
        constant = node.constant
        terms = [Term((Code(literal(abs(constant))),), constant < 0)] if constant else []
        terms += [Term(self._factors(abs(c), arg), c < 0) for c, arg in pairs]
        made, level, first = chained(terms, fma)
        args = [*([node] if constant else []), *(arg for _, arg in pairs)]
        self._taken_in |= {(args[k], node) for k, term in enumerate(terms) if term.is_product and k != first}
        return made, level

    @property
    def fused(self) -> int:
        """How many products are no operations of their own, because every sum that uses them takes them in."""
        times = Counter(arg for arg, _ in self._taken_in)
        whole = (count == self._count[arg] if arg in self._fusible else count for arg, count in times.items())
        return sum(map(int, whole))

    def _factors(self, size: Fraction, node: Node) -> tuple[Code, ...]:
        """What is multiplied in a term of a sum, in order; what is computed elsewhere is one factor."""
        number = () if size == 1 else (Code(literal(size)),)
        if node in self._fusible and isinstance(node, Product):
            return (*number, *self._powers(node, None))
        return (*number, self.code(node, ATOM if number else PRODUCT))

    def _term(self, size: Fraction, node: Node) -> Code:
        own = self.code(node, PRODUCT)
        return own if size == 1 else code(literal(size), "*", own)

    def _product(self, node: Product) -> Code:
        divisor = divides(node, self._count)
        made = joined("*", self._powers(node, divisor))
        return made if divisor is None else code(made, "/", self.code(divisor.args[0], ATOM))

    def _powers(self, node: Product, divisor: Node | None) -> list[Code]:
        """The factors of a product but one, as often as they occur."""
        pairs = sorted(zip(node.args, node.exponents, strict=True), key=lambda pair: self._ready.get(pair[0], 0))
        return [self.code(arg, ATOM) for arg, exponent in pairs if arg is not divisor for _ in range(exponent)]


def ready(nodes: Sequence[Node]) -> dict[Node, int]:
    """The cycle, from the call on, at which each node is known if nothing but its operands holds it up.

    Nodes come after their arguments, and what is not listed is known at once.
    """
    known: dict[Node, int] = {}
    for node in nodes:
        known[node] = _ready(node, known)
    return known


def _ready(node: Node, known: dict[Node, int]) -> int:
    operands = [known.get(arg, 0) for arg in node.args]
    last = max(operands, default=0)
    match node:
        case Sum():
            operands = [t + STEP * (abs(c) != 1) for c, t in zip(node.coefficients, operands, strict=True)]
            return _chained([*operands, *([0] if node.constant else [])])
        case Product():
            return _chained([t for t, exponent in zip(operands, node.exponents, strict=True) for _ in range(exponent)])
        case Inverse():
            return last + DIVISION
        case LU() | LDL() | Solve():
            return last + DIVISION * node.size
        case Call():
            return last + (FUNCTION if node.function != "hold" else 0)
        case Const() | Input() | Item():
            return last
        case _:
            assert_never(node)


def _chained(operands: Sequence[int]) -> int:
    """When a sum or product is known whose operands are taken in the order in which they come."""
    first, *rest = sorted(operands)
    for operand in rest:
        first = max(first, operand) + STEP
    return first
