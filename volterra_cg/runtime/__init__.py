"""What runs a compiled model: arrays, starts, simulations; nothing of the compiler and no sympy."""

from __future__ import annotations

from .linearisation import Linearisation, Sensitivities, StartSensitivities
from .model import Model
from .run import Run
from .start import Start

__all__ = ["Linearisation", "Model", "Run", "Sensitivities", "Start", "StartSensitivities"]
