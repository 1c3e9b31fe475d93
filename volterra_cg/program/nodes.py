"""The nodes of a program: immutable, hash-consed by their graph, each with a fingerprint of its meaning.

| class   | arguments              | of its own                                 | value                              |
|---------|------------------------|--------------------------------------------|------------------------------------|
| Const   |                        | value, a Fraction                          | the number                         |
| Input   |                        | role, index, name                          | given at run time                  |
| Sum     | terms                  | coefficients and constant, Fractions       | constant + Σ coefficient * term    |
| Product | factors                | exponents, positive integers               | Π factor ** exponent               |
| Inverse | divisor                |                                            | 1 / divisor                        |
| Call    | arguments              | function, its name                         | function(arguments)                |
| LU      | entries, row by row    | size n                                     | a pivoted LU factorisation         |
| LDL     | entries, row by row    | size n                                     | an L D L^T of a definite matrix    |
| Solve   | LU or LDL, right side  | size n                                     | the vector matrix**-1 right        |
| Item    | solve                  | position                                   | one entry of a solve               |

`Node` is the union of these classes: a `match` on a node that ends in `assert_never` is an error of types if it forgets one.
LU and LDL are `Factored`, and with Solve they are `Array`: no numbers, and so known by identity alone.

Sums and products keep the nesting they were built with: what is written once is computed once.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, TypeAlias, final

if TYPE_CHECKING:
    from volterra_cg.program.graph import Graph

Fingerprint = tuple[int, int]


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


# The operators: functions of `Node` rather than methods of the base class, whose own type would be wider than that union.


def _add(node: Node, other: Scalar) -> Node:
    return node.graph.add(node, other)


def _negative(node: Node) -> Node:
    return node.graph.scale(Fraction(-1), node)


def _subtract(node: Node, other: Scalar) -> Node:
    return node.graph.add(node, -other)


def _subtract_from(node: Node, other: Scalar) -> Node:
    return node.graph.add(-node, other)


def _multiply(node: Node, other: Scalar) -> Node:
    return node.graph.multiply(node, other)


def _divide(node: Node, other: Scalar) -> Node:
    return node.graph.multiply(node, node.graph.inverse(other))


def _power(node: Node, exponent: int) -> Node:
    return node.graph.power(node, exponent)


class Value:
    """What all nodes share. Made only by a `Graph`, which gives number and fingerprint; equal nodes are the same object.

    `support` has a bit for every input that the node is made of, by form.
    """

    __slots__ = ("args", "fingerprint", "graph", "number", "support")

    graph: Graph
    number: int
    args: tuple[Node, ...]
    fingerprint: Fingerprint
    support: int

    @property
    def is_zero(self) -> bool:
        """Whether the value is zero by meaning; such nodes are always the constant 0."""
        return False

    @property
    def is_parameter_only(self) -> bool:
        """Whether the value depends on parameters alone."""
        return not self.support & self.graph.moving

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.number}>"

    __add__ = __radd__ = _add
    __neg__ = _negative
    __sub__ = _subtract
    __rsub__ = _subtract_from
    __mul__ = __rmul__ = _multiply
    __truediv__ = _divide
    __pow__ = _power


@final
class Const(Value):
    """An exact number."""

    __slots__ = ("value",)

    args: tuple[()]

    def __init__(self, graph: Graph, value: Fraction) -> None:
        self.graph = graph
        self.args = ()
        self.value = value

    @property
    def is_zero(self) -> bool:
        return not self.value.numerator


@final
class Input(Value):
    """An input: its role, its place among the inputs of that role, and the user's name for it."""

    __slots__ = ("index", "name", "role")

    args: tuple[()]

    def __init__(self, graph: Graph, role: Role, index: int, name: str) -> None:
        self.graph = graph
        self.args = ()
        self.role = role
        self.index = index
        self.name = name


@final
class Sum(Value):
    """constant + Σ coefficient * argument."""

    __slots__ = ("coefficients", "constant")

    def __init__(
        self, graph: Graph, args: tuple[Node, ...], coefficients: tuple[Fraction, ...], constant: Fraction
    ) -> None:
        self.graph = graph
        self.args = args
        self.coefficients = coefficients
        self.constant = constant


@final
class Product(Value):
    """Π argument ** exponent."""

    __slots__ = ("exponents",)

    def __init__(self, graph: Graph, args: tuple[Node, ...], exponents: tuple[int, ...]) -> None:
        self.graph = graph
        self.args = args
        self.exponents = exponents


@final
class Inverse(Value):
    """1 / argument."""

    __slots__ = ()

    args: tuple[Node]

    def __init__(self, graph: Graph, divisor: Node) -> None:
        self.graph = graph
        self.args = (divisor,)


@final
class Call(Value):
    """An elementary function, pi without arguments, or "hold", which keeps a node of parameters alone in one piece."""

    __slots__ = ("function",)

    def __init__(self, graph: Graph, args: tuple[Node, ...], function: str) -> None:
        self.graph = graph
        self.args = args
        self.function = function


class Array(Value):
    """What is no number: a factorisation or a solution of n rows. `word` stands for it in fingerprints and texts."""

    __slots__ = ("size",)

    word: ClassVar[str]
    size: int


class Factored(Array):
    """A square matrix that is factorised at run time."""

    __slots__ = ()

    def __init__(self, graph: Graph, args: tuple[Node, ...], size: int) -> None:
        self.graph = graph
        self.args = args
        self.size = size

    @property
    def rows(self) -> list[tuple[Node, ...]]:
        """The matrix."""
        return [self.args[self.size * k : self.size * (k + 1)] for k in range(self.size)]


@final
class LU(Factored):
    """An LU factorisation with row pivoting."""

    __slots__ = ()

    word = "factor"


@final
class LDL(Factored):
    """The L D L^T of a positive definite matrix."""

    __slots__ = ()

    word = "root"


@final
class Solve(Array):
    """The solution for a right side of a matrix that has been factorised."""

    __slots__ = ()

    word = "solve"
    args: tuple[LU | LDL, *tuple[Node, ...]]

    def __init__(self, graph: Graph, matrix: LU | LDL, right: tuple[Node, ...]) -> None:
        self.graph = graph
        self.args = (matrix, *right)
        self.size = len(right)


@final
class Item(Value):
    """One entry of a solution."""

    __slots__ = ("position",)

    args: tuple[Solve]

    def __init__(self, graph: Graph, solve: Solve, position: int) -> None:
        self.graph = graph
        self.args = (solve,)
        self.position = position


Node: TypeAlias = Const | Input | Sum | Product | Inverse | Call | LU | LDL | Solve | Item
Scalar: TypeAlias = Node | int | Fraction


class Parametric:
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
            own = top.is_parameter_only if isinstance(top, Input) else all(map(self._known.get, top.args))
            self._known[top] = own
        return self._known[node]


def topological(roots: Iterable[Node], support: int = -1) -> list[Node]:
    """All nodes that the roots need, arguments before users, in an order fixed by the roots.

    With a `support`, only those that are made of one of its inputs.
    """
    order: list[Node] = []
    seen: set[Node] = set()
    everything = support == -1
    waiting: list[Node] = []  # those whose arguments come first
    stack: list[Node | None] = [*reversed(list(roots))]  # None where the last that waits is ready
    while stack:
        node = stack.pop()
        if node is None:
            order.append(waiting.pop())
        elif node not in seen and (everything or node.support & support):
            seen.add(node)
            if not node.args:
                order.append(node)
                continue
            waiting.append(node)
            stack.append(None)
            stack += node.args[::-1]
    return order
