"""A posed problem: what a formulation hands to the elimination. Entries are program nodes; nothing is solved yet."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from volterra_cg.formulations.algebra import Algebra, Derived
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Input, Node

if TYPE_CHECKING:
    from volterra_cg.formulations.speeds import Choice

Asked = tuple[str, ...] | None  # names of ignorable coordinates, or None to find them


class Quantity(enum.Enum):
    """What an unknown of a linear system is."""

    RATE = "q'"
    ACCELERATION = "q''"
    SPEED_RATE = "u'"


class Law(enum.Enum):
    """Where an equation of a linear system comes from."""

    SPEED = "quasi-velocity"
    MOMENTUM = "conserved momentum"
    CONSTRAINT = "constraint"
    DYNAMICS = "dynamics"


@dataclass(frozen=True)
class Unknown:
    """One unknown, by kind and by the user's name of what it belongs to."""

    quantity: Quantity
    name: str


@dataclass(frozen=True)
class Equation:
    """Σ terms[k] * unknown k = right."""

    law: Law
    name: str
    terms: Mapping[int, Node]
    right: Node

    @property
    def origin(self) -> str:
        """Where it comes from, for messages."""
        return f"{self.law.value} {self.name}"


@dataclass(frozen=True)
class LinearSystem:
    """A sparse square system."""

    unknowns: tuple[Unknown, ...]
    equations: tuple[Equation, ...]

    def positions(self, quantity: Quantity) -> list[int]:
        """Where the unknowns of a kind stand."""
        return [k for k, unknown in enumerate(self.unknowns) if unknown.quantity is quantity]

    def of(self, *laws: Law) -> list[Equation]:
        """The equations of some origins, in the order of the origins."""
        return [equation for law in laws for equation in self.equations if equation.law is law]


class Titles(NamedTuple):
    """Headings of the parts of an answer: q' of the state, matrix * u' = forcing, and u'."""

    rates: str
    matrix: str
    forcing: str
    speed_rates: str


@dataclass(frozen=True)
class Integral:
    """A conserved momentum: along `direction` (δq, by coordinate) nothing changes, so that `row` keeps its value.

    The row is M' q' + N_2 of Eq. (24). `value` is its constant where the momentum is embedded, None where it is only measured.
    """

    name: str
    direction: Mapping[int, Node]
    row: AffineRow
    value: Input | None


@dataclass(frozen=True)
class Problem:
    """The states [q, u], the integrals and the linear system that gives q'.

    `speeds` are the rows Y q' + Z of Eq. (42), `choice` is where they come from. Rates appear in all right sides as inputs;
    the elimination puts the solution of `rates` in their place.
    """

    formulation: str
    kinematics: Kinematics
    integrals: tuple[Integral, ...]
    speeds: tuple[AffineRow, ...]
    dropped: tuple[str, ...]
    speed_inputs: tuple[Input, ...]
    rates: LinearSystem
    notes: tuple[str, ...]
    titles: Titles
    choice: Choice
    with_speeds: Callable[[tuple[AffineRow, ...]], Posed]  # the same problem in other quasi-velocities

    @property
    def momenta(self) -> tuple[AffineRow, ...]:
        """The rows of the integrals."""
        return tuple(integral.row for integral in self.integrals)

    @property
    def momentum_inputs(self) -> tuple[Input, ...]:
        """The constants of the integrals that are embedded."""
        return tuple(integral.value for integral in self.integrals if integral.value is not None)

    @property
    def ignorable(self) -> tuple[int, ...]:
        """The coordinates that the integrals belong to, one each."""
        return tuple(j for integral in self.integrals for j in integral.direction)


@dataclass(frozen=True)
class ReducedProblem(Problem):
    """One whose elimination order is open: `motion` are the rows of `rates`, differentiated, `dynamics` the laws of motion."""

    motion: LinearSystem
    dynamics: Callable[[], tuple[Equation, ...]]  # asked for by some elimination orders only


@dataclass(frozen=True)
class ClassicalProblem(Problem):
    """One that solves its own matrix, with the linear algebra it is given."""

    derive: Callable[[ClassicalProblem, Algebra], Derived]


Posed = ReducedProblem | ClassicalProblem
