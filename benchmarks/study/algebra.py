"""Small algebra over any numbers: floats, CasADi's SX, heyoka's expressions or sympy's; zeros are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Vec = list[Any]
Mat = list[list[Any]]


@dataclass(frozen=True)
class Math:
    """The functions that the forms need of a number system."""

    sin: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]


@dataclass(frozen=True)
class At:
    """Where a form is asked for; momenta of the coordinates that are gone are numbers."""

    q: Sequence[Any]
    u: Sequence[Any]
    momenta: Sequence[float]
    t: Any
    math: Math


@dataclass(frozen=True)
class Form:
    """q' and the dense equations matrix * u' = right; `beyond` are the rates of further states."""

    rates: Vec
    matrix: Mat
    right: Vec
    beyond: Sequence[Any] = ()


def _zero(x: Any) -> bool:
    return isinstance(x, int | float) and x == 0


def add(*terms: Any) -> Any:
    kept = [t for t in terms if not _zero(t)]
    total = kept[0] if kept else 0.0
    for t in kept[1:]:
        total = total + t
    return total


def mul(a: Any, b: Any) -> Any:
    if _zero(a) or _zero(b):
        return 0.0
    if isinstance(a, int | float) and abs(a) == 1:
        return b if a == 1 else neg(b)
    if isinstance(b, int | float) and abs(b) == 1:
        return a if b == 1 else neg(a)
    return a * b


def neg(a: Any) -> Any:
    return 0.0 if _zero(a) else -a


def sub(a: Any, b: Any) -> Any:
    if _zero(b):
        return a
    return neg(b) if _zero(a) else a - b


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return add(*(mul(x, y) for x, y in zip(a, b, strict=True)))


def cross(a: Sequence[Any], b: Sequence[Any]) -> Vec:
    return [sub(mul(a[i - 2], b[i - 1]), mul(a[i - 1], b[i - 2])) for i in range(3)]


def plus(*vectors: Sequence[Any]) -> Vec:
    return [add(*entries) for entries in zip(*vectors, strict=True)]


def times(c: Any, a: Sequence[Any]) -> Vec:
    return [mul(c, x) for x in a]


def apply(m: Sequence[Sequence[Any]], a: Sequence[Any]) -> Vec:
    return [dot(row, a) for row in m]


def product(a: Sequence[Sequence[Any]], b: Sequence[Sequence[Any]]) -> Mat:
    return [[dot(row, column) for column in zip(*b, strict=True)] for row in a]


def transposed(a: Sequence[Sequence[Any]]) -> Mat:
    return [list(row) for row in zip(*a, strict=True)]


def turn(axis: int, s: Any, c: Any) -> Mat:
    """The matrix that takes components in turned axes to those in the axes before."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m: Mat = [[0.0] * 3 for _ in range(3)]
    m[axis][axis] = 1.0
    m[i][i] = m[j][j] = c
    m[i][j], m[j][i] = neg(s), s
    return m


def solve(matrix: Mat, right: Sequence[Any]) -> Vec:
    """A symmetric definite system by L D L^T, written out."""
    n = len(right)
    rows = [list(row) for row in matrix]
    x = list(right)
    inverse: Vec = [None] * n
    low: Mat = [[0.0] * n for _ in range(n)]
    for k in range(n):
        inverse[k] = 1 / rows[k][k]
        for i in range(k + 1, n):
            low[i][k] = mul(rows[i][k], inverse[k])
        for i in range(k + 1, n):
            for j in range(k + 1, i + 1):
                rows[i][j] = sub(rows[i][j], mul(low[i][k], rows[j][k]))
        for i in range(k + 1, n):
            x[i] = sub(x[i], mul(low[i][k], x[k]))
    x = [mul(a, b) for a, b in zip(x, inverse, strict=True)]
    for k in reversed(range(n)):
        for i in range(k + 1, n):
            x[k] = sub(x[k], mul(low[i][k], x[i]))
    return x
