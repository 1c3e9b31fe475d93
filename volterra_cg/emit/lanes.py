"""The vector form of rhs: the same program over lanes, one state in each, in the words of vcg_lanes_words.h.

A check that fails does not end the call: it is noted for the lanes that it concerns, and the others go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from volterra_cg.emit.listing import HELPERS, Lister, uses
from volterra_cg.emit.printer import Verbatim, block
from volterra_cg.program.nodes import LDL, LU, Call, Input, Node, Solve

PAIR = {"sin": "cos", "cos": "sin"}
FEW = 2  # angles that are not worth a loop
MOST_OPERATIONS = 1000  # of an rhs that gets a vector form; a larger one would take the C compiler seconds more
ARGUMENTS = ("t", "z", "dz", "w", "g", "signals", "failed")


@dataclass
class LaneLister(Lister):
    """Writes rhs over lanes; `numbers` are the checks in the order in which they are noted."""

    numbers: list[int] = field(default_factory=list)
    _varying: dict[Node, bool] = field(default_factory=dict)

    def page(self) -> dict[str, Any]:
        """The variables of the template."""
        body = self.listing().body
        if not self.numbers:
            body = f"    failed[0] = (LANE_BITS){{0}};\n{body}"
        unused = [name for name in ARGUMENTS if not uses(body, name)]
        kinds = dict.fromkeys(type(node) for node in self._nodes if isinstance(node, (LU, LDL)))
        solves = [{"helper": HELPERS[kind][0], "extra": HELPERS[kind][2]} for kind in kinds]
        return {"body": body, "unused": unused, "numbers": self.numbers or [0], "solves": solves}

    def _declare_inputs(self, nodes: Sequence[Node]) -> None:
        """Inputs, then the sines and cosines of those that are angles, in a loop: that is far less for the compiler."""
        super()._declare_inputs(nodes)
        waves = [node for node in nodes if isinstance(node, Call) and node.function in PAIR]
        calls = [node for node in waves if isinstance(node.args[0], Input)]
        angles = list(dict.fromkeys(node.args[0] for node in calls))
        if len(angles) <= FEW:
            return
        count = len(angles)
        self._statements += [
            Verbatim(f"const LANES angles[{count}] = {{{self._list(angles)}}};"),
            Verbatim(f"LANES sines[{count}], cosines[{count}];"),
            Verbatim(f"lanes_sincos_of({count}, angles, sines, cosines);"),
        ]
        for node in calls:
            name = {"sin": "sines", "cos": "cosines"}[node.function]
            self._declare(self._write.name(node), f"{name}[{angles.index(node.args[0])}]", node)

    def _body(self) -> str:
        return block(self._statements, status=False)

    def _varies(self, node: Node) -> bool:
        """Whether lanes may differ in a node; what depends on no input is a plain double."""
        if node not in self._varying:
            self._varying[node] = node in self.leaves or any(self._varies(arg) for arg in node.args)
        return self._varying[node]

    def _text(self, node: Node) -> str:
        """A node as a vector."""
        text = self._write.text(node)
        return text if self._varies(node) else f"LANES_ALL({text})"

    def _declare(self, name: str, text: str, node: Node) -> None:
        kind = "LANES" if self._varies(node) else "double"
        self._statements.append(Verbatim(f"const {kind} {name} = {text};"))

    def _store(self, array: str, index: int, node: Node) -> None:
        self._statements.append(Verbatim(f"{array}[{index}].x = {self._text(node)};"))

    def _absolute(self, node: Node) -> str:
        return f"LANES_ABS({self._text(node)})"

    def _refuse(self, node: Node, bound: str, number: int) -> None:
        self._note(number, f"(LANE_BITS)({self._vanishes(node, self._text(node), bound, number)})")

    def _note(self, number: int, bits: str) -> None:
        self._statements.append(Verbatim(f"failed[{len(self.numbers)}] = {bits};"))
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
        given = ", ".join(f"&{self._variable(arg)}" for arg in node.args)
        names = [self._write.name(node)]
        called = node.function
        if called in PAIR:
            partner = self._partner(node)
            names.append(self._write.fresh("x") if partner is None else self._write.name(partner))
            names = names if called == "sin" else names[::-1]
            called = "sincos"
        results = ", ".join(f"&{name}" for name in names)
        self._statements += [
            Verbatim(f"LANES {', '.join(names)};"),
            Verbatim(f"lanes_{called}({given}, {results});"),
        ]

    def _partner(self, node: Call) -> Node | None:
        wanted = PAIR[node.function]
        calls = (other for other in self._nodes if isinstance(other, Call))
        return next((other for other in calls if other.function == wanted and other.args == node.args), None)

    def _variable(self, node: Node) -> str:
        """The name of a variable that holds a vector."""
        text = self._text(node)
        if text.isidentifier():
            return text
        name = self._write.fresh("x")
        self._statements.append(Verbatim(f"const LANES {name} = {text};"))
        return name

    def _emit_factored(self, node: LU | LDL) -> None:
        """Run-time elimination is done lane by lane."""
        helper, prefix, extra = HELPERS[type(node)]
        size, name = node.size, self._write.fresh(prefix)
        self._statements += [
            Verbatim(f"const LANES {name}_of[{size * size}] = {{{self._list(node.args)}}};"),
            Verbatim(f"double {name}[{size * size} * LANE_COUNT];"),
            Verbatim(f"{extra} {name}_more[{size} * LANE_COUNT];"),
            Verbatim(f"LANE_BITS {name}_failed;"),
            Verbatim(f"lanes_{helper}_factor({size}, {name}_of, {name}, {name}_more, &{name}_failed);"),
        ]
        self._note(self._watched.get(node, 0), f"{name}_failed")
        self._write.set_name(node, name)

    def _emit_solve(self, node: Solve) -> None:
        helper, *_ = HELPERS[type(node.args[0])]
        size, name, matrix = node.size, self._write.fresh("y"), self._write.text(node.args[0])
        self._statements += [
            Verbatim(f"LANES {name}[{size}] = {{{self._list(node.args[1:])}}};"),
            Verbatim(f"double {name}_split[{size} * LANE_COUNT];"),
            Verbatim(f"lanes_{helper}_back({size}, {matrix}, {matrix}_more, {name}_split, {name});"),
        ]
        self._write.set_name(node, name)

    def _list(self, nodes: Sequence[Node]) -> str:
        return ", ".join(self._text(node) for node in nodes)
