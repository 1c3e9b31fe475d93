"""A program: the functions of a model over one graph, and the divisors to be watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from volterra_cg.program.graph import Graph, split
from volterra_cg.program.nodes import Input, Node, topological


@dataclass(frozen=True)
class Check:
    """A divisor that must not vanish, or an LU factorisation whose pivots must not; `label` says what is wrong if it does.

    `limit` is a function of parameters alone below which the divisor counts as zero; without one, its terms tell at run
    time. `sign` is that of a divisor which has but one, such as a pivot of a positive definite matrix, else 0.
    """

    divisor: Node
    label: str
    limit: Node | None = None
    sign: int = 0

    @classmethod
    def of(cls, divisor: Node, label: str, positive: bool = False) -> Check:
        """The check of a divisor, without the exact number that stands before it."""
        if divisor.is_parameter_only and (names := [n.name for n in topological([divisor]) if isinstance(n, Input)]):
            label += f"; it rests on the value of {', '.join(names)}"
        return cls(divisor, label, sign=int(positive)).on(divisor)

    def on(self, divisor: Node) -> Check:
        """The check of another form of the divisor, without the exact number before it: what `Graph.inverse` divides by."""
        number, bare = split(divisor)
        if bare is None:
            return replace(self, divisor=divisor)
        return replace(self, divisor=bare, sign=-self.sign if number < 0 else self.sign)


@dataclass(frozen=True)
class Section:
    """Nodes that belong together in the listing of a function, under a title."""

    title: str
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Entry:
    """A function: its results in order, and the sections in which its listing is read."""

    name: str
    results: tuple[Node, ...]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Slopes:
    """A function to be made: the derivatives of the results of another by some inputs, row by row."""

    name: str
    of: str
    by: tuple[Node, ...]


@dataclass(frozen=True)
class Program:
    """All functions of a model. `prepared` are the nodes of parameters alone that the functions take from storage."""

    graph: Graph
    entries: tuple[Entry, ...]
    checks: tuple[Check, ...]
    prepared: tuple[Node, ...] = ()

    def entry(self, name: str) -> Entry:
        """The function of a name."""
        return next(entry for entry in self.entries if entry.name == name)

    @property
    def roots(self) -> tuple[Node, ...]:
        """All results of all functions, the watched divisors and their limits."""
        results = [node for entry in self.entries for node in entry.results]
        limits = [check.limit for check in self.checks if check.limit is not None]
        return (*results, *(check.divisor for check in self.checks), *limits)

    def mapped(self, change: Callable[[Node], Node]) -> Program:
        """The program with every node it names replaced; nodes that are gone drop out of sections."""
        entries = tuple(
            Entry(
                entry.name,
                tuple(change(node) for node in entry.results),
                tuple(Section(s.title, tuple(change(node) for node in s.nodes)) for s in entry.sections),
            )
            for entry in self.entries
        )
        checks = tuple(
            replace(check.on(change(check.divisor)), limit=None if check.limit is None else change(check.limit))
            for check in self.checks
        )
        return replace(self, entries=entries, checks=checks)

    @property
    def listed(self) -> tuple[Node, ...]:
        """The roots and all nodes named in sections."""
        return (*self.roots, *(node for entry in self.entries for section in entry.sections for node in section.nodes))
