"""Programs as people read them: infix text and sympy expressions."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from volterra_cg.program.nodes import Node, Role, topological


def text(node: Node, limit: int = 200) -> str:
    """The node as an expression in the user's names, cut when long."""
    if len(topological([node])) > limit:
        return f"<{node.kind} of {len(topological([node]))} nodes>"
    return str(to_sympy(node))


def symbol(node: Node) -> sympy.Symbol:
    """The symbol that stands for an input."""
    name = node.data.name
    role = node.data.role
    if role is Role.RATE:
        name += "'"
    if role is Role.ACCELERATION:
        name += "''"
    if role is Role.REACTION:
        name = f"reaction({name})"
    if role is Role.MOMENTUM:
        name = f"G_{name}"
    return sympy.Symbol(name, real=True)


def to_sympy(root: Node, names: Mapping[Node, sympy.Expr] | None = None) -> sympy.Expr:
    """The node as a sympy expression; `names` gives symbols to stand for some nodes."""
    made: dict[Node, sympy.Expr] = dict(names or {})
    for node in topological([root]):
        if node not in made:
            made[node] = _expression(node, made)
    return made[root]


def _expression(node: Node, made: Mapping[Node, sympy.Expr]) -> sympy.Expr:
    args = [made[arg] for arg in node.args]
    match node.kind:
        case "const":
            return sympy.Rational(node.data.numerator, node.data.denominator)
        case "input":
            return symbol(node)
        case "sum":
            numbers = [sympy.Rational(c.numerator, c.denominator) for c in (*node.data[0], node.data[1])]
            return sympy.Add(*(c * arg for c, arg in zip(numbers[:-1], args, strict=True)), numbers[-1])
        case "product":
            return sympy.Mul(*(arg**exponent for arg, exponent in zip(args, node.data, strict=True)))
        case "inverse":
            return 1 / args[0]
        case "call":
            if node.data == "hold":
                return args[0]
            names = {"abs": "Abs", "pow": "Pow"}
            return getattr(sympy, names.get(node.data, node.data))(*args) if args else sympy.pi
    return sympy.Function(node.kind)(*args)
