"""The equations of a model for reading, in the notations that targets.py lists."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from html import escape

import sympy

from volterra_cg.elimination.solution import Solution
from volterra_cg.emit import mathml
from volterra_cg.formulations.problem import ClassicalProblem, Problem
from volterra_cg.program.nodes import Node, topological
from volterra_cg.program.text import symbol, to_sympy

LARGE = 160  # nodes; a larger entry is counted, not shown
NARROW = 15  # operations; a matrix with a longer entry is listed entry by entry on a page
SIMPLIFIED = 60  # operations written out; sympy's trigonometric simplification of more takes seconds an entry


def show(problem: Problem, solution: Solution, name: str, target: str) -> str:
    """Dynamical constraints, W, X, and the matrix and right side of the equations of motion."""
    rates = [symbol(node) for node in problem.kinematics.inputs.rates]
    speeds = [symbol(node) for node in problem.speed_inputs]
    momenta = [symbol(node) for node in problem.momentum_inputs]
    page = NOTATIONS[target]()
    page.title(f"{name}: {len(speeds)} equations ({problem.formulation})")
    if problem.momentum_inputs:
        page.title("Dynamical constraints M' q' + N_2 = G_I, Eq. (25)")
        for row, constant in zip(problem.momenta, momenta, strict=True):
            page.equation(constant, row.value)
    page.title(problem.titles.rates)
    for rate, node in zip(rates, solution.rates, strict=True):
        page.equation(rate, node)
    page.matrix("W", solution.transmission)
    page.matrix("X", [[node] for node in solution.offset])
    classical = isinstance(problem, ClassicalProblem)
    left, right = ("M", "L") if classical else ("M_NI", "L_NI")
    where = "" if classical else ", Eq. (64)"
    page.title(f"Equations of motion {left} u' = {right}{where}, with q' from above")
    if classical:
        page.title(f"M: {problem.titles.matrix}")
    page.matrix(left, solution.mass)
    if classical:
        page.title(f"L: {problem.titles.forcing}")
    page.matrix(right, [[node] for node in solution.forcing])
    return page.text()


class Notation(ABC):
    """Collects the lines of a page."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def text(self) -> str:
        """All lines."""
        return "\n".join(self._lines).strip()

    def title(self, text: str) -> None:
        """A heading."""
        self._lines += ["", self._heading(text), ""]

    def equation(self, left: sympy.Symbol, node: Node) -> None:
        """One equation: left = node."""
        self._lines.append(self._equation(left, _readable(node)))

    def matrix(self, name: str, rows: Sequence[Sequence[Node]]) -> None:
        """A matrix, if it has entries."""
        if rows and rows[0]:
            self._lines += self._matrix(name, sympy.Matrix([[_readable(node) for node in row] for row in rows]))

    @abstractmethod
    def _heading(self, text: str) -> str: ...

    @abstractmethod
    def _equation(self, left: sympy.Symbol, right: sympy.Expr) -> str: ...

    @abstractmethod
    def _matrix(self, name: str, entries: sympy.Matrix) -> list[str]: ...


class PlainText(Notation):
    """For a terminal; a matrix entry by entry, without zeros."""

    def _heading(self, text: str) -> str:
        return text

    def _equation(self, left: sympy.Symbol, right: sympy.Expr) -> str:
        return f"  {left} = {right}"

    def _matrix(self, name: str, entries: sympy.Matrix) -> list[str]:
        return [*(f"  {name}[{place}] = {entry}" for place, entry in _entries(entries)), ""]


class Latex(Notation):
    """Displayed formulas; headings are comments."""

    def _heading(self, text: str) -> str:
        return f"% {text}"

    def _equation(self, left: sympy.Symbol, right: sympy.Expr) -> str:
        return rf"\[ {_latex(left)} = {_latex(right)} \]"

    def _matrix(self, name: str, entries: sympy.Matrix) -> list[str]:
        head, _, index = name.partition("_")
        label = rf"{head}_{{{index}}}" if index else head
        return [rf"\[ {label} = {_latex(entries)} \]"]


class MathML(Notation):
    """Headings and formulas of HTML; every text is escaped."""

    def _heading(self, text: str) -> str:
        return f"<h3>{escape(text)}</h3>"

    def _equation(self, left: sympy.Symbol, right: sympy.Expr) -> str:
        shown = mathml.dotted(left.name), mathml.dotted(getattr(right, "name", ""))
        return "" if shown[0] == shown[1] else _formula(left, right)  # a rate that is a quasi-velocity itself

    def _matrix(self, name: str, entries: sympy.Matrix) -> list[str]:
        if all(entry.count_ops() <= NARROW for entry in entries):
            return [_formula(sympy.Symbol(name), entries)]
        label = f"{name} " if "_" in name else f"{name}_"
        listed = [_formula(sympy.Symbol(f"{label}{place}"), entry) for place, entry in _entries(entries)]
        zeros = len(entries) > len(listed)
        return [*listed, f"<p>All other entries of {escape(name)} are zero.</p>" if zeros else ""]


NOTATIONS: dict[str, type[Notation]] = {"text": PlainText, "latex": Latex, "mathml": MathML}


def _entries(matrix: sympy.Matrix) -> Iterator[tuple[str, sympy.Expr]]:
    """The entries that are not zero, each with its place."""
    for i, j in itertools.product(range(matrix.rows), range(matrix.cols)):
        if matrix[i, j] != 0:
            yield f"{i + 1}" if matrix.cols == 1 else f"{i + 1},{j + 1}", matrix[i, j]


def _formula(left: sympy.Symbol, right: sympy.Basic) -> str:
    made = mathml.markup(left), mathml.markup(right)
    return f'<math display="block"><mrow>{made[0]}<mo>=</mo>{made[1]}</mrow></math>'


def _readable(node: Node) -> sympy.Expr:
    """A node as a short expression, or as a symbol that says how large it is."""
    size = len(topological([node]))
    if size > LARGE:
        return sympy.Symbol(f"<not shown: {size} nodes>")
    expression = to_sympy(node)
    return sympy.trigsimp(expression) if expression.count_ops() <= SIMPLIFIED else expression


def _latex(expression: sympy.Basic) -> str:
    rates = {
        s: sympy.Symbol(rf"\dot{{{sympy.latex(sympy.Symbol(s.name[:-1]))}}}")
        for s in expression.free_symbols
        if s.name.endswith("'")
    }
    return str(sympy.latex(expression.subs(rates)))
