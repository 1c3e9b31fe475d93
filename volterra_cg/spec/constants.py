"""Constants inside expressions: one that has no value, or none that fits a floating-point number, is told where it stands."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from volterra_cg.spec.bounds import bound, raised_by
from volterra_cg.spec.expressions import (
    LARGE,
    OPERATIONS,
    OWN,
    SCALAR_FUNCTIONS,
    SMALL,
    Binary,
    Call,
    Name,
    Negative,
    Node,
    Number,
    children,
)

Value = Fraction | float  # exact as long as it is rational
Report = Callable[[int, str, str], None]  # character, message, remedy

_OUT_OF_RANGE = "this number is out of range"
_DIGIT = math.log10(2)  # of a bit
_DOMAINS = {
    "asin": "asin takes numbers from -1 to 1",
    "acos": "acos takes numbers from -1 to 1",
    "log": "log takes numbers above zero",
    "sqrt": "sqrt takes no numbers below zero",
}


class Refused(Exception):  # noqa: N818
    """A constant has no value; arguments are the message and the remedy."""


def require_values(node: Node, report: Report) -> None:
    """Report every constant in an expression that has no value, and divisions by zero."""
    _Constants(report).value(node)


class _Constants:
    def __init__(self, report: Report) -> None:
        self.report = report

    def value(self, node: Node) -> Value | None:
        """The value of an expression without names; None for any other, or where it was reported."""
        match node:
            case Number(value=number):
                return number
            case Name(name="pi"):
                return math.pi
        parts = [self.value(child) for child in children(node)]
        if isinstance(node, Binary) and not self._sound(node, parts[1]):
            return None
        known = [part for part in parts if part is not None]
        if not parts or len(known) < len(parts):
            return None
        try:
            return _applied(node, known)
        except Refused as refusal:
            message, remedy = refusal.args
            self.report(node.at, message, remedy)
            return None

    def _sound(self, node: Binary, right: Value | None) -> bool:
        """Whether the divisor is not zero, or the exponent not too large."""
        if right is None:
            return True
        if node.operator == "/" and right == 0:
            self.report(node.right.at, "this divides by zero", "write it without that division")
            return False
        if node.operator == "**" and not -bound("exponent") <= right <= bound("exponent"):
            remedy = f"powers go up to {bound('exponent')}; {raised_by('exponent')}"
            self.report(node.right.at, "this power is out of range", remedy)
            return False
        return True


def _applied(node: Node, parts: list[Value]) -> Value | None:
    match node:
        case Negative():
            return -parts[0]
        case Binary(operator=sign):
            left, right = parts
            return _in_range(_combined(sign, left, right), zero=sign in "+-" or 0 in parts)
        case Call(function=function) if function in SCALAR_FUNCTIONS:
            return _in_range(_called(function, parts), zero=True)
    return None


def _combined(sign: str, left: Value, right: Value) -> Value:
    if sign != "**":
        exact = isinstance(left, Fraction) and isinstance(right, Fraction)
        found: Value = OPERATIONS[sign](*((left, right) if exact else (_double(left), _double(right))))
        return found
    try:
        double = math.pow(_double(left), _double(right))
    except OverflowError:
        raise Refused(_OUT_OF_RANGE, LARGE) from None
    except (ArithmeticError, ValueError):
        why = "zero has no negative powers" if left == 0 else "a negative number has whole powers only"
        raise Refused("this is not a real number", why) from None
    if isinstance(left, Fraction) and isinstance(right, Fraction) and right.denominator == 1:
        _require_digits(_digits(left) * abs(right.numerator))
        return left**right.numerator
    return double


def _called(function: str, parts: list[Value]) -> Value:
    try:
        found: Value = OWN[function](*parts) if function in OWN else getattr(math, function)(*map(_double, parts))
    except OverflowError:
        raise Refused(_OUT_OF_RANGE, LARGE) from None
    except ValueError:
        raise Refused("this is not a real number", _DOMAINS.get(function, "")) from None
    return found


def _in_range(value: Value, *, zero: bool) -> Value:
    """A value that a floating-point number can hold; unless `zero`, it is not zero."""
    if isinstance(value, Fraction):
        _require_digits(_digits(value))
    double = _double(value)
    if not math.isfinite(double):
        raise Refused(_OUT_OF_RANGE, LARGE)
    if double == 0 and (value != 0 or not zero):
        raise Refused(_OUT_OF_RANGE, SMALL)
    return value


def _double(value: Value) -> float:
    try:
        return float(value)
    except OverflowError:
        raise Refused(_OUT_OF_RANGE, LARGE) from None


def _digits(value: Fraction) -> float:
    """How many digits there are in numerator and denominator together, about."""
    return (value.numerator.bit_length() + value.denominator.bit_length()) * _DIGIT


def _require_digits(count: float) -> None:
    if count > 2 * bound("digits"):
        raise Refused(f"this number has more than {bound('digits')} digits", f"round it; {raised_by('digits')}")
