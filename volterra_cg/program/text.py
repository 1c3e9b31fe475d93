"""Programs as people read them: sympy expressions in the names of the spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import sympy

from volterra_cg.program.nodes import (
    LDL,
    LU,
    Call,
    Const,
    Input,
    Inverse,
    Item,
    Node,
    Product,
    Role,
    Solve,
    Sum,
    topological,
)


def symbol(node: Input) -> sympy.Symbol:
    """The symbol that stands for an input."""
    name = node.name
    role = node.role
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
    match node:
        case Const():
            return sympy.Rational(node.value.numerator, node.value.denominator)
        case Input():
            return symbol(node)
        case Sum():
            numbers = [sympy.Rational(c.numerator, c.denominator) for c in (*node.coefficients, node.constant)]
            return sympy.Add(*(c * arg for c, arg in zip(numbers[:-1], args, strict=True)), numbers[-1])
        case Product():
            return sympy.Mul(*(arg**exponent for arg, exponent in zip(args, node.exponents, strict=True)))
        case Inverse():
            return 1 / args[0]
        case Call():
            if node.function == "hold":
                return args[0]
            names = {"abs": "Abs", "pow": "Pow"}
            return getattr(sympy, names.get(node.function, node.function))(*args) if args else sympy.pi
        case LU() | LDL() | Solve():
            return sympy.Function(node.word)(*args)
        case Item():
            return sympy.Function("item")(*args)
        case _:
            assert_never(node)
