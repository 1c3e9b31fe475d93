"""The nodes of a program: immutable, hash-consed by their graph, each with a fingerprint of its meaning.

| kind    | arguments              | data                                       | value                              |
|---------|------------------------|--------------------------------------------|------------------------------------|
| const   |                        | Fraction                                   | the number                         |
| input   |                        | Input                                      | given at run time                  |
| sum     | terms                  | (coefficients, constant), Fractions        | constant + Σ coefficient * term    |
| product | factors                | exponents, positive integers               | Π factor ** exponent               |
| inverse | divisor                |                                            | 1 / divisor                        |
| call    | arguments              | name of the function                       | function(arguments)                |
| factor  | entries, row by row    | size n                                     | a pivoted LU factorisation         |
| root    | entries, row by row    | size n                                     | an L D L^T of a definite matrix    |
| solve   | factor or root, right  | size n                                     | the vector matrix**-1 right        |
| item    | solve                  | position                                   | one entry of a solve               |

Sums and products keep the nesting they were built with: what is written once is computed once.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from volterra_cg.program.graph import Graph

Marks = tuple[int, int]
FACTORED = ("factor", "root")  # matrices that are factorised at run time


class Role(enum.Enum):
    """What an input is to the mechanism; its value is the argument's name in generated code."""

    TIME = "t"
    COORDINATE = "q"
    RATE = "qd"
    ACCELERATION = "qdd"
    SPEED = "u"
    MOMENTUM = "g"
    PARAMETER = "p"
    SIGNAL = "s"
    WORK = "work"
    REACTION = "reaction"


@dataclass(frozen=True)
class Input:
    """An input: its role, its place among the inputs of that role, and the user's name for it."""

    role: Role
    index: int
    name: str


class Node:
    """One value of a program. Made only by a `Graph`; equal nodes are the same object."""

    __slots__ = ("args", "data", "graph", "kind", "marks", "number")

    def __init__(self, graph: Graph, number: int, kind: str, args: tuple[Node, ...], data: Any, marks: Marks) -> None:
        self.graph = graph
        self.number = number
        self.kind = kind
        self.args = args
        self.data = data
        self.marks = marks

    @property
    def is_zero(self) -> bool:
        """Whether the value is zero by meaning; such nodes are always the constant 0."""
        return self.kind == "const" and self.data == 0

    @property
    def is_parameter_only(self) -> bool:
        """Whether the value depends on parameters alone."""
        return all(n.kind != "input" or n.data.role is Role.PARAMETER for n in topological([self]))

    def __repr__(self) -> str:
        from volterra_cg.program.text import text

        return text(self)

    def __add__(self, other: Node | int | Fraction) -> Node:
        return self.graph.add(self, other)

    __radd__ = __add__

    def __neg__(self) -> Node:
        return self.graph.scale(Fraction(-1), self)

    def __sub__(self, other: Node | int | Fraction) -> Node:
        return self.graph.add(self, -other)

    def __rsub__(self, other: Node | int | Fraction) -> Node:
        return self.graph.add(-self, other)

    def __mul__(self, other: Node | int | Fraction) -> Node:
        return self.graph.multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Node | int | Fraction) -> Node:
        return self.graph.multiply(self, self.graph.inverse(other))

    def __pow__(self, exponent: int) -> Node:
        return self.graph.power(self, exponent)


class Fixed:
    """Knows which nodes depend on parameters alone; remembers what it was asked."""

    def __init__(self) -> None:
        self._known: dict[Node, bool] = {}

    def __call__(self, node: Node) -> bool:
        waiting = [] if node in self._known else [node]
        while waiting:
            unknown = [arg for arg in waiting[-1].args if arg not in self._known]
            if unknown:
                waiting += unknown
                continue
            top = waiting.pop()
            is_input = top.kind == "input"
            self._known[top] = top.data.role is Role.PARAMETER if is_input else all(map(self._known.get, top.args))
        return self._known[node]


def topological(roots: Iterable[Node]) -> list[Node]:
    """All nodes that the roots need, arguments before users, in an order fixed by the roots."""
    order: list[Node] = []
    seen: set[Node] = set()
    stack: list[tuple[Node, bool]] = [(root, False) for root in reversed(list(roots))]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args) if arg not in seen)
    return order
