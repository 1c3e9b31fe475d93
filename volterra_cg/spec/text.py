"""Expressions and tables as text that reads back as the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

from volterra_cg.spec.expressions import AXES, AxisOf, Binary, Call, Name, Negative, Node, Number

_RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
_UNARY, _WHOLE = 3, 5


def expression(node: Node) -> str:
    """The text of an expression."""
    return _text(node)[0]


def _text(node: Node) -> tuple[str, int]:
    """The text and how strongly it holds together."""
    match node:
        case Number(value=value):
            return number(value), _WHOLE if value >= 0 and "/" not in number(value) else 2 if value >= 0 else 0
        case Name(name=name):
            return name, _WHOLE
        case AxisOf(frame=frame, index=index):
            return f"{frame}.{AXES[index]}", _WHOLE
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(map(expression, arguments))})", _WHOLE
        case Negative(operand=operand):
            return f"-{_held(operand, _UNARY)}", _UNARY
        case Binary(operator="**", left=left, right=right):
            return f"{_held(left, _WHOLE)}**{_held(right, _UNARY)}", _RANKS["**"]
        case Binary(operator=sign, left=left, right=right):
            rank = _RANKS[sign]
            space = " " if rank == 1 else ""
            return f"{_held(left, rank)}{space}{sign}{space}{_held(right, rank + 1)}", rank
    assert_never(node)


def _held(node: Node, rank: int) -> str:
    text, own = _text(node)
    return text if own >= rank else f"({text})"


def number(value: Fraction) -> str:
    """A number as a decimal where it is one, else as a quotient."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    if value.denominator == 1:
        return str(value.numerator)
    digits = max(_exponent(value.denominator, 2), _exponent(value.denominator, 5))
    return format(Decimal(value.numerator * 10**digits // value.denominator).scaleb(-digits), "f")


def _exponent(value: int, prime: int) -> int:
    count = 0
    while value % prime == 0:
        value, count = value // prime, count + 1
    return count


def scalar(node: Node) -> object:
    """An expression as a value of a table: a plain number where it is one."""
    if isinstance(node, Number) and "/" not in number(node.value):
        return Decimal(number(node.value))
    return expression(node)


# --- TOML ---------------------------------------------------------------------------------------------------------------


def toml(document: Mapping[str, Any]) -> str:
    """A document as TOML, each entry of a table on a line of its own."""
    return "".join(f"{line}\n" for line, _ in lines(document))


def lines(document: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lines of a document, and the keys that each tells of."""
    for key, entry in document.items():
        if not isinstance(entry, Mapping):
            yield f"{_key(key)} = {value(entry)}", (key,)
    for key, entry in document.items():
        if isinstance(entry, Mapping) and entry:
            yield "", ()
            yield f"[{_key(key)}]", (key,)
            for name, inner in entry.items():
                yield f"{_key(name)} = {value(inner)}", (key, name)


def value(given: object) -> str:
    """A value of TOML on one line."""
    match given:
        case bool():
            return "true" if given else "false"
        case str():
            return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int():
            return str(given)
        case float():
            return repr(given)
        case Decimal():
            return str(int(given)) if given == given.to_integral_value() and abs(given) < 2**53 else _float(given)
        case Mapping():
            return (
                f"{{ {', '.join(f'{_key(key)} = {value(inner)}' for key, inner in given.items())} }}" if given else "{}"
            )
        case Sequence():
            return f"[{', '.join(map(value, given))}]"
    raise TypeError(f"TOML has no {type(given).__name__}")


def _float(given: Decimal) -> str:
    text = str(given).lower().replace("e+", "e")
    return text if re.search(r"[.e]", text) else f"{text}.0"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
