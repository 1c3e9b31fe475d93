"""Second-order dual numbers: a value, its gradient by the variables y = (q, t, q') and its Hessian by (q, t).

Positions carry all three. What contains rates carries a value and a gradient, which is all that dynamics asks of it.
Values are arrays of any shape, real or complex (the complex step needs no more than that).
"""

import numpy as np


class Jet:
    """`v` of any shape, `g` with one more axis, `h` with two more, or None."""

    __array_ufunc__ = None  # numpy leaves mixed arithmetic to the formulations below

    def __init__(self, v, g, h):
        self.v, self.g, self.h = v, g, h

    def __add__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.v + other, self.g, self.h)
        whole = self.h is not None and other.h is not None
        return Jet(self.v + other.v, self.g + other.g, self.h + other.h if whole else None)

    def __mul__(self, other):
        if not isinstance(other, Jet):
            c = np.asarray(other)
            return Jet(self.v * c, self.g * c[..., None], None if self.h is None else self.h * c[..., None, None])
        a, b = self, other
        g = np.multiply(a.v, 1)[..., None] * b.g + np.multiply(b.v, 1)[..., None] * a.g
        if a.h is None or b.h is None:
            return Jet(a.v * b.v, g, None)
        n = a.h.shape[-1]
        cross = a.g[..., :n, None] * b.g[..., None, :n]
        h = np.multiply(a.v, 1)[..., None, None] * b.h + np.multiply(b.v, 1)[..., None, None] * a.h
        return Jet(a.v * b.v, g, h + cross + np.swapaxes(cross, -1, -2))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __truediv__(self, other):
        return self * power(other, -1)

    def __rtruediv__(self, other):
        return power(self, -1) * other

    def __getitem__(self, key):
        return Jet(self.v[key], self.g[key], None if self.h is None else self.h[key])

    def sum(self, axis):
        return Jet(self.v.sum(axis), self.g.sum(axis), None if self.h is None else self.h.sum(axis))

    def through(self, f, slope, curvature):
        """f of this, given the values of f, f' and f''."""
        d = np.asarray(slope)
        g = self.g * d[..., None]
        if self.h is None:
            return Jet(f, g, None)
        n = self.h.shape[-1]
        square = self.g[..., :n, None] * self.g[..., None, :n]
        return Jet(f, g, self.h * d[..., None, None] + square * np.asarray(curvature)[..., None, None])


def value(x):
    return x.v if isinstance(x, Jet) else x


def power(x, p):
    """x**p; with a jet in the exponent, exp(p log x)."""
    if isinstance(p, Jet):
        return call("exp", p * call("log", x))
    p = int(p) if np.isrealobj(p) and float(p).is_integer() else p
    if not isinstance(x, Jet):
        return np.asarray(x, dtype=np.result_type(x, float))[()] ** p
    v = x.v
    slope = p * v ** (p - 1) if p != 0 else 0.0 * v
    return x.through(v**p, slope, p * (p - 1) * v ** (p - 2) if p not in (0, 1) else 0.0 * v)


_SMOOTH = {  # f, f', f''
    "sin": (np.sin, np.cos, lambda x: -np.sin(x)),
    "cos": (np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x)),
    "tan": (np.tan, lambda x: 1 / np.cos(x) ** 2, lambda x: 2 * np.tan(x) / np.cos(x) ** 2),
    "asin": (np.arcsin, lambda x: (1 - x * x) ** -0.5, lambda x: x * (1 - x * x) ** -1.5),
    "acos": (np.arccos, lambda x: -((1 - x * x) ** -0.5), lambda x: -x * (1 - x * x) ** -1.5),
    "atan": (np.arctan, lambda x: 1 / (1 + x * x), lambda x: -2 * x / (1 + x * x) ** 2),
    "sinh": (np.sinh, np.cosh, np.sinh),
    "cosh": (np.cosh, np.sinh, np.cosh),
    "tanh": (np.tanh, lambda x: 1 / np.cosh(x) ** 2, lambda x: -2 * np.tanh(x) / np.cosh(x) ** 2),
    "exp": (np.exp, np.exp, np.exp),
    "log": (np.log, lambda x: 1 / x, lambda x: -1 / x**2),
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x), lambda x: -0.25 * x**-1.5),
    "abs": (lambda x: np.sign(np.real(x)) * x, lambda x: np.sign(np.real(x)), lambda x: 0.0 * x),
    "sign": (lambda x: np.sign(np.real(x)), lambda x: 0.0 * x, lambda x: 0.0 * x),
}


def call(name, *args):
    """A function of the language, of jets or numbers."""
    if name in ("min", "max"):
        best = min if name == "min" else max
        return best(args, key=lambda x: np.real(value(x)))
    if name == "atan2":
        return _angle(*args)
    f, slope, curvature = _SMOOTH[name]
    (x,) = args
    with np.errstate(divide="ignore", invalid="ignore"):  # a length of zero has no slope
        return x.through(f(x.v), slope(x.v), curvature(x.v)) if isinstance(x, Jet) else f(x)


def _angle(y, x):
    """The angle of (x, y), by the quotient that is not large; only its constant is not analytic."""
    steep = abs(value(y)) > abs(value(x))
    part = -call("atan", x / y) if steep else call("atan", y / x)
    return part + (np.arctan2(np.real(value(y)), np.real(value(x))) - np.real(value(part)))


def dot(a, b):
    return (a * b).sum(0)


def cross(a, b):
    left, right = [1, 2, 0], [2, 0, 1]
    return a[left] * b[right] - a[right] * b[left]


def matmul(a, b):
    return (a[:, :, None] * b[None, :, :]).sum(1)


def transposed(x):
    return Jet(x.v.T, np.swapaxes(x.g, 0, 1), np.swapaxes(x.h, 0, 1))


def joined(parts):
    """Jets of one shape as one array."""
    whole = all(p.h is not None for p in parts)
    h = np.array([p.h for p in parts]) if whole else None
    return Jet(np.array([p.v for p in parts]), np.array([p.g for p in parts]), h)
