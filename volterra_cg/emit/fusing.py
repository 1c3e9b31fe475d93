"""Fused arithmetic: the text of a sum that takes products in; which these are says `program/cost.py`.

`fma(a, b, c)` is a*b + c, rounded once. What is fused follows from the nodes alone, never from how their text turns out, so
that the forms of a function for one state and for several have the same operations. A sign costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from volterra_cg.emit.statements import ATOM, PRODUCT, SUM, Code, code, joined

Fma = Callable[[bool, Code, Code, Code], Code]  # c + a*b of (False, a, b, c), c - a*b of (True, a, b, c)


@dataclass(frozen=True)
class Term:
    """A term of a sum: what is multiplied in it, and whether it is subtracted."""

    factors: tuple[Code, ...]
    negative: bool

    @property
    def is_product(self) -> bool:
        """Whether a fused operation can take it in."""
        return len(self.factors) > 1


def chained(terms: Sequence[Term], fma: Fma) -> tuple[Code, int, int]:
    """The sum of terms from left to right, how tightly it binds, and which term it begins with; `fma` takes products in.

    It begins with a term that is no product where there is one: all products are then taken in.
    """
    first = next((k for k, term in enumerate(terms) if not term.is_product), 0)
    made, negative, level = joined("*", terms[first].factors), terms[first].negative, PRODUCT
    for term in [*terms[:first], *terms[first + 1 :]]:
        if term.is_product:
            made, negative, level = _taken_in(term, made, negative, level, fma), False, ATOM
        else:
            made, negative, level = _added(term, made, negative, level)
    return (code("-", _bound(made, level)), SUM, first) if negative else (made, level, first)


def _taken_in(term: Term, made: Code, negative: bool, level: int, fma: Fma) -> Code:
    """A product and what was summed before it, in one operation."""
    *others, last = term.factors
    before = code("-", _bound(made, level)) if negative else made
    return fma(term.negative, joined("*", others), last, before)


def _added(term: Term, made: Code, negative: bool, level: int) -> tuple[Code, bool, int]:
    """A term that is no product added to what was summed before it; whether the sum is to be taken negative."""
    [own] = term.factors
    if negative and not term.negative:
        return code(own, " - ", _bound(made, level)), False, SUM
    return code(made, " + " if term.negative == negative else " - ", own), negative, SUM


def _bound(made: Code, level: int) -> Code:
    return code("(", made, ")") if level < PRODUCT else made
