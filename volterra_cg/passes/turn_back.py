"""turn back: what is turned by an angle and then back again is taken as it was.

Before: c*(c*a - s*b + d) + s*(s*a + c*b + e) with c = cos(x), s = sin(x). After: c*d + s*e + a.
In a sum, c times a term with c and s times the same with s are that term, as c**2 + s**2 = 1; c times a term with s and -s times
the same with c are nothing. Terms are compared by meaning. A sum that others share is opened only if it is what is turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from volterra_cg.program.cost import uses
from volterra_cg.program.nodes import Call, Fingerprint, Node, Product, Sum, topological
from volterra_cg.program.rewrite import remake, rewrite
from volterra_cg.program.types import Program

Path = tuple[int, ...]  # from a node to one below it, by the places of arguments


class Circle(NamedTuple):
    """The cosine and the sine of an angle."""

    cosine: Node
    sine: Node


class Turned(NamedTuple):
    """A term that a cosine or sine turns: where it is, what it is multiplied with there, and the two."""

    path: Path
    factor: Node
    node: Node
    turn: Node


class Twice(NamedTuple):
    """A turned term of a turned sum: where the turned sum, the sum and the term are, and the term without what turns it."""

    outer: Path
    inner: Path
    path: Path
    turns: frozenset[Node]
    rest: Node


def turn_back(program: Program) -> Program:
    """Free sums of what is turned by an angle and back again."""
    circles = _circles(program)
    order = topological(program.listed)
    shared = {node for node, times in uses(topological(program.roots), program.roots).items() if times > 1}
    parts = {arg for node in order if isinstance(node, Sum) for arg in node.args} - shared

    def choose(old: Node, new: Node) -> Node:
        if old in shared:
            shared.add(new)
        for circle in () if old in parts else circles:
            if isinstance(new, Sum) and new.support & circle.sine.support:
                new = _Turning(circle, shared).freed(new)
        return new

    made = rewrite(program.listed, choose)
    return program.mapped(made.__getitem__)


def _circles(program: Program) -> list[Circle]:
    """The angles that move and have both functions in the program."""
    calls = [node for node in topological(program.listed) if isinstance(node, Call) and not node.is_parameter_only]
    sines = {node.args[0]: node for node in calls if node.function == "sin"}
    cosines = [node for node in calls if node.function == "cos" and node.args[0] in sines]
    return [Circle(cosine, sines[cosine.args[0]]) for cosine in cosines]


class _Turning:
    """Looks for what one angle turns; sums inside are opened if they are not shared."""

    def __init__(self, circle: Circle, shared: set[Node]) -> None:
        self._circle = circle
        self._shared = shared

    def freed(self, root: Sum) -> Node:
        """A sum without what is turned twice, if it is the same by meaning."""
        outer = [term for term in self._terms(root, (), root.graph.one) if any(_sums(term.node))]
        if {term.turn for term in outer} != set(self._circle):
            return root
        cut, kept = self._matched(self._twice(outer))
        if not cut:
            return root
        made = root.graph.add(_without(root, cut), *kept)
        return made if made.fingerprint == root.fingerprint else root

    def _twice(self, outer: Sequence[Turned]) -> Iterator[Twice]:
        """The turned terms of turned sums."""
        for term in outer:
            for below, inner in _sums(term.node):
                path, factor = (*term.path, *below), _beside(term.node, below, term.turn, term.factor)
                for part in self._parts(inner, path, factor):
                    turns = frozenset((term.turn, part.turn))
                    yield Twice(term.path, path, part.path, turns, part.factor * _freely(part.node, part.turn))

    def _matched(self, terms: Iterator[Twice]) -> tuple[list[Path], list[Node]]:
        """Pairs of terms that are one or cancel: their places, and what is left of them."""
        waiting: dict[tuple[frozenset[Node], Fingerprint], list[Twice]] = {}
        opened: dict[Path, Path] = {}  # of factors that are sums, only one can be opened at a time
        cut: list[Path] = []
        kept: list[Node] = []
        for term in terms:
            crossed = len(term.turns) > 1
            asked = term.turns if crossed else frozenset(self._circle) - term.turns
            others = waiting.setdefault((asked, (-term.rest if crossed else term.rest).fingerprint), [])
            fits = [o for o in others if all(opened.get(t.outer, t.inner) == t.inner for t in (term, o))]
            if not fits:
                waiting.setdefault((term.turns, term.rest.fingerprint), []).append(term)
                continue
            others.remove(fits[0])
            opened |= {one.outer: one.inner for one in (term, fits[0])}
            cut += [term.path, fits[0].path]
            kept += [] if crossed else [term.rest]
        return cut, kept

    def _parts(self, node: Sum, path: Path, factor: Node) -> Iterator[Turned]:
        """The terms of a sum that the angle turns."""
        for k, (number, arg) in enumerate(zip(node.coefficients, node.args, strict=True)):
            yield from self._terms(arg, (*path, k), node.graph.scale(number, factor))

    def _terms(self, node: Node, path: Path, factor: Node) -> Iterator[Turned]:
        """A term that the angle turns, or those of the sum that it holds."""
        if not node.support & self._circle.sine.support:
            return
        if isinstance(node, Sum) and not (path and node in self._shared):
            yield from self._parts(node, path, factor)
        if not isinstance(node, Product):
            return
        turns = _turns(node, self._circle)
        if len(turns) == 1:
            yield Turned(path, factor, node, turns[0])
        elif not turns and node not in self._shared:
            found = list(_sums(node))
            if len(found) == 1 and found[0][1] not in self._shared:
                below, inner = found[0]
                yield from self._parts(inner, (*path, *below), _beside(node, below, None, factor))


def _turns(node: Node, circle: Circle) -> list[Node]:
    """The cosines and sines among the factors of a node, each as often as it is one."""
    if isinstance(node, Product):
        return [turn for arg, e in zip(node.args, node.exponents, strict=True) for turn in _turns(arg, circle) * e]
    return [node] if node in circle else []


def _sums(node: Node, path: Path = ()) -> Iterator[tuple[Path, Sum]]:
    """The sums among the factors of a product, and where each is; makes no nodes, as mostly there is nothing to turn back."""
    if isinstance(node, Sum):
        yield path, node
    if isinstance(node, Product):
        for k, (arg, exponent) in enumerate(zip(node.args, node.exponents, strict=True)):
            if exponent == 1 and _holds_sum(arg):
                yield from _sums(arg, (*path, k))


def _beside(node: Node, path: Path, turn: Node | None, factor: Node) -> Node:
    """What the end of a path through factors is multiplied with, without what turns it."""
    for k in path:
        assert isinstance(node, Product)
        pairs = [*zip(node.args, node.exponents, strict=True)]
        others = [node.graph.power(_freely(arg, turn), e) for arg, e in (*pairs[:k], *pairs[k + 1 :])]
        factor, node = node.graph.multiply(factor, *others), node.args[k]
    return factor


def _holds_sum(node: Node) -> bool:
    """Whether a factor is a sum that moves, or may have one among its own factors."""
    return isinstance(node, (Sum, Product)) and not node.is_parameter_only


def _freely(node: Node, turn: Node | None) -> Node:
    """A product without what turns it."""
    if node is turn:
        return node.graph.one
    if not isinstance(node, Product):
        return node
    pairs = zip(node.args, node.exponents, strict=True)
    return node.graph.multiply(node.graph.one, *(node.graph.power(_freely(arg, turn), e) for arg, e in pairs))


def _without(node: Node, paths: Sequence[Path]) -> Node:
    """A node with zero in some places below it."""
    if () in paths:
        return node.graph.zero
    below = [[path[1:] for path in paths if path[0] == k] for k in range(len(node.args))]
    return remake(node, [_without(arg, own) if own else arg for arg, own in zip(node.args, below, strict=True)])
