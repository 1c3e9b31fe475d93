"""Making nodes again with some of them replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from volterra_cg.program.nodes import Node, topological


def remake(node: Node, args: Sequence[Node]) -> Node:
    """The same operation on other arguments."""
    graph = node.graph
    match node.kind:
        case "sum":
            return graph.combine(zip(node.data[0], args, strict=True), node.data[1])
        case "product":
            return graph.multiply(*(graph.power(arg, exponent) for arg, exponent in zip(args, node.data, strict=True)))
        case "inverse":
            return graph.inverse(args[0])
        case "call":
            if node.data == "hold":
                return graph.hold(args[0])
            return graph.call(node.data, *args) if args else node
        case "factor" | "root" | "solve" | "item":
            return graph.make(node.kind, tuple(args), node.data)
    return node


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
