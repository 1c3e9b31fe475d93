"""What runs a compiled model: arrays, starts, simulations; nothing of the compiler and no sympy."""

from __future__ import annotations

from .controller import State
from .events import Event
from .linearisation import Linearisation, Sensitivities, StartSensitivities
from .methods import METHODS
from .model import Model
from .run import Run
from .runs import Runs
from .start import Start
from .status import Status
from .stepper import Checkpoint, Stepper

__all__ = [
    "METHODS",
    "Checkpoint",
    "Event",
    "Linearisation",
    "Model",
    "Run",
    "Runs",
    "Sensitivities",
    "Start",
    "StartSensitivities",
    "State",
    "Status",
    "Stepper",
]
