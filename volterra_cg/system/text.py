"""Expressions of a system in the words of a spec."""
# ruff: noqa: N802, N815 - sympy finds the methods by the names of its classes

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from sympy import Expr
from sympy.printing.str import StrPrinter

from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.text import number

FUNCTIONS = {"Abs": "abs", "Min": "min", "Max": "max"}


class _Printer(StrPrinter):  # type: ignore[misc]
    """Prints the nodes of `system.vectors` and what the language calls otherwise."""

    def _print_Symbol(self, node: Any) -> str:
        return f"der({node.name[:-1]})" if node.name.endswith("'") else str(node.name)

    def _print_Function(self, node: Any) -> str:
        name = type(node).__name__
        return f"{FUNCTIONS.get(name, name)}({', '.join(map(self._print, node.args))})"

    _print_Abs = _print_Min = _print_Max = _print_Function

    def _print_Exp1(self, _: Any) -> str:
        return "exp(1)"

    def _print_Float(self, node: Any) -> str:
        return repr(float(node))

    def _print_Axis(self, node: Any) -> str:
        return f"{node.args[0].name}.{AXES[int(node.args[1])]}"

    def _print_Position(self, node: Any) -> str:
        return f"position({node.args[0].name}, {node.args[1].name})"

    def _print_Velocity(self, node: Any) -> str:
        return f"velocity({node.args[0].name})"

    def _print_AngularVelocity(self, node: Any) -> str:
        return f"omega({node.args[0].name})"

    def _print_Scaled(self, node: Any) -> str:
        return f"({self._print(node.args[0])})*{self._print(node.args[1])}"

    def _print_VectorSum(self, node: Any) -> str:
        return f"({' + '.join(map(self._print, node.args))})"

    def _print_Cross(self, node: Any) -> str:
        return f"cross({self._print(node.args[0])}, {self._print(node.args[1])})"

    def _print_Dot(self, node: Any) -> str:
        return f"dot({self._print(node.args[0])}, {self._print(node.args[1])})"


def scalar(expression: Expr) -> object:
    """An expression as a value of a table: a plain number where it is one."""
    if expression.is_Integer:
        return int(expression)
    if expression.is_Rational and "/" not in (shown := number(Fraction(expression.p, expression.q))):
        return Decimal(shown)
    if expression.is_Float:
        return Decimal(repr(float(expression)))
    return str(_Printer({"full_prec": False}).doprint(expression))
