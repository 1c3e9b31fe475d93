"""The C printer: statement forms and elementary functions are sympy's, plain arithmetic is ready text."""

from __future__ import annotations

from functools import cache

import sympy
from sympy.codegen.ast import (
    Assignment,
    CodeBlock,
    Comment,
    Declaration,
    Element,
    Return,
    Token,
    Variable,
    float64,
    value_const,
)
from sympy.printing.c import C11CodePrinter

SYMPY_NAMES = {"abs": "Abs", "pow": "Pow"}


class Text(sympy.Expr):  # type: ignore[misc]
    """An expression that is C already: args (text,)."""

    def __new__(cls, text: str) -> Text:
        node: Text = super().__new__(cls, sympy.Symbol(text))
        return node


class Verbatim(Token):  # type: ignore[misc]
    """A statement that is C already."""

    __slots__ = _fields = ("text",)
    _construct_text = staticmethod(str)


class Printer(C11CodePrinter):  # type: ignore[misc]
    """Prints the statements of generated functions."""

    def _get_statement(self, codestring: str) -> str:
        return codestring if codestring.endswith((";", "}", "*/")) else codestring + ";"

    def _print_Text(self, expr: Text) -> str:  # noqa: N802
        return str(expr.args[0].name)

    def _print_Verbatim(self, expr: Verbatim) -> str:  # noqa: N802
        return str(expr.text)


@cache
def printer() -> Printer:
    """The printer that all functions share."""
    return Printer({"contract": False})


def declaration(name: str, text: str) -> Declaration:
    """The statement `const double name = text;`."""
    variable = Variable(sympy.Symbol(name), type=float64, attrs=[value_const])
    return variable.as_Declaration(value=Text(text))


def store(array: str, index: int, text: str) -> Assignment:
    """The statement `array[index] = text;`."""
    return Assignment(Element(sympy.Symbol(array), (index,)), Text(text))


def function(name: str, args: list[str]) -> str:
    """A call of an elementary function, as sympy spells it in C."""
    symbols = [sympy.Symbol(arg) for arg in args]
    if name == "sign":
        return f"(double)(({args[0]} > 0.0) - ({args[0]} < 0.0))"
    return str(printer().doprint(getattr(sympy, SYMPY_NAMES.get(name, name))(*symbols)))


def block(statements: list[sympy.Basic], indent: str = "    ", status: bool = True) -> str:
    """Statements as the body of a function, which returns 0 unless it has no status."""
    text = printer().doprint(CodeBlock(*statements, *[Return(sympy.Integer(0))] * status))
    return "\n".join(indent + line if line else "" for line in text.splitlines())


def comment(text: str) -> Comment:
    """The comment `/* text */`."""
    return Comment(text.replace("*/", "* /"))
