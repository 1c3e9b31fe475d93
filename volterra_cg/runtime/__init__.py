"""What runs a compiled model: arrays, starts, simulations; nothing of the compiler and no sympy."""

from __future__ import annotations

from .model import Model
from .run import Run
from .runs import Runs
from .start import Start

__all__ = ["Model", "Run", "Runs", "Start"]
