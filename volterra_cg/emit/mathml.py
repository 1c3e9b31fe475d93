"""Expressions in MathML, with dots over what is a rate."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import sympy
from sympy.printing.mathml import MathMLPresentationPrinter

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Omega": "Ω", "Theta": "Θ", "Phi": "Φ", "Psi": "Ψ",
}  # fmt: skip
DOTS = {1: "˙", 2: "¨"}


def markup(expression: sympy.Basic) -> str:
    """An expression as presentation MathML."""
    return str(_Printer().doprint(expression)).replace("<mo>&InvisibleTimes;</mo>", '<mspace width="0.2em"></mspace>')


def name(text: str) -> str:
    """A name of the spec, such as theta1 or der(theta1), as presentation MathML."""
    bare, dots = dotted(text)
    return markup(sympy.Symbol(bare + "'" * dots))


def dotted(name: str) -> tuple[str, int]:
    """A name without der() or primes, and how often it is differentiated."""
    bare = name.rstrip("'")
    dots = len(name) - len(bare)
    while bare.startswith("der(") and bare.endswith(")"):
        bare, dots = bare[4:-1], dots + 1
    return bare, dots


class _Printer(MathMLPresentationPrinter):  # type: ignore[misc]
    """sympy's, but for symbols."""

    def _print_Symbol(self, symbol: sympy.Symbol, style: str = "plain") -> Any:  # noqa: ARG002, N802
        bare, dots = dotted(symbol.name)
        head, _, index = bare.partition("_")
        digits = re.fullmatch(r"(\D+)(\d+)", head)
        if digits and not index:
            head, index = digits[1], digits[2]
        made = self._text("mi", GREEK.get(head, head))
        if dots:
            over = self.dom.createElement("mover")
            over.setAttribute("accent", "true")
            over.appendChild(made)
            over.appendChild(self._text("mo", DOTS.get(dots, f"({dots})")))
            made = over
        if index:
            below = self.dom.createElement("msub")
            below.appendChild(made)
            below.appendChild(self._text("mi", GREEK.get(index, index)))
            made = below
        return made

    def _print_MatrixBase(self, matrix: sympy.Matrix) -> Any:  # noqa: N802
        """Brackets are left to the style of the page: not every font has tall ones."""
        made = self.dom.createElement("mtable")
        made.setAttribute("class", "matrix")
        for i in range(matrix.rows):
            row = self.dom.createElement("mtr")
            for j in range(matrix.cols):
                cell = self.dom.createElement("mtd")
                cell.appendChild(self._print(matrix[i, j]))
                row.appendChild(cell)
            made.appendChild(row)
        return made

    def _text(self, kind: str, text: str) -> Any:
        made = self.dom.createElement(kind)
        made.appendChild(self.dom.createTextNode(escape(text)))  # sympy has texts written as they are
        return made
