"""The equations of a model for reading, as text or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from volterra_cg.elimination.solution import Solution
from volterra_cg.formulations.problem import ClassicalProblem, Problem
from volterra_cg.program.nodes import Node, topological
from volterra_cg.program.text import symbol, to_sympy

LARGE = 160  # nodes; a larger entry is counted, not shown
SIMPLIFIED = 60  # nodes; a smaller one is worth sympy's trigonometric simplification


def show(problem: Problem, solution: Solution, name: str, latex: bool) -> str:
    """Dynamical constraints, W, X, and the matrix and right side of the equations of motion."""
    rates = [symbol(node) for node in problem.kinematics.inputs.rates]
    speeds = [symbol(node) for node in problem.speed_inputs]
    momenta = [symbol(node) for node in problem.momentum_inputs]
    page = _Page(latex)
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


class _Page:
    """Collects lines in one of the two notations."""

    def __init__(self, latex: bool) -> None:
        self._latex = latex
        self._lines: list[str] = []

    def text(self) -> str:
        """All lines."""
        return "\n".join(self._lines).strip()

    def title(self, text: str) -> None:
        """A heading."""
        self._lines += ["", f"% {text}" if self._latex else text, ""]

    def equation(self, left: sympy.Symbol, node: Node) -> None:
        """One equation: left = node."""
        right = _readable(node)
        if self._latex:
            self._lines.append(rf"\[ {_latex(left)} = {_latex(right)} \]")
        else:
            self._lines.append(f"  {left} = {right}")

    def matrix(self, name: str, rows: Sequence[Sequence[Node]]) -> None:
        """A matrix, entry by entry in text, whole in LaTeX."""
        if not rows or not rows[0]:
            return
        shown = [[_readable(node) for node in row] for row in rows]
        if self._latex:
            head, _, index = name.partition("_")
            label = rf"{head}_{{{index}}}" if index else head
            self._lines.append(rf"\[ {label} = {_latex(sympy.Matrix(shown))} \]")
            return
        for i, row in enumerate(shown):
            for j, entry in enumerate(row):
                if entry != 0:
                    place = f"{i + 1}" if len(row) == 1 else f"{i + 1},{j + 1}"
                    self._lines.append(f"  {name}[{place}] = {entry}")
        self._lines.append("")


def _readable(node: Node) -> sympy.Expr:
    """A node as a short expression, or as a symbol that says how large it is."""
    size = len(topological([node]))
    if size > LARGE:
        return sympy.Symbol(f"<{size} nodes>")
    expression = to_sympy(node)
    return sympy.trigsimp(expression) if size <= SIMPLIFIED else expression


def _latex(expression: sympy.Basic) -> str:
    rates = {
        s: sympy.Symbol(rf"\dot{{{sympy.latex(sympy.Symbol(s.name[:-1]))}}}")
        for s in expression.free_symbols
        if s.name.endswith("'")
    }
    return str(sympy.latex(expression.subs(rates)))
