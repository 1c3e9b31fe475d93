"""A posed problem: what a formulation hands to the elimination. Entries are program nodes; nothing is solved yet."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from volterra_cg.formulations.algebra import Algebra, Derived
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Input, Node


class Quantity(enum.Enum):
    """What an unknown of a linear system is."""

    RATE = "q'"
    ACCELERATION = "q''"
    MULTIPLIER = "λ"
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


@dataclass(frozen=True)
class Problem:
    """The states [q, u], the embedded integrals and the two linear systems that give q' and u'.

    `momenta` are the rows M' q' + N_2 of Eq. (24), `speeds` the rows Y q' + Z of Eq. (42). Rates appear in all right
    sides as inputs; the elimination puts the solution of `rates` in their place. `momentum_inputs` is empty where the
    momenta are only measured. A classical formulation solves its own matrix by `derive`; without it the elimination
    chooses the elimination order of `motion`.
    """

    formulation: str
    kinematics: Kinematics
    ignorable: tuple[int, ...]
    speeds: tuple[AffineRow, ...]
    dropped: tuple[str, ...]
    momenta: tuple[AffineRow, ...]
    speed_inputs: tuple[Input, ...]
    momentum_inputs: tuple[Input, ...]
    rates: LinearSystem
    motion: LinearSystem
    notes: tuple[str, ...]
    derive: Derive | None = None


Derive = Callable[[Problem, Algebra], Derived]
