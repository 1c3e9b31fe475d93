"""Formulations: each poses the equations of motion of a mechanism in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from volterra_cg.formulations import (
    boltzmann_hamel,
    kane,
    lagrange,
    maggi,
    reduced_volterra,
    routh,
    udwadia_kalaba,
    volterra,
)
from volterra_cg.formulations.problem import Problem
from volterra_cg.kinematics.types import Kinematics

Pose = Callable[[Kinematics, tuple[str, ...] | None], Problem]

FORMULATIONS: Mapping[str, Pose] = {
    module.FORMULATION: module.pose
    for module in (reduced_volterra, lagrange, maggi, udwadia_kalaba, boltzmann_hamel, volterra, kane, routh)
}
