"""Formulations: each poses the equations of motion of a mechanism in its own way, in a module of its name.

The table of them is in `options.py`, where it is read without loading any.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from volterra_cg.formulations.problem import Asked, Posed
from volterra_cg.formulations.redundancy import set_aside
from volterra_cg.kinematics.types import Kinematics


def pose(formulation: str, kinematics: Kinematics, asked: Asked) -> Posed:
    """The equations of a mechanism; `asked` names the ignorable coordinates, or is None to find them."""
    return pose_set(formulation, set_aside(kinematics), asked)


def pose_set(formulation: str, kinematics: Kinematics, asked: Asked) -> Posed:
    """The same, solved for the constraints that are not set aside and, if there are any, in the speeds of `kinematics`."""
    module = import_module(f"{__name__}.{formulation.replace('-', '_')}")
    return cast("Callable[[Kinematics, Asked], Posed]", module.pose)(kinematics, asked)
