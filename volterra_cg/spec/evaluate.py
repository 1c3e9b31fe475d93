"""Values of constant expressions in floating point, for checks on the numbers of a spec."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

from volterra_cg.spec.expressions import Binary, Call, Name, Negative, Node, Number

_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": math.pow,
}
_OWN: dict[str, Callable[..., float]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda value: float((value > 0) - (value < 0)),
}


def constant(node: Node) -> float | None:
    """The value of an expression without names, infinite where it is out of range; None for any other."""
    try:
        return evaluate(node, {})
    except OverflowError:
        return math.inf
    except (KeyError, ArithmeticError, ValueError):
        return None


def evaluate(node: Node, values: Mapping[str, Node]) -> float:
    """The value of a constant, with parameters by name; raises ArithmeticError or ValueError where it has none."""
    match node:
        case Number(value=value):
            return float(value)
        case Name(name="pi"):
            return math.pi
        case Name(name=name):
            return evaluate(values[name], values)
        case Negative(operand=operand):
            return -evaluate(operand, values)
        case Binary(operator=sign, left=left, right=right):
            return _OPERATIONS[sign](evaluate(left, values), evaluate(right, values))
        case Call(function=function, arguments=arguments):
            apply = _OWN.get(function) or getattr(math, function, None)
            if apply is None:
                raise ValueError(f"{function} has no value of its own")
            return float(apply(*(evaluate(argument, values) for argument in arguments)))
    raise ValueError("not a constant")
