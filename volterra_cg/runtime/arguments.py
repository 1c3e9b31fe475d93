"""Arguments of a user, checked by type and range and refused by name."""

from __future__ import annotations

import math
import operator
import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from volterra_cg.errors import OptionError

Vector = NDArray[np.float64]
LARGEST = 2**63 - 1  # whole number that the loop counts to


def number(name: str, value: object) -> float:
    """The value as a number, which may be infinite or NaN."""
    try:
        if isinstance(value, str | bytes) or np.ndim(value):  # type: ignore[arg-type]
            raise TypeError
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be a number, not {_short(value)}") from None


def finite(name: str, value: object) -> float:
    """The value as a finite number."""
    result = number(name, value)
    if not math.isfinite(result):
        raise OptionError(f"{name} must be a finite number, not {result:g}")
    return result


def count(name: str, value: object) -> int:
    """The value as a positive whole number."""
    try:
        result = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {_short(value)}") from None
    if not 0 < result <= LARGEST:
        raise OptionError(f"{name} must be positive and less than 2^63, not {result}")
    return result


def numbers(name: str, value: object) -> Vector:
    """The value as an array of numbers."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "USc" or any(item is None or isinstance(item, str) for item in _objects(array)):
            raise TypeError
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers, not {_short(value)}") from None


def _objects(array: NDArray[Any]) -> list[Any]:
    return list(array.flat) if array.dtype.kind == "O" else []


def mapping(name: str, value: object) -> None:
    """Refuse what does not map names to values."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"{name} must map names to values, not be {_short(value)}")


def _short(value: object) -> str:
    return " ".join(reprlib.repr(value).split())
