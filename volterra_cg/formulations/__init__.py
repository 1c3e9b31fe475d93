"""Formulations: each poses the equations of motion of a mechanism in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from volterra_cg.formulations import reduced_volterra
from volterra_cg.formulations.problem import Problem
from volterra_cg.kinematics.types import Kinematics

Pose = Callable[[Kinematics, tuple[str, ...] | None], Problem]

METHODS: Mapping[str, Pose] = {reduced_volterra.METHOD: reduced_volterra.pose}
