"""Sines and cosines that are computed together: of all inputs that are angles, and of each other angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from volterra_cg.emit.listing import Lister
from volterra_cg.emit.statements import Declare, Invoke, Place, Reserve, code, joined, named
from volterra_cg.program.nodes import Call, Input, Node

PAIR = {"sin": "cos", "cos": "sin"}
ARRAYS = {"sin": "sines", "cos": "cosines"}


def waves(nodes: Sequence[Node]) -> tuple[list[Call], list[Node]]:
    """The sines and cosines of inputs, and these inputs."""
    calls = [node for node in nodes if isinstance(node, Call) and node.function in PAIR]
    calls = [node for node in calls if isinstance(node.args[0], Input)]
    return calls, list(dict.fromkeys(node.args[0] for node in calls))


def other_wave(node: Call, nodes: Sequence[Node]) -> Node | None:
    """The cosine of the angle whose sine a node is, or the other way round, if it is computed too."""
    calls = (other for other in nodes if isinstance(other, Call) and other.function == PAIR[node.function])
    return next((other for other in calls if other.args == node.args), None)


@dataclass
class WaveLister(Lister):
    """Writes a function whose sines and cosines are those of its vector form, by the words of vcg_fused.h.

    Those of inputs are arguments; the others are computed where they are needed.
    """

    _inputs: list[Place] = field(default_factory=list)

    def _angles(self) -> tuple[Place, ...]:
        return tuple(self._inputs)

    def _reading(self, nodes: Sequence[Node]) -> Sequence[Node]:
        given = set(waves(nodes)[0])
        return [node for node in nodes if node not in given]

    def _declare_inputs(self, nodes: Sequence[Node]) -> None:
        super()._declare_inputs(nodes)
        calls, angles = waves(nodes)
        self._inputs = [self.leaves[angle] for angle in angles]
        for node in calls:
            place = Place(ARRAYS[node.function], angles.index(node.args[0]))
            self._declare(self._write.name(node), place, node)

    def _emit(self, node: Node) -> None:
        if not isinstance(node, Call) or node.function not in PAIR:
            super()._emit(node)
            return
        if self._write.needs_variable(node):
            self._emit_wave(node)
        if node in self._watched:
            self._emit_check(node)

    def _emit_wave(self, node: Call) -> None:
        partner = other_wave(node, self._nodes)
        pair = (node, partner) if node.function == "sin" else (partner, node)
        made = [named(self._write.fresh(name)) for name in ("sine", "cosine")]
        given = joined(", ", [self._write.code(node.args[0]), *(code("&", name) for name in made)])
        self._statements += [
            Reserve("double", tuple(name.text for name in made)),
            Invoke(code("vcg_sincos_one(", given, ")")),
        ]
        for wave, value in zip(pair, made, strict=True):
            if wave is not None:
                self._statements.append(Declare(self._write.name(wave), value))
