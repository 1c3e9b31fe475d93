"""Vectors and kinematic quantities as sympy nodes, so that a scalar of a spec stays one sympy expression.

`Dot(Velocity("C"), Axis("BC", 0))` is an ordinary scalar to sympy; the kinematics stage gives it its meaning.
Names of frames and points are held as `sympy.Symbol`, the form in which sympy keeps arguments.
"""

from __future__ import annotations

from sympy import Basic, Expr, Integer, Symbol


class Vector(Basic):  # type: ignore[misc]
    """A physical vector, free of any frame."""

    def __add__(self, other: Vector) -> Vector:
        return VectorSum(self, other)

    def __sub__(self, other: Vector) -> Vector:
        return VectorSum(self, Scaled(Integer(-1), other))

    def __neg__(self) -> Vector:
        return Scaled(Integer(-1), self)


class Axis(Vector):
    """Unit vector number `index` (0, 1, 2) of a frame: args (frame, index)."""

    def __new__(cls, frame: str | Symbol, index: int | Integer) -> Axis:
        node: Axis = super().__new__(cls, Symbol(str(frame)), Integer(index))
        return node


class Position(Vector):
    """From one point to another: args (point, origin)."""

    def __new__(cls, point: str | Symbol, origin: str | Symbol = "O") -> Position:
        node: Position = super().__new__(cls, Symbol(str(point)), Symbol(str(origin)))
        return node


class Velocity(Vector):
    """Velocity of a point in the inertial frame: args (point,)."""

    def __new__(cls, point: str | Symbol) -> Velocity:
        node: Velocity = super().__new__(cls, Symbol(str(point)))
        return node


class AngularVelocity(Vector):
    """Angular velocity of a frame in the inertial frame: args (frame,)."""

    def __new__(cls, frame: str | Symbol) -> AngularVelocity:
        node: AngularVelocity = super().__new__(cls, Symbol(str(frame)))
        return node


class Scaled(Vector):
    """A scalar times a vector: args (scalar, vector)."""


class VectorSum(Vector):
    """A sum of vectors: args are the terms."""


class Cross(Vector):
    """The cross product: args (left, right)."""


class Angle(Expr):  # type: ignore[misc]
    """By which a frame is turned about an axis of another: args (first, second, index)."""

    is_commutative = True
    is_real = True

    def __new__(cls, first: str | Symbol, second: str | Symbol, index: int | Integer) -> Angle:
        node: Angle = super().__new__(cls, Symbol(str(first)), Symbol(str(second)), Integer(index))
        return node


class Dot(Expr):  # type: ignore[misc]
    """The scalar product of two vectors: args (left, right)."""

    is_commutative = True
    is_real = True
