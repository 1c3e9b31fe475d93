"""Passes: each takes a program and returns one of the same values with fewer operations."""

from __future__ import annotations

from collections.abc import Callable

from volterra_cg.passes.merge import merge
from volterra_cg.passes.powers import powers
from volterra_cg.passes.prepare import prepare
from volterra_cg.program.types import Program

PASSES: tuple[Callable[[Program], Program], ...] = (merge, powers, prepare)


def optimise(program: Program) -> Program:
    """Run all passes in order."""
    for step in PASSES:
        program = step(program)
    return program
