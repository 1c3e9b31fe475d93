"""Named expressions: what stands for a name is put in wherever the name is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from volterra_cg.spec.bounds import bound, raised_by
from volterra_cg.spec.expressions import OF_NAMES, Binary, Call, ExpressionError, Name, Negative, Node, children

Meaning = Callable[[str], Node | None]  # of a name that stands for an expression, None for others


def put_in(node: Node, meaning: Meaning) -> Node:
    """An expression with others in place of their names, all of it at the place of the name."""
    found = _put_in(node, meaning)
    if found is not node and _size(found, bound("characters")) >= bound("characters"):
        message = f"with what its names stand for, the expression has more than {bound('characters')} parts"
        raise ExpressionError(node.at, message, f"use fewer names in names; {raised_by('characters')}")
    return found


def _put_in(node: Node, meaning: Meaning) -> Node:
    match node:
        case Name(name=name, at=at):
            known = meaning(name)
            return node if known is None else _moved(known, at)
        case Negative(operand=operand):
            return _changed(node, operand=_put_in(operand, meaning))
        case Binary(left=left, right=right):
            return _changed(node, left=_put_in(left, meaning), right=_put_in(right, meaning))
        case Call(function=function, arguments=arguments) if function not in OF_NAMES:
            return _changed(node, arguments=tuple(_put_in(argument, meaning) for argument in arguments))
    return node


def _changed(node: Node, **parts: object) -> Node:
    same = all(getattr(node, key) == part for key, part in parts.items())
    return node if same else replace(node, **parts)  # type: ignore[arg-type]


def _moved(node: Node, at: int) -> Node:
    match node:
        case Negative(operand=operand):
            return Negative(_moved(operand, at), at)
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, _moved(left, at), _moved(right, at), at)
        case Call(function=function, arguments=arguments):
            return Call(function, tuple(_moved(argument, at) for argument in arguments), at)
    return replace(node, at=at)


def _size(node: Node, most: int) -> int:
    """The number of parts of an expression, counted up to `most`."""
    waiting, count = [node], 0
    while waiting and count < most:
        count += 1
        waiting.extend(children(waiting.pop()))
    return count
