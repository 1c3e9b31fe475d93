"""Making nodes again with some of them replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

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


def remake(node: Node, args: Sequence[Node]) -> Node:
    """The same operation on other arguments."""
    graph = node.graph
    match node:
        case Sum():
            return graph.combine(zip(node.coefficients, args, strict=True), node.constant)
        case Product():
            return graph.multiply(*(graph.power(arg, e) for arg, e in zip(args, node.exponents, strict=True)))
        case Inverse():
            return graph.inverse(args[0])
        case Call():
            if node.function == "hold":
                return graph.hold(args[0])
            return graph.call(node.function, *args) if args else node
        case LU() | LDL():
            return graph.factored(type(node), tuple(args))
        case Solve():
            assert isinstance(args[0], Factored)
            return graph.solution(args[0], tuple(args[1:]))
        case Item():
            assert isinstance(args[0], Solve)
            return graph.item(args[0], node.position)
        case Const() | Input():
            return node
        case _:
            assert_never(node)


def rewrite(roots: Sequence[Node], change: Callable[[Node, Node], Node]) -> dict[Node, Node]:
    """All nodes below the roots, made anew bottom up; `change` gets the old node and the new and returns its choice."""
    made: dict[Node, Node] = {}
    for node in topological(roots):
        args = [made[arg] for arg in node.args]
        fresh = node if all(a is b for a, b in zip(args, node.args, strict=True)) else remake(node, args)
        made[node] = change(node, fresh)
    return made


def substitute(roots: Sequence[Node], replacements: Mapping[Node, Node]) -> tuple[Node, ...]:
    """The roots with some nodes, mostly inputs, replaced."""
    made = rewrite(roots, lambda old, new: replacements.get(old, new))
    return tuple(made[root] for root in roots)
