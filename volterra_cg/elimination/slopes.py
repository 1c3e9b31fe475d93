"""The derivatives that a model may be asked for, in the order of its vectors."""

from __future__ import annotations

from volterra_cg.elimination.assemble import work_input
from volterra_cg.formulations.problem import Problem
from volterra_cg.program.types import Slopes


def slopes(problem: Problem, work: bool) -> tuple[Slopes, ...]:
    """Those of the derivative of the state, and those of states and momenta at the start."""
    inputs = problem.kinematics.inputs
    states = (*inputs.coordinates, *problem.speed_inputs, *([work_input(problem)] if work else []))
    return (
        Slopes("jacobian", "rhs", states),
        Slopes("sensitivity", "rhs", (*inputs.parameters, *problem.momentum_inputs, *inputs.signals)),
        Slopes("start_sensitivity", "start", (*inputs.coordinates, *inputs.rates, *inputs.parameters)),
    )
