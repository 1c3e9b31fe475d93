"""One function of a program as C statements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

import sympy

from volterra_cg.emit import latency
from volterra_cg.emit.expressions import Expressions, identifier, literal
from volterra_cg.emit.printer import Verbatim, block, comment, declaration, store
from volterra_cg.program.cost import Operations, divides, total
from volterra_cg.program.cost import uses as users
from volterra_cg.program.nodes import (
    LDL,
    LU,
    Call,
    Const,
    Factored,
    Input,
    Inverse,
    Item,
    Node,
    Product,
    Solve,
    Sum,
    topological,
)
from volterra_cg.program.types import Check, Entry, Section

TINY = "VCG_TINY"
# of each kind of factorisation: its functions in C, what its array is called, and the type of what it keeps besides
HELPERS: Mapping[type[LU] | type[LDL], tuple[str, str, str]] = {LU: ("lu", "lu", "int"), LDL: ("ldl", "ldl", "double")}


@dataclass(frozen=True)
class Listing:
    """The body of a function and what a call costs."""

    body: str
    cost: Operations


def uses(body: str, name: str) -> bool:
    """Whether a name occurs in a body."""
    return re.search(rf"\b{name}\b", body) is not None


@dataclass
class Lister:
    """Writes one function. `leaves` are the texts of its inputs, `targets` where its results go."""

    entry: Entry
    leaves: Mapping[Node, str]
    targets: Sequence[tuple[str, int]]
    checks: Sequence[Check]
    _statements: list[sympy.Basic] = field(default_factory=list)
    _cost: Operations = field(default_factory=Operations)

    def listing(self) -> Listing:
        """The function's body."""
        nodes = self._nodes = self._needed(self.entry.results)
        first = sorted(enumerate(self.checks), key=lambda item: (item[1].sign == 0, item[0]))
        self._watched = {check.divisor: number for number, check in reversed(first)}
        self._count = users(nodes, self.entry.results)
        self._merged = {divisor for node in nodes if (divisor := divides(node, self._count)) is not None}
        divided = {node.args[0] for node in nodes if isinstance(node, Inverse)}
        self._watched = {
            node: number for node, number in self._watched.items() if node in divided or isinstance(node, Factored)
        }
        own = {node for node in nodes if node in self._watched}
        unbounded = [node for node in own if self.checks[self._watched[node]].limit is None]
        own |= {arg for node in unbounded if isinstance(node, Sum) for arg in node.args}
        self._write = Expressions(self._count, own, self.leaves, latency.ready(nodes))
        self._cost = total(nodes, self.entry.results)
        self._declare_inputs(nodes)
        self._sections(nodes)
        return Listing(self._body(), self._cost)

    # What depends on the kind of number that the function works on.

    def _body(self) -> str:
        return block(self._statements)

    def _declare(self, name: str, text: str, node: Node) -> None:  # noqa: ARG002
        self._statements.append(declaration(name, text))

    def _store(self, array: str, index: int, node: Node) -> None:
        self._statements.append(store(array, index, self._write.text(node)))

    def _absolute(self, node: Node) -> str:
        return f"fabs({self._write.text(node)})"

    def _refuse(self, node: Node, bound: str, number: int) -> None:
        """Leave the function if a divisor is not above its bound."""
        condition = self._vanishes(node, self._write.text(node), bound, number)
        self._statements.append(Verbatim(f"if ({condition}) {{ *where = {number}; return 1; }}"))

    def _vanishes(self, node: Node, text: str, bound: str, number: int) -> str:
        """The condition under which a divisor is zero beside its bound, or of the sign that it cannot have."""
        sign = self.checks[number].sign
        if not sign:
            return f"{self._absolute(node)} <= {bound}"
        return f"{text} <= {bound}" if sign > 0 else f"{text} >= -{bound}"

    def _needed(self, roots: Sequence[Node]) -> list[Node]:
        """The nodes to be computed: those below the roots, stopping at what is given."""
        order = topological(roots)
        needed = set(roots)
        for node in reversed(order):
            if node in needed and node not in self.leaves:
                needed.update(node.args)
        return [node for node in order if node in needed and node not in self.leaves]

    def _declare_inputs(self, nodes: Sequence[Node]) -> None:
        """Inputs with a name of their own get it first."""
        used = dict.fromkeys([*(arg for node in nodes for arg in node.args), *self.entry.results])
        for node, text in self.leaves.items():
            if node in used and isinstance(node, Input) and "[" in text:
                prefix = node.role.value
                name = identifier(prefix, node.name, node.index)
                self._declare(name, text, node)
                self._write.set_name(node, name)
                if node in self._watched:
                    self._emit_check(node)

    def _sections(self, nodes: Sequence[Node]) -> None:
        """All nodes under the title of the section that first needs them, then the results."""
        wanted, done = set(nodes), set[Node]()
        for section in (*self.entry.sections, Section("", self.entry.results)):
            fresh = [n for n in topological(section.nodes) if n in wanted and n not in done]
            if fresh and section.title:
                self._statements.append(comment(section.title))
            for node in fresh:
                self._emit(node)
            done.update(fresh)
        if self.entry.sections:
            self._statements.append(comment("results"))
        for (array, index), node in zip(self.targets, self.entry.results, strict=True):
            self._store(array, index, node)

    def _emit(self, node: Node) -> None:
        if node in self._merged:
            return
        match node:
            case LU() | LDL():
                self._emit_factored(node)
            case Solve():
                self._emit_solve(node)
            case Item():
                self._write.set_name(node, f"{self._write.text(node.args[0])}[{node.position}]")
            case Const() | Input() | Sum() | Product() | Inverse() | Call():
                self._emit_value(node)
            case _:
                assert_never(node)

    def _emit_value(self, node: Node) -> None:
        if self._write.needs_variable(node):
            text, _ = self._write.written(node)
            self._declare(self._write.name(node), text, node)
            if node in self._watched:
                self._emit_check(node)

    def _emit_check(self, node: Node) -> None:
        number = self._watched[node]
        limit = self.checks[number].limit
        if limit is not None and limit in self.leaves:
            bound = self.leaves[limit]
        elif isinstance(limit, Const):
            bound = literal(limit.value)
        else:
            size, cost = self._size(node)
            self._cost += cost + Operations(mul=int(size != "1.0"))
            bound = TINY if size == "1.0" else f"{TINY}*({size})"
        self._refuse(node, bound, number)

    def _size(self, node: Node) -> tuple[str, Operations]:
        """The size that a divisor would have if nothing in it cancelled."""
        if node in self.leaves:
            return self._absolute(node), Operations()
        if isinstance(node, Sum):
            coefficients, constant = node.coefficients, node.constant
            parts = [
                self._absolute(arg) if abs(c) == 1 else f"{float(abs(c))!r}*{self._absolute(arg)}"
                for c, arg in zip(coefficients, node.args, strict=True)
            ]
            parts += [repr(float(abs(constant)))] if constant else []
            return " + ".join(parts), Operations(add=len(parts) - 1, mul=sum(abs(c) != 1 for c in coefficients))
        if _is_wave(node):
            return "1.0", Operations()
        if isinstance(node, Product):
            sizes = [self._size(arg) for arg in node.args if not _is_wave(arg)]
            texts = [f"({text})" if " + " in text else text for text, _ in sizes]
            return "*".join(texts) or "1.0", sum((c for _, c in sizes), Operations(mul=max(len(texts) - 1, 0)))
        return self._absolute(node), Operations()

    def _emit_factored(self, node: LU | LDL) -> None:
        helper, prefix, extra = HELPERS[type(node)]
        size, name = node.size, self._write.fresh(prefix)
        values = ", ".join(self._write.text(arg) for arg in node.args)
        number = self._watched.get(node, 0)
        self._statements += [
            Verbatim(f"double {name}[{size * size}] = {{{values}}};"),
            Verbatim(f"{extra} {name}_more[{size}];"),
            Verbatim(f"if ({helper}_factor({size}, {name}, {name}_more)) {{ *where = {number}; return 1; }}"),
        ]
        self._write.set_name(node, name)

    def _emit_solve(self, node: Solve) -> None:
        helper, *_ = HELPERS[type(node.args[0])]
        size, name, matrix = node.size, self._write.fresh("y"), self._write.text(node.args[0])
        values = ", ".join(self._write.text(arg) for arg in node.args[1:])
        self._statements += [
            Verbatim(f"double {name}[{size}] = {{{values}}};"),
            Verbatim(f"{helper}_back({size}, {matrix}, {matrix}_more, {name});"),
        ]
        self._write.set_name(node, name)


def _is_wave(node: Node) -> bool:
    """Whether a node is a sine or cosine, which no angle makes larger than 1."""
    return isinstance(node, Call) and node.function in ("sin", "cos")


@dataclass
class LimitLister(Lister):
    """Writes a function that only tests its results: `above` zero they must be, or not below it."""

    def _store(self, array: str, index: int, node: Node) -> None:
        sign = ">" if array == "above" else ">="
        self._statements.append(
            Verbatim(f"if (!({self._write.text(node)} {sign} 0.0)) {{ *where = {index}; return 2; }}")
        )
