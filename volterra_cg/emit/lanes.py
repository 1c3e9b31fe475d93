"""The vector form of rhs: the same program over lanes, one state in each, in the words of vcg_lanes_words.h.

A check that fails does not end the call: it is noted for the lanes that it concerns, and the others go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from volterra_cg.emit.fusing import Fma
from volterra_cg.emit.listing import SOLVERS, Lister
from volterra_cg.emit.printer import whole
from volterra_cg.emit.statements import Code, Declare, Invoke, Place, Reserve, Store, code, joined, named
from volterra_cg.emit.waves import ARRAYS, PAIR, other_wave, waves
from volterra_cg.program.nodes import LDL, LU, Call, Node, Solve

FEW = 2  # angles that are not worth a loop
MOST_OPERATIONS = 3000  # of an rhs with a vector form; a larger one would take the C compiler seconds more
ARGUMENTS = ("t", "z", "dz", "w", "g", "signals", "scratch", "failed")


def in_lanes(place: Place) -> Place:
    """Where lanes have what a single state has in some place."""
    return replace(place, index=place.index or 0, member=".x")


@dataclass
class LaneLister(Lister):
    """Writes rhs over lanes; `numbers` are the checks in the order in which they are noted."""

    numbers: list[int] = field(default_factory=list)
    _varying: dict[Node, bool] = field(default_factory=dict)
    _plain: set[str] = field(default_factory=set)  # variables that are no vectors

    def page(self) -> dict[str, Any]:
        """The variables of the template."""
        statements = self.listing().statements
        if not self.numbers:
            statements = (Store(Place("failed", 0), Code("(LANE_BITS){0}")), *statements)
        piece = whole(statements)
        unused = [name for name in ARGUMENTS if name not in piece.names]
        kinds = dict.fromkeys(type(node) for node in self._nodes if isinstance(node, (LU, LDL)))
        solvers = [SOLVERS[kind] for kind in kinds]
        return {"body": piece.body, "unused": unused, "numbers": self.numbers or [0], "solvers": solvers}

    def _declare_inputs(self, nodes: Sequence[Node]) -> None:
        """Inputs, then the sines and cosines of those that are angles, in a loop: that is far less for the compiler."""
        super()._declare_inputs(nodes)
        calls, angles = waves(nodes)
        if len(angles) <= FEW:
            return
        count = len(angles)
        arrays = map(named, ("angles", "sines", "cosines"))
        self._statements += [
            Reserve("const LANES", ("angles",), f"{count}", self._list(angles)),
            Reserve("LANES", ("sines", "cosines"), f"{count}"),
            Invoke(code(f"lanes_sincos_of({count}, ", joined(", ", arrays), ")")),
        ]
        for node in calls:
            value = code(named(ARRAYS[node.function]), f"[{angles.index(node.args[0])}]")
            self._declare(self._write.name(node), value, node)

    def _fma(self, node: Node) -> Fma:
        if not self._varies(node):
            return super()._fma(node)
        words = ("lanes_fma(", "lanes_fnma(")
        return lambda negative, *given: code(words[negative], joined(", ", map(self._in_all, given)), ")")

    def _in_all(self, given: Code) -> Code:
        """An operand as a vector."""
        return given if given.names - self._plain else code("LANES_ALL(", given, ")")

    def _varies(self, node: Node) -> bool:
        """Whether lanes may differ in a node; what depends on no input is a plain double."""
        if node not in self._varying:
            self._varying[node] = node in self.leaves or any(self._varies(arg) for arg in node.args)
        return self._varying[node]

    def _vector(self, node: Node) -> Code:
        """A node as a vector."""
        own = self._write.code(node)
        return own if self._varies(node) else code("LANES_ALL(", own, ")")

    def _declare(self, name: str, value: Code | Place, node: Node) -> None:
        varies = self._varies(node)
        self._statements.append(Declare(name, value, "LANES" if varies else "double"))
        if not varies:
            self._plain.add(name)

    def _store_results(self) -> None:
        results = zip(self.targets, self.entry.results, strict=True)
        self._statements += [Store(place, self._vector(node)) for place, node in results]

    def _absolute(self, node: Node) -> Code:
        return code("LANES_ABS(", self._vector(node), ")")

    def _guard(self, slot: int, divisor: Code, number: int) -> None:
        self._statements.append(Store(in_lanes(Place("scratch", slot)), divisor))
        bits = [code("(LANE_BITS)(", condition, ")") for condition in self._between(slot, divisor)]
        self._note(number, joined(" & ", bits))

    def _refuse(self, node: Node, bound: Code, number: int) -> None:
        condition = self._vanishes(node, self._vector(node), bound, number)
        self._note(number, code("(LANE_BITS)(", condition, ")"))

    def _note(self, number: int, bits: Code) -> None:
        self._statements.append(Store(Place("failed", len(self.numbers)), bits))
        self.numbers.append(number)

    def _emit(self, node: Node) -> None:
        if not isinstance(node, Call) or node.function == "hold" or not self._varies(node):
            super()._emit(node)
            return
        if self._write.needs_variable(node):
            self._emit_call(node)
        if node in self._watched:
            self._emit_check(node)

    def _emit_call(self, node: Call) -> None:
        """A function has its results in variables, a sine together with the cosine."""
        given = [self._variable(arg) for arg in node.args]
        names = [self._write.name(node)]
        called = node.function
        if called in PAIR:
            partner = other_wave(node, self._nodes)
            names.append(self._write.fresh("x") if partner is None else self._write.name(partner))
            names = names if called == "sin" else names[::-1]
            called = "sincos"
        arguments = [code("&", each) for each in (*given, *map(named, names))]
        self._statements += [
            Reserve("LANES", tuple(names)),
            Invoke(code(f"lanes_{called}(", joined(", ", arguments), ")")),
        ]

    def _variable(self, node: Node) -> Code:
        """The name of a variable that holds a vector."""
        own = self._vector(node)
        if own.is_name:
            return own
        name = self._write.fresh("x")
        self._statements.append(Declare(name, own, "LANES"))
        return named(name)

    def _emit_factored(self, node: LU | LDL) -> None:
        """Run-time elimination is done lane by lane."""
        solver, size = SOLVERS[type(node)], node.size
        name = self._write.fresh(solver.name)
        arrays = map(named, (f"{name}_of", name, f"{name}_more"))
        failed = named(f"{name}_failed")
        self._statements += [
            Reserve("const LANES", (f"{name}_of",), f"{size * size}", self._list(node.args)),
            Reserve("double", (name,), f"{size * size} * LANE_COUNT"),
            Reserve(solver.extra, (f"{name}_more",), f"{size} * LANE_COUNT"),
            Reserve("LANE_BITS", (failed.text,)),
            Invoke(code(f"lanes_{solver.name}_factor({size}, ", joined(", ", arrays), ", &", failed, ")")),
        ]
        self._note(self._watched.get(node, 0), failed)
        if node in self._slots:
            sign = named(self._write.fresh("sign"))
            given = joined(", ", (named(name), named(f"{name}_more"), code("&", sign)))
            self._statements.append(Reserve("LANES", (sign.text,)))
            self._statements.append(Invoke(code(f"lanes_{solver.name}_sign({size}, ", given, ")")))
            self._guard(self._slots[node], sign, self._watched[node])
        self._write.set_code(node, named(name))

    def _emit_solve(self, node: Solve) -> None:
        solver, size = SOLVERS[type(node.args[0])], node.size
        name, matrix = self._write.fresh("y"), self._write.code(node.args[0])
        arrays = (matrix, *map(named, (f"{matrix.text}_more", f"{name}_split", name)))
        self._statements += [
            Reserve("LANES", (name,), f"{size}", self._list(node.args[1:])),
            Reserve("double", (f"{name}_split",), f"{size} * LANE_COUNT"),
            Invoke(code(f"lanes_{solver.name}_back({size}, ", joined(", ", arrays), ")")),
        ]
        self._write.set_code(node, named(name))

    def _list(self, nodes: Sequence[Node]) -> Code:
        return joined(", ", map(self._vector, nodes))
