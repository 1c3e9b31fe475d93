"""One function of a program as statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, assert_never

from volterra_cg.emit.expressions import Expressions, identifier, literal
from volterra_cg.emit.fusing import Fma
from volterra_cg.emit.statements import (
    Clear,
    Code,
    Comment,
    Declare,
    Invoke,
    Leave,
    Place,
    Reserve,
    Return,
    Statement,
    Store,
    code,
    joined,
    named,
)
from volterra_cg.program.cost import Operations, divides, total, uses
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
ONE = Code("1.0")
MANY = 32  # zeros one after another that a loop stores


class Solver(NamedTuple):
    """A factorisation at run time: what its functions and arrays are called, and the type of what it keeps besides."""

    name: str
    extra: str


SOLVERS: Mapping[type[LU] | type[LDL], Solver] = {LU: Solver("lu", "int"), LDL: Solver("ldl", "double")}


@dataclass(frozen=True)
class Listing:
    """The statements of a function, what a call costs, and the numbers of the checks whose divisors it guards.

    `fused` are the products that sums take in. `angles` are inputs whose sines and cosines are arguments.
    """

    statements: tuple[Statement, ...]
    cost: Operations
    guarded: tuple[int, ...] = ()
    fused: int = 0
    angles: tuple[Place, ...] = ()

    @property
    def instructions(self) -> int:
        """The operations of which a product and the sum that takes it in are one."""
        return self.cost.total - self.fused


@dataclass
class Lister:
    """Writes one function. `leaves` are the places of its inputs, `targets` those of its results.

    `guards`, for a function whose divisors are watched along a motion, has the places of the bounds between which each of
    them counts as zero. With `fused`, sums take products in.
    """

    entry: Entry
    leaves: Mapping[Node, Place]
    targets: Sequence[Place]
    checks: Sequence[Check]
    guards: Callable[[int], tuple[Place, Place]] | None = None
    fused: bool = False
    _statements: list[Statement] = field(default_factory=list)
    _cost: Operations = field(default_factory=Operations)

    def listing(self) -> Listing:
        """All statements."""
        nodes = self._nodes = self._needed(self.entry.results)
        first = sorted(enumerate(self.checks), key=lambda item: (item[1].sign == 0, item[0]))
        self._watched = {check.divisor: number for number, check in reversed(first)}
        self._count = uses(nodes, self.entry.results)
        self._merged = {divisor for node in nodes if (divisor := divides(node, self._count)) is not None}
        divided = {node.args[0] for node in nodes if isinstance(node, Inverse)}
        self._watched = {
            node: number for node, number in self._watched.items() if node in divided or isinstance(node, Factored)
        }
        own = {node for node in nodes if node in self._watched}
        self._slots = {node: slot for slot, node in enumerate(self._guarded([*self.leaves, *nodes]))}
        unbounded = [node for node in own if self.checks[self._watched[node]].limit is None]
        own |= {arg for node in unbounded if isinstance(node, Sum) for arg in node.args}
        given = {node: place.code for node, place in self.leaves.items()}
        fma = self._fma if self.fused else None
        self._write = Expressions(nodes, self._count, own, given, self.entry.results, fma)
        self._cost = total(nodes, self.entry.results)
        self._declare_inputs(nodes)
        self._sections(nodes)
        self._store_results()
        guarded, fused = tuple(self._watched[node] for node in self._slots), self._write.fused
        return Listing(tuple(self._statements), self._cost, guarded, fused, self._angles())

    def _guarded(self, nodes: Sequence[Node]) -> list[Node]:
        """The divisors whose sign must not change along a motion; they are left in scratch for those who step."""
        if self.guards is None:
            return []
        watched = [node for node in nodes if node in self._watched and not node.is_parameter_only]
        return [node for node in watched if isinstance(node, LU) or not self._has_sign(node)]

    def _has_sign(self, node: Node) -> bool:
        """Whether a divisor can have one sign only."""
        return isinstance(node, LDL) or self.checks[self._watched[node]].sign != 0

    # What depends on the kind of number that the function works on.

    def _fma(self, node: Node) -> Fma:  # noqa: ARG002
        return lambda negative, *given: code("fma(-" if negative else "fma(", joined(", ", given), ")")

    def _angles(self) -> tuple[Place, ...]:
        return ()

    def _store_results(self) -> None:
        found = zip(self.targets, self.entry.results, strict=True)
        for (array, empty), group in groupby(found, lambda pair: (pair[0].argument, pair[1].is_zero)):
            stored = list(group)
            if empty and len(stored) >= MANY:
                places = [place.index or 0 for place, _ in stored]
                self._statements.append(Clear(array, places[0], places[-1] + 1))
            else:
                self._statements += [Store(place, self._write.code(node)) for place, node in stored]
        self._statements.append(Return())

    def _declare(self, name: str, value: Code | Place, node: Node) -> None:  # noqa: ARG002
        self._statements.append(Declare(name, value))

    def _absolute(self, node: Node) -> Code:
        return code("fabs(", self._write.code(node), ")")

    def _refuse(self, node: Node, bound: Code, number: int) -> None:
        """Leave the function if a divisor is not above its bound."""
        self._statements.append(Leave(self._vanishes(node, self._write.code(node), bound, number), number))

    def _vanishes(self, node: Node, divisor: Code, bound: Code, number: int) -> Code:
        """The condition under which a divisor is zero beside its bound, or of the sign that it cannot have."""
        sign = self.checks[number].sign
        if not sign:
            return code(self._absolute(node), " <= ", bound)
        return code(divisor, " <= ", bound) if sign > 0 else code(divisor, " >= -", bound)

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
        used = dict.fromkeys([*(arg for node in self._reading(nodes) for arg in node.args), *self.entry.results])
        for node, place in self.leaves.items():
            if node in used and isinstance(node, Input) and place.index is not None:
                name = identifier(node.role.value, node.name, node.index)
                self._declare(name, place, node)
                self._write.set_code(node, named(name))
                if node in self._watched:
                    self._emit_check(node)

    def _reading(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """The nodes that read their arguments."""
        return nodes

    def _sections(self, nodes: Sequence[Node]) -> None:
        """All nodes in the order of the sections that first need them, under headings that say what they lead to.

        A heading is that of the first section, from their own on, which needs all of them and of which every value is
        computed: where an optimisation has left only pieces of a section, its title would not be true.
        """
        sections = [*self.entry.sections, Section("results", self.entry.results)]
        below = [dict.fromkeys(topological(section.nodes)) for section in sections]
        computed = {*nodes, *self.leaves}
        whole = [all(n in computed or isinstance(n, Const) for n in section.nodes) for section in sections]
        left, heading = dict.fromkeys(nodes), ""
        for number, needed in enumerate(below):
            fresh = [node for node in needed if node in left]
            left = {node: None for node in left if node not in needed}
            before = len(self._statements)
            for node in fresh:
                self._emit(node)
            later = range(number, len(sections))
            title = next(sections[k].title for k in later if whole[k] and all(node in below[k] for node in fresh))
            shown = len(self._statements) > before or number == len(sections) - 1
            if self.entry.sections and shown and title != heading:
                self._statements.insert(before, Comment(title))
                heading = title

    def _emit(self, node: Node) -> None:
        if node in self._merged:
            return
        match node:
            case LU() | LDL():
                self._emit_factored(node)
            case Solve():
                self._emit_solve(node)
            case Item():
                self._write.set_code(node, code(self._write.code(node.args[0]), f"[{node.position}]"))
            case Const() | Input() | Sum() | Product() | Inverse() | Call():
                self._emit_value(node)
            case _:
                assert_never(node)

    def _emit_value(self, node: Node) -> None:
        if self._write.needs_variable(node):
            value, _ = self._write.written(node)
            self._declare(self._write.name(node), value, node)
            if node in self._watched:
                self._emit_check(node)

    def _emit_check(self, node: Node) -> None:
        number = self._watched[node]
        limit = self.checks[number].limit
        if limit is not None and limit in self.leaves:
            bound = self.leaves[limit].code
        elif isinstance(limit, Const):
            bound = Code(literal(limit.value))
        else:
            size, cost = self._size(node)
            self._cost += cost + Operations(mul=int(size != ONE))
            bound = Code(TINY) if size == ONE else code(f"{TINY}*(", size, ")")
        if node not in self._slots or limit is None:
            self._refuse(node, bound, number)
        if node in self._slots:
            self._guard(self._slots[node], self._write.code(node), number)

    def _guard(self, slot: int, divisor: Code, number: int) -> None:
        """Leave a divisor in scratch, and the function if it is between its bounds."""
        self._statements += [
            Store(Place("scratch", slot), divisor),
            Leave(joined(" && ", self._between(slot, divisor)), number),
        ]

    def _between(self, slot: int, divisor: Code) -> tuple[Code, Code]:
        """Two conditions; most divisors are positive, for which the first one is enough."""
        assert self.guards is not None  # there are slots
        low, high = self.guards(slot)
        return code(divisor, " <= ", high.code), code(divisor, " >= ", low.code)

    def _size(self, node: Node) -> tuple[Code, Operations]:
        """The size that a divisor would have if nothing in it cancelled."""
        if node in self.leaves:
            return self._absolute(node), Operations()
        if isinstance(node, Sum):
            terms = [
                self._absolute(arg) if abs(c) == 1 else code(f"{float(abs(c))!r}*", self._absolute(arg))
                for c, arg in zip(node.coefficients, node.args, strict=True)
            ]
            terms += [Code(repr(float(abs(node.constant))))] if node.constant else []
            scaled = sum(abs(c) != 1 for c in node.coefficients)
            return joined(" + ", terms), Operations(add=len(terms) - 1, mul=scaled)
        if _is_wave(node):
            return ONE, Operations()
        if isinstance(node, Product):
            sizes = [(arg, *self._size(arg)) for arg in node.args if not _is_wave(arg)]
            factors = [code("(", size, ")") if self._has_terms(arg) else size for arg, size, _ in sizes]
            cost = sum((cost for *_, cost in sizes), Operations(mul=max(len(factors) - 1, 0)))
            return joined("*", factors) if factors else ONE, cost
        return self._absolute(node), Operations()

    def _has_terms(self, node: Node) -> bool:
        """Whether the size of a node is written with a plus."""
        return isinstance(node, Sum) and node not in self.leaves and len(node.args) + bool(node.constant) > 1

    def _emit_factored(self, node: LU | LDL) -> None:
        solver, size = SOLVERS[type(node)], node.size
        name, number = self._write.fresh(solver.name), self._watched.get(node, 0)
        values = joined(", ", map(self._write.code, node.args))
        call = code(f"{solver.name}_factor({size}, ", named(name), ", ", named(f"{name}_more"), ")")
        self._statements += [
            Reserve("double", (name,), f"{size * size}", values),
            Reserve(solver.extra, (f"{name}_more",), f"{size}"),
            Leave(call, number),
        ]
        if node in self._slots:
            sign = self._write.fresh("sign")
            value = code(f"{solver.name}_sign({size}, ", named(name), ", ", named(f"{name}_more"), ")")
            self._statements.append(Declare(sign, value))
            self._guard(self._slots[node], named(sign), number)
        self._write.set_code(node, named(name))

    def _emit_solve(self, node: Solve) -> None:
        solver, size = SOLVERS[type(node.args[0])], node.size
        name, matrix = self._write.fresh("y"), self._write.code(node.args[0])
        values = joined(", ", map(self._write.code, node.args[1:]))
        more = named(f"{matrix.text}_more")
        self._statements += [
            Reserve("double", (name,), f"{size}", values),
            Invoke(code(f"{solver.name}_back({size}, ", matrix, ", ", more, ", ", named(name), ")")),
        ]
        self._write.set_code(node, named(name))


def _is_wave(node: Node) -> bool:
    """Whether a node is a sine or cosine, which no angle makes larger than 1."""
    return isinstance(node, Call) and node.function in ("sin", "cos")


class Bound(NamedTuple):
    """A result that must be above zero, or with `reached` at least zero; else `number` is what is impossible."""

    number: int
    reached: bool


@dataclass
class LimitLister(Lister):
    """Writes a function that only tests its results, one bound each."""

    bounds: Sequence[Bound] = ()

    def _store_results(self) -> None:
        for bound, node in zip(self.bounds, self.entry.results, strict=True):
            sign = " >= 0.0)" if bound.reached else " > 0.0)"
            self._statements.append(Leave(code("!(", self._write.code(node), sign), bound.number, status=2))
        self._statements.append(Return())


@dataclass
class PrepareLister(Lister):
    """Writes `prepare`, with the bounds of divisors after the prepared nodes: limits, or none (bounds that no number is in)."""

    limits: Sequence[tuple[Node | None, tuple[Place, Place]]] = ()

    def _store_results(self) -> None:
        for limit, (low, high) in self.limits:
            value = ONE if limit is None else self._write.code(limit)
            places = (high, low) if limit is None else (low, high)
            self._statements += [Store(places[0], code("-", value)), Store(places[1], value)]
        super()._store_results()
