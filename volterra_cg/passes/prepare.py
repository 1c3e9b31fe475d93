"""prepare: arithmetic of parameters alone moves into a block that is evaluated once per parameter set.

Before: m*l*sin(theta)/2 + m*g. After: w0*sin(theta) + w1 with w0 = m*l/2 and w1 = m*g prepared.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volterra_cg.program.cost import uses
from volterra_cg.program.graph import split
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Array, Call, Const, Factored, Input, Node, Parametric, Product, Sum, topological
from volterra_cg.program.rewrite import rewrite
from volterra_cg.program.types import Check, Program

TINY = Fraction(1, 10**14)  # part of its largest size below which a divisor counts as zero
POINTS = 5  # at which bounds of divisors are compared with what they bound
LOOSE = 1e6  # times what it bounds that a bound may be
UNPREPARED = ("initial",)  # functions of the parameters themselves


def prepare(program: Program) -> Program:
    """Group what depends on parameters alone and list the groups that other nodes use."""
    parametric = Parametric()
    grouping = _Grouping(parametric, uses(topological(program.roots), program.roots))
    divisors = [check.divisor for check in program.checks if not isinstance(check.divisor, Factored)]
    limits = _Limits(parametric, divisors)
    limited = replace(program, checks=tuple(limits.applied(check) for check in program.checks))
    made = rewrite(limited.listed, grouping.change)
    grouped = limited.mapped(made.__getitem__)
    return replace(grouped, prepared=_used(grouped, parametric))


class _Grouping:
    """Rebuilds sums and products so that their parameter-only parts are nodes of their own."""

    def __init__(self, parametric: Parametric, count: Counter[Node]) -> None:
        self._parametric = parametric
        self._count = count

    def change(self, old: Node, node: Node) -> Node:
        """The node with its parametric parts grouped; it serves as many others as before."""
        made = node
        if isinstance(node, Product) and not self._parametric(node):
            made = self._product(node)
        elif isinstance(node, Sum) and not self._parametric(node):
            made = self._sum(node)
        if made is not old:
            self._count[made] += self._count[old]
        return made

    def _product(self, node: Product) -> Node:
        graph = node.graph
        powers: Counter[Node] = Counter()
        for arg, exponent in zip(node.args, node.exponents, strict=True):
            if isinstance(arg, Product) and exponent == 1 and self._count[arg] <= 1:
                powers.update(dict(zip(arg.args, arg.exponents, strict=True)))
            else:
                powers[arg] += exponent
        parametric = [graph.power(factor, exponent) for factor, exponent in powers.items() if self._parametric(factor)]
        if len(parametric) < 2 and not any(isinstance(factor, Product) for factor in parametric):
            return node
        number, group = split(graph.multiply(*parametric))
        moving = {factor: exponent for factor, exponent in powers.items() if not self._parametric(factor)}
        pairs = sorted((moving | ({group: 1} if group else {})).items(), key=lambda pair: pair[0].number)
        return graph.scale(number, graph.product(tuple(n for n, _ in pairs), tuple(e for _, e in pairs)))

    def _sum(self, node: Sum) -> Node:
        graph = node.graph
        constant = node.constant
        parametric = [(c, a) for c, a in zip(node.coefficients, node.args, strict=True) if self._parametric(a)]
        moving = [(c, a) for c, a in zip(node.coefficients, node.args, strict=True) if not self._parametric(a)]
        terms = [self._absorbed(c, a) for c, a in moving]
        if parametric and (len(parametric) > 1 or constant or abs(parametric[0][0]) != 1):
            terms.append((Fraction(1), graph.combine(parametric, constant)))
            constant = Fraction(0)
        else:
            terms.extend(parametric)
        terms.sort(key=lambda term: term[1].number)
        return graph.sum(tuple(a for _, a in terms), tuple(c for c, _ in terms), constant)

    def _absorbed(self, coefficient: Fraction, node: Node) -> tuple[Fraction, Node]:
        """A number in front of a product goes into the product's parametric factor."""
        if abs(coefficient) == 1 or not isinstance(node, Product):
            return coefficient, node
        graph = node.graph
        for position, factor in enumerate(node.args):
            if self._parametric(factor) and node.exponents[position] == 1:
                args = list(node.args)
                args[position] = graph.scale(abs(coefficient), factor)
                pairs = sorted(zip(args, node.exponents, strict=True), key=lambda pair: pair[0].number)
                product = graph.product(tuple(a for a, _ in pairs), tuple(e for _, e in pairs))
                return Fraction(1 if coefficient > 0 else -1), product
        return coefficient, node


class _Limits:
    """Limits of divisors: a part of the largest size that they can have at any angle.

    A bound grows with every turn from one frame to the next, far beyond the sizes that occur. Where it is a million times larger
    than what it bounds, at points drawn at random, it is brought down by powers of ten on the way: else it leaves the
    numbers of a long chain behind.
    """

    def __init__(self, parametric: Parametric, divisors: Sequence[Node]) -> None:
        self._parametric = parametric
        nodes: list[Node] = [node for node in topological(divisors) if not isinstance(node, Array)]
        with np.errstate(all="ignore"):
            self._values: dict[Node, Any] = dict(zip(nodes, interpret(nodes, _drawn(divisors)), strict=True))
        self._known: dict[Node, _Bound | None] = {}

    def applied(self, check: Check) -> Check:
        """The check with its limit, where it has one."""
        if isinstance(check.divisor, Factored) or self._parametric(check.divisor):
            return check
        with np.errstate(all="ignore"):
            for node in topological([check.divisor]):
                if node not in self._known:
                    bound = self._largest(node)
                    self._known[node] = bound and self._tightened(bound, node, LOOSE)
            size = self._known[check.divisor]
            return check if size is None else replace(check, limit=TINY * self._tightened(size, check.divisor, 1).node)

    def _largest(self, node: Node) -> _Bound | None:
        """A bound of a node by parameters alone; what a sum takes away from its bounded terms is left aside."""
        graph = node.graph
        if self._parametric(node):
            return _Bound(graph.call("abs", node), np.abs(self._values[node])) if node in self._values else None
        if isinstance(node, Call) and node.function in ("sin", "cos"):
            return _Bound(graph.one, np.ones(POINTS))
        sizes = [self._known[arg] for arg in node.args]
        if isinstance(node, Product):
            factors = [(size, e) for size, e in zip(sizes, node.exponents, strict=True) if size is not None]
            if len(factors) == len(sizes):
                powers = [graph.power(size.node, exponent) for size, exponent in factors]
                values = math.prod((size.values**exponent for size, exponent in factors), start=np.ones(POINTS))
                return _Bound(graph.multiply(*powers), values)
        if isinstance(node, Sum) and any(size is not None for size in sizes):
            terms = [(abs(c), size) for c, size in zip(node.coefficients, sizes, strict=True) if size is not None]
            total = sum((float(c) * size.values for c, size in terms), np.full(POINTS, abs(float(node.constant))))
            return _Bound(graph.combine([(c, size.node) for c, size in terms], abs(node.constant)), total)
        return None

    def _tightened(self, bound: _Bound, node: Node, loose: float) -> _Bound:
        """The bound by as many powers of ten less as it is too large, if it is so by a factor `loose` or more."""
        pairs = zip(node.coefficients, node.args, strict=True) if isinstance(node, Sum) else [(Fraction(1), node)]
        size = sum(abs(float(c)) * np.abs(self._values[arg]) for c, arg in pairs)
        factor = float(np.median(np.broadcast_to(bound.values / size, POINTS)))
        if not (np.isfinite(factor) and factor > loose):
            return bound
        power = int(np.log10(factor))
        return _Bound(bound.node * Fraction(1, 10**power), bound.values / 10.0**power)


class _Bound(NamedTuple):
    """A bound of a node, and its values where nodes are tried."""

    node: Node
    values: NDArray[np.float64]


def _drawn(roots: Sequence[Node]) -> dict[Node, NDArray[np.float64]]:
    """Random numbers for all inputs; parameters are positive."""
    draw = random.Random(1)
    inputs = [node for node in topological(roots) if isinstance(node, Input)]
    ranges = {node: (0.5, 2.0) if node.is_parameter_only else (-3.0, 3.0) for node in inputs}
    return {node: np.array([draw.uniform(*ends) for _ in range(POINTS)]) for node, ends in ranges.items()}


def _used(program: Program, parametric: Parametric) -> tuple[Node, ...]:
    """The parametric nodes that moving nodes, results or watched divisors need, numbers left out."""
    needed: dict[Node, None] = {}

    def note(nodes: Sequence[Node]) -> None:
        for node in nodes:
            if parametric(node) and isinstance(node, Array):  # no number that could be stored
                note(node.args)
            elif parametric(node) and not isinstance(node, Const):
                needed[node] = None

    for entry in program.entries:
        if entry.name in UNPREPARED:
            continue
        for node in topological(entry.results):
            if not parametric(node):
                note(node.args)
        note(entry.results)
    note([check.limit for check in program.checks if check.limit is not None])
    return tuple(sorted(needed, key=lambda node: node.number))
