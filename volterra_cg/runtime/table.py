"""The C table of a model for Python code that calls C by itself: ctypes, numba, SciPy's low-level callbacks.

`Table` mirrors vcg_model.h, where each member is explained.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_double, c_int, c_void_p
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from volterra_cg.arrays import Vector
from volterra_cg.errors import InternalError, OptionError

if TYPE_CHECKING:
    from .start import Start

ABI_VERSION = 6
DOUBLES, INTS, TABLES = POINTER(c_double), POINTER(c_int), POINTER(c_void_p)

_OF_PARAMETERS = ctypes.CFUNCTYPE(c_int, DOUBLES, DOUBLES, INTS)
_INITIAL = ctypes.CFUNCTYPE(c_int, DOUBLES, DOUBLES, DOUBLES, INTS)
_START = ctypes.CFUNCTYPE(c_int, c_double, *[DOUBLES] * 5, INTS)
_OF_STATE = ctypes.CFUNCTYPE(c_int, c_double, *[DOUBLES] * 6, INTS)
_PAIR_OF_STATE = ctypes.CFUNCTYPE(c_int, c_double, *[DOUBLES] * 7, INTS)
_START_SENSITIVITY = ctypes.CFUNCTYPE(c_int, c_double, *[DOUBLES] * 4, INTS)
_SCENE = ctypes.CFUNCTYPE(c_int, c_double, *[DOUBLES] * 4, INTS)
_LANES = ctypes.CFUNCTYPE(c_int, *[DOUBLES] * 7, INTS)
_SIZES = [
    "abi_version",
    "coordinates",
    "speeds",
    "states",
    "momenta",
    "parameters",
    "prepared",
    "signals",
    "scratch",
    "outputs",
    "holonomic",
    "redundant",
    "events",
    "divisors",
    "charts",
    "framed",
    "drawn",
]


class Table(ctypes.Structure):
    """The struct vcg_model: sizes, then functions; those after `matrices` are false where the model has none."""

    _fields_: ClassVar = [
        *((name, c_int) for name in _SIZES),
        ("divisor_checks", INTS),
        ("chart", TABLES),
        ("prepare", _OF_PARAMETERS),
        ("initial", _INITIAL),
        ("start", _START),
        ("rhs", _OF_STATE),
        ("output", _OF_STATE),
        ("matrices", _PAIR_OF_STATE),
        ("gaps", _PAIR_OF_STATE),
        ("changes", _OF_STATE),
        ("scene", _SCENE),
        ("jacobian", _OF_STATE),
        ("sensitivity", _OF_STATE),
        ("start_sensitivity", _START_SENSITIVITY),
        ("frame", _OF_STATE),
        ("rhs_lanes", _LANES),
    ]


def functions(address: int) -> Table:
    """The table at the `address` of a model or module, which has to stay alive as long as the table is used."""
    table = Table.from_address(address)
    if table.abi_version != ABI_VERSION:
        raise InternalError(
            f"the model was built for interface {table.abi_version}, this runtime speaks {ABI_VERSION};"
            " build the model again"
        )
    return table


class Arrays(NamedTuple):
    """What the table's functions of a state take besides time, state and result, in their order."""

    w: Vector
    g: Vector
    signals: Vector
    scratch: Vector
    where: NDArray[np.intc]


def arrays(start: Start) -> Arrays:
    """The arrays that belong to a start; calls at the same time need a `scratch` and a `where` each."""
    if start.signals_at(start.t0, start.z0) is not None:
        raise OptionError("a signal of this start changes: bind numbers, and write later ones into `signals` yourself")
    table = functions(start.model.address)
    p, signals = (np.array(list(values.values()), dtype=np.float64) for values in (start.parameters, start.signals))
    w, where = np.zeros(table.prepared), np.full(1, -1, dtype=np.intc)
    if table.prepare(p.ctypes.data_as(DOUBLES), w.ctypes.data_as(DOUBLES), where.ctypes.data_as(INTS)):
        raise InternalError("the parameters of a start have no prepared values")  # the start itself has them
    return Arrays(w, start.momenta.copy(), signals, np.zeros(table.scratch), where)
