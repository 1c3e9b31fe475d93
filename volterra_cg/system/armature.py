"""Armatures: inertia along a coordinate, as a rotor that turns in place by the coordinate."""

from __future__ import annotations

from sympy import Expr, Integer

from volterra_cg.spec.entities import FIXED_POINT, INERTIAL_FRAME, Body, Frame, Inertia, Quantity, Turn
from volterra_cg.spec.tree import FrameRef, Ref
from volterra_cg.system.types import symbol


def rotor(armature: Quantity[Expr]) -> tuple[Frame[Expr], Body[Expr]]:
    """The frame and the body, without mass, whose kinetic energy is a q'^2 / 2."""
    name, zero, one = FrameRef(f"armature of {armature.name}"), Integer(0), Integer(1)
    frame = Frame(name, INERTIAL_FRAME, (Turn((zero, zero, one), symbol(armature.name)),))
    return frame, Body(Ref(name), zero, FIXED_POINT, name, Inertia({"zz": armature.value}))
